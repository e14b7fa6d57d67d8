import type { TestGateway } from '../../test/support/gateway.ts';
import { ask } from '../../test/support/state.ts';
import type { Kind } from '../place.ts';

/** As the addresses of the page have them; its own list needs a browser. */
export const KINDS: readonly Kind[] = ['market', 'party', 'asset', 'deposit', 'proposal', 'block', 'epoch'];

/** How many rows of a list stay, as `pages.ts` has it, which needs a browser. */
export const MOST_ROWS = 1_500;

/** Something that has a page, with the name that its page has. */
export interface Thing {
  readonly id: string;
  readonly name: string;
}

/** Something of each kind. */
export async function findThings(gateway: TestGateway): Promise<Readonly<Record<Kind, Thing>>> {
  const { data } = await gateway.graphql(`{
    markets(first: 1) { edges { node { id instrumentCode } } } deposits(first: 1) { edges { node { id } } }
    proposals(first: 1) { edges { node { id reference } } }
    rewards(first: 1) { edges { node { partyId party { profile { alias } } epoch asset { id symbol } } } }
  }`);
  const [market, deposit, proposal, reward] = ['markets', 'deposits', 'proposals', 'rewards'].map(
    (noun) => data[noun].edges[0].node,
  );
  const short = (id: string) => `${id.slice(0, 6)}…${id.slice(-4)}`;
  return {
    market: { id: market.id, name: market.instrumentCode },
    party: { id: reward.partyId, name: reward.party.profile?.alias || short(reward.partyId) },
    asset: { id: reward.asset.id, name: reward.asset.symbol },
    deposit: { id: deposit.id, name: short(deposit.id) },
    proposal: { id: proposal.id, name: proposal.reference },
    block: { id: '100', name: 'Block 100' },
    epoch: { id: reward.epoch, name: `Epoch ${reward.epoch}` },
  };
}

/** Gives a party so many more accounts, and says which party it is. */
export async function addAccounts(databaseUrl: string, count: number): Promise<string> {
  const [{ party = '' } = {}] = await ask<{ party: string }>(
    databaseUrl,
    'SELECT owner AS party FROM accounts JOIN parties ON id = owner LIMIT 1',
  );
  await ask(
    databaseUrl,
    `INSERT INTO accounts (created_position, updated_position, owner, asset_id, market_id, type, balance)
     SELECT 1000000 + n, 1000000 + n, '${party}', (SELECT id FROM assets LIMIT 1), lpad(n::text, 64, '0'), 5, '7'
     FROM generate_series(1, ${count}) AS n`,
  );
  return party;
}
