import type { FeeDiscountKind } from '../../data/nouns/fee-discounts.ts';
import type { EventRow } from '../events.ts';
import { numberAs, object, oneOf, required } from '../json-objects.ts';
import { decimals, parties } from '../json-values.ts';
import type { PartyVolumeDiscountStats, RefereeStats } from '../protocol/generated/fee-discounts_pb.ts';
import { decimal, partyId, uint63 } from '../values.ts';
import type { IngestNoun } from './noun.ts';

type Row = EventRow<'feeDiscount'>;

/** One event tells those of many parties. Before release 0.78 it tells none of single fees, which is not kept. */
export const feeDiscount: IngestNoun<
  'feeDiscount',
  'referralSetStatsUpdated' | 'volumeDiscountStatsUpdated'
> = {
  events: { referralSetStatsUpdated: 76, volumeDiscountStatsUpdated: 78 },
  fromMessage: (message) =>
    'setId' in message
      ? rowsOf('REFERRAL', message.atEpoch, message.refereesStats)
      : rowsOf('VOLUME', message.atEpoch, message.stats),
  fromJson: object({
    partyId: required(parties),
    kind: required(oneOf<FeeDiscountKind>(['REFERRAL', 'VOLUME'])),
    epoch: required(numberAs(uint63)),
    maker: required(decimals),
    infrastructure: required(decimals),
    liquidity: required(decimals),
  }),
};

function rowsOf(
  kind: FeeDiscountKind,
  atEpoch: bigint,
  stats: readonly (RefereeStats | PartyVolumeDiscountStats)[],
): readonly Row[] {
  const epoch = uint63('atEpoch', `${atEpoch}`);
  return stats.flatMap(({ partyId: party, discountFactors: factors }) => {
    if (factors === undefined) return [];
    const row = {
      partyId: partyId('partyId', party),
      kind,
      epoch,
      maker: decimal('discountFactors.maker', factors.maker),
      infrastructure: decimal('discountFactors.infrastructure', factors.infrastructure),
      liquidity: decimal('discountFactors.liquidity', factors.liquidity),
    };
    return [row];
  });
}
