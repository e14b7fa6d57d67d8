import { GOVERNANCE_ASSET, SETTLEMENT_ASSETS } from './assets.ts';
import { openDeposit } from './deposits.ts';
import { FOUNDATION_WEALTH } from './parties.ts';
import { isNewer, type Network, type SimulatedBlock } from './state/network.ts';
import type { Asset, Party } from './state/parties.ts';

/** A third of the parties is there from the start; the others join over the next sixty blocks. */
export function admitParties(network: Network, block: SimulatedBlock): void {
  const { parties, expectedParties } = network;
  const atOnce = block.height === 1 ? Math.ceil(expectedParties / 3) : Math.ceil(expectedParties / 90);
  const joining = Math.min(atOnce, expectedParties - parties.length);
  for (let joined = 0; joined < joining; joined++) admitParty(network, block);
}

function admitParty(network: Network, block: SimulatedBlock): void {
  const { random, parties, assets } = network;
  const party: Party = {
    index: parties.length,
    id: random.id(),
    stake: random.between(1, 1000),
    general: new Array(assets.length).fill(undefined),
    holding: new Array(assets.length).fill(undefined),
  };
  parties.push(party);
  block.events.push({ type: 'party', row: { id: party.id } });
  if (isNewer(block) && party.index % 3 === 0) announceProfile(network, block, party);
  for (const asset of party.index === 0 ? assets : firstAssets(network, party.index)) {
    const usual = asset.wealth / 10n + random.belowLarge(asset.wealth * 2n);
    const amount = party.index === 0 ? asset.wealth * FOUNDATION_WEALTH : usual;
    openDeposit(network, block, party, asset, amount, 'STATUS_FINALIZED');
  }
}

/** One party in three says something of itself. */
function announceProfile({ names }: Network, block: SimulatedBlock, { id, index }: Party): void {
  const alias = index === 0 ? 'Foundation' : names.alias();
  const site = `https://${alias.toLowerCase().replaceAll(' ', '-')}.example`;
  const metadata = index % 2 === 0 ? [] : [{ key: 'website', value: site }];
  block.events.push({ type: 'partyProfile', row: { partyId: id, alias, metadata } });
}

/** What it needs to vote, what its first market settles in, and one more. */
function firstAssets({ assets, markets, random }: Network, index: number): readonly Asset[] {
  const market = 1 + (markets.length === 0 ? 0 : (index % markets.length) % SETTLEMENT_ASSETS);
  const other = random.between(1, SETTLEMENT_ASSETS);
  return assets.filter((asset) => [GOVERNANCE_ASSET, market, other].includes(asset.index));
}
