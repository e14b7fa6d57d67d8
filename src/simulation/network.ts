import type { AccountType } from '../domain/enumerations.ts';
import type { NetworkEvent } from '../ingest/events.ts';
import type { Asset } from './assets.ts';
import type { PendingDeposit } from './deposits.ts';
import type { Market } from './market.ts';
import type { Party } from './parties.ts';
import type { Proposal } from './proposals.ts';
import type { Random } from './random.ts';
import type { StagedReward } from './rewards.ts';

/**
 * All that the simulated network remembers. Each list is bounded by the numbers of parties and markets: what
 * is over (a settled market, a closed proposal, a deposit that came to its end) is dropped.
 */
export interface Network {
  readonly random: Random;
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

/** The block being produced. */
export interface Block {
  readonly height: number;
  readonly timestamp: bigint;
  readonly events: NetworkEvent[];
}

export interface Account {
  readonly owner: string;
  readonly assetId: string;
  readonly marketId: string;
  readonly accountType: AccountType;
  balance: bigint;
}
