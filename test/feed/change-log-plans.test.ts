import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeLogOf } from '../../src/data/history/change-logs.ts';
import { MOST_LOOKED_UP } from '../../src/data/history/change-pages.ts';
import { accounts } from '../../src/data/nouns/accounts.ts';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeRoom } from '../support/histories.ts';
import { HANG_MS } from '../support/limits.ts';
import { WRITES_BLOCKS, withClient } from '../support/state.ts';

/** `PLAN_ACCOUNTS=1000000` makes the tables as large as a great network's. */
const ACCOUNTS = Number(process.env['PLAN_ACCOUNTS'] ?? 40_000);
/** Each account changes ten times; a thousand changes make a block. */
const ROUNDS = 10;
const A_BLOCK = 1000;
const LAST = BigInt((ACCOUNTS * ROUNDS) / A_BLOCK + 1) << 20n;
const PAGE = 1000;
/** What a page of changes may look at, and as many rows beside them. */
const MOST_READ = 20_000;
const FILL_LIMIT_MS = 300_000 + ACCOUNTS;

const accountLog = changeLogOf(accounts);

let database: TestDatabase;
let reader: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  await makeRoom(database.url, LAST >> 20n);
  // Change n is of account n modulo their number, so that an account's changes are far apart.
  const pool = new pg.Pool({ connectionString: database.url, max: 4, connectionTimeoutMillis: HANG_MS });
  await Promise.all(FILL.map((statement) => pool.query(statement)));
  await pool.query('VACUUM ANALYZE');
  await pool.end();
  reader = openDatabase({ url: database.url, readOnly: true });
}, FILL_LIMIT_MS);

afterAll(async () => {
  await reader?.close();
  await database?.[Symbol.asyncDispose]();
});

const FILL: readonly string[] = [
  `${WRITES_BLOCKS};
        INSERT INTO blocks SELECT n, n::text, n, (n << 20) + ${A_BLOCK - 1}
        FROM generate_series(1::bigint, ${(ACCOUNTS * ROUNDS) / A_BLOCK}) AS n`,
  `
        INSERT INTO accounts (created_position, updated_position, owner, asset_id, market_id, type, balance)
        SELECT ${at('n')}, ${at(`n + ${ACCOUNTS * (ROUNDS - 1)}`)}, 'party-' || n / 10, 'asset-' || n % 10, '',
          ${accountTypes.numbers.ACCOUNT_TYPE_GENERAL}, '9'
        FROM generate_series(0::bigint, ${ACCOUNTS - 1}) AS n`,
  `
        INSERT INTO balance_changes (position, account_position, balance)
        SELECT ${at('n')}, ${at(`(n % ${ACCOUNTS})`)}, (n / ${ACCOUNTS})::text
        FROM generate_series(0::bigint, ${ACCOUNTS * ROUNDS - 1}) AS n`,
  `INSERT INTO networks (chain_id) VALUES ('plans')`,
];

const FILTERS = {
  'all accounts': {},
  'a party': { partyIds: ['party-77'] },
  'three parties': { partyIds: ['party-7', 'party-77', 'party-777'] },
  'an asset': { assetId: 'asset-3' },
  'parties in an asset': { partyIds: ['party-7', 'party-77'], assetId: 'asset-3' },
  'all of a type': { accountTypes: [accountTypes.numbers.ACCOUNT_TYPE_GENERAL] },
  nobody: { partyIds: ['nobody'] },
};

test.each(Object.entries(FILTERS))(
  'a page of a snapshot of %s reads about its rows, as of any block',
  async (_, filter) => {
    for (const asOf of [LAST, LAST / 2n, LAST / 20n]) {
      for (const afterRow of [-1n, LAST / 40n]) {
        const cost = await measure((statements) =>
          accountLog.readState(statements, filter, { asOf, afterRow, limit: PAGE }),
        );
        // The row, the change that it had then, and what leads there.
        expect(cost.rows, cost.plans).toBeLessThan(4 * PAGE);
        expect(cost.blocks, cost.plans).toBeLessThan(14 * PAGE);
        expect(cost.scanned, cost.plans).toEqual([]);
      }
    }
  },
);

test.each(Object.entries(FILTERS))(
  'a page of changes of %s from far back reads no more than its part',
  async (_, filter) => {
    for (const after of [0n, LAST / 2n]) {
      const cost = await measure((statements) =>
        accountLog.readChanges(statements, filter, { after, upTo: LAST, limit: 5000 }),
      );
      expect(cost.rows, cost.plans).toBeLessThan(3 * MOST_READ + 2000);
      expect(cost.scanned, cost.plans).toEqual([]);
    }
  },
);

