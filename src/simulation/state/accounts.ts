import type { AccountType } from '../../domain/enumerations.ts';

export interface Account {
  readonly owner: string;
  readonly assetId: string;
  /** Empty for an account that belongs to no market. */
  readonly marketId: string;
  readonly accountType: AccountType;
  balance: bigint;
}
