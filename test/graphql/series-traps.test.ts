import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Block } from '../../src/data/generated/prisma/client.ts';
import { readCalendar } from '../../src/data/series/calendar.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { MAX_DIGITS } from '../../src/domain/decimals.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource } from '../../src/ingest/events.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { forgetUpTo } from '../support/histories.ts';
import { seed } from '../support/seed.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask } from '../support/state.ts';
import { countStatements } from '../support/statements.ts';
import { retime } from './series-oracle.ts';

/** A block each hour, from midnight in Berlin on the day before clocks go back. */
const HOUR = 3_600_000_000_000n;
const MIDNIGHT = BigInt(Date.parse('2025-10-25T00:00:00+02:00')) * 1_000_000n;
const BLOCKS = 60;
const FIELDS = 'start end open high low close isComplete';

let database: TestDatabase;
let gateway: TestGateway;
let writer: Writer;
let market: string;

beforeAll(async () => {
  database = await createTestDatabase();
  writer = await Writer.open(database.url);
  await applyTo(BLOCKS);
  gateway = await startTestGateway(database.url);
  // Of which the first block tells.
  [market = ''] = (
    await ask<{ id: string }>(
      database.url,
      'SELECT market_id AS id FROM market_data ORDER BY created_position LIMIT 1',
    )
  ).map(({ id }) => id);
});

afterAll(async () => {
  await gateway?.close();
  await writer?.close();
  await database?.[Symbol.asyncDispose]();
});

async function applyTo(blocks: number): Promise<void> {
  const options = { seed, parties: 12, markets: 3, release: '0.79', blocks } as const;
  const source: EventSource = retime(
    openSimulation(options),
    (height) => MIDNIGHT + BigInt(height - 1) * HOUR,
  );
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
}

interface Bucket {
  readonly start: string;
  readonly end: string;
  readonly open: string | null;
  readonly close: string | null;
  readonly isComplete: boolean;
}

async function series(args: string): Promise<readonly Bucket[]> {
  const { data, errors } = await gateway.graphql(
    `{ market(id: "${market}") { series(${args}) { ${FIELDS} } } }`,
  );
  expect(errors).toBeUndefined();
  return data.market.series;
}

const hoursOf = (buckets: readonly Bucket[]) =>
  buckets.map(({ start, end }) => Number((BigInt(end) - BigInt(start)) / HOUR));

test('a day of 25 hours is one bucket, and 25 of an hour, and loses nothing in buckets of several', async () => {
  const inBerlin = 'zone: "Europe/Berlin"';
  expect(hoursOf(await series(`every: "P1D", ${inBerlin}`))).toEqual([24, 25, 24]);
  const range = `from: "${MIDNIGHT + 24n * HOUR}", to: "${MIDNIGHT + 49n * HOUR}"`;
  expect(await series(`${range}, every: "PT1H", ${inBerlin}`)).toHaveLength(25);
  expect(hoursOf(await series(`${range}, every: "PT4H", ${inBerlin}`))).toEqual([4, 4, 4, 4, 4, 4, 1]);
  expect(hoursOf(await series(`every: "P2D", ${inBerlin}`))).toEqual([49, 48]);
  expect(hoursOf(await series(`every: "P1W", ${inBerlin}`))).toEqual([169, 168]);
  expect(hoursOf(await series('every: "P1D"'))).toEqual([24, 24, 24, 24]);
  for (const args of [
    `every: "PT4H", ${inBerlin}`,
    `every: "PT7H", ${inBerlin}`,
    'every: "P1D"',
    'points: 9',
  ]) {
    const buckets = await series(args);
    for (const [place, { end }] of buckets.slice(0, -1).entries())
      expect(buckets[place + 1]?.start).toBe(end);
  }
});