test('one party is brought up to date by its own changes alone, however long it was away', async () => {
  const range = { after: 0n, upTo: LAST, limit: 5000 };
  const cost = await measure((statements) => accountLog.readChanges(statements, FILTERS['a party'], range));
  expect(cost.rows, cost.plans).toBeLessThan(500);
  expect(cost.answer.reached).toBe(LAST);
  expect(cost.answer.changes).toHaveLength(10 * ROUNDS);
});

test('of rows that lie far apart a page looks up so many, says how many, and goes on behind them', async () => {
  const party = { partyIds: Array.from({ length: 40 }, (_, n) => `party-${n * 7}`) };
  const all = 40 * 10 * ROUNDS;
  let found = 0;
  for (let after = -1n; after < LAST; ) {
    const range = { after, upTo: LAST, limit: 5000 };
    const cost = await measure((statements) => accountLog.readChanges(statements, party, range));
    expect(cost.answer.lookedUp).toBeLessThanOrEqual(MOST_LOOKED_UP);
    expect(cost.rows, cost.plans).toBeLessThan(5 * MOST_LOOKED_UP);
    expect(cost.answer.reached).toBeGreaterThan(after);
    found += cost.answer.changes.length;
    after = cost.answer.reached;
  }
  expect(found).toBe(all);
  expect(all).toBeGreaterThan(MOST_LOOKED_UP);
});

test('the feed reads a block by its own changes alone', async () => {
  const range = { after: LAST - (1n << 20n) - 1n, upTo: LAST, limit: 20_000 };
  const cost = await measure((statements) => accountLog.readChanges(statements, {}, range));
  expect(cost.answer.changes).toHaveLength(A_BLOCK);
  expect(cost.rows, cost.plans).toBeLessThan(4 * A_BLOCK);
  expect(cost.scanned, cost.plans).toEqual([]);
});

test('a filter that many rows pass, of which few changed since, is brought up to date by these alone', async () => {
  await withClient(database.url, async (client) => {
    await client.query(
      `INSERT INTO accounts (created_position, updated_position, owner, asset_id, market_id, type, balance)
       SELECT created, CASE WHEN n < 3 THEN ${LAST - 3n} + n ELSE created END, 'quiet-' || n, 'quiet', '', 1, '1'
       FROM generate_series(0, 2999) AS n CROSS JOIN LATERAL (SELECT (1 << 20) + ${A_BLOCK} + n AS created) AS made`,
    );
    await client.query(
      `INSERT INTO balance_changes (position, account_position, balance)
       SELECT updated_position, created_position, '1' FROM accounts WHERE asset_id = 'quiet'`,
    );
  });
  const range = { after: LAST / 8n, upTo: LAST, limit: 5000 };
  const cost = await measure((statements) => accountLog.readChanges(statements, { assetId: 'quiet' }, range));
  expect(cost.answer.reached).toBe(LAST);
  expect(cost.answer.changes).toHaveLength(3);
  expect(cost.rows, cost.plans).toBeLessThan(3000 + 100);
});

function at(n: string): string {
  return `((((${n}) / ${A_BLOCK} + 1) << 20) + (${n}) % ${A_BLOCK})`;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** Runs a reading, and tells what all its statements read of tables: rows, blocks, and which were read whole. */
async function measure<T>(read: (statements: Statements) => Promise<T>) {
  const plans: Plan[] = [];
  const explaining: Statements = {
    ...reader.statements,
    async rows(statement) {
      const { text, values } = statement;
      const [explained] = await reader.prisma.$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
        `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
        ...values,
      );
      plans.push(explained?.['QUERY PLAN'][0].Plan as Plan);
      return reader.statements.rows(statement);
    },
  };
  const answer = await read(explaining);
  // The table of networks has one row.
  const nodes = plans
    .flatMap(flatten)
    .filter((node) => ![undefined, 'networks'].includes(node['Relation Name']));
  return {
    answer,
    rows: nodes.reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    ),
    blocks: plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0),
    // An empty partition may be planned to be scanned.
    scanned: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0)
      .map((node) => node['Relation Name']),
    plans: JSON.stringify(plans.map(sketch), null, 1),
  };
}

function sketch({ Plans = [], ...node }: Plan): object {
  const told = [
    'Node Type',
    'Relation Name',
    'Index Name',
    'Index Cond',
    'Filter',
    'Actual Rows',
    'Actual Loops',
  ];
  const shown = told
    .map((key) => (node as unknown as Record<string, unknown>)[key])
    .filter((value) => value !== undefined);
  return { [shown.join(' | ')]: Plans.map(sketch) };
}

function flatten(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flatten)];
}
