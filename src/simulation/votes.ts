import { type VoteValue, voteValues } from '../domain/enumerations.ts';
import { share } from './amounts.ts';
import { GOVERNANCE_ASSET } from './assets.ts';
import { generalBalance } from './parties.ts';
import type { Market } from './state/markets.ts';
import { findMarket, type Network, type SimulatedBlock } from './state/network.ts';
import type { Party } from './state/parties.ts';
import type { Ballot, Proposal } from './state/proposals.ts';

/** At most this many parties vote on one proposal in one block. */
const VOTES_IN_A_BLOCK = 8;

/**
 * Lets some parties vote on an open proposal; one that voted already may change its mind. The foundation votes
 * only for what it proposed itself, since its tokens decide.
 */
export function castVotes({ random, parties }: Network, block: SimulatedBlock, proposal: Proposal): void {
  const { party: proposer, appeal, ballots } = proposal;
  if (proposer.index === 0 && !ballots.has(proposer)) castVote(block, proposal, proposer, 'VALUE_YES');
  const others = parties.length - 1;
  if (others === 0 || (appeal === 0 && random.oneIn(2))) return;
  const votes = random.between(1, Math.min(VOTES_IN_A_BLOCK, others));
  for (let cast = 0; cast < votes; cast++) {
    const party = parties[random.between(1, others)];
    if (party) castVote(block, proposal, party, random.below(100) < appeal ? 'VALUE_YES' : 'VALUE_NO');
  }
}

function castVote(block: SimulatedBlock, proposal: Proposal, party: Party, value: VoteValue): void {
  const ballot: Ballot = { value, timestamp: block.timestamp };
  proposal.ballots.set(party, ballot);
  announce(block, proposal, party, ballot, { balance: 0n, weight: '0', equityLikeShare: '0' });
}

/**
 * Weighs the votes of a proposal that closes, each by its party's governance tokens, and announces them again
 * with their weights. Says which threshold was missed, if any.
 */
export function countVotes(
  network: Network,
  block: SimulatedBlock,
  proposal: Proposal,
): 'participation' | 'majority' | null {
  const { assets, parties } = network;
  const asset = assets[GOVERNANCE_ASSET];
  if (!asset) throw new RangeError('the network has no governance asset');
  const total = parties.reduce((sum, party) => sum + generalBalance(party, asset), 0n);
  const market = findMarket(network, proposal.marketId);
  let inFavour = 0n;
  let against = 0n;
  for (const [party, ballot] of proposal.ballots) {
    const balance = generalBalance(party, asset);
    if (ballot.value === 'VALUE_YES') inFavour += balance;
    else against += balance;
    const equityLikeShare = equityLikeShareOf(party, market);
    announce(block, proposal, party, ballot, { balance, weight: share(balance, total), equityLikeShare });
  }
  const cast = inFavour + against;
  if (cast === 0n || cast * 100_000n < total) return 'participation';
  return inFavour * 100n < cast * 66n ? 'majority' : null;
}

/** The party's part in the stake of the market that would change; of no weight in other proposals. */
function equityLikeShareOf(party: Party, market: Market | null): string {
  const bonds = market?.providers.map(({ bond }) => bond.balance) ?? [];
  const own = market?.providers.find((provider) => provider.party === party)?.bond.balance ?? 0n;
  return share(
    own,
    bonds.reduce((sum, bond) => sum + bond, 0n),
  );
}

function announce(
  block: SimulatedBlock,
  proposal: Proposal,
  party: Party,
  { value, timestamp }: Ballot,
  weights: { balance: bigint; weight: string; equityLikeShare: string },
): void {
  block.events.push({
    type: 'vote',
    row: {
      proposalId: proposal.id,
      partyId: party.id,
      value: voteValues.numbers[value],
      timestamp,
      totalGovernanceTokenBalance: weights.balance.toString(),
      totalGovernanceTokenWeight: weights.weight,
      totalEquityLikeShareWeight: weights.equityLikeShare,
      elsPerMarket: null,
    },
  });
}
