import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tagOfEveryValue } from '../../src/cache/cache-tags.ts';
import { type Spoiled, scrub } from '../../src/data/digests/scrub.ts';
import { Histories } from '../../src/data/history/histories.ts';
import { HistoryKeeper } from '../../src/data/history/keeper.ts';
import {
  dropDetached,
  dropPartition,
  PARTITIONED,
  type Partition,
  readPartitions,
} from '../../src/data/history/partitions.ts';
import { ALL_OF_IT, type Retention } from '../../src/data/history/retention.ts';
import { forgetRows, spanOfRows } from '../../src/data/history/row-retention.ts';
import { rewards } from '../../src/data/nouns/rewards.ts';
import { trades } from '../../src/data/nouns/trades.ts';
import { exportParts } from '../../src/data/parts/export.ts';
import { ingestBase } from '../../src/data/parts/ingest-base.ts';
import { openSource } from '../../src/data/parts/part-source.ts';
import { rollUpSome } from '../../src/data/series/rollups.ts';
import type { Database } from '../../src/data/servers/client.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import { readStatus } from '../../src/data/upkeep/status.ts';
import { mendCounts } from '../../src/data/writing/row-counts.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { nameListAt, nameListBy, writeCursor } from '../../src/domain/cursors.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { createDisposableDatabase, type TestDatabase } from '../support/database.ts';
import { forgetUpTo } from '../support/histories.ts';
import { within } from '../support/message-queue.ts';
import { EXPORT, exportToFolder } from '../support/part-folders.ts';
import { seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { ask, withClient } from '../support/state.ts';

/** The fewest blocks of a partition. */
const SPAN = 64;
const BLOCKS = 8 * SPAN + 20;
const REACH = 4 * SPAN;
/** When a minute begins, in seconds. */
const BEGIN = 1_800_000_000;
/** The first block of the partition that holds the oldest block within reach. */
const KEPT_FROM = 4 * SPAN;
const NETWORK = { seed: seed + 13, parties: 12, markets: 3, release: '0.79' } as const;
const ROWS = { unit: 'blocks', count: REACH } as const;
const RETENTION = { historyBlocks: null, pastBlocks: null, retainRewards: ROWS, retainTrades: ROWS };

let whole: SimulatedDatabase;
let kept: TestDatabase;
let database: Database;
let all: Database;

beforeAll(async () => {
  whole = await createSimulatedDatabase({ ...NETWORK, blocks: BLOCKS });
  kept = await createDisposableDatabase();
  await writeUpTo(kept.url, BLOCKS);
  // The last that it was woken for may have come while it was at work.
  await withClient(kept.url, (client) => forgetRows(client, RETENTION));
  database = openDatabase({ url: kept.url, readOnly: true });
  all = openDatabase({ url: whole.url, readOnly: true });
});

afterAll(async () => {
  await database?.close();
  await all?.close();
  await whole?.[Symbol.asyncDispose]();
  await kept?.[Symbol.asyncDispose]();
});

async function writeUpTo(url: string, blocks: number, retention: Retention = RETENTION): Promise<void> {
  await using writer = await Writer.open(url, retention);
  const source = openSimulation({ ...NETWORK, blocks });
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  await writer.histories.settled();
}

async function dataOf(of: Database, text: string, asText = true) {
  const { answer } = await runBy(of, { text, variables: {} }, asText);
  const { data, errors } = JSON.parse(bytesOf(answer));
  expect(errors, text).toBeUndefined();
  return data;
}

test('what is behind the reach is dropped by whole partitions, and all that is within it stays', async () => {
  for (const table of ['rewards', 'trades']) {
    const select = `SELECT * FROM ${table} WHERE created_position >= ${KEPT_FROM}::bigint << 20 ORDER BY created_position`;
    const rows = await ask(kept.url, `SELECT * FROM ${table} ORDER BY created_position`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(await ask(whole.url, select));
  }
  const partitions = await withClient(kept.url, readPartitions);
  const names = partitions.filter(({ table }) => table === 'rewards').map(({ name }) => name);
  expect(names[0]).toBe(`rewards_${KEPT_FROM}`);
  expect(await ask(kept.url, `SELECT to_regclass('rewards_0') AS gone`)).toEqual([{ gone: null }]);
  expect((await readStatus(kept.url)).keptFromOf).toEqual({
    rewards: BigInt(KEPT_FROM),
    trades: BigInt(KEPT_FROM),
  });
});

test.each([true, false])(
  'lists say from which block on there are rows, and count those (as text: %s)',
  async (asText) => {
    const [asset] = await ask<{ id: string }>(kept.url, 'SELECT asset_id AS id FROM rewards LIMIT 1');
    for (const [list, table, where] of [
      ['rewards', 'rewards', 'TRUE'],
      ['trades', 'trades', 'TRUE'],
      [`rewards(assetId: "${asset?.id}")`, 'rewards', `asset_id = '${asset?.id}'`],
    ] as const) {
      const { found } = await dataOf(
        database,
        `{ found: ${list}${list.includes('(') ? '' : '(newestFirst: false)'} { totalCount keptFromHeight pageInfo { hasNextPage } } }`,
        asText,
      );
      const [{ n = '' } = {}] = await ask<{ n: string }>(
        kept.url,
        `SELECT count(*) AS n FROM ${table} WHERE ${where}`,
      );
      expect(found, list).toMatchObject({ totalCount: Number(n), keptFromHeight: `${KEPT_FROM}` });
    }
    expect(await dataOf(all, '{ rewards { keptFromHeight } trades { keptFromHeight } }', asText)).toEqual({
      rewards: { keptFromHeight: null },
      trades: { keptFromHeight: null },
    });
  },
);

test.each([true, false])(
  'sums that the writer keeps stay, those of rows begin with them, and each says so (as text: %s)',
  async (asText) => {
    const sums = (by: string) =>
      `{ rewards { sums(by: [${by}], first: 1000) { key { assetId partyId epoch } amount count countedFromHeight } } }`;
    const byEpoch = await dataOf(database, sums('ASSET, EPOCH'), asText);
    expect(byEpoch).toEqual(await dataOf(all, sums('ASSET, EPOCH'), asText));
    const byParty = await dataOf(database, sums('ASSET, PARTY'), asText);
    const rows = await ask<{ asset: string; party: string; amount: string; count: number }>(
      kept.url,
      `SELECT asset_id AS asset, party_id AS party, sum(amount::numeric)::text AS amount, count(*)::int AS count FROM rewards GROUP BY 1, 2`,
    );
    expect(byParty.rewards.sums.length).toBe(rows.length);
    for (const { key, amount, count, countedFromHeight } of byParty.rewards.sums) {
      const row = rows.find(({ asset, party }) => asset === key.assetId && party === key.partyId);
      expect({ amount, count }).toEqual({ amount: row?.amount, count: row?.count });
      expect(countedFromHeight).toBe(`${KEPT_FROM}`);
    }
  },
);

test.each([true, false])(
  'a walk towards newer rows from one that was dropped is refused (as text: %s)',
  async (asText) => {
    for (const list of ['rewards', 'trades']) {
      const page = (args: string) =>
        `{ page: ${list}(${args}) { nodes { id: nodeId } pageInfo { endCursor } } }`;
      const ofParty = (args: string) =>
        `{ parties(first: 1) { nodes { page: ${list}(${args}) { nodes { id: nodeId } } } } }`;
      const { page: dropped } = await dataOf(all, page('first: 1, newestFirst: false'), asText);
      const cursor = `"${dropped.pageInfo.endCursor}"`;
      const upwards = [`first: 3, after: ${cursor}, newestFirst: false`, `last: 3, before: ${cursor}`];
      for (const text of [page, ofParty].flatMap((ask) => upwards.map(ask))) {
        const { answer } = await runBy(database, { text, variables: {} }, asText);
        expect(bytesOf(answer), text).toMatch(
          new RegExp(
            `(?:after|before) is a cursor of block \\d+, and ${list} are kept from block ${KEPT_FROM} on`,
          ),
        );
      }
      const { page: older } = await dataOf(database, page(`first: 3, after: ${cursor}`), asText);
      expect(older.nodes).toEqual([]);
      const { page: first } = await dataOf(database, page('first: 1, newestFirst: false'), asText);
      const onwards = page(`first: 3, after: "${first.pageInfo.endCursor}", newestFirst: false`);
      expect(await dataOf(database, onwards, asText)).toEqual(await dataOf(all, onwards, asText));
    }
  },
);

test.each([true, false])(
  'a walk by amounts from a row that was dropped is refused either way (as text: %s)',
  async (asText) => {
    const [gone] = await ask<{ id: string; position: string }>(
      whole.url,
      'SELECT asset_id AS id, created_position AS position FROM rewards ORDER BY created_position LIMIT 1',
    );
    const [there] = await ask<{ position: string }>(
      kept.url,
      `SELECT created_position AS position FROM rewards WHERE asset_id = '${gone?.id}' ORDER BY amount::numeric, created_position LIMIT 1`,
    );
    const list = nameListAt(nameListBy('rewards', 'AMOUNT'), BigInt(BLOCKS));
    const cursorOf = (row: { position: string } | undefined) =>
      writeCursor({ list, position: BigInt(row?.position ?? 0) });
    const rewards = (args: string) => `page: rewards(${args}) { nodes { amount } }`;
    for (const walk of ['first: 3, after', 'last: 3, before']) {
      const by = (row: { position: string } | undefined, order: string) =>
        `${walk}: "${cursorOf(row)}", orderBy: ${order}`;
      for (const order of ['AMOUNT_DESC', 'AMOUNT_ASC']) {
        const ofAll = `{ ${rewards(`assetId: "${gone?.id}", ${by(gone, order)}`)} }`;
        const ofAssets = `{ assets(ids: ["${gone?.id}"]) { nodes { ${rewards(by(gone, order))} } } }`;
        for (const text of [ofAll, ofAssets]) {
          const { answer } = await runBy(database, { text, variables: {} }, asText);
          expect(bytesOf(answer), text).toMatch(
            new RegExp(
              `(?:after|before) is a cursor of block \\d+, and rewards are kept from block ${KEPT_FROM} on`,
            ),
          );
        }
      }
      const order = walk.startsWith('first') ? 'AMOUNT_ASC' : 'AMOUNT_DESC';
      const { page } = await dataOf(
        database,
        `{ ${rewards(`assetId: "${gone?.id}", ${by(there, order)}`)} }`,
        asText,
      );
      expect(page.nodes).toHaveLength(3);
    }
  },
);

test('questions as of a block are refused behind that, and others are not', async () => {
  const asOf = (height: number) =>
    `{ asOf(height: "${height}") { rewards(first: 3) { totalCount keptFromHeight nodes { amount } } } }`;
  for (const asText of [true, false]) {
    const { answer } = await runBy(database, { text: asOf(KEPT_FROM - 1), variables: {} }, asText);
    expect(bytesOf(answer)).toContain(
      `What the rewards were at block ${KEPT_FROM - 1} is not kept: the first block that can be asked about them is ${KEPT_FROM}.`,
    );
    const { asOf: late } = await dataOf(database, asOf(BLOCKS - 1), asText);
    const { asOf: right } = await dataOf(all, asOf(BLOCKS - 1), asText);
    expect(late.rewards.nodes).toEqual(right.rewards.nodes);
    expect([late.rewards.keptFromHeight, right.rewards.keptFromHeight]).toEqual([`${KEPT_FROM}`, null]);
    const markets = `{ asOf(height: "${SPAN}") { markets { totalCount } } }`;
    expect(await dataOf(database, markets, asText)).toEqual(await dataOf(all, markets, asText));
  }
});

test('counts as of a block are of the rows that are kept, by whatever they are chosen', async () => {
  const [asset] = await ask<{ id: string }>(kept.url, 'SELECT asset_id AS id FROM rewards LIMIT 1');
  const ofAsset = `assetIds: ["${asset?.id}"]`;
  const chosen = [
    [`filter: { ${ofAsset} }`, `asset_id = '${asset?.id}'`],
    ['filter: { fromEpoch: "1" }', 'epoch >= 1'],
    [`filter: { ${ofAsset} }, orderBy: AMOUNT_DESC`, `asset_id = '${asset?.id}'`],
  ] as const;
  for (const [how, where] of chosen) {
    const [{ n = 0 } = {}] = await ask<{ n: number }>(
      kept.url,
      `SELECT count(*)::int AS n FROM rewards WHERE ${where}`,
    );
    const list = `rewards(first: 1, ${how}) { totalCount }`;
    const counted = { rewards: { totalCount: n } };
    expect(await dataOf(database, `{ ${list} asOf(height: "${BLOCKS}") { ${list} } }`), how).toEqual({
      ...counted,
      asOf: counted,
    });
  }
});

test('sums as of a block are those that were, or say from where on they count', async () => {
  const sums = (height: number) =>
    `{ asOf(height: "${height}") { rewards { sums(by: [ASSET], first: 1000, orderBy: KEY) { key { assetId } amount count countedFromHeight } } } }`;
  for (const height of [KEPT_FROM, KEPT_FROM + 5, BLOCKS - 40, BLOCKS - 1]) {
    const { asOf: found } = await dataOf(database, sums(height));
    const [first] = found.rewards.sums;
    if (first?.countedFromHeight === null)
      expect(found, `${height}`).toEqual((await dataOf(all, sums(height))).asOf);
    else expect(first?.countedFromHeight).toBe(`${KEPT_FROM}`);
  }
});

test('series of rewards that are made of rows begin with the first epoch of which all are kept', async () => {
  const [{ party = '', first = 0 } = {}] = await ask<{ party: string; first: number }>(
    kept.url,
    `SELECT party_id AS party, (SELECT max(epoch) + 1 FROM reward_epochs WHERE first_position >> 20 < ${KEPT_FROM})::int AS first
     FROM rewards GROUP BY party_id ORDER BY count(*) DESC LIMIT 1`,
  );
  expect(first).toBeGreaterThan(1);
  const ofParty = (args: string) =>
    `{ rewards(partyId: "${party}") { series${args} { key { assetId } buckets { epoch amount count } } } }`;
  for (const asText of [true, false]) {
    const { rewards: right } = await dataOf(all, ofParty(`(fromEpoch: "${first}")`), asText);
    expect(right.series.length).toBeGreaterThan(0);
    const of = async (args: string) => (await dataOf(database, ofParty(args), asText)).rewards;
    expect(await of(`(fromEpoch: "${first}")`)).toEqual(right);
    for (const { buckets } of (await of('')).series)
      expect(Number(buckets[0].epoch)).toBeGreaterThanOrEqual(first);
    for (const args of [`(fromEpoch: "${first - 1}")`, `(toEpoch: "${first - 1}")`]) {
      const { answer } = await runBy(database, { text: ofParty(args), variables: {} }, asText);
      expect(bytesOf(answer)).toContain(
        `What these rewards came to in epoch ${first - 1} is not known: they are kept from block ${KEPT_FROM} on, and epoch ${first} is`,
      );
    }
  }
  const byAsset = '{ rewards { series(by: [ASSET]) { key { assetId } buckets { epoch amount } } } }';
  expect(await dataOf(database, byAsset)).toEqual(await dataOf(all, byAsset));
});

test('the digest of all that was is refused, and blocks have theirs', async () => {
  const text = `{ asOf(height: "${BLOCKS - 1}") { digest { digest } } }`;
  const { answer } = await runBy(database, { text, variables: {} }, true);
  expect(bytesOf(answer)).toContain(`before block ${KEPT_FROM} were dropped`);
  const digests = 'SELECT digest FROM blocks ORDER BY height';
  expect(await ask(kept.url, digests)).toEqual(await ask(whole.url, digests));
});

test('a base has no more and says so, and parts that end before are not gone on with', async () => {
  await using source = await createDisposableDatabase();
  await writeUpTo(source.url, 2 * SPAN);
  await using folder = await exportToFolder(source.url, { blocksPerPart: 50n });
  await writeUpTo(source.url, BLOCKS);
  await withClient(source.url, (client) => forgetRows(client, RETENTION));
  await expect(exportParts(source.url, folder.path, EXPORT)).rejects.toThrow('has forgotten what was before');
  await using whole = await exportToFolder(source.url, { blocksPerPart: 50n });
  await using based = await createDisposableDatabase();
  await using parts = await openSource(whole.path, EXPORT.signal);
  await ingestBase(based.url, parts, { signal: EXPORT.signal });
  const facts = `SELECT kept_from_of, past_from_of -> 'rewards' AS past, history_from >= ${KEPT_FROM}::bigint * 1048576 - 1 AS resumes FROM networks`;
  expect(await ask(based.url, facts)).toEqual(await ask(source.url, facts));
  for (const table of ['rewards', 'trades', 'reward_sums', 'row_counts'])
    expect(
      (await ask<{ row: string }>(based.url, `SELECT t::text AS row FROM ${table} AS t ORDER BY 1`)).length,
      table,
    ).toBe((await ask(source.url, `SELECT FROM ${table}`)).length);
  expect(await withClient(based.url, mendCounts)).toEqual([]);
});

test('a block after rows went tells all who keep answers that were made of them', async () => {
  await using dropping = await createDisposableDatabase();
  await using writer = await Writer.open(dropping.url, RETENTION);
  const advanceTo = async (blocks: number) => {
    const source = openSimulation({ ...NETWORK, blocks });
    await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
    await writer.histories.settled();
  };
  const touching = async (after: number) =>
    ask<{ height: string }>(
      dropping.url,
      `SELECT position >> 20 AS height FROM block_touches
       WHERE position >> 20 > ${after} AND touched @> ARRAY[${tagOfEveryValue(rewards)}, ${tagOfEveryValue(trades)}] ORDER BY 1`,
    );
  await advanceTo(REACH + SPAN - 1);
  expect((await touching(0)).map(({ height }) => height)).toEqual(['1']);
  // Then the first partition goes.
  await advanceTo(REACH + SPAN);
  await advanceTo(REACH + SPAN + 1);
  expect((await touching(1)).map(({ height }) => height)).toEqual([`${REACH + SPAN + 1}`]);
});

test('so does the next one, where rows go while the block is written', async () => {
  await using dropping = await createDisposableDatabase();
  await writeUpTo(dropping.url, 2 * SPAN);
  await withClient(dropping.url, async (client) => {
    const few = { ...RETENTION, retainRewards: { unit: 'blocks', count: 1 } } as const;
    const histories = new Histories(dropping.url, client, few, (error) => {
      throw error;
    });
    const tables = () => [...histories.forgotten.keys()];
    const told = histories.forgotten;
    expect(tables()).toEqual(['rewards', 'trades']);
    // As after a block that is a multiple of it, and before this one has the answer to its COMMIT.
    histories.tidy([BigInt(SPAN)]);
    await histories.settled();
    histories.told(told);
    expect(tables()).toEqual(['rewards']);
    histories.told(histories.forgotten);
    expect(tables()).toEqual([]);
    await histories.close();
  });
});

test('rows are told of that went though the answer to that was lost', async () => {
  await using dropping = await createDisposableDatabase();
  await writeUpTo(dropping.url, 2 * SPAN);
  const told = vi.fn();
  await withClient(dropping.url, async (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(client, 'query').mockImplementation(async (...args: readonly unknown[]) => {
      const answer = await query(...args);
      if (args[0] === 'COMMIT') throw new Error('Connection terminated unexpectedly');
      return answer;
    });
    const few = { retainRewards: { unit: 'blocks', count: 1 } } as const;
    await expect(forgetRows(client, few, told)).rejects.toThrow('Connection terminated');
    vi.restoreAllMocks();
    expect(await forgetRows(client, few, told)).toEqual([]);
  });
  expect(told.mock.calls).toEqual([['rewards']]);
});

test('days are counted by the time of blocks', async () => {
  await using hourly = await createDisposableDatabase();
  await writeUpTo(hourly.url, 3 * SPAN);
  await withClient(hourly.url, async (client) => {
    await client.query("SET periscope.migration = '9'");
    await client.query('UPDATE blocks SET timestamp = height * 3600000000000');
    expect(await spanOfRows(client, { unit: 'days', count: 8 })).toBe(BigInt(SPAN));
    expect(await spanOfRows(client, { unit: 'days', count: 100 })).toBe(512n);
    // Six days are two partitions and a bit; five are less.
    expect(await forgetRows(client, { retainRewards: { unit: 'days', count: 6 } })).toEqual([]);
    expect(await forgetRows(client, { retainRewards: { unit: 'days', count: 5 } })).toEqual(['rewards']);
    const { rows } = await client.query('SELECT kept_from_of FROM networks');
    expect(rows).toEqual([{ kept_from_of: { rewards: SPAN * 2 ** 20 } }]);
  });
});

test('what was detached is dropped later, and what others keep beside it stays, whatever its name and its partitions', async () => {
  await using shared = await createDisposableDatabase();
  await writeUpTo(shared.url, 2 * SPAN);
  await withClient(shared.url, async (client) => {
    await client.query(`
      CREATE TABLE trades_20261127 AS SELECT * FROM trades;
      CREATE TABLE visits (day date) PARTITION BY RANGE (day); CREATE TABLE visits_2026 PARTITION OF visits DEFAULT;
      CREATE FUNCTION keep() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''ended before that''; END';
      CREATE EVENT TRIGGER kept ON ddl_command_start WHEN TAG IN ('DROP TABLE') EXECUTE FUNCTION keep()`);
    const few = { retainRewards: { unit: 'blocks', count: 1 } } as const;
    await expect(forgetRows(client, few)).rejects.toThrow('ended before that');
    const [first] = (await readPartitions(client)).filter(({ table }) => table === 'changes');
    await expect(dropPartition(client, first as Partition)).rejects.toThrow('ended before that');
    await client.query('DROP EVENT TRIGGER kept');
    const left = async () => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relname IN ('rewards_0', 'changes_0', 'trades_20261127', 'visits_2026') ORDER BY 1`,
      );
      return rows.map(({ name }) => name);
    };
    expect(await left()).toEqual(['changes_0', 'rewards_0', 'trades_20261127', 'visits_2026']);
    await dropDetached(client);
    expect(await left()).toEqual(['trades_20261127', 'visits_2026']);
  });
});

test('what somebody reads for hours stays until then, and all else is dropped meanwhile', async () => {
  await using read = await createDisposableDatabase();
  // Streams resume from far back, so that nothing is packed before; its partitions are short nevertheless.
  await writeUpTo(read.url, 2 * SPAN + 10, { ...RETENTION, historyBlocks: 8 * SPAN });
  await forgetUpTo(read.url, BigInt(SPAN + 10));
  const few = { unit: 'blocks', count: 1 } as const;
  const onFailure = vi.fn();
  const keeper = new HistoryKeeper(
    read.url,
    { ...ALL_OF_IT, retainRewards: few, retainTrades: few },
    { onFailure, onForgotten: () => undefined },
  );
  /** The tables whose first partition is there, once it was tidied. */
  const keep = async () => {
    keeper.wake();
    await within(keeper.settled(), 'the keeper');
    const partitions = await withClient(read.url, readPartitions);
    const tables = partitions.filter(({ to }) => to === BigInt(SPAN) << 20n).map(({ table }) => table);
    return tables.filter((table) => !table.startsWith('archived')).sort();
  };
  await withClient(read.url, async (reader) => {
    await reader.query('BEGIN');
    for (const table of ['changes', 'rewards']) await reader.query(`SELECT FROM ${table} LIMIT 1`);
    expect(await keep()).toEqual(['changes', 'rewards']);
    await reader.query('COMMIT');
    expect(await keep()).toEqual([]);
  });
  expect(onFailure).not.toHaveBeenCalled();
  await keeper.close();
});

test('a backup, which has all tables for hours, is waited for once, and not for each of them', async () => {
  await using read = await createDisposableDatabase();
  await writeUpTo(read.url, 2 * SPAN + 10, { ...RETENTION, historyBlocks: 8 * SPAN });
  await forgetUpTo(read.url, BigInt(SPAN + 10));
  const few = { unit: 'blocks', count: 1 } as const;
  const retention = { ...ALL_OF_IT, retainRewards: few, retainTrades: few };
  const keeper = new HistoryKeeper(read.url, retention, { onFailure: vi.fn(), onForgotten: vi.fn() });
  await withClient(read.url, async (reader) => {
    await reader.query('BEGIN');
    for (const table of PARTITIONED) await reader.query(`SELECT FROM ${table} LIMIT 1`);
    const begin = performance.now();
    keeper.wake();
    await within(keeper.settled(), 'the keeper');
    expect(performance.now() - begin).toBeLessThan(8_000);
    const left = (await readPartitions(reader)).map(({ name }) => name);
    expect(left).toEqual(expect.arrayContaining(['changes_0', 'rewards_0', 'trades_0']));
  });
  await keeper.close();
});

test('blocks whose rows are dropped while they are read again are not spoiled', async () => {
  await using dropping = await createDisposableDatabase();
  await writeUpTo(dropping.url, 2 * SPAN);
  await using reading = openDatabase({ url: dropping.url, readOnly: true });
  const few = { retainRewards: { unit: 'blocks', count: 1 } } as const;
  let forgotten: readonly string[] | null = null;
  const statements: Statements = {
    ...reading.statements,
    async rows(statement) {
      if (/FROM "?rewards/.test(statement.text))
        forgotten ??= await withClient(dropping.url, (client) => forgetRows(client, few));
      return reading.statements.rows(statement);
    },
  };
  const spoiled: Spoiled[] = [];
  const onSpoiled = (one: Spoiled) => spoiled.push(one);
  const { upTo } = await scrub(statements, { signal: EXPORT.signal, rowsPerSecond: null, onSpoiled });
  expect(forgotten).toEqual(['rewards']);
  expect([upTo, spoiled]).toEqual([BigInt(2 * SPAN), []]);
});

test.each([
  ['where a minute begins', 4 * 60 - 3 * SPAN],
  ['within a minute', 38],
])(
  'a series of trade prices begins with what held, or with nothing, though its trade was dropped %s',
  async (_, delay) => {
    await using dropping = await createDisposableDatabase();
    await writeUpTo(dropping.url, 4 * SPAN - 4);
    await withClient(dropping.url, async (client) => {
      await client.query(`
      SET periscope.migration = '9'; TRUNCATE rollups, trade_rollups, rollup_levels;
      DELETE FROM trades WHERE created_position >> 20 BETWEEN ${3 * SPAN} AND ${3 * SPAN + 9};
      UPDATE blocks SET timestamp = (height + ${BEGIN + delay}) * 1000000000`);
      while (await rollUpSome(client, BigInt(SPAN)));
    });
    const readOpen = async (height: number) => {
      const series = `series(of: TRADE_PRICE, every: "PT1S", from: "${BEGIN + height + delay}000000000") { open }`;
      await using reading = openDatabase({ url: dropping.url, readOnly: true });
      const { markets } = await dataOf(reading, `{ markets { nodes { ${series} } } }`);
      return markets.nodes.map((market: { series: { open: string | null }[] }) => market.series[0]?.open);
    };
    const readAll = () => Promise.all([3 * SPAN + 1, 3 * SPAN + 2, 3 * SPAN + 30].map(readOpen));
    const before = await readAll();
    await withClient(dropping.url, (client) =>
      forgetRows(client, { retainTrades: { unit: 'blocks', count: 1 } }),
    );
    const after = await readAll();
    const isWithin = delay === 38;
    for (const [at, opens] of before.entries())
      expect(after[at]).toEqual(
        isWithin ? opens.map((open: string) => expect.toBeOneOf([open, null])) : opens,
      );
    expect(before[0].some((open: string | null) => open !== null)).toBe(true);
  },
);

test('candles that are asked for without a begin begin with the first whole one that is kept', async () => {
  const candlesOf = async (of: Database, every: string) => {
    const page = `candles(every: "${every}", first: 5000) { nodes { start open high low close volume trades } }`;
    return (await dataOf(of, `{ markets { nodes { id ${page} } } }`)).markets.nodes;
  };
  const [{ time } = { time: 0n }] = await ask<{ time: bigint }>(
    kept.url,
    `SELECT timestamp AS time FROM blocks WHERE height = ${KEPT_FROM}`,
  );
  const [ours, theirs] = [await candlesOf(database, 'PT5S'), await candlesOf(all, 'PT5S')];
  const isWhole = ({ start }: { start: string }) => BigInt(start) > BigInt(time);
  expect(ours).toEqual(
    theirs.map((market: { candles: { nodes: { start: string }[] } }) => ({
      ...market,
      candles: { nodes: market.candles.nodes.filter(isWhole) },
    })),
  );
  expect(ours[0].candles.nodes.length).toBeGreaterThan(10);
});

test('candles and series from, to or as of what is not kept are refused, and neither empty nor cut', async () => {
  await using dropping = await createDisposableDatabase();
  await writeUpTo(dropping.url, 4 * SPAN);
  await using reading = openDatabase({ url: dropping.url, readOnly: true });
  const time = (height: number) => `${BEGIN + height}000000000`;
  // One has no trades where they begin to be kept, one none since, and one is made then.
  const [quiet, gone, young] = await withClient(dropping.url, async (client) => {
    await client.query(`
      SET periscope.migration = '9'; TRUNCATE rollups, trade_rollups, rollup_levels;
      UPDATE blocks SET timestamp = (height + ${BEGIN}) * 1000000000;
      UPDATE trades SET updated_timestamp = ((created_position >> 20) + ${BEGIN}) * 1000000000`);
    const { rows } = await client.query<{ id: string }>('SELECT id FROM markets ORDER BY created_position');
    const [first, second, third] = rows.map(({ id }) => id);
    await client.query(`DELETE FROM trades WHERE created_position >> 20 BETWEEN ${2 * SPAN} AND ${3 * SPAN}`);
    await client.query(
      `UPDATE trades SET market_id = CASE WHEN created_position >> 20 & 1 = 0 THEN $1
        WHEN created_position >> 20 < ${2 * SPAN} THEN $2 ELSE $3 END`,
      [first, second, third],
    );
    await client.query(`UPDATE markets SET created_position = ${2 * SPAN + 1}::bigint << 20 WHERE id = $1`, [
      third,
    ]);
    await forgetRows(client, { retainTrades: { unit: 'blocks', count: 2 * SPAN } });
    return [first, second, third];
  });
  const answer = async (market: string | undefined, fields: string, height = 4 * SPAN) => {
    const text = `{ asOf(height: "${height}") { market(id: "${market}") { ${fields} } } }`;
    return JSON.parse(bytesOf((await runBy(reading, { text, variables: {} }, true)).answer));
  };
  const candles = (args: string) => `found: candles(first: 3, ${args}) { nodes { start } }`;
  const series = (args: string) => `found: series(of: TRADE_PRICE, ${args}) { start }`;
  const early = `every: "PT1S", from: "${time(100)}"`;
  for (const [market, fields, height] of [
    [quiet, candles(early)],
    [gone, candles(early)],
    [quiet, candles(`every: "PT1S", to: "${time(100)}"`)],
    [gone, candles(`every: "PT1S", to: "${time(100)}"`)],
    [quiet, candles('every: "PT1S"'), 100],
    [quiet, candles(early), 150],
    [quiet, series(early)],
    [quiet, series(`every: "PT1S", to: "${time(100)}"`)],
    [quiet, series('every: "P1W"')],
    [quiet, series('every: "PT1S"'), 100],
  ] as const) {
    expect(`${(await answer(market, fields, height)).errors}`, `${fields} ${height}`).toMatch(
      `BLOCK_NOT_KEPT","domain":"periscope","metadata":{"firstHeight":"${2 * SPAN}"}`,
    );
  }
  for (const [market, fields, begin] of [
    [young, candles(`${early}, newestFirst: false`), null],
    [quiet, candles(`every: "PT1S", from: "${time(2 * SPAN + 1)}", newestFirst: false`), null],
    [quiet, candles('every: "P1W"'), undefined],
    [gone, candles('every: "PT1S"'), undefined],
    [gone, candles(`every: "PT1S", from: "${time(3 * SPAN)}"`), undefined],
    [quiet, series(`every: "PT1S", to: "${time(3 * SPAN)}"`), time(2 * SPAN + 1)],
  ] as const) {
    const { data, errors } = await answer(market, fields);
    expect(errors, fields).toBeUndefined();
    const { found } = data.asOf.market;
    const first = (found.nodes ?? found)[0]?.start;
    if (begin === null) expect(BigInt(first)).toBeGreaterThan(BigInt(time(3 * SPAN)));
    else expect(first).toBe(begin);
  }
});

test('a stream resumes from no block before', async () => {
  const [network] = await ask<{ from: string }>(kept.url, 'SELECT history_from AS from FROM networks');
  expect(BigInt(network?.from ?? 0)).toBeGreaterThanOrEqual((BigInt(KEPT_FROM) << 20n) - 1n);
});

test('counts and sums are right though all rows are gone, and count from there on when they are made anew', async () => {
  await using empty = await createDisposableDatabase();
  await writeUpTo(empty.url, 2 * SPAN);
  const before = await ask(empty.url, 'SELECT * FROM reward_sums ORDER BY 1, 2, 3');
  await withClient(empty.url, async (client) => {
    await client.query("SET periscope.migration = '9'");
    await client.query(
      `INSERT INTO blocks (height, hash, timestamp, last_position) SELECT 1000000, '', max(timestamp) + 1, 1000000::bigint << 20 FROM blocks`,
    );
    expect(await forgetRows(client, RETENTION)).toContain('rewards');
    expect(await mendCounts(client)).toEqual([]);
    expect((await client.query('SELECT FROM rewards')).rowCount).toBe(0);
  });
  expect(before.length).toBeGreaterThan(0);
  expect(await ask(empty.url, 'SELECT * FROM reward_sums ORDER BY 1, 2, 3')).toEqual(before);
  await withClient(empty.url, async (client) => {
    await client.query(
      "UPDATE row_counts SET position = 7 WHERE noun = 'rewards'; UPDATE networks SET kept_from_of = kept_from_of || '{\"rewards\": 7}'",
    );
    expect(await mendCounts(client)).toEqual(['rewards']);
    const { rows } = await client.query('SELECT summed_from_of AS of FROM networks');
    expect(rows).toEqual([{ of: { rewards: 7 } }]);
  });
});
