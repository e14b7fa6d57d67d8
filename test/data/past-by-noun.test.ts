import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Block } from '../../src/data/generated/prisma/client.ts';
import { archiveSome, forget } from '../../src/data/history/archive.ts';
import { FORGOTTEN_NOUNS } from '../../src/data/history/archives.ts';
import { KnownBlocks } from '../../src/data/history/known-blocks.ts';
import { readPartitions } from '../../src/data/history/partitions.ts';
import { createPasts } from '../../src/data/history/past-statements.ts';
import { FORGOTTEN } from '../../src/data/history/past-texts.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { readStatus } from '../../src/data/upkeep/status.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { positionOf, positionsOf } from '../../src/domain/positions.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { createDisposableDatabase, type TestDatabase } from '../support/database.ts';
import { changes, GOLD } from '../support/events.ts';
import { seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { ask, withClient } from '../support/state.ts';

/** The fewest blocks of a partition. */
const SPAN = 64;
const BLOCKS = 10 * SPAN;
const NETWORK = { seed: seed + 11, parties: 8, markets: 3, release: '0.79' } as const;
const REACH = { others: 4 * SPAN, accounts: null, marketData: 2 * SPAN };
const GOLD_IS_AT = positionOf(1, 1);
const RETENTION = { historyBlocks: SPAN, pastBlocks: REACH };

let whole: SimulatedDatabase;
let database: TestDatabase;

beforeAll(async () => {
  whole = await createSimulatedDatabase({ ...NETWORK, blocks: BLOCKS });
  database = await createDisposableDatabase();
  await writeUpTo(BLOCKS, RETENTION.pastBlocks);
  // The last that it was woken for may have come while it was at work.
  await forgetOf(database);
});

afterAll(async () => {
  await whole?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

test('the past of each noun is forgotten by itself, and what is left of it is what it was', async () => {
  for (const noun of FORGOTTEN_NOUNS) {
    const { name, table } = noun;
    const reach = name === 'accounts' ? null : name === 'marketData' ? REACH.marketData : REACH.others;
    const first = reach === null ? 1 : BLOCKS - reach;
    for (const height of [first, first + 7, BLOCKS - SPAN, BLOCKS - 1])
      expect(await readPast(database, table.name.text, height), `${name} ${height}`).toEqual(
        await readPast(whole, table.name.text, height),
      );
    if (first === 1) continue;
    const forgotten = readPast(database, table.name.text, first - 1, true);
    await expect(forgotten, name).rejects.toMatchObject({ code: FORGOTTEN });
  }
});

test('its partitions are dropped, and those of others stay', async () => {
  const kept = await withClient(database.url, readPartitions);
  const firstOf = (table: string) => {
    const [first] = kept.filter((one) => one.table === table);
    return Number((first?.from ?? 0n) >> 20n);
  };
  expect(firstOf('archived_balances')).toBe(0);
  expect(firstOf('archived_rows_market_data')).toBeGreaterThanOrEqual(BLOCKS - 3 * SPAN);
  for (const table of ['archived_rows_votes', 'archived_rows_margin_levels', 'archived_rows_deposits']) {
    expect(firstOf(table), table).toBeGreaterThanOrEqual(BLOCKS - 5 * SPAN);
    expect(firstOf(table), table).toBeLessThanOrEqual(BLOCKS - 4 * SPAN);
  }
});

test('a question is refused by what it reads alone, and told of the first block that there is of that', async () => {
  const ofOthers = BLOCKS - REACH.others;
  const ofMarketData = BLOCKS - REACH.marketData;
  const asOf = (height: number, fields: string) =>
    `{ asOf(height: "${height}") { block { height } ${fields} } }`;
  const balances = 'accounts(first: 3) { edges { node { owner balance } } }';
  const rewards =
    'rewards(first: 3) { edges { node { amount } } } trades(first: 3) { edges { node { id } } }';
  const votes = 'votes(first: 3) { edges { node { partyId value } } }';
  const prices = 'markets { edges { node { marketData { markPrice } } } }';
  for (const isText of [true, false]) {
    for (const [height, fields] of [
      [2, balances],
      [2, rewards],
      [ofOthers, votes],
      [ofMarketData, `${prices} ${votes} ${balances}`],
    ] as const) {
      const answer = await answerOf(database.url, asOf(height, fields), isText);
      expect(answer).toBe(await answerOf(whole.url, asOf(height, fields), isText));
      expect(answer, fields).not.toContain('errors');
    }
    expect(await answerOf(database.url, asOf(ofOthers - 1, `${balances} ${votes}`), isText)).toContain(
      `What the votes were at block ${ofOthers - 1} is not kept: the first block that can be asked about them is ${ofOthers}.`,
    );
    expect(await answerOf(database.url, asOf(ofOthers, prices), isText)).toContain(
      `What the market data were at block ${ofOthers} is not kept: the first block that can be asked about them is ${ofMarketData}.`,
    );
  }
});

test('versions and series reach back as far as their noun', async () => {
  const heights = (text: string) =>
    Array.from(text.matchAll(/"height":"(\d+)"/g), ([, height]) => Number(height));
  const history = 'history(newestFirst: false, first: 1) { edges { block { height } } }';
  const ofAccounts = `{ accounts(first: 50, newestFirst: false) { edges { node { ${history} } } } }`;
  const ofData = `{ markets { edges { node { marketData { ${history} } } } } }`;
  expect(Math.min(...heights(await answerOf(database.url, ofAccounts)))).toBeLessThan(10);
  const data = heights(await answerOf(database.url, ofData));
  expect(Math.min(...data)).toBeGreaterThanOrEqual(BLOCKS - REACH.marketData);
  const [{ time = '' } = {}] = await ask<{ time: string }>(
    database.url,
    `SELECT timestamp::text AS time FROM blocks WHERE height = ${SPAN}`,
  );
  const series = `series(from: "${time}", points: 5) { start close }`;
  const balances = `{ accounts(first: 3) { edges { node { ${series} } } } }`;
  expect(await answerOf(database.url, balances)).toBe(await answerOf(whole.url, balances));
  expect(await answerOf(database.url, `{ markets { edges { node { ${series} } } } }`)).toContain(
    `the time of block ${BLOCKS - REACH.marketData}`,
  );
});

test('rollups are forgotten with the data of markets, once no unit needs them', async () => {
  const rollups = () => ask(database.url, 'SELECT FROM rollups');
  const count = (await rollups()).length;
  expect(count).toBeGreaterThan(0);
  const [level] = await ask<{ up: string }>(
    database.url,
    'SELECT min(up_to_position) AS up FROM rollup_levels',
  );
  await forgetOf(database);
  expect((await rollups()).length).toBe(count);
  await ask(database.url, `UPDATE rollup_levels SET up_to_position = ${positionsOf(BigInt(BLOCKS)).last}`);
  await forgetOf(database);
  expect((await rollups()).length).toBeLessThan(count);
  const least = positionsOf(BigInt(BLOCKS - 3 * SPAN)).first;
  expect(await ask(database.url, `SELECT FROM rollups WHERE position < ${least}`)).toEqual([]);
  await ask(database.url, `UPDATE rollup_levels SET up_to_position = ${level?.up}`);
});

test('status says how far back the past of each noun is known', async () => {
  const { pastFrom, pastFromOf } = await readStatus(database.url);
  expect(pastFrom?.height).toBe(BigInt(BLOCKS - REACH.marketData));
  expect(pastFromOf).toMatchObject({ accounts: 1n, votes: BigInt(BLOCKS - REACH.others) });
});

test('a noun that is told to be kept for shorter is forgotten then, and one for longer goes on from where it is', async () => {
  await writeUpTo(BLOCKS + SPAN, { others: null, accounts: SPAN });
  const { pastFrom, pastFromOf } = await readStatus(database.url);
  // Boundaries move with every tenth block.
  expect(pastFrom?.height).toBe(BigInt(BLOCKS - ((BLOCKS + SPAN) % 10)));
  expect(pastFromOf).toMatchObject({ votes: BigInt(BLOCKS - REACH.others) });
});

test('a row whose past was forgotten while it is read is refused, or what it was, and never anything else', async () => {
  const before = openDatabase({ url: whole.url, readOnly: true });
  const after = openDatabase({ url: database.url, readOnly: true });
  const nobodyKnows = { explain: async () => undefined, isKept: () => true };
  const counts = { refused: 0, same: 0 };
  try {
    for (const { table } of FORGOTTEN_NOUNS)
      for (let height = 3; height < BLOCKS; height += SPAN / 2 + 1) {
        const at = positionsOf(BigInt(height)).last;
        const ask = (text: string) => ({ text, values: [], dependsOn: 'nothing' as const });
        const text = `SELECT created_position AS key, to_jsonb(t)::text AS row FROM ${table.name.text} AS t`;
        const rows = await createPasts(before.statements)(at).rows<{ key: bigint; row: string }>(ask(text));
        for (const { key, row } of rows.slice(0, 12)) {
          const one = createPasts(
            after.statements,
            nobodyKnows,
          )(at).rows<{ row: string }>(ask(`${text} WHERE created_position = ${key}`));
          const found = await one.catch((error) => error.code);
          if (found === FORGOTTEN) counts.refused += 1;
          else {
            expect([table.name.text, height, found]).toEqual([table.name.text, height, [{ key, row }]]);
            counts.same += 1;
          }
        }
      }
    expect(Math.min(counts.refused, counts.same)).toBeGreaterThan(20);
  } finally {
    await before.close();
    await after.close();
  }
});

test('a while without a change of any noun leaves no hole that what is kept cannot be carried over into', async () => {
  await using quiet = await createDisposableDatabase();
  await using writer = await Writer.open(quiet.url, { historyBlocks: SPAN, pastBlocks: 8 * SPAN });
  await writer.claimNetwork('quiet');
  let height = 0;
  const writeSpans = async (spans: number, name?: string) => {
    for (const end = height + spans * SPAN; height < end; ) {
      const blocks = Array.from({ length: SPAN }, () => {
        height += 1;
        const position = positionOf(height, 1);
        const row = {
          ...GOLD,
          name: `${name} ${height}`,
          createdPosition: GOLD_IS_AT,
          updatedPosition: position,
        };
        const block = { height: BigInt(height), hash: '', timestamp: BigInt(height), lastPosition: position };
        return writer.prepare(block, changes(name === undefined ? {} : { asset: [row] }));
      });
      await writer.writePrepared(blocks);
      await writer.histories.settled();
    }
  };
  const asOf = async (height: number) =>
    (await readPast(quiet, 'assets', height)).map(
      (found) => JSON.parse((found as { readonly row: string }).row).name,
    );
  await writeSpans(1, 'before');
  await writeSpans(4);
  await writeSpans(6, 'after');
  expect(await asOf(4 * SPAN)).toEqual([`before ${SPAN}`]);
  expect(await asOf(5 * SPAN + 1)).toEqual([`after ${5 * SPAN + 1}`]);
  // Then what is behind the quiet is forgotten as well.
  await writeSpans(8, 'after');
  for (const height of [12 * SPAN, 19 * SPAN]) expect(await asOf(height)).toEqual([`after ${height}`]);
  const partitions = await withClient(quiet.url, readPartitions);
  const first = partitions.find(({ table }) => table === 'archived_rows_assets');
  expect(first?.from).toBeGreaterThanOrEqual(positionOf(9 * SPAN, 0));
});

async function writeUpTo(blocks: number, pastBlocks: Readonly<Record<string, number | null>>): Promise<void> {
  await using writer = await Writer.open(database.url, { ...RETENTION, pastBlocks });
  const source = openSimulation({ ...NETWORK, blocks });
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  await writer.histories.settled();
}

async function forgetOf({ url }: { readonly url: string }): Promise<void> {
  await withClient(url, async (client) => {
    while (await archiveSome(client, () => BigInt(SPAN)));
    await forget(client, () => BigInt(SPAN));
  });
}

/** A table as of the end of a block; guarded, it is refused where that is forgotten. */
async function readPast({ url }: { readonly url: string }, table: string, height: number, isGuarded = false) {
  const { statements, close } = openDatabase({ url, readOnly: true });
  try {
    const known = new KnownBlocks();
    await known.findFirst(statements, { lastPosition: 0n } as Block, 0n);
    const guard = {
      explain: () => Promise.reject(Object.assign(new Error('forgotten'), { code: FORGOTTEN })),
      isKept: known.isKept.bind(known),
    };
    const pasts = createPasts(statements, isGuarded ? guard : undefined);
    const text = `SELECT to_jsonb(t)::text AS row FROM ${table} AS t ORDER BY 1`;
    return await pasts(positionsOf(BigInt(height)).last).rows({ text, values: [], dependsOn: 'nothing' });
  } finally {
    await close();
  }
}

async function answerOf(url: string, text: string, isText = true): Promise<string> {
  const one = openDatabase({ url, readOnly: true });
  try {
    return bytesOf((await runBy(one, { text, variables: {} }, isText)).answer);
  } catch (error) {
    return (error as Error).message;
  } finally {
    await one.close();
  }
}
