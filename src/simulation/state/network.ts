import type { NetworkEvent } from '../../ingest/events.ts';
import type { Random } from '../random.ts';
import type { Asset } from './assets.ts';
import type { PendingDeposit } from './deposits.ts';
import type { Market } from './markets.ts';
import type { Party } from './parties.ts';
import type { Proposal } from './proposals.ts';
import type { StagedReward } from './rewards.ts';

/** The release of the network that it behaves as. */
export type Release = '0.71' | '0.79';

/**
 * All that the simulated network remembers. Each list is bounded by the numbers of parties and markets: what
 * is over (a settled market, a closed proposal, a decided deposit) is dropped.
 */
export interface Network {
  readonly random: Random;
  readonly release: Release;
  /** How many parties there will be once all have joined. */
  readonly expectedParties: number;
  assets: readonly Asset[];
  /** Those that have joined. The first is the foundation, which pays the rewards. */
  readonly parties: Party[];
  /** One for each slot; a market that is over makes room for its successor. */
  readonly markets: (Market | null)[];
  deposits: PendingDeposit[];
  proposals: Proposal[];
  rewards: StagedReward[];
}

/** The market of this id, unless it is over. */
export function findMarket({ markets }: Network, id: string | null): Market | null {
  return markets.find((market) => market?.id === id) ?? null;
}

/** The block being produced, with its events so far. */
export interface SimulatedBlock {
  readonly release: Release;
  readonly height: number;
  readonly timestamp: bigint;
  readonly events: NetworkEvent[];
}

/** Blocks are a second apart, in nanoseconds. */
export const BLOCK_INTERVAL = 1_000_000_000n;

/** Whether the network does what releases after 0.71 brought: other products, more fees and accounts, profiles. */
export function isNewer({ release }: Pick<SimulatedBlock, 'release'>): boolean {
  return release !== '0.71';
}
