import type { EventRow } from '../../ingest/events.ts';
import type { Account } from './accounts.ts';

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
