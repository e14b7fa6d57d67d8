import type { ProposalTerms } from '../data/nouns/proposals.ts';
import {
  assetStatuses,
  type ProposalChange,
  type ProposalError,
  type ProposalState,
  proposalChanges,
  proposalErrors,
  proposalStates,
} from '../domain/enumerations.ts';
import { proposedAsset } from './assets.ts';
import { announceMarket } from './market-terms.ts';
import { BLOCK_INTERVAL, findMarket, type Network, type SimulatedBlock } from './state/network.ts';
import type { Proposal, ProposalKind } from './state/proposals.ts';
import { castVotes, countVotes } from './votes.ts';

/** A new proposal begins about once in so many blocks, those for new markets not counted. */
const BLOCKS_PER_PROPOSAL = 8;
const OPEN_AT_ONCE = 6;
const OVER: readonly ProposalState[] = ['STATE_REJECTED', 'STATE_DECLINED', 'STATE_ENACTED', 'STATE_FAILED'];

/** Brings every open proposal one block further, and now and then opens another. */
export function advanceProposals(network: Network, block: SimulatedBlock): void {
  for (const proposal of network.proposals) advanceProposal(network, block, proposal);
  network.proposals = network.proposals.filter(({ state }) => !OVER.includes(state));
  const { random, proposals } = network;
  if (proposals.length < OPEN_AT_ONCE && random.oneIn(BLOCKS_PER_PROPOSAL)) {
    const kinds = ['market update', 'asset', 'asset', 'network parameter', 'freeform'] as const;
    propose(network, block, random.pick(kinds));
  }
}

/** Puts up a proposal. One that is `certain` is the foundation's: no opposition, no accident, and through quickly. */
export function propose(
  network: Network,
  block: SimulatedBlock,
  kind: ProposalKind,
  certain = false,
): Proposal {
  const { random, names, parties, markets } = network;
  const [foundation, ...others] = parties;
  if (!foundation) throw new RangeError('there is nobody to propose anything');
  const opensAt = block.height + (kind === 'asset' ? 2 : 0);
  const closesAt = opensAt + (certain ? 3 : random.between(4, 9));
  const trading = markets.filter((market) => market !== null).filter(({ state }) => state === 'STATE_ACTIVE');
  const planned = {
    id: random.id(),
    kind,
    party: certain || others.length === 0 ? foundation : random.pick(others),
    timestamp: block.timestamp,
    opensAt,
    closesAt,
    enactsAt: closesAt + (certain ? 3 : random.between(3, 8)),
    appeal: certain ? 100 : random.pick([0, 40, 75, 90, 100, 100]),
    enactment: !certain && random.oneIn(4) ? ('STATE_FAILED' as const) : ('STATE_ENACTED' as const),
    marketId: kind === 'market update' && trading.length > 0 ? random.pick(trading).id : null,
    assetName: kind === 'asset' ? names.asset() : null,
  };
  const proposal: Proposal = {
    ...planned,
    terms: termsOf(network, block, planned),
    ballots: new Map(),
    state: kind === 'asset' ? 'STATE_WAITING_FOR_NODE_VOTE' : 'STATE_OPEN',
    reason: null,
    errorDetails: null,
  };
  const impossible = kind === 'market update' && proposal.marketId === null;
  if (impossible || (!certain && random.oneIn(10))) refuse(proposal, 'STATE_REJECTED', ...REFUSALS[kind]);
  announce(block, proposal);
  if (!OVER.includes(proposal.state)) network.proposals.push(proposal);
  return proposal;
}

function advanceProposal(network: Network, block: SimulatedBlock, proposal: Proposal): void {
  if (proposal.state === 'STATE_WAITING_FOR_NODE_VOTE' && block.height >= proposal.opensAt) {
    endNodeVote(network, block, proposal);
  } else if (proposal.state === 'STATE_OPEN' && block.height >= proposal.closesAt) {
    close(network, block, proposal);
  } else if (proposal.state === 'STATE_PASSED' && block.height >= proposal.enactsAt) {
    enact(network, block, proposal);
  } else if (proposal.state === 'STATE_OPEN') {
    castVotes(network, block, proposal);
  }
}

function endNodeVote({ random }: Network, block: SimulatedBlock, proposal: Proposal): void {
  if (random.oneIn(5)) {
    refuse(
      proposal,
      'STATE_REJECTED',
      'PROPOSAL_ERROR_NODE_VALIDATION_FAILED',
      'the validators did not agree',
    );
  } else {
    proposal.state = 'STATE_OPEN';
  }
  announce(block, proposal);
}

function close(network: Network, block: SimulatedBlock, proposal: Proposal): void {
  const lacking = countVotes(network, block, proposal);
  if (lacking === 'participation') {
    const details = `less than ${PARTICIPATION} of the tokens took part`;
    refuse(proposal, 'STATE_DECLINED', 'PROPOSAL_ERROR_PARTICIPATION_THRESHOLD_NOT_REACHED', details);
  } else if (lacking === 'majority') {
    const details = `less than ${MAJORITY} of the votes were for it`;
    refuse(proposal, 'STATE_DECLINED', 'PROPOSAL_ERROR_MAJORITY_THRESHOLD_NOT_REACHED', details);
  } else {
    proposal.state = 'STATE_PASSED';
  }
  announce(block, proposal);
}

