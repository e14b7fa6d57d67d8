import { openAccount } from './accounts.ts';
import type { SimulatedBlock } from './state/network.ts';
import type { Account, Asset, Party } from './state/parties.ts';

/** The foundation brings this many times what an ordinary party does. */
export const FOUNDATION_WEALTH = 1_000n;

/** The party's account for free use, opened when it is first needed. */
export function generalAccount(block: SimulatedBlock, party: Party, asset: Asset): Account {
  const open = party.general[asset.index];
  if (open) return open;
  const account = openAccount(block, 'ACCOUNT_TYPE_GENERAL', asset.row.id, party.id);
  party.general[asset.index] = account;
  return account;
}

/** The party's account for what its orders in spot markets hold, opened when it is first needed. It is of no market. */
export function holdingAccount(block: SimulatedBlock, party: Party, asset: Asset): Account {
  const open = party.holding[asset.index];
  if (open) return open;
  const account = openAccount(block, 'ACCOUNT_TYPE_HOLDING', asset.row.id, party.id);
  party.holding[asset.index] = account;
  return account;
}

/** What the party could spend; zero while it has no account. */
export function generalBalance(party: Party, asset: Asset): bigint {
  return party.general[asset.index]?.balance ?? 0n;
}