test('a bucket opens with what held before, also where nothing changed in it, and the unfinished one is marked', async () => {
  const buckets = await series('every: "PT30M"');
  const known = buckets.findIndex(({ close }) => close !== null);
  for (const [place, { open }] of buckets.slice(known + 1).entries())
    expect(open).toBe(buckets[known + place]?.close);
  // There is a block each hour: the buckets between are rows all the same.
  for (const { open, close, start } of buckets.slice(known + 1))
    if (BigInt(start) % HOUR !== 0n) expect(open).toBe(close);
  expect(buckets.map(({ isComplete }) => isComplete)).toEqual([...buckets.slice(1).map(() => true), false]);
  const whole = await series(`to: "${MIDNIGHT + 10n * HOUR}", every: "PT1H"`);
  expect(whole.at(-1)).toMatchObject({ end: `${MIDNIGHT + 10n * HOUR}`, isComplete: true });
  const late = await series(
    `from: "${MIDNIGHT + 30n * HOUR + 1n}", to: "${MIDNIGHT + 30n * HOUR + 2n}", every: "PT1M"`,
  );
  expect(late).toHaveLength(1);
  expect(late[0]?.open).not.toBeNull();
});

test('a zone is named in any case, and may have a name without a slash', async () => {
  const inZone = (zone: string) => series(`every: "P1D", zone: "${zone}"`);
  expect(await inZone('utc')).toEqual(await inZone('UTC'));
  expect(await inZone('europe/berlin')).toEqual(await inZone('Europe/Berlin'));
  expect(await inZone('EST5EDT')).toEqual(await inZone('America/New_York'));
  expect(await inZone('japan')).toEqual(await inZone('Asia/Tokyo'));
  expect(await series('from: "0", every: "PT1H"')).toEqual(await series('every: "PT1H"'));
});

test('sums of balances stand in the order of their keys, as other sums do', async () => {
  const { data } = await gateway.graphql(
    `{ accounts {
      series(by: [TYPE, ASSET, MARKET], points: 2) { key { asset type market } }
      sums(by: [ASSET, TYPE, MARKET], orderBy: KEY) { key { asset: assetId type market: marketId } }
    } }`,
  );
  expect(data.accounts.series).toEqual(data.accounts.sums);
});

test('null in the place of the parts of a key is none', async () => {
  const series = async (by: string) =>
    (await gateway.graphql(`{ accounts { series${by} { key { assetId } buckets { close } } } }`)).data;
  expect(await series('(by: null)')).toEqual(await series(''));
});

test('balances of different assets are never summed', async () => {
  for (const by of ['[]', '[TYPE]', '[PARTY, MARKET]']) {
    const { errors } = await gateway.graphql(`{ accounts { series(by: ${by}) { buckets { close } } } }`);
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'INVALID_ARGUMENT' } });
    expect(errors?.[0]?.message).toBe(
      `by takes a list with ASSET in it, as amounts of different assets have no sum, not ${by}.`,
    );
  }
});

test.each([
  [
    'every: "PT1M", zone: "Mars/Base"',
    'zone takes the name of an IANA time zone, as Europe/Berlin or UTC, not "Mars/Base".',
  ],
  ['zone: "CET"', 'zone takes the name of an IANA time zone, as Europe/Berlin or UTC, not "CET".'],
  ['every: "15m"', 'not "15m".'],
  ['every: "P1DT2H"', 'not "P1DT2H".'],
  ['every: "PT25H"', 'not "PT25H".'],
  ['every: "PT0S"', 'not "PT0S".'],
  ['every: "P1D", points: 3', 'points does not go with every: give one of them.'],
  ['points: 1', 'points takes a number from 2 to 5000, not 1.'],
  ['points: 5001', 'points takes a number from 2 to 5000, not 5001.'],
  [
    'from: "1767225600"',
    'from is 1767225600, which looks like seconds: 1767225600000000000 was probably meant.',
  ],
  [
    'to: "1767225600000"',
    'to is 1767225600000, which looks like milliseconds: 1767225600000000000 was probably meant.',
  ],
  ['from: "-5"', 'from takes nanoseconds since 1970, not -5.'],
  ['to: "-5"', 'to takes nanoseconds since 1970, not -5.'],
  ['zone: "est"', 'zone takes the name of an IANA time zone, as Europe/Berlin or UTC, not "est".'],
  [`from: "5", to: "5"`, 'to takes a time after 5, which is from, not 5.'],
  [
    'every: "PT1S"',
    'every of PT1S makes about 212400 buckets of that range; the most is 5000. PT1M would fit.',
  ],
  [
    'every: "PT30S"',
    'every of PT30S makes about 7081 buckets of that range; the most is 5000. PT1M would fit.',
  ],
])('%s is refused, with the argument and its value', async (args, message) => {
  const { errors } = await gateway.graphql(`{ market(id: "${market}") { series(${args}) { close } } }`);
  expect(errors?.[0]?.extensions.code).toBe('INVALID_ARGUMENT');
  expect(errors?.[0]?.message).toContain(message);
});

