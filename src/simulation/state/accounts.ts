import type { AccountType } from '../../domain/enumerations.ts';

/** What an owner has of an asset, in its smallest unit. */
export interface Account {
  readonly owner: string;
  readonly assetId: string;
  /** Empty for an account that belongs to no market. */
  readonly marketId: string;
  readonly accountType: AccountType;
  balance: bigint;
}
