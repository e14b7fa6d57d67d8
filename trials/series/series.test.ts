import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rollUpSome } from '../../src/data/series/rollups.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource } from '../../src/ingest/events.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { Course, type Question, retime, type Unit, writeWidth } from '../../test/graphql/series-oracle.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { recordedNetwork } from '../../test/support/events.ts';
import { startTestGateway, type TestGateway } from '../../test/support/gateway.ts';
import { newerRecordings } from '../../test/support/newer-networks.ts';
import { chooseRandom, seed } from '../../test/support/seed.ts';
import { ask as ask_, withClient } from '../../test/support/state.ts';

// Series are what an independent reduction of the events says. By itself this goes on for as many questions as are wanted:
// npm run series.
const WANTED = process.env['SERIES_QUESTIONS'];

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  // Here days begin when clocks change: at 1 o'clock, or twice at midnight.
  ...['America/Havana', 'Asia/Beirut', 'America/Santiago', 'Pacific/Apia', 'Africa/Cairo'],
];
const FIELDS = [
  ...['MARK_PRICE', 'MID_PRICE', 'LAST_TRADED_PRICE', 'BEST_BID_PRICE', 'BEST_OFFER_PRICE'],
  ...['INDICATIVE_PRICE', 'OPEN_INTEREST', 'FUNDING_RATE', 'FUNDING_PAYMENT'],
];
const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'] as const;
const SECONDS: Readonly<Record<Unit, number>> = {
  ...{
    seconds: 1,
    minutes: 60,
    hours: 3600,
    days: 86_400,
    weeks: 604_800,
    months: 2_419_200,
    years: 29_030_400,
  },
};
const BUCKET = 'start end open high low close isComplete';

interface Network {
  readonly name: string;
  open(): Promise<EventSource>;
  readonly questions: number;
}

const simulated = { parties: 20, markets: 4, release: '0.79', blocks: 400 } as const;
const random = chooseRandom('series');

/** From autumn 2025 on, over changes of clocks: with blocks hours apart, seconds, a nanosecond, and at the same time. */
const times = (() => {
  let time = 1_760_000_000_123_456_789n;
  return Array.from({ length: simulated.blocks + 200 }, () => {
    const gap = random.pick([
      0n,
      1n,
      1_000_000_000n,
      61_000_000_000n,
      7_200_000_000_000n,
      130_000_000_000_000n,
    ]);
    time += gap;
    // On the second, and so sometimes on a bound.
    if (random.between(0, 3) === 0) time = (time / 3_600_000_000_000n + 1n) * 3_600_000_000_000n;
    return time;
  });
})();

const networks: readonly Network[] = [
  {
    name: 'a simulated network over half a year',
    open: async () => retime(openSimulation({ ...simulated, seed }), (height) => times[height] ?? 0n),
    questions: 500,
  },
  {
    name: 'a simulated network of a block a second',
    open: async () => openSimulation({ ...simulated, blocks: 900, parties: 5, seed: seed + 1 }),
    questions: 300,
  },
  ...(recordedNetwork === null
    ? []
    : [
        {
          name: 'the recorded network',
          open: () => openRecordedFile(recordedNetwork as string),
          questions: 300,
        },
      ]),
  ...newerRecordings
    .filter(({ expected }) => Object.keys(expected.marketData).length > 0)
    .slice(0, 6)
    .map(({ name, path }) => ({ name, open: () => openRecordedFile(path), questions: 60 })),
];

/** Of all that are asked of a network, these parts are about candles and balances. */
const PARTS_ASKED = { candles: 1 / 4, balances: 1 / 3 };
const usual = networks.reduce(
  (sum, one) => sum + one.questions * (1 + PARTS_ASKED.candles + PARTS_ASKED.balances),
  0,
);
const scale = WANTED === undefined ? 1 : Number(WANTED) / usual;
let asked = 0;
if (WANTED !== undefined) vi.setConfig({ testTimeout: 300_000 + Number(WANTED) * 100 });

