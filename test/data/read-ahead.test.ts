import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { migrate } from '../../src/data/migrate.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { readColumnTypes } from '../../src/data/writing/column-types.ts';
import { pageReadOf } from '../../src/data/writing/page-reads.ts';
import type { Row } from '../../src/data/writing/row-sets.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { EmbeddedFolders } from '../support/embedded-folders.ts';
import { makeRoom } from '../support/histories.ts';
import { ask, readState, withClient } from '../support/state.ts';
import { countStatements } from '../support/statements.ts';
import { fillLargeTables, LAST, marketOf, partyOf, positionAt } from './large-tables.ts';

describe('what is read ahead of rows', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await fillLargeTables(database.url);
    await makeRoom(database.url, positionAt(LAST) >> 20n);
    await ask(
      database.url,
      'INSERT INTO balance_changes SELECT updated_position, created_position, balance FROM accounts; ANALYZE',
    );
  });

  afterAll(() => database?.[Symbol.asyncDispose]());

  test('is the row where there is one, and the places in indexes where there is none', async () => {
    const known = await ask<Row>(
      database.url,
      `SELECT owner, asset_id AS "assetId", market_id AS "marketId", type FROM accounts WHERE owner = '${partyOf(5)}' LIMIT 7`,
    );
    const unknown = { owner: partyOf(5), assetId: 'none', marketId: marketOf(33), type: 4 };
    const [touched] = await read('account', [...known, unknown], positionAt(0));
    // The row and its newest balance; and what the party has, in each of the four indexes that begin with it.
    expect(touched).toEqual([7, 7, 1, 1, 0, 1]);
  });

  test.each([
    ['account', [0, 1, 2, 3].map((n) => ({ owner: partyOf(n), assetId: 'a', marketId: '', type: 4 })), 30],
    ['reward', [0, 1, 2, 3].map((n) => ({ partyId: partyOf(n), assetId: 'asset-3' })), 10],
    ['trade', [0, 1, 2, 3].map((n) => ({ buyer: partyOf(n), seller: partyOf(n + 9) })), 10],
    [
      'marginLevel',
      [0, 1, 2, 3].map((n) => ({ partyId: partyOf(n), marketId: marketOf(n), assetId: 'a' })),
      20,
    ],
    ['vote', [0, 1, 2, 3].map((n) => ({ partyId: partyOf(n), proposalId: 'proposal-3' })), 20],
    ['deposit', [0, 1, 2, 3].map((n) => ({ id: `new-${n}`, partyId: partyOf(n) })), 20],
  ] as const)('is few pages for each %s, wherever it goes', async (name, rows, most) => {
    const [, pages] = await read(name, rows, positionAt(LAST));
    expect(pages).toBeGreaterThan(0);
    expect(pages / rows.length).toBeLessThanOrEqual(most);
  });

  test('is nothing of what has few rows', async () => {
    await withClient(database.url, async (client) => {
      const typeOf = await readColumnTypes(client);
      for (const name of ['asset', 'market', 'marketData', 'riskFactor', 'epoch'] as const)
        expect(pageReadOf(nouns[name], typeOf)).toBeNull();
    });
  });

  /** How many rows of each kind were found, and how many pages that took. */
  async function read(name: keyof typeof nouns, rows: readonly Row[], before: bigint) {
    return withClient(database.url, async (client) => {
      const pages = pageReadOf(nouns[name] as never, await readColumnTypes(client));
      if (pages === null) throw new Error(`nothing is read ahead of ${name}`);
      await client.query('SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan');
      const values = [...pages.encode(rows), before];
      const found = await client.query({ text: pages.text, values, rowMode: 'array' });
      const plan = await client.query<{ 'QUERY PLAN': readonly { Plan: pg.QueryResultRow }[] }>({
        text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${pages.text}`,
        values,
      });
      const [{ Plan } = { Plan: {} }] = plan.rows[0]?.['QUERY PLAN'] ?? [];
      const read = Number(Plan['Shared Hit Blocks']) + Number(Plan['Shared Read Blocks']);
      return [(found.rows[0] as readonly string[]).map(Number), read] as const;
    });
  }
});

describe('a writer whose server has little memory', () => {
  let folders: EmbeddedFolders;

  beforeAll(async () => {
    folders = await EmbeddedFolders.create();
  });

  afterAll(() => folders?.dispose());

  const network = { seed: 7, blocks: 120, parties: 60, markets: 3 };

  test('reads ahead, and leaves what it leaves without', async () => {
    await using database = await createTestDatabase();
    await takeIn(database.url);
    await using small = await openSmall();
    await migrate(small.url);
    const statements = countStatements();
    await takeIn(small.url);
    statements.stop();
    const ahead = statements.texts.filter((text) => text.includes('count(held.touched)'));
    expect(ahead.length).toBeGreaterThan(10);
    expect(await readState(small.url)).toEqual(await readState(database.url));
    expect(await connectionsAhead(small.url)).toBe(0);
  });

  test('goes on where those who read ahead are lost', async () => {
    await using small = await openSmall();
    await migrate(small.url);
    let killed = 0;
    await takeIn(small.url, async () => {
      if (killed > 0) return;
      const [row] = await ask<{ count: string }>(
        small.url,
        `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'periscope read ahead'`,
      );
      killed = Number(row?.count);
    });
    expect(killed).toBeGreaterThan(0);
    const [row] = await ask<{ height: string }>(small.url, 'SELECT max(height) AS height FROM blocks');
    expect(Number(row?.height)).toBe(network.blocks);
  });

  test('does without where all of the database fits into it', async () => {
    await using database = await createTestDatabase();
    const statements = countStatements();
    await takeIn(database.url);
    statements.stop();
    expect(statements.texts.filter((text) => text.includes('pg_database_size'))).toHaveLength(1);
    expect(statements.texts.filter((text) => text.includes('count(held.touched)'))).toEqual([]);
    expect(await connectionsAhead(database.url)).toBe(0);
  });

  let opened = 0;

  function openSmall() {
    const settings = { shared_buffers: '1MB', fsync: 'off', full_page_writes: 'off' };
    opened += 1;
    return openPostgres({ dataDir: folders.path(`small-${opened}`), settings });
  }

  async function takeIn(url: string, onBlock: () => Promise<void> = async () => {}): Promise<void> {
    const source = openSimulation(network);
    await using writer = await Writer.open(url);
    let told = Promise.resolve();
    const { signal } = new AbortController();
    await applySource(source, writer, {
      ...{ pace: 'max', signal },
      onBlock: () => {
        told = told.then(onBlock);
      },
    });
    await told;
  }

  async function connectionsAhead(url: string): Promise<number> {
    const [row] = await ask<{ count: string }>(
      url,
      `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'periscope read ahead' AND datname = current_database()`,
    );
    return Number(row?.count);
  }
});
