import { afterEach, beforeEach, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { marketEvents, marketIdOf } from '../support/estimate-markets.ts';
import { sourceOf } from '../support/events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { chooseRandom } from '../support/seed.ts';
import { countStatements } from '../support/statements.ts';

const MARKETS = ['gold', 'silver', 'copper'];
/** What an estimate tells of a market: its price by the margin of one unit, its fee by that of one trade. */
type Told = Readonly<Record<'price' | 'fee', number>>;

let database: TestDatabase;
let writer: Writer;
let gateway: TestGateway;
/** What each market was like after each block. */
let history: (readonly Told[])[];
/** So that no question is asked twice. */
let asked: number;

beforeEach(async () => {
  database = await createTestDatabase();
  writer = await Writer.open(database.url);
  history = [MARKETS.map(() => ({ price: 0, fee: 0 }))];
  asked = 0;
  await applyBlock(MARKETS.map(() => ({ price: 1, fee: 1 })));
  gateway = await startTestGateway(database.url);
});

afterEach(async () => {
  await gateway?.close();
  await writer?.close();
  await database?.[Symbol.asyncDispose]();
});

/** Applies a block that tells of the markets that differ from before, and no more of them than what does. */
async function applyBlock(now: readonly Told[]): Promise<number> {
  const height = history.length;
  const before = history.at(-1);
  history.push(now);
  const events = now.flatMap(({ price, fee }, index) => {
    const isNew = height === 1;
    const parts = [
      ...(isNew ? (['asset', 'riskFactor'] as const) : []),
      ...(isNew || fee !== before?.[index]?.fee ? (['market'] as const) : []),
      ...(isNew || price !== before?.[index]?.price ? (['marketData'] as const) : []),
    ];
    const terms = { assetDecimals: 0, marketDecimals: 0, positionDecimalPlaces: 0, riskFactorLong: '1' };
    return marketEvents(MARKETS[index] ?? '', { ...terms, markPrice: `${price}`, makerFee: `${fee}` }, parts);
  });
  const begin = { height, timestamp: BigInt(height) * 1_000_000_000n, hash: `hash-${height}` };
  const source = sourceOf([{ type: 'beginBlock', ...begin }, ...events, { type: 'endBlock', height }]);
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  return height;
}

/** Asks what was never asked before, by REST or GraphQL, and gives what it tells of a market, and of which block. */
async function askAnew(market: number, of: keyof Told, by: 'rest' | 'graphql') {
  asked += 1;
  const amount = asked;
  const marketId = marketIdOf(MARKETS[market] ?? '');
  if (by === 'rest') {
    const { body, headers } = await gateway.rest(
      of === 'price'
        ? `/api/v2/estimate/position?marketId=${marketId}&openVolume=${amount}`
        : `/api/v2/estimate/fee?marketId=${marketId}&price=1&size=${amount}`,
    );
    const total = of === 'price' ? body.margin.bestCase.maintenanceMargin : body.fee.makerFee;
    return { height: Number(headers.get('x-block-height')), told: Number(total) / amount };
  }
  const { data } = await gateway.graphql(
    `query ($marketId: ID!, $n: Uint64!, $volume: Int64!) {
      estimateFee(marketId: $marketId, price: 1, size: $n) { makerFee }
      estimatePosition(marketId: $marketId, openVolume: $volume) { margin { bestCase { maintenanceMargin } } }
      block { height }
    }`,
    { marketId, n: `${amount}`, volume: `${amount}` },
  );
  const total =
    of === 'price' ? data.estimatePosition.margin.bestCase.maintenanceMargin : data.estimateFee.makerFee;
  return { height: Number(data.block.height), told: Number(total) / amount };
}

async function settleAt(height: number): Promise<void> {
  const named = async () => (await gateway.rest('/votes')).headers.get('x-block-height');
  await expect.poll(named, { interval: 10 }).toBe(String(height));
}

test('no estimate is from before the block that its answer names, whatever is written and asked', async () => {
  const random = chooseRandom('estimates under writes');
  const statements = countStatements();
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      const height = history.length;
      const changed = random.oneIn(3) ? -1 : random.below(MARKETS.length);
      const of = random.oneIn(2) ? 'price' : 'fee';
      const last = history.at(-1) ?? [];
      await applyBlock(last.map((told, index) => (index === changed ? { ...told, [of]: height } : told)));
      await new Promise((resolve) => setTimeout(resolve, random.below(40)));
    }
  })();
  const named = new Set<number>();
  let given = 0;
  try {
    const read = async () => {
      while (named.size < 30 || given < 1000) {
        const market = random.below(MARKETS.length);
        const of = random.oneIn(2) ? 'price' : 'fee';
        const { height, told } = await askAnew(market, of, random.oneIn(4) ? 'graphql' : 'rest');
        expect(told).toBeGreaterThanOrEqual(history[height]?.[market]?.[of] ?? Number.NaN);
        named.add(height);
        given += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, read));
  } finally {
    isOver = true;
    await writing;
    statements.stop();
  }
  await settleAt(history.length - 1);
  for (const [market, told] of (history.at(-1) ?? []).entries())
    for (const of of ['price', 'fee'] as const)
      for (const by of ['rest', 'graphql'] as const)
        expect((await askAnew(market, of, by)).told).toBe(told[of]);
  // Most of them read nothing.
  expect(statements.texts.filter((text) => text.includes('FROM markets AS m')).length).toBeLessThan(
    given / 2,
  );
});

test('what estimates are made from is read once for many of them, until a block changes it', async () => {
  // The first block after a start lets go of all: what came before it is not known.
  const same = history.at(-1) ?? [];
  await settleAt(await applyBlock(same));
  await askAnew(0, 'fee', 'rest');
  const statements = countStatements();
  const reads = () => statements.texts.filter((text) => text.includes('FROM markets AS m')).length;
  try {
    await Promise.all(Array.from({ length: 20 }, () => askAnew(0, 'fee', 'rest')));
    await askAnew(0, 'price', 'rest');
    expect(reads()).toBe(0);
    // Another market is no reason.
    await settleAt(await applyBlock(same.with(1, { price: 7, fee: 1 })));
    expect((await askAnew(0, 'price', 'rest')).told).toBe(1);
    expect(reads()).toBe(0);
    await settleAt(await applyBlock(same.with(0, { price: 8, fee: 1 })));
    expect((await askAnew(0, 'price', 'rest')).told).toBe(8);
    await Promise.all(Array.from({ length: 20 }, () => askAnew(0, 'price', 'rest')));
    expect(reads()).toBe(1);
  } finally {
    statements.stop();
  }
});

test('turned off, no byte of an estimate changes', async () => {
  await using off = await startTestGateway(database.url, { KEPT_ANSWERS_MB: '0' });
  const random = chooseRandom('estimates without kept terms');
  for (let n = 0; n < 100; n++) {
    const marketId = random.oneIn(5) ? 'unknown' : marketIdOf(MARKETS[random.below(MARKETS.length)] ?? '');
    const path = random.oneIn(2)
      ? `/api/v2/estimate/fee?marketId=${marketId}&price=${random.below(1000)}&size=${random.below(1000)}`
      : `/api/v2/estimate/position?marketId=${marketId}&openVolume=${random.below(1000) - 500}&collateralAvailable=${random.below(9999)}`;
    const [kept, read] = [await gateway.rest(path), await off.rest(path)];
    expect([path, kept.status, kept.text]).toEqual([path, read.status, read.text]);
  }
});