test.each([
  ['Antarctica/Casey', ['2023-03-07T13', '2023-03-08T13', '2023-03-09T16']],
  ['Antarctica/Vostok', ['2023-12-16T17', '2023-12-17T17', '2023-12-18T19']],
  ['Europe/Berlin', ['2025-10-24T22', '2025-10-25T22', '2025-10-26T23']],
  ['Atlantic/Azores', ['2025-10-25T00', '2025-10-26T00', '2025-10-27T01']],
  ['Africa/Cairo', ['2025-04-23T22', '2025-04-24T22', '2025-04-25T21']],
])(
  'days in %s begin at their first instant, by however much clocks change over midnight',
  async (zone, hours) => {
    const opened = openDatabase({ url: database.url, readOnly: true });
    onTestFinished(() => opened.close());
    const begins = hours.map((hour) => BigInt(Date.parse(`${hour}:00Z`)) * 1_000_000n);
    const [from = 0n, , to = 0n] = begins;
    const width = { unit: 'days', count: 1, text: 'P1D' } as const;
    const at = { timestamp: 0n, lastPosition: 0n } as Block;
    const { times } = await readCalendar(opened.statements, { width, zone, from, to }, at);
    expect(times).toEqual(begins);
  },
);

test('points are never more than asked for, whatever the zone', async () => {
  for (const points of [2, 3, 5, 26, 27, 62, 300, 5000])
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu']) {
      const buckets = await series(`points: ${points}, zone: "${zone}"`);
      expect(buckets.length).toBeLessThanOrEqual(points);
      expect(buckets.length).toBeGreaterThan(0);
    }
});

test('the series of a hundred accounts are a statement or a few, as they are asked for at once, as are those of many markets', async () => {
  const sent = async (query: string) => {
    const counting = countStatements();
    try {
      const { data, errors } = await gateway.graphql(query);
      expect(errors).toBeUndefined();
      return { data, texts: counting.texts.filter((text) => /balance_changes|FROM changes/.test(text)) };
    } finally {
      counting.stop();
    }
  };
  const { data, texts } = await sent(
    `{ accounts(first: 100) { edges { node { series(points: 10) { ${FIELDS} } } } } }`,
  );
  expect(data.accounts.edges.length).toBeGreaterThan(20);
  // Resolvers take turns with others, and what is asked for in one turn is read at once.
  expect(texts.length).toBeLessThan(5);
  const markets = await sent(
    `{ markets { edges { node { series(from: "${MIDNIGHT}", points: 10) { ${FIELDS} } } } } }`,
  );
  expect(markets.data.markets.edges.length).toBeGreaterThan(1);
  expect(markets.texts.length).toBeLessThan(3);
});

test('text and graphql-js give the same series', async () => {
  const one = openDatabase({ url: database.url, readOnly: true });
  const text = `{
    market(id: "${market}") { id series(every: "P1D", zone: "Europe/Berlin", of: LAST_TRADED_PRICE) { ${FIELDS} volume trades notional } }
    asOf(height: "30") {
      accounts(first: 5) { totalCount series(by: [TYPE, ASSET], points: 4) { key { asset type market party } buckets { ${FIELDS} } } edges { node { owner series(points: 3) { close } } } }
      markets { edges { node { series(of: TRADE_PRICE, points: 7) { ...F __typename } } } }
    }
    asOfEach(from: "10", to: "50", every: "20") { party(id: "network") { accounts { series { buckets { close end } } } } }
  } fragment F on MarketBucket { open close volume }`;
  const [asText, resolved] = [
    await runBy(one, { text, variables: {} }, true),
    await runBy(one, { text, variables: {} }, false),
  ];
  const body = bytesOf(asText.answer);
  expect(body).toBe(bytesOf(resolved.answer));
  expect(body).not.toContain('errors');
  expect(body.length).toBeGreaterThan(3000);
  await one.close();
});

