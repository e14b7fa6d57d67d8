import { openAccount } from './accounts.ts';
import { type Asset, GOVERNANCE_ASSET, SETTLEMENT_ASSETS } from './assets.ts';
import { openDeposit } from './deposits.ts';
import type { Account, Block, Network } from './network.ts';

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

/** A third of the parties is there from the start; the others join over the next sixty blocks. */
export function admitParties(network: Network, block: Block): void {
  const { parties, expectedParties } = network;
  const atOnce = block.height === 1 ? Math.ceil(expectedParties / 3) : Math.ceil(expectedParties / 90);
  const joining = Math.min(atOnce, expectedParties - parties.length);
  for (let joined = 0; joined < joining; joined++) admitParty(network, block);
}

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

function admitParty(network: Network, block: Block): void {
  const { random, parties, assets } = network;
  const party: Party = {
    index: parties.length,
    id: random.id(),
    stake: random.between(1, 1000),
    general: new Array(assets.length).fill(undefined),
  };
  parties.push(party);
  block.events.push({ type: 'party', id: party.id });
  for (const asset of party.index === 0 ? assets : firstAssets(network, party.index)) {
    const usual = asset.wealth / 10n + random.belowLarge(asset.wealth * 2n);
    const amount = party.index === 0 ? asset.wealth * FOUNDATION_WEALTH : usual;
    openDeposit(network, block, party, asset, amount, 'STATUS_FINALIZED');
  }
}

/** What it needs to vote, what its first market settles in, and one more. */
function firstAssets({ assets, markets, random }: Network, index: number): readonly Asset[] {
  const market = 1 + (markets.length === 0 ? 0 : (index % markets.length) % SETTLEMENT_ASSETS);
  const other = random.between(1, SETTLEMENT_ASSETS);
  return assets.filter((asset) => [GOVERNANCE_ASSET, market, other].includes(asset.index));
}
