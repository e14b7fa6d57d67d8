import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rankAccounts } from '../../src/data/history/ranks.ts';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { readFixedAccountFilter } from '../../src/graphql/accounts.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { chooseRandom, seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase, type TableRow } from '../support/simulated.ts';
import { expectWalk, type Row } from './ordered-walks.ts';
import {
  type Given,
  LISTS,
  readTables,
  type SimulatedList,
  type Tables,
  tablesOf,
} from './simulated-lists.ts';

const FIRST_BLOCKS = 40;
/** Of each list, by each executor. */
const WALKS = 4;

/** What lists are in the order of, by their tables. */
const VALUES: Readonly<Record<string, 'amount' | 'balance'>> = {
  accounts: 'balance',
  deposits: 'amount',
  rewards: 'amount',
};

const ORDERED = LISTS.filter(({ table }) => VALUES[table] !== undefined);

describe.each(['0.71', '0.79'] as const)('in the order of a value, of release %s,', (release) => {
  const random = chooseRandom(`order of values ${release}`);
  let simulated: SimulatedDatabase;
  let database: Database;
  let client: pg.Client;
  let height = FIRST_BLOCKS;
  /** The tables whose rows moved under a walk. */
  const moved = new Set<string>();

  beforeAll(async () => {
    simulated = await createSimulatedDatabase({
      ...{ seed: seed + 7, blocks: height, parties: 12, markets: 4, release },
    });
    database = openDatabase({ url: simulated.url, readOnly: true });
    client = new pg.Client({ connectionString: simulated.url });
    await client.connect();
  });

  afterAll(async () => {
    await client?.end();
    await database?.close();
    await simulated?.[Symbol.asyncDispose]();
  });

  test.each([true, false])(
    'pages are those of the rows as of the first page while blocks arrive and rows are ranked, as text: %s',
    async (asText) => {
      for (const list of ORDERED) {
        for (let walks = 0; walks < WALKS; walks++) {
          const tables = await readTables(simulated, tablesOf(list));
          const given = withBounds(list, await ofOneAsset(list, tables), tables);
          const [isFalling, back] = [random.oneIn(2), random.oneIn(2)];
          const expected = rowsOf(list, given, tables, isFalling);
          const parts = random.pick([2, 4, 9]);
          const size = Math.max(1, Math.ceil(expected.length / parts));
          const value = valueIn(list);
          const orderBy = `${value.toUpperCase()}_${isFalling ? 'DESC' : 'ASC'}`;
          const walk = { list, given, orderBy, value, mayLackParent: true, back, size, asText };
          await expectWalk(database, walk, { rows: expected, height }, async () => {
            if (random.oneIn(3)) {
              height += random.between(1, 5);
              await simulated.advanceTo(height);
            }
            if (random.oneIn(3)) await rankAccounts(client);
          });
          const now = rowsOf(list, given, await readTables(simulated, tablesOf(list)), isFalling);
          if (JSON.stringify(now) !== JSON.stringify(expected)) moved.add(list.table);
        }
      }
      expect([...moved]).toContain('accounts');
    },
    600_000,
  );

  test('accounts of an asset come from their ranks, but for those that changed since', async () => {
    const [asset] = await ask<{ id: string }>(
      'SELECT asset_id AS id FROM accounts GROUP BY 1 ORDER BY count(*) DESC',
    );
    await rankAccounts(client);
    const top = () =>
      firstOf(`accounts(filter: { assetIds: ["${asset?.id}"] }, orderBy: BALANCE_DESC, first: 1)`);
    const before = await top();
    const [other] = await ask<{ position: string }>(
      `SELECT created_position AS position FROM accounts WHERE asset_id = '${asset?.id}' ORDER BY balance::numeric LIMIT 1`,
    );
    await client.query('UPDATE account_ranks SET balance = 9e60 WHERE account_position = $1', [
      other?.position,
    ]);
    expect(await top()).not.toEqual(before);
    // From before it changed on, its rank does not count.
    await client.query(
      'UPDATE rank_levels SET up_to_position = (SELECT max(position) - 1 FROM balance_changes WHERE account_position = $1)',
      [other?.position],
    );
    expect(await top()).toEqual(before);
    await client.query('DELETE FROM rank_levels');
    expect(await top()).toEqual(before);
    await rankAccounts(client);
    expect(await top()).toEqual(before);
  });

  test.each([
    [
      'accounts(orderBy: BALANCE_DESC)',
      'orderBy is BALANCE_DESC: values of different assets are never compared',
    ],
    ['accounts(orderBy: UPDATED)', 'orderBy takes CREATED, BALANCE_DESC, BALANCE_ASC here, not UPDATED'],
    ['votes(orderBy: AMOUNT_ASC)', 'orderBy takes CREATED, UPDATED here, not AMOUNT_ASC'],
    [
      'accounts(filter: { assetId: "a" }, orderBy: BALANCE_ASC, newestFirst: false)',
      'newestFirst is false, which does not go with orderBy BALANCE_ASC',
    ],
    [
      'accounts(filter: { assetId: "a", balanceFrom: 5 })',
      'filter.balanceFrom and filter.balanceTo go with orderBy BALANCE_DESC or BALANCE_ASC, not with CREATED',
    ],
    [
      'rewards(filter: { assetIds: ["a"], amountTo: 5 })',
      'filter.amountFrom and filter.amountTo go with orderBy AMOUNT_DESC or AMOUNT_ASC, not with CREATED',
    ],
    [
      'deposits(partyId: "a", filter: { partyIds: ["b"] })',
      'filter.partyIds does not go with partyId, which says the same',
    ],
    [
      'rewards(fromEpoch: 1, filter: { fromEpoch: 2 })',
      'filter.fromEpoch does not go with fromEpoch, which says the same',
    ],
    ['balanceChanges(filter: { balanceTo: 5 })', 'filter.balanceTo is 5: only lists choose by balances'],
  ])('refuses %s', async (field, message) => {
    for (const asText of [true, false]) {
      const { answer } = await runBy(
        database,
        { text: `{ ${field} { totalCount: __typename } }`, variables: {} },
        asText,
      );
      expect(JSON.parse(JSON.parse(bytesOf(answer)).errors[0]).message).toContain(message);
    }
  });

  test('a null in a filter leaves the argument of the same name as it is', async () => {
    const [{ epoch } = { epoch: '' }] = await ask<{ epoch: string }>(
      'SELECT max(epoch)::text AS epoch FROM rewards',
    );
    const count = async (args: string, asText: boolean) => {
      const text = `{ rewards(${args}) { totalCount sums(by: [ASSET]) { count } } }`;
      const { answer } = await runBy(database, { text, variables: {} }, asText);
      return JSON.parse(bytesOf(answer)).data.rewards;
    };
    for (const asText of [true, false]) {
      const alone = await count(`fromEpoch: "${epoch}"`, asText);
      expect(alone).not.toEqual(await count('newestFirst: true', asText));
      expect(await count(`fromEpoch: "${epoch}", filter: { fromEpoch: null }`, asText)).toEqual(alone);
      expect(await count(`fromEpoch: null, filter: { fromEpoch: "${epoch}" }`, asText)).toEqual(alone);
    }
  });

  test('a stream of accounts refuses balances, which change', () => {
    expect(() => readFixedAccountFilter({ filter: { balanceFrom: '5' } })).toThrow(
      'filter.balanceFrom is 5: only lists choose by balances',
    );
  });

  test('what is not of an index is sorted as long as it is little, and else refused', async () => {
    const [asset] = await ask<{ id: string }>('SELECT id FROM assets ORDER BY created_position');
    await client.query(`
      INSERT INTO rewards (created_position, party_id, asset_id, market_id, epoch, amount, percentage_of_total, received_at, reward_type)
      SELECT n, 'many', '${asset?.id}', '', 0, '1', '1', 0, 'none' FROM generate_series(1, 20001) AS n`);
    const text = `{ rewards(filter: { partyIds: ["many"], assetIds: ["${asset?.id}"] }, orderBy: AMOUNT_DESC) { pageInfo { endCursor } } }`;
    const { answer } = await runBy(database, { text, variables: {} }, true);
    expect(bytesOf(answer)).toContain('orderBy AMOUNT would sort more than 20000 rows of rewards');
    await client.query("DELETE FROM rewards WHERE party_id = 'many'");
  });

  async function ask<R extends pg.QueryResultRow>(text: string): Promise<readonly R[]> {
    return (await client.query<R>(text)).rows;
  }

  async function firstOf(field: string): Promise<unknown> {
    const { answer } = await runBy(
      database,
      { text: `{ list: ${field} { edges { node { owner balance } } } }`, variables: {} },
      true,
    );
    return JSON.parse(bytesOf(answer)).data.list.edges;
  }

  /** A question of the list whose rows are of one asset: values of others are never compared. */
  async function ofOneAsset(list: SimulatedList, tables: Tables): Promise<Given> {
    const [given = {}] = fc.sample(list.filters(tables), { numRuns: 1, seed: random.below(1e6) });
    if (list.name.startsWith('asset.')) return given;
    const asset = random.pick([...new Set((tables[list.table] ?? []).map((row) => String(row['asset_id'])))]);
    const ofAsset = (row: TableRow) => row['asset_id'] === asset;
    if (list.parent === undefined && random.oneIn(2))
      return { arguments: { filter: { assetIds: [asset] } }, passes: ofAsset };
    const { passes = () => true, arguments: args = {} } = given;
    const filter = { ...(args['filter'] as object) };
    // A question that says of assets what it will is asked another time.
    if ('assetId' in args || 'assetId' in filter || 'assetIds' in filter) return ofOneAsset(list, tables);
    return {
      ...given,
      arguments: { ...args, filter: { ...filter, assetIds: [asset] } },
      passes: (row) => passes(row) && ofAsset(row),
    };
  }

  /** With bounds on the value, now and then. */
  function withBounds(list: SimulatedList, given: Given, tables: Tables): Given {
    const value = valueIn(list);
    const rows = tables[list.table] ?? [];
    if (rows.length === 0 || random.oneIn(2)) return given;
    const bound = () => (random.oneIn(3) ? null : String(random.pick([...rows])[value]));
    const [least, most] = [bound(), bound()];
    const filter = {
      ...(given.arguments?.['filter'] as object),
      ...(least !== null && { [`${value}From`]: least }),
      ...(most !== null && { [`${value}To`]: most }),
    };
    const passes = (row: TableRow) => {
      const number = BigInt(row[value] ?? 0);
      return (least === null || number >= BigInt(least)) && (most === null || number <= BigInt(most));
    };
    return {
      ...given,
      arguments: { ...given.arguments, filter },
      passes: (row) => (given.passes?.(row) ?? true) && passes(row),
    };
  }
});

/** What the list must hold, by nothing but the rows of the tables at that time. */
function rowsOf(list: SimulatedList, given: Given, tables: Tables, isFalling: boolean): readonly Row[] {
  const value = valueIn(list);
  const order = (a: bigint, b: bigint) => (a === b ? 0 : a < b === isFalling ? 1 : -1);
  const of = (row: TableRow, column: string) => BigInt(row[column] ?? 0);
  return (tables[list.table] ?? [])
    .filter((row) => given.passes?.(row) ?? true)
    .toSorted(
      (a, b) =>
        order(of(a, value), of(b, value)) || order(of(a, 'created_position'), of(b, 'created_position')),
    )
    .map((row) => [String(row[list.key]), String(row[value])]);
}

function valueIn({ table }: SimulatedList): 'amount' | 'balance' {
  return VALUES[table] ?? 'amount';
}
