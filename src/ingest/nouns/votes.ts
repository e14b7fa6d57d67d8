import type { EquityLikeShare } from '../../data/nouns/votes.ts';
import { voteValues } from '../../domain/enumerations.ts';
import {
  blockTimeOrOwn,
  enumerated,
  listOf,
  object,
  optional,
  otherwise,
  required,
} from '../json-objects.ts';
import { decimals, ids, integers, parties } from '../json-values.ts';
import { EquityLikeShareSchema } from '../protocol/generated/votes_pb.ts';
import { strictReader } from '../protocol/strict.ts';
import { decimal, id, integer, partyId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

export const vote: IngestNoun<'vote', 'vote'> = {
  events: { vote: 11 },
  fromMessage: (vote) => ({
    proposalId: id('proposalId', vote.proposalId),
    partyId: partyId('partyId', vote.partyId),
    value: vote.value,
    timestamp: vote.timestamp,
    totalGovernanceTokenBalance: integer('totalGovernanceTokenBalance', vote.totalGovernanceTokenBalance),
    totalGovernanceTokenWeight: decimal('totalGovernanceTokenWeight', vote.totalGovernanceTokenWeight),
    totalEquityLikeShareWeight: decimal('totalEquityLikeShareWeight', vote.totalEquityLikeShareWeight),
    elsPerMarket: fromShares(vote.elsPerMarket),
  }),
  fromJson: object({
    partyId: required(parties),
    proposalId: required(ids),
    timestamp: blockTimeOrOwn,
    value: required(enumerated(voteValues)),
    totalGovernanceTokenBalance: otherwise('0', integers),
    totalGovernanceTokenWeight: otherwise('0', decimals),
    totalEquityLikeShareWeight: otherwise('0', decimals),
    elsPerMarket: optional(listOf(object({ marketId: required(ids), els: required(decimals) }))),
  }),
};

const readShare = strictReader(EquityLikeShareSchema);

/**
 * Releases 0.74.0 to 0.74.4 have a text where later ones have messages. The bytes tell one from the other: a message
 * begins with the number of a field, which is a control character. The texts are passed over.
 */
function fromShares(sent: readonly Uint8Array[]): readonly EquityLikeShare[] | null {
  const shares = sent.filter(([first]) => first === MARKET_ID || first === ELS);
  if (shares.length === 0) return null;
  return shares.map((bytes) => {
    const { marketId, els } = readShare(bytes).message;
    return { marketId: id('elsPerMarket.marketId', marketId), els: decimal('elsPerMarket.els', els) };
  });
}

/** The first byte of a message that begins with the one field or the other. */
const MARKET_ID = 0x0a;
const ELS = 0x12;
