import type { ProposalTerms } from '../data/nouns/proposals.ts';
import { type ProposalChange, proposalChanges } from '../domain/enumerations.ts';
import { BLOCK_INTERVAL, findMarket, type Network, type SimulatedBlock } from './state/network.ts';
import type { Proposal, ProposalKind } from './state/proposals.ts';

type Planned = Pick<Proposal, 'kind' | 'marketId' | 'opensAt' | 'closesAt' | 'enactsAt'>;

/** What a proposal that begins in a block would change, and when. */
export function termsOf(network: Network, block: SimulatedBlock, planned: Planned): ProposalTerms {
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
