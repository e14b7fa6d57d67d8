import { openAccount } from './accounts.ts';
import type { Asset } from './assets.ts';
import type { Account, Block } from './network.ts';

export interface Party {
  readonly index: number;
  readonly id: string;
  /** The party's share of what is given by stake, from 1 to 1000. */
  readonly stake: number;
  /** General accounts by the asset's index; absent until something is paid in. */
  readonly general: (Account | undefined)[];
}

/** The foundation brings this many times what an ordinary party does. */
export const FOUNDATION_WEALTH = 1_000n;

/** The party's account for free use, opened when it is first needed. */
export function generalAccount(block: Block, party: Party, asset: Asset): Account {
  const open = party.general[asset.index];
  if (open) return open;
  const account = openAccount(block, 'ACCOUNT_TYPE_GENERAL', asset.event.id, party.id);
  party.general[asset.index] = account;
  return account;
}

/** What the party could spend; zero while it has no account. */
export function generalBalance(party: Party, asset: Asset): bigint {
  return party.general[asset.index]?.balance ?? 0n;
}