test('an answer is as of the newest block', async () => {
  const before = (await series('every: "PT1H"')).length;
  await applyTo(BLOCKS + 2);
  await expect.poll(async () => (await series('every: "PT1H"')).length).toBe(before + 2);
});

test('what held at the begin has to be known', async () => {
  await forgetUpTo(database.url, 20n);
  const { errors } = await gateway.graphql(
    `{ market(id: "${market}") { series(from: "${MIDNIGHT + 3n * HOUR}", every: "PT1H") { close } } }`,
  );
  expect(errors?.[0]?.extensions.code).toBe('OUT_OF_RANGE');
  expect(errors?.[0]?.message).toContain(`after ${MIDNIGHT + 19n * HOUR}, the time of block 20`);
  // In other words than before: such an answer is kept until a block comes.
  const [first] = await series('every: "PT1H", zone: "GMT"');
  expect(first?.start).toBe(`${MIDNIGHT + 20n * HOUR}`);
  expect(first?.open).not.toBeNull();
});

test('high and low of balances are exact up to 100,000 changes, and refused beyond, which open and close are not', async () => {
  await using busy = await createSimulatedDatabase({ seed: 5, blocks: 8, parties: 6, markets: 2 });
  const [{ position = '', asset = '' } = {}] = await ask<{ position: string; asset: string }>(
    busy.url,
    `SELECT created_position AS position, asset_id AS asset FROM accounts
      WHERE owner = 'network' AND created_position < 3 << 20 ORDER BY type, market_id COLLATE "C" LIMIT 1`,
  );
  // Behind all that block 5 told: it left the last of them.
  await ask(
    busy.url,
    `INSERT INTO balance_changes (position, account_position, balance)
      SELECT (5 << 20) + 500000 + i, ${position}, (7 * i)::text FROM generate_series(1, 100001) AS i`,
  );
  await using busyGateway = await startTestGateway(busy.url);
  const read = async (fields: string) => {
    const { data, errors } = await busyGateway.graphql(
      `{ accounts(filter: { partyIds: ["network"], assetId: "${asset}" }) { series(every: "P1D", by: [ASSET, TYPE, MARKET]) { buckets { ${fields} } } } }`,
    );
    return errors?.[0]?.message ?? data.accounts.series[0].buckets;
  };
  expect(await read('open close')).toEqual([{ open: null, close: '700007' }]);
  expect(await read('low')).toBe(
    'The series is made of more than 100000 changes: ask for a shorter range (from, to), less at a time, or neither high nor low.',
  );
  await ask(
    busy.url,
    `DELETE FROM balance_changes WHERE account_position = ${position} AND position % 2 = 0`,
  );
  const [left] = await ask(
    busy.url,
    `SELECT max(balance::numeric)::text AS high, min(balance::numeric)::text AS low FROM (
      SELECT DISTINCT ON (position >> 20) balance FROM balance_changes
      WHERE account_position = ${position} ORDER BY position >> 20, position DESC) AS ends`,
  );
  expect(await read('high low close')).toEqual([{ ...left, close: '700007' }]);
});

test('sums of more digits than a balance may have are in series, too', async () => {
  await using network = await startAccountNetwork();
  const balances = ['9', '8', '7'].map((digit) => digit.repeat(MAX_DIGITS));
  const sums: bigint[] = [];
  for (const balance of balances) {
    await network.block({ owner: party(1), balance }, { owner: party(2), balance });
    sums.push(2n * BigInt(balance));
  }
  await using reading = openDatabase({ url: network.url, readOnly: true });
  const text = '{ accounts { series(every: "PT1S", by: [ASSET]) { buckets { open high low close } } } }';
  const { answer } = await runBy(reading, { text, variables: {} }, true);
  const { data, errors } = JSON.parse(bytesOf(answer));
  expect(errors).toBeUndefined();
  const [{ buckets }] = data.accounts.series;
  const [first, second, third] = sums.map(String);
  expect(buckets.slice(0, 3)).toEqual([
    { open: null, high: first, low: first, close: first },
    { open: first, high: first, low: second, close: second },
    { open: second, high: second, low: third, close: third },
  ]);
});
