import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { writeCursor } from '../../src/domain/cursors.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource, NetworkEvent } from '../../src/ingest/events.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { createTestDatabase } from '../support/database.ts';
import { sourceOf } from '../support/events.ts';
import { chooseRandom } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase, type TableRow } from '../support/simulated.ts';

/** Candles worked out from the rows of trades alone, with times as numbers of seconds where no digit is lost. */

const BLOCKS = 160;
const WIDTHS = { PT1S: 1, PT5S: 5, PT1M: 60, PT15M: 900, PT12H: 43_200, P1D: 86_400, P1W: 604_800 } as const;
const FIELDS = 'start lastUpdate high low open close volume notional trades isComplete';
const random = chooseRandom('candles');

let simulated: SimulatedDatabase;
let database: Database;
let trades: readonly TableRow[];
let blocks: readonly TableRow[];

beforeAll(async () => {
  simulated = await createSimulatedDatabase({ seed: 8, blocks: BLOCKS, parties: 30, markets: 3 });
  [trades, blocks] = [await simulated.readTable('trades'), await simulated.readTable('blocks')];
  database = openDatabase({ url: simulated.url, readOnly: true });
});

afterAll(async () => {
  await database?.close();
  await simulated?.[Symbol.asyncDispose]();
});

const SECOND = 1_000_000_000n;

interface Asked {
  readonly market: string;
  readonly every: keyof typeof WIDTHS;
  readonly from: bigint | null;
  readonly to: bigint | null;
}

/** All candles that pass, oldest first, by a walk over the seconds of time. */
function reduce({ market, every, from, to }: Asked, height: number) {
  const known = blocks.filter((block) => Number(block['height']) <= height);
  const now = BigInt(known.at(-1)?.['timestamp'] ?? 0);
  const own = trades
    .filter(
      (trade) =>
        trade['market_id'] === market && BigInt(trade['created_position'] ?? 0) >> 20n <= BigInt(height),
    )
    .map((trade) => ({
      time: BigInt(trade['updated_timestamp'] ?? 0),
      price: BigInt(trade['price'] ?? 0),
      size: BigInt(trade['size'] ?? 0),
    }));
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return [];
  const width = BigInt(WIDTHS[every]) * SECOND;
  // A Monday.
  const origin = BigInt(Date.UTC(2000, 0, 3)) * 1_000_000n;
  const candles = [];
  let start = origin + ((first.time - origin) / width) * width;
  const end = to === null ? last.time : to - 1n < now ? to - 1n : now;
  for (; start <= end; start += width) {
    const within = own.filter(({ time }) => time >= start && time < start + width);
    const before = own.findLast(({ time }) => time < start);
    const prices = within.length > 0 ? within.map(({ price }) => price) : [before?.price ?? 0n];
    const sorted = [...prices].sort((a, b) => (a < b ? -1 : 1));
    if (from !== null && start < from) continue;
    candles.push({
      start: `${start}`,
      lastUpdate: `${(within.at(-1) ?? before)?.time}`,
      high: `${sorted.at(-1)}`,
      low: `${sorted[0]}`,
      open: `${prices[0]}`,
      close: `${prices.at(-1)}`,
      volume: `${within.reduce((sum, { size }) => sum + size, 0n)}`,
      notional: `${within.reduce((sum, { size, price }) => sum + size * price, 0n)}`,
      trades: within.length,
      isComplete: start + width <= now,
    });
  }
  return candles;
}

async function ask(text: string) {
  const { answer } = await runBy(database, { text, variables: {} }, true);
  return JSON.parse(bytesOf(answer));
}

function chooseTime(): bigint {
  const time = BigInt(random.pick(blocks)['timestamp'] ?? 0);
  return random.oneIn(2) ? time : time + BigInt(random.between(-9_000_000, 9_000_000)) * 1000n;
}

test('candles are what the trades come to, in ranges, as of blocks, walked in pages from either end', async () => {
  const markets = [...new Set(trades.map((trade) => trade['market_id'] ?? ''))];
  expect(markets.length).toBeGreaterThan(1);
  let [pages, rows] = [0, 0];
  for (let asked = 0; asked < 150; asked++) {
    const [one, other] = [chooseTime(), chooseTime()].sort((a, b) => (a < b ? -1 : 1));
    const every = random.pick(Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]);
    const question: Asked = {
      ...{ market: random.pick(markets), every },
      from: random.oneIn(2) ? (one ?? null) : null,
      to: random.oneIn(2) ? (other ?? null) : null,
    };
    const height = random.between(BLOCKS / 2, BLOCKS);
    const all = reduce(question, height);
    const [newestFirst, back] = [random.oneIn(2), random.oneIn(2)];
    const expected = newestFirst ? all.reverse() : all;
    const size = random.pick([Math.ceil((expected.length + 1) / 4), 200, Math.max(1, expected.length)]);
    const walked: object[] = [];
    for (let cursor: string | null = null; ; pages++) {
      const range = `from: ${question.from && `"${question.from}"`}, to: ${question.to && `"${question.to}"`}`;
      const at = cursor && `${back ? 'before' : 'after'}: "${cursor}"`;
      const args = `every: "${every}", ${range}, ${back ? 'last' : 'first'}: ${size}, newestFirst: ${newestFirst}, ${at ?? ''}`;
      const { data, errors } = await ask(
        `{ asOf(height: "${height}") { market(id: "${question.market}") { candles(${args}) {
          edges { cursor node { ${FIELDS} } } nodes { ${FIELDS} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        } } } }`,
      );
      expect(errors).toBeUndefined();
      const { edges, nodes, pageInfo } = data.asOf.market.candles;
      expect(edges.map(({ node }: { readonly node: object }) => node)).toEqual(nodes);
      expect(pageInfo[back ? 'hasNextPage' : 'hasPreviousPage']).toBe(walked.length > 0);
      walked.splice(back ? 0 : walked.length, 0, ...nodes);
      expect(pageInfo[back ? 'hasPreviousPage' : 'hasNextPage']).toBe(walked.length < expected.length);
      if (walked.length >= expected.length) break;
      cursor = back ? pageInfo.startCursor : pageInfo.endCursor;
    }
    expect([question, height, walked]).toEqual([question, height, expected]);
    rows += walked.length;
  }
  expect(pages).toBeGreaterThan(20);
  expect(rows).toBeGreaterThan(500);
});