function enact(network: Network, block: SimulatedBlock, proposal: Proposal): void {
  const market = findMarket(network, proposal.marketId);
  const tooLate = proposal.marketId !== null && market === null;
  if (tooLate || proposal.enactment === 'STATE_FAILED')
    refuse(proposal, 'STATE_FAILED', ...REFUSALS[proposal.kind]);
  else proposal.state = 'STATE_ENACTED';
  announce(block, proposal);
  if (market && proposal.state === 'STATE_ENACTED') {
    market.lpPriceRange = network.random.pick(['0.5', '0.8', '0.95']);
    announceMarket(block, market);
  }
}

function refuse(proposal: Proposal, state: ProposalState, reason: ProposalError, errorDetails: string): void {
  proposal.state = state;
  proposal.reason = reason;
  proposal.errorDetails = errorDetails;
}

const PARTICIPATION = '0.00001';
const MAJORITY = '0.66';

const REFUSALS: Record<ProposalKind, readonly [reason: ProposalError, errorDetails: string]> = {
  market: ['PROPOSAL_ERROR_COULD_NOT_INSTANTIATE_MARKET', 'the opening auction found no price'],
  'spot market': ['PROPOSAL_ERROR_COULD_NOT_INSTANTIATE_MARKET', 'the opening auction found no price'],
  'market update': ['PROPOSAL_ERROR_INVALID_MARKET', 'the market is no longer there'],
  asset: ['PROPOSAL_ERROR_ERC20_ADDRESS_ALREADY_IN_USE', 'another asset has this contract address'],
  'network parameter': ['PROPOSAL_ERROR_NETWORK_PARAMETER_INVALID_VALUE', 'expected > 0, got 0'],
  freeform: ['PROPOSAL_ERROR_INVALID_FREEFORM', 'the rationale has no description'],
};

const ASSET_STATUSES = {
  STATE_UNSPECIFIED: null,
  STATE_WAITING_FOR_NODE_VOTE: 'STATUS_PROPOSED',
  STATE_OPEN: null,
  STATE_PASSED: 'STATUS_PENDING_LISTING',
  STATE_ENACTED: 'STATUS_ENABLED',
  STATE_REJECTED: 'STATUS_REJECTED',
  STATE_DECLINED: 'STATUS_REJECTED',
  STATE_FAILED: 'STATUS_REJECTED',
} as const;

function announce(block: SimulatedBlock, proposal: Proposal): void {
  const needsProviders = proposal.kind === 'market update';
  block.events.push({
    type: 'proposal',
    row: {
      id: proposal.id,
      reference: `${proposal.kind.replace(' ', '-')}-${proposal.id.slice(0, 8)}`,
      partyId: proposal.party.id,
      state: proposalStates.numbers[proposal.state],
      timestamp: proposal.timestamp,
      reason: proposal.reason && proposalErrors.numbers[proposal.reason],
      errorDetails: proposal.errorDetails,
      requiredParticipation: PARTICIPATION,
      requiredMajority: MAJORITY,
      requiredLiquidityProviderParticipation: needsProviders ? '0.5' : null,
      requiredLiquidityProviderMajority: needsProviders ? '0.66' : null,
      terms: proposal.terms,
      batchTerms: null,
      batchId: null,
    },
  });
  const status = ASSET_STATUSES[proposal.state];
  if (proposal.assetName && status)
    block.events.push({
      type: 'asset',
      row: proposedAsset(block, proposal.id, proposal.assetName, assetStatuses.numbers[status]),
    });
}

type Planned = Pick<Proposal, 'kind' | 'marketId' | 'opensAt' | 'closesAt' | 'enactsAt'>;

/** What a proposal that begins in a block would change, and when. */
function termsOf(network: Network, block: SimulatedBlock, planned: Planned): ProposalTerms {
  const { kind, marketId, opensAt, closesAt, enactsAt } = planned;
  const isOfSpot = kind === 'market update' && (findMarket(network, marketId)?.base ?? null) !== null;
  return {
    closingTimestamp: timeOf(block, closesAt),
    enactmentTimestamp: kind === 'freeform' ? '0' : timeOf(block, enactsAt),
    validationTimestamp: kind === 'asset' ? timeOf(block, opensAt) : '0',
    change: proposalChanges.numbers[isOfSpot ? 'CHANGE_UPDATE_SPOT_MARKET' : CHANGES[kind]],
  };
}

const CHANGES: Readonly<Record<ProposalKind, ProposalChange>> = {
  market: 'CHANGE_NEW_MARKET',
  'spot market': 'CHANGE_NEW_SPOT_MARKET',
  'market update': 'CHANGE_UPDATE_MARKET',
  asset: 'CHANGE_NEW_ASSET',
  'network parameter': 'CHANGE_UPDATE_NETWORK_PARAMETER',
  freeform: 'CHANGE_NEW_FREEFORM',
};

/** The terms of proposals have whole seconds. */
const SECOND = 1_000_000_000n;

function timeOf({ height, timestamp }: SimulatedBlock, at: number): string {
  const time = timestamp + BigInt(at - height) * BLOCK_INTERVAL;
  return `${time - (time % SECOND)}`;
}
