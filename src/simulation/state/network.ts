import type { DepositStatus } from '../../domain/enumerations.ts';
import type { NetworkEvent } from '../../ingest/events.ts';
import type { Names } from '../names.ts';
import type { Random } from '../random.ts';
import type { Market } from './markets.ts';
import type { Account, Asset, Party } from './parties.ts';
import type { Proposal } from './proposals.ts';

/** The release of the network that it behaves as. */
export type Release = '0.71' | '0.79';

/**
 * All that the simulated network remembers. Each list is bounded by the numbers of parties and markets: what
 * is over (a settled market, a closed proposal, a decided deposit) is dropped.
 */
export interface Network {
  readonly random: Random;
  readonly names: Names;
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

/** A deposit that the network has seen and that is decided in a block soon. */
export interface PendingDeposit {
  readonly party: Party;
  readonly asset: Asset;
  readonly id: string;
  readonly amount: bigint;
  readonly txHash: string;
  readonly createdTimestamp: bigint;
  readonly outcome: DepositStatus;
  /** The height of the block that it is decided in. */
  readonly dueAt: number;
}

/** Reward money on its way from the foundation to the pool that it will be paid from. */
export interface StagedReward {
  readonly asset: Asset;
  readonly pool: Account;
  readonly amount: bigint;
}