describe.each(networks)('$name', ({ open, questions: share }) => {
  const questions = Math.ceil(share * scale);
  let database: TestDatabase;
  let gateway: TestGateway;
  let course: Course;

  beforeAll(async () => {
    database = await createTestDatabase();
    const writer = await Writer.open(database.url);
    await applySource(await open(), writer, { pace: 'max', signal: new AbortController().signal });
    await writer.close();
    await withClient(database.url, async (client) => {
      while (await rollUpSome(client, 64n));
    });
    course = await Course.of(await open());
    // What else this machine does is not to have a question rejected.
    gateway = await startTestGateway(database.url, { ADMISSION_WAIT_MS: '30000', POOL_WAIT_MS: '30000' });
  });

  afterAll(async () => {
    console.info(`${asked} questions by then`);
    await gateway?.close();
    await database?.[Symbol.asyncDispose]();
  });

  const marketsOf = () =>
    [...new Set([...course.values.keys()].filter((key) => key.endsWith('|MARK_PRICE')))].map(
      (key) => key.split('|')[0] ?? '',
    );

  test('the course of each value of each market is that of the events', async () => {
    let told = 0;
    for (let count = 0; count < questions; count += 1) {
      const [market, of] = [random.pick(marketsOf()), random.pick(FIELDS)];
      asked += 1;
      const question = makeQuestion(course);
      const upTo = random.between(0, 1) === 0 ? null : random.between(0, course.blocks.length - 1);
      const series = `market(id: "${market}") { series(${argsOf(question)}, of: ${of}) { ${BUCKET} lastUpdate } }`;
      const height = course.blocks[upTo ?? 0]?.height;
      const { data, errors } = await gateway.graphql(
        upTo === null ? `{ ${series} }` : `{ asOf(height: "${height}") { ${series} } }`,
      );
      expect(errors, series).toBeUndefined();
      const values = course.values.get(`${market}|${of}`) ?? [];
      const begin = values[0]?.block ?? 0;
      const isThere = begin <= (upTo ?? course.blocks.length);
      const found = (upTo === null ? data : data.asOf).market?.series ?? [];
      const wanted = isThere ? course.series([`${market}|${of}`], question, upTo ?? undefined, begin) : [];
      const updates = course.updates(`${market}|${of}`, wanted, upTo ?? undefined);
      expect(found, series).toEqual(
        wanted.map((one, place) => ({ ...one, lastUpdate: updates[place] ?? null })),
      );
      if (wanted.some(({ close }) => close !== null)) told += 1;
    }
    // Many of the questions are about something.
    expect(told).toBeGreaterThan(questions / 3);
  });

  test('units that are rolled up are read, and come to the same as the changes they are made of', async () => {
    const [market = ''] = marketsOf();
    let words = 0;
    // Each in other words: answers are kept.
    const ask = async (args: string) => {
      words += 1;
      const { data, errors } = await gateway.graphql(
        `{ asked${words}: market(id: "${market}") { ${[...FIELDS, 'TRADE_PRICE'].map((of) => `${of}: series(${args}, of: ${of}) { ${BUCKET} lastUpdate volume notional trades }`).join(' ')} } }`,
      );
      expect(errors).toBeUndefined();
      return JSON.stringify(Object.values(data)[0]);
    };
    const askAll = async () => {
      const answers: string[] = [];
      for (const width of widths) answers.push(await ask(width));
      return answers;
    };
    const widths = [
      'points: 300',
      'points: 40',
      'points: 5',
      'points: 50, zone: "Asia/Kathmandu"',
      'every: "P1M"',
    ];
    const before = await askAll();
    const isAsBefore = (one: string, place: number) => one === before[place];
    const units = await ask_(
      database.url,
      'SELECT unit, count(*)::int AS rows FROM rollups GROUP BY unit ORDER BY unit',
    );
    if (course.blocks.length > 400) expect(units[0]).toMatchObject({ unit: 60 });
    if (units.length > 0) {
      await ask_(database.url, `UPDATE rollups SET high = array_fill('9e30'::text, '{9}')`);
      await ask_(database.url, `UPDATE trade_rollups SET volume = 7e30`);
      const spoilt = await askAll();
      expect(spoilt.filter((one) => one.includes('9000000000')).length).toBeGreaterThan(1);
      if (course.trades.has(market))
        expect(spoilt.filter((one) => one.includes('7000000000')).length).toBeGreaterThan(1);
    }
    for (const table of ['rollups', 'trade_rollups', 'rollup_levels'])
      await ask_(database.url, `DELETE FROM ${table}`);
    expect((await askAll()).map(isAsBefore)).not.toContain(false);
    await withClient(database.url, async (client) => {
      while (await rollUpSome(client, 64n));
    });
    expect(
      await ask_(database.url, 'SELECT unit, count(*)::int AS rows FROM rollups GROUP BY unit ORDER BY unit'),
    ).toEqual(units);
    expect((await askAll()).map(isAsBefore)).not.toContain(false);
  });

  test('candles are made of the trades of the events', async () => {
    const traded = [...course.trades.keys()];
    let told = 0;
    for (let count = 0; count < questions * PARTS_ASKED.candles && traded.length > 0; count += 1) {
      const market = random.pick(traded);
      asked += 1;
      const question = makeQuestion(course);
      const upTo =
        random.between(0, 1) === 0 ? course.blocks.length - 1 : random.between(0, course.blocks.length - 1);
      const series = `market(id: "${market}") { candles: series(${argsOf(question)}, of: TRADE_PRICE) { start end open high low close lastUpdate volume notional trades }
        prices: series(${argsOf(question)}) { start end volume notional trades } }`;
      const { data, errors } = await gateway.graphql(
        `{ asOf(height: "${course.blocks[upTo]?.height}") { ${series} } }`,
      );
      expect(errors, series).toBeUndefined();
      const { candles = [], prices = [] } = data.asOf.market ?? {};
      const wanted = course.candles(market, candles, upTo);
      expect(candles, series).toEqual(
        candles.map((one: object, place: number) => ({ ...one, ...wanted[place] })),
      );
      expect(prices).toEqual(
        candles.map(({ start, end, volume, notional, trades }: Answer) => ({
          start,
          end,
          volume,
          notional,
          trades,
        })),
      );
      if (wanted.some(({ trades }) => trades > 0)) told += 1;
    }
    if (questions > 100 && traded.length > 0) expect(told).toBeGreaterThan(questions / 20);
  });

  test('the course of balances is that of the events, of each account and of sums', async () => {
    const all = [...course.values.keys()].filter((key) => key.split('|').length === 4);
    for (let count = 0; count < questions * PARTS_ASKED.balances; count += 1) {
      const [owner = '', asset = '', market = '', type = ''] = random.pick(all).split('|');
      const by = random.pick([[], [1], [1, 3], [1, 2], [1, 0], [1, 2, 3]]);
      const filter = random.pick([
        `assetId: "${asset}"`,
        `partyIds: ["${owner}"]`,
        `accountTypes: [${accountTypes.nameOf(Number(type))}]`,
        `partyIds: ["${owner}"], marketIds: ["${market}"]`,
      ]);
      asked += 1;
      const question = makeQuestion(course);
      const upTo = random.between(0, 1) === 0 ? null : random.between(0, course.blocks.length - 1);
      const args = argsOf(question);
      // Without the extremes, what accounts had at bounds is looked up where they changed often.
      const fields = random.pick([BUCKET, 'start end open close isComplete']);
      const query =
        by.length === 0
          ? `accounts(filter: { ${filter} }, first: 4) { edges { node { owner asset marketId type series(${args}) { ${fields} } } } }`
          : `accounts(filter: { ${filter} }) { series(${args}, by: [${by.map((part) => PARTS[part]?.name)}]) { key { asset type market party } buckets { ${fields} } } }`;
      const height = course.blocks[upTo ?? 0]?.height;
      const { data, errors } = await gateway.graphql(
        upTo === null ? `{ ${query} }` : `{ asOf(height: "${height}") { ${query} } }`,
      );
      // The network has many accounts.
      const [, asMany, most] = TOO_MANY.exec(errors?.[0]?.message ?? '') ?? [];
      if (Number(asMany) > Number(most)) continue;
      expect(errors, query).toBeUndefined();
      const isChosen = (parts: readonly string[]) =>
        (!filter.includes('assetId') || parts[1] === asset) &&
        (!filter.includes('partyIds') || parts[0] === owner) &&
        (!filter.includes('marketIds') || parts[2] === market) &&
        (!filter.includes('accountTypes') || parts[3] === type);
      const chosen = all.filter(
        (key) =>
          isChosen(key.split('|')) && (course.values.get(key)?.[0]?.block ?? 0) <= (upTo ?? Number.MAX_VALUE),
      );
      const groups = new Map<string, string[]>();
      for (const key of chosen) {
        const parts = key.split('|');
        const shown = PARTS.map((_, part) => (by.includes(part) || by.length === 0 ? parts[part] : null));
        groups.set(JSON.stringify(shown), [...(groups.get(JSON.stringify(shown)) ?? []), key]);
      }
      const { accounts } = upTo === null ? data : data.asOf;
      const found: [string, unknown][] =
        by.length === 0
          ? accounts.edges.map(({ node }: { node: Answer }) => [
              keyOf(node, 'owner', 'marketId'),
              node['series'],
            ])
          : accounts.series.map((one: { key: Answer; buckets: unknown }) => [
              keyOf(one.key, 'party', 'market'),
              one.buckets,
            ]);
      expect(found.length).toBe(by.length === 0 ? Math.min(groups.size, 4) : groups.size);
      for (const [key, buckets] of found)
        expect(buckets, `${query} ${key}`).toEqual(
          course
            .series(groups.get(key) ?? [], question, upTo ?? undefined)
            .map(({ high, low, ...rest }) => (fields === BUCKET ? { ...rest, high, low } : rest)),
        );
    }
  });
});