test('a page of none says whether there are candles, and a market without trades has none', async () => {
  const market = trades[0]?.['market_id'];
  const pageOf = async (id: string | null | undefined, args: string) =>
    (
      await ask(
        `{ market(id: "${id}") { candles(every: "PT1M", ${args}) { nodes { start } pageInfo { hasNextPage hasPreviousPage } } } }`,
      )
    ).data.market?.candles;
  expect(await pageOf(market, 'first: 0')).toEqual({
    nodes: [],
    pageInfo: { hasNextPage: true, hasPreviousPage: false },
  });
  expect(await pageOf(market, 'from: "100000000000000001", to: "100000000000000002"')).toEqual({
    nodes: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false },
  });
  // Of times after the newest candle there are none, and none before a cursor either.
  const { edges } = (
    await ask(
      `{ market(id: "${market}") { candles(every: "PT1M", first: 2) { edges { cursor node { start } } } } }`,
    )
  ).data.market.candles;
  const behind = BigInt(edges[0].node.start) + 60_000_000_000n;
  for (const { cursor } of edges)
    expect(await pageOf(market, `from: "${behind}", after: "${cursor}"`)).toEqual({
      nodes: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false },
    });
  expect(await pageOf('none', 'first: 1')).toBeUndefined();
});

test('where the first trade is in a height that began again later, candles begin at the later time', async () => {
  const simulation = openSimulation({ seed: 8, blocks: BLOCKS, parties: 30, markets: 3 });
  const { events, market, began } = await untilTraded(simulation);
  const again = { ...began, timestamp: began.timestamp + 60n * SECOND };
  const source = sourceOf([...events, again, { type: 'endBlock', height: again.height }]);
  await using place = await createTestDatabase();
  await using writer = await Writer.open(place.url);
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  await using own = openDatabase({ url: place.url, readOnly: true });
  const text = `{ market(id: "${market}") { candles(every: "PT1S") { nodes { start trades } } } }`;
  for (const asText of [true, false]) {
    const { answer } = await runBy(own, { text, variables: {} }, asText);
    const { data, errors } = JSON.parse(bytesOf(answer));
    expect([errors, data.market?.candles.nodes]).toEqual([
      undefined,
      [
        {
          start: `${again.timestamp - (again.timestamp % SECOND)}`,
          trades: events.filter(({ type }) => type === 'trade').length,
        },
      ],
    ]);
  }
});

/** The events of a network up to the end of the first block with a trade: all its trades are of one market. */
async function untilTraded(simulation: EventSource) {
  const events: NetworkEvent[] = [];
  let [market, began]: [string | null, Extract<NetworkEvent, { type: 'beginBlock' }> | null] = [null, null];
  for await (const { event } of simulation.events(new AbortController().signal)) {
    if (event.type === 'beginBlock') began = event;
    if (event.type === 'trade') market ??= event.row.marketId;
    if (event.type !== 'trade' || event.row.marketId === market) events.push(event);
    if (event.type === 'endBlock' && market !== null && began !== null) return { events, market, began };
  }
  throw new Error('nothing was traded');
}

test.each([
  ['every: "PT7M"', 'every takes an ISO 8601 duration that divides the day'],
  ['every: "P1M"', 'every takes an ISO 8601 duration that divides the day'],
  ['every: "1m"', 'not "1m".'],
  ['every: "PT1M", from: "2", to: "1"', 'to takes a time that is not before from (2), not 1.'],
  [
    'every: "PT1M", to: "1774922422"',
    'to is 1774922422, which looks like seconds: 1774922422000000000 was probably meant.',
  ],
  ['every: "PT1M", from: "1774922422000"', 'from is 1774922422000, which looks like milliseconds'],
  ['every: "PT1M", to: "-3"', 'to takes nanoseconds since 1970, not -3.'],
  ['every: "PT1M", from: "-3"', 'from takes nanoseconds since 1970, not -3.'],
  ['every: "PT1M", first: 1, after: "x"', 'after takes a cursor that a page of candles gave, not "x".'],
  [
    `every: "PT1H", first: 1, after: "${writeCursor({ list: 'candles', position: 1_774_922_460n })}"`,
    'after takes a cursor that a page of candles gave; none of PT1H begins where this one stands.',
  ],
  ['every: "PT1M", first: 6000', 'first takes a number from 0 to 5000, not 6000.'],
])('%s is refused', async (args, message) => {
  const { errors } = await ask(
    `{ market(id: "${trades[0]?.['market_id']}") { candles(${args}) { nodes { start } } } }`,
  );
  expect(JSON.parse(errors[0]).message).toContain(message);
});
