import type { Account } from './accounts.ts';
import type { Asset } from './assets.ts';

/** Reward money on its way from the foundation to the pool that it will be paid from. */
export interface StagedReward {
  readonly asset: Asset;
  readonly pool: Account;
  readonly amount: bigint;
}