const TOO_MANY = /^by makes (?:\d+ sums, which have )?(\d+) (?:sums|buckets); the most is (100|30000)\./;

/** The parts of an account's key, and what each is called. */
const PARTS = [{ name: 'PARTY' }, { name: 'ASSET' }, { name: 'MARKET' }, { name: 'TYPE' }];

type Answer = Readonly<Record<string, unknown>>;

function keyOf(key: Answer, party: string, market: string): string {
  const type = key['type'] === null ? null : `${accountTypes.numberOf(String(key['type']))}`;
  return JSON.stringify([key[party], key['asset'], key[market], type]);
}

function argsOf({ from, to, width, zone }: Question): string {
  const times = `${from === null ? '' : `from: "${from}", `}${to === null ? '' : `to: "${to}", `}`;
  return `${times}every: "${writeWidth(width)}", zone: "${zone}"`;
}

/** A range within the course, or a bit beyond, and a width that makes few enough buckets of it. */
function makeQuestion({ blocks }: Course): Question {
  const [first, last] = [blocks[0]?.time ?? 0n, blocks.at(-1)?.time ?? 0n];
  const pick = () => {
    if (random.between(0, 5) === 0) return null;
    if (random.between(0, 2) === 0) return random.pick(blocks).time + random.pick([0n, 1n, -1n]);
    return first + ((last - first) * BigInt(random.between(-3, 103))) / 100n;
  };
  let [from, to] = [pick(), pick()];
  if (from !== null && from <= 0n) from = null;
  if (from !== null && to !== null && from >= to) [from, to] = from === to ? [from, null] : [to, from];
  const span = Number((to ?? last) - (from ?? first)) / 1e9;
  const units = UNITS.filter((unit) => span / SECONDS[unit] < 700);
  const unit = random.pick(units);
  const count = random.pick(unit === 'hours' ? [1, 2, 4, 5, 24] : [1, 1, 2, 3, 5, 15, 30]);
  return { from, to, width: [unit, count], zone: random.pick(ZONES) };
}
