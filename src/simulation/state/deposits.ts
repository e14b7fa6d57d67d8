import type { DepositStatus } from '../../domain/enumerations.ts';
import type { Asset } from './assets.ts';
import type { Party } from './parties.ts';

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
