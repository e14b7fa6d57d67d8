import { fromBinary } from '@bufbuild/protobuf';
import { decodeEvent } from '../../src/ingest/decode.ts';
import type { NetworkEvent } from '../../src/ingest/events.ts';
import { AssetSchema } from '../../src/ingest/protocol/generated/assets_pb.ts';
import { MarketDataSchema } from '../../src/ingest/protocol/generated/market-data_pb.ts';
import { MarketSchema } from '../../src/ingest/protocol/generated/markets_pb.ts';
import { RiskFactorSchema } from '../../src/ingest/protocol/generated/risk-factors_pb.ts';
import type { FeeVector079, PositionAnswer079, PositionVector079 } from './estimates-0.79.ts';
import { encodeEvent, type SentPayload } from './events.ts';

/** The epoch that goes on; discounts are of the one before. */
const CURRENT = 2n;

/** The market of a vector, so that each has one of its own. */
export function marketIdOf({ id }: { readonly id: string }): string {
  return `market-of-${id}`;
}

/** The party that a vector names. */
export function partyIdOf({ id }: { readonly id: string }): string {
  return `party-of-${id}`;
}

/** What the network sends of a vector's market, in the bytes that it sends it in, but for the market's id. */
export function eventsOf(vector: PositionVector079 | FeeVector079): readonly NetworkEvent[] {
  const market = marketIdOf(vector);
  const bytes = (name: keyof typeof vector.eventBytes) =>
    Buffer.from(vector.eventBytes[name] ?? '', 'base64');
  const sent: SentPayload[] = [
    { case: 'asset', value: fromBinary(AssetSchema, bytes('asset')) },
    { case: 'marketCreated', value: { ...fromBinary(MarketSchema, bytes('market')), id: market } },
  ];
  if (vector.eventBytes.riskFactor !== undefined)
    sent.push({
      case: 'riskFactor',
      value: { ...fromBinary(RiskFactorSchema, bytes('riskFactor')), market },
    });
  if (vector.eventBytes.marketData !== undefined)
    sent.push({
      case: 'marketData',
      value: { ...fromBinary(MarketDataSchema, bytes('marketData')), market },
    });
  return [...sent, ...discountsOf(vector)].map((payload) => decodeEvent(encodeEvent(payload)).event);
}

/** That the current epoch has begun. */
export function epochEvent(): NetworkEvent {
  const value = {
    seq: CURRENT,
    action: 1,
    startTime: 1n,
    expireTime: 2n,
    endTime: -6_795_364_578_871_345_152n,
  };
  return decodeEvent(encodeEvent({ case: 'epochEvent', value })).event;
}

function discountsOf(vector: PositionVector079 | FeeVector079): readonly SentPayload[] {
  if (!('discounts' in vector) || vector.discounts === undefined) return [];
  const { referralSetStatsOfPreviousEpoch: referral, volumeDiscountStatsOfPreviousEpoch: volume } =
    vector.discounts;
  const partyId = partyIdOf(vector);
  const atEpoch = CURRENT - 1n;
  const sent: SentPayload[] = [];
  if (referral !== null) {
    const refereesStats = [{ partyId, discountFactors: referral }];
    sent.push({ case: 'referralSetStatsUpdated', value: { setId: 'set', atEpoch, refereesStats } });
  }
  if (volume !== null) {
    const stats = [{ partyId, discountFactors: volume }];
    sent.push({ case: 'volumeDiscountStatsUpdated', value: { atEpoch, stats } });
  }
  return sent;
}

/** An answer about the vector's own market. */
export function inOwnMarket(vector: PositionVector079, answer: PositionAnswer079): PositionAnswer079 {
  const { worstCase, bestCase } = answer.margin;
  const marketId = marketIdOf(vector);
  return {
    ...answer,
    margin: { worstCase: { ...worstCase, marketId }, bestCase: { ...bestCase, marketId } },
  };
}
