import type { AccountType } from '../../domain/enumerations.ts';
import type { EventRow } from '../../ingest/events.ts';

/** What an owner has of an asset, in its smallest unit. */
export interface Account {
  readonly owner: string;
  readonly assetId: string;
  /** Empty for an account that belongs to no market. */
  readonly marketId: string;
  readonly accountType: AccountType;
  balance: bigint;
}

/** An asset that the network begins with. */
export interface Asset {
  readonly index: number;
  readonly row: EventRow<'asset'>;
  /** What a party of ordinary means deposits, in the asset's smallest unit. */
  readonly wealth: bigint;
  /** The network's own accounts in this asset. */
  readonly external: Account;
  readonly globalInsurance: Account;
  readonly globalReward: Account;
  readonly infrastructureFees: Account;
  readonly pendingTransfers: Account;
  /** Of newer releases. */
  readonly newer: NewerAccounts | null;
}

export interface NewerAccounts {
  readonly treasury: Account;
  readonly buyBackFees: Account;
}

/** One who deposits, trades and votes. */
export interface Party {
  readonly index: number;
  readonly id: string;
  /** The party's share of what is given by stake, from 1 to 1000. */
  readonly stake: number;
  /** General accounts by the asset's index; absent until something is paid in. */
  readonly general: (Account | undefined)[];
  /** What its orders in spot markets hold, in the same way. */
  readonly holding: (Account | undefined)[];
}
