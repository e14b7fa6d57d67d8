import type { Account } from './accounts.ts';

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
