import { expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { USUAL_WIDTHS } from '../../src/domain/durations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { seed } from '../support/seed.ts';
import { ask } from '../support/state.ts';
import { retime } from './series-oracle.ts';

/** Which buckets there are over long ranges of times, of a network with a block each eight days. */

const DAY = 86_400_000_000_000n;
const BLOCKS = 60;
const nanosecondsAt = (date: string) => BigInt(Date.parse(date)) * 1_000_000n;
const BEGIN = nanosecondsAt('2025-01-01T00:00:00Z');

const database = await forAllTests(openNetwork(BEGIN));
const gateway = await forAllTests(startTestGateway(database.url));
/** Those with trades. */
const markets = await readMarkets(database.url);

async function openNetwork(begin: bigint): Promise<TestDatabase> {
  const opened = await createTestDatabase();
  await using writer = await Writer.open(opened.url);
  const simulation = openSimulation({ seed, parties: 12, markets: 3, release: '0.79', blocks: BLOCKS });
  const source = retime(simulation, (height) => begin + BigInt(height - 1) * 8n * DAY);
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  return opened;
}

async function readMarkets(url: string) {
  return ask<{ id: string; height: number }>(
    url,
    `SELECT market_id AS id, (created_position >> 20)::int AS height FROM market_data
      WHERE market_id IN (SELECT market_id FROM trades) ORDER BY created_position`,
  );
}

interface Row {
  readonly start: string;
  readonly end: string;
  readonly close: string | null;
  readonly trades: number;
}

async function listOf(field: string, { id = '' } = markets[0] ?? {}, from = gateway) {
  const { data, errors } = await from.graphql(`{ market(id: "${id}") { ${field} } }`);
  return errors?.[0] ?? data.market.rows.nodes ?? (data.market.rows as readonly Row[]);
}

const series = (args: string, market = markets[0], from = gateway) =>
  listOf(`rows: series(${args}) { start end open close trades }`, market, from);
const candles = (args: string, market = markets[0], from = gateway) =>
  listOf(`rows: candles(${args}) { nodes { start close trades } }`, market, from);

test('points take the narrowest usual width that makes no more, of months and over changes of clocks, too', async () => {
  const to = nanosecondsAt('2026-04-01T00:00:00Z');
  const sixteen = await series(`points: 16, from: "${nanosecondsAt('2024-12-15T00:00:00Z')}", to: "${to}"`);
  expect(sixteen).toHaveLength(16);
  // A day of 25 hours, and one of 24.
  const days = ['2025-10-25T22:00:00Z', '2025-10-27T22:59:00Z'].map(nanosecondsAt);
  const ranges = [
    [`from: "${BEGIN}"`, [2, 3, 5, 6, 15, 16, 17, 60, 65, 300]],
    [`from: "${days[0]}", to: "${days[1]}", zone: "Europe/Berlin"`, [2, 3, 48, 49, 50]],
  ] as const;
  for (const [range, all] of ranges)
    for (const points of all) {
      let expected: unknown;
      for (const { text } of USUAL_WIDTHS) {
        expected = await series(`${range}, every: "${text}"`);
        if (Array.isArray(expected) && expected.length <= points) break;
      }
      expect([range, points, await series(`${range}, points: ${points}`)]).toEqual([range, points, expected]);
    }
});

test('a bucket is as wide as fits between 1970 and the end of times, and no wider', async () => {
  for (const width of ['P292Y', 'P3507M', 'P15249W', 'P106751D'])
    expect([width, await series(`every: "${width}"`)]).toEqual([width, [expect.objectContaining({})]]);
  for (const width of ['P293Y', 'P300Y', 'P1000Y', 'P3508M', 'P15250W', 'P30000W', 'P106752D']) {
    const refused = {
      extensions: { code: 'INVALID_ARGUMENT' },
      message: expect.stringContaining(`not "${width}".`),
    };
    expect(await series(`every: "${width}"`)).toMatchObject(refused);
    if (!/[YM]$/.test(width)) expect(await candles(`every: "${width}"`)).toMatchObject(refused);
  }
});

test('a bucket that would end after times do is refused by its width', async () => {
  await using late = await openNetwork(nanosecondsAt('2200-01-01T00:00:00Z'));
  const lateGateway = await startTestGateway(late.url);
  const [market] = await readMarkets(late.url);
  expect(await series('every: "P100Y"', market, lateGateway)).toMatchObject({
    extensions: { code: 'INVALID_ARGUMENT', details: [{ fieldViolations: [{ field: 'every' }] }] },
    message: 'every of P100Y makes a bucket that ends after April 11 2262, where times in nanoseconds do.',
  });
  expect(await series('every: "P50Y"', market, lateGateway)).toHaveLength(1);
  await lateGateway.close();
});

test('candles that begin in January 1970 have what was traded since', async () => {
  const [{ trades = 0 } = {}] = await ask<{ trades: number }>(
    database.url,
    `SELECT count(*)::int AS trades FROM trades WHERE market_id = '${markets[0]?.id}'`,
  );
  expect(trades).toBeGreaterThan(0);
  for (const every of ['P21000D', 'P15000W'])
    expect(await candles(`every: "${every}"`)).toMatchObject([{ trades }]);
});

test('of the times from and to 0 is none', async () => {
  const later = markets.find(({ height }) => height > 1);
  // It begins where its market does.
  const bare = await series('every: "P1D"', later);
  expect(bare[0].start).toBe(`${BEGIN + BigInt((later?.height ?? 0) - 1) * 8n * DAY}`);
  for (const range of ['from: "0"', 'to: "0"', 'from: "0", to: "0"'])
    expect([range, await series(`every: "P1D", ${range}`, later)]).toEqual([range, bare]);
  const listed = await candles('every: "P1D"');
  expect(listed.length).toBeGreaterThan(1);
  expect(await candles('every: "P1D", from: "0", to: "0"')).toEqual(listed);
  const from = `from: "${BEGIN + 99n * DAY}"`;
  expect(await series(`every: "P1D", ${from}, to: "0"`)).toEqual(await series(`every: "P1D", ${from}`));
});

test('what a market without data traded is in its candles, and when it begins with trades', async () => {
  await using bare = await openNetwork(BEGIN);
  const [market] = await readMarkets(bare.url);
  const [{ first = 0 } = {}] = await ask<{ first: number }>(
    bare.url,
    `SELECT (min(created_position) >> 20)::int AS first FROM trades WHERE market_id = '${market?.id}'`,
  );
  await ask(bare.url, `DELETE FROM market_data WHERE market_id = '${market?.id}'`);
  const other = await startTestGateway(bare.url);
  const begin = BEGIN + BigInt(first - 1) * 8n * DAY;
  const listed = await candles('every: "P1D"', market, other);
  expect(listed.length).toBeGreaterThan(1);
  expect(listed).toEqual(await candles('every: "P1D"'));
  const traded = await series(`of: TRADE_PRICE, every: "P1D"`, market, other);
  expect(traded).toEqual(await series(`of: TRADE_PRICE, every: "P1D", from: "${begin}"`));
  expect(await series(`of: TRADE_PRICE, every: "P1D", from: "${begin}"`, market, other)).toEqual(traded);
  expect(await series(`every: "P1D"`, market, other)).toEqual([]);
  // Of which data came later than trades.
  await ask(
    bare.url,
    `INSERT INTO market_data SELECT * FROM jsonb_populate_record((SELECT m FROM market_data AS m LIMIT 1),
      '{"market_id": "${market?.id}", "created_position": ${BLOCKS * 2 ** 20 + 1}}')`,
  );
  expect(await series(`of: TRADE_PRICE, every: "P1D", zone: "GMT"`, market, other)).toEqual(traded);
  await other.close();
});
