import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { routes } from '../../src/rest/index.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { writeNewerFields } from '../support/newer-fields.ts';
import { writeOddMarkets } from '../support/odd-markets.ts';
import { createSimulatedDatabase, type TableRow } from '../support/simulated.ts';
import { writeUnknownNumbers } from '../support/unknown-numbers.ts';
import {
  anyGiven,
  DEPOSIT_FIELDS,
  DOCUMENTED_LISTS,
  type DocumentedFilter,
  type DocumentedList,
  type Given,
  give,
  nodeIn,
  nodeOf,
  valuesOf,
} from './documented-lists.ts';
import { assetOf, FURTHER_LISTS, marketOf } from './further-lists.ts';

const LISTS = [...DOCUMENTED_LISTS, ...FURTHER_LISTS];

// What is expected is told by the rows of the tables and this test alone: neither the routes, nor the operations,
// nor GraphQL have a say in it.

const simulated = await forAllTests(
  createSimulatedDatabase({ seed: 21, blocks: 100, parties: 12, markets: 3 }),
);
await writeNewerFields(simulated.url);
await writeUnknownNumbers(simulated.url);
await writeOddMarkets(simulated.url);
const gateway = await forAllTests(startTestGateway(simulated.url));
const names = [...LISTS.map(({ table }) => table), 'market_data'];
const tables: Record<string, readonly TableRow[]> = {};
for (const name of names) tables[name] = await simulated.readTable(name);

test('every parameter of every path is held against rows here, or is one of an estimate', () => {
  const pages = ['first', 'after', 'last', 'before', 'newestFirst'].map((name) => `pagination.${name}`);
  const held = [
    ...LISTS.flatMap(({ path, filters, isPaged, refused = [] }) =>
      [...filters.map(({ name }) => name), ...refused, ...(isPaged ? pages : [])].map(
        (name) => `${path} ${name}`,
      ),
    ),
    '/api/v2/deposit/:id id',
    '/api/v2/market/data/:marketId/latest marketId',
    '/api/v2/asset/:assetId assetId',
    '/api/v2/market/:marketId marketId',
  ];
  // The past is held against gateways that have come no further, in as-of.test.ts, exports against pages, in exports.test.ts.
  const isHeldElsewhere = (name: string) => name.startsWith('asOf') || ['format', 'units'].includes(name);
  // What was is no list of rows: histories.test.ts holds these, and live/changes.test.ts what changed.
  // Nor are sums, what is found and candles: reward-sums.test.ts, search.test.ts and candles.test.ts hold these.
  const histories = [
    ...['/api/v2/balance/changes', '/api/v2/market/data/:marketId', '/api/v2/changes'],
    ...['/api/v2/rewards/summaries', '/api/v2/rewards/epoch/summaries', '/api/v2/search'],
    ...['/api/v2/candle', '/api/v2/candle/intervals'],
  ];
  const all = routes
    .filter(({ path }) => !path.startsWith('/api/v2/estimate/') && !histories.includes(path))
    .flatMap(({ path, parameters }) =>
      Object.keys(parameters).flatMap((name) => (isHeldElsewhere(name) ? [] : [`${path} ${name}`])),
    );
  expect(held.toSorted()).toEqual(all.toSorted());
});

describe.each(LISTS.map((list) => [list.path, list] as const))('%s', (_, list) => {
  test.each(list.filters.map((filter) => [filter.name, filter] as const))(
    '%s chooses its rows',
    async (_, filter) => {
      const values = valuesOf(filter, rowsOf(list));
      // Not all of them need be asked for; the first, the last and some between are.
      const step = Math.ceil(values.length / 6);
      const asked = values.filter((_, n) => n % step === 0 || n === values.length - 1);
      let choosing = 0;
      for (const value of asked) {
        const given = give(filter, [value]);
        const chosen = rowsOf(list).filter(given.passes).length;
        if (chosen > 0 && chosen < rowsOf(list).length) choosing += 1;
        await expectRows(list, [given]);
      }
      expect(choosing).toBeGreaterThan(0);
    },
  );

  test('all filters together, and any page of what they choose', async () => {
    await fc.assert(
      fc.asyncProperty(questions(list), async ({ given, page }) => {
        await expectRows(list, given, page);
      }),
      { numRuns: 40 },
    );
  });
});

const RANGED = LISTS.filter(({ filters }) => filters.some(({ kind }) => kind === 'from'));

test.each(RANGED.map((list) => [list.path, list] as const))(
  'a range of %s has its two ends, in their places',
  async (_, list) => {
    const [from, to] = rangeOf(list);
    const sorted = [...new Set(rowsOf(list).map((row) => BigInt(row[from.column] ?? 0)))].sort((a, b) =>
      a < b ? -1 : 1,
    );
    const [early, late] = [sorted[Math.floor(sorted.length / 4)], sorted[Math.floor(sorted.length / 2)]];
    const between = [give(from, [String(early)]), give(to, [String(late)])];
    expect(await expectRows(list, between)).toBeGreaterThan(0);
    const reversed = [give(from, [String(late)]), give(to, [String(early)])];
    expect(await expectRows(list, reversed)).toBe(0);
  },
);

test('one deposit, and one that is not there', async () => {
  const rows = tables['deposits'] ?? [];
  for (const row of rows.slice(0, 5)) {
    for (const id of [String(row['id']), String(row['id']).toUpperCase()])
      expect((await gateway.rest(`/api/v2/deposit/${id}`)).text).toBe(
        JSON.stringify({ deposit: nodeOf(DEPOSIT_FIELDS, row) }),
      );
  }
  expect((await gateway.rest('/api/v2/deposit/none')).status).toBe(404);
});

test('each asset and each market, and what is not there', async () => {
  for (const [path, field, node] of [
    ['/api/v2/asset', 'asset', assetOf],
    ['/api/v2/market', 'market', marketOf],
  ] as const) {
    const rows = tables[`${field}s`] ?? [];
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows)
      for (const id of spellingsOf(String(row['id'])))
        expect(unescaped((await gateway.rest(`${path}/${encodeURIComponent(id)}`)).text)).toBe(
          JSON.stringify({ [field]: node(row) }),
        );
    const { status, body } = await gateway.rest(`${path}/nothing`);
    expect([status, body.code]).toEqual([404, 5]);
    expect(body.message).toContain('nothing');
  }
});

test('the data of all markets, the newest first', async () => {
  const rows = (tables['market_data'] ?? []).toSorted((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1));
  const { status, text } = await gateway.rest('/api/v2/markets/data');
  expect([status, unescaped(text)]).toEqual([200, JSON.stringify({ marketsData: rows.map(marketDataOf) })]);
});

test('the data of each market', async () => {
  const rows = tables['market_data'] ?? [];
  expect(rows.length).toBe(3);
  for (const row of rows) {
    for (const id of [String(row['market_id']), String(row['market_id']).toUpperCase()])
      expect(unescaped((await gateway.rest(`/api/v2/market/data/${id}/latest`)).text)).toBe(
        JSON.stringify({ marketData: marketDataOf(row) }),
      );
  }
});

/** The part of a list that a request asks for. */
interface Page {
  readonly size: number | null;
  readonly isBackwards: boolean;
  readonly newestFirst: boolean | null;
  /** The position that the page begins beside: of any row of the table, shown or not. */
  readonly at: bigint | null;
}

const WHOLE: Page = { size: null, isBackwards: false, newestFirst: null, at: null };

function questions(list: DocumentedList) {
  const rows = rowsOf(list);
  const page = fc.record({
    size: fc.option(fc.integer({ min: 1, max: 40 })),
    isBackwards: fc.boolean(),
    newestFirst: fc.option(fc.boolean()),
    at: fc.option(fc.constantFrom(...rows.map(positionOf))),
  });
  return fc.record({
    given: fc.tuple(...list.filters.map((filter) => anyGiven(filter, rows))),
    page: list.isPaged ? page : fc.constant(WHOLE),
  });
}

/** Asks for a page of the rows that pass, and compares the bytes; gives how many rows passed. */
async function expectRows(
  list: DocumentedList,
  given: readonly Given[],
  page: Page = WHOLE,
): Promise<number> {
  const rows = rowsOf(list).filter((row) => given.every(({ passes }) => passes(row)));
  const newestFirst = page.newestFirst ?? true;
  const sorted = rows.toSorted((a, b) => (positionOf(a) < positionOf(b) === newestFirst ? 1 : -1));
  const expected = list.isPaged
    ? pageOf(list, sorted, page, newestFirst)
    : sorted.map((row) => nodeIn(list, row));
  const query = [...given.flatMap((each) => each.query), ...queryOf(list, page)].join('&');
  const { status, text } = await gateway.rest(`${list.path}?${query}`);
  expect([query, status, unescaped(text)]).toEqual([query, 200, JSON.stringify({ [list.field]: expected })]);
  return rows.length;
}

function pageOf(list: DocumentedList, rows: readonly TableRow[], page: Page, newestFirst: boolean) {
  const { isBackwards, at } = page;
  const size = page.size ?? 1000;
  const isBefore = (row: TableRow) =>
    newestFirst ? positionOf(row) > (at ?? 0n) : positionOf(row) < (at ?? 0n);
  const side =
    at === null
      ? rows
      : rows.filter((row) => (isBackwards ? isBefore(row) : !isBefore(row) && positionOf(row) !== at));
  const shown = isBackwards ? side.slice(-size) : side.slice(0, size);
  // What is not on this side of the cursor lies on the other, the cursor's own row among it.
  const [isMoreHere, isMoreThere] = [side.length > size, rows.length > side.length];
  const edges = shown.map((row) => ({
    node: nodeIn(list, row),
    cursor: cursorOf(list, positionOf(row)),
  }));
  return {
    edges,
    pageInfo: {
      hasNextPage: isBackwards ? isMoreThere : isMoreHere,
      hasPreviousPage: isBackwards ? isMoreHere : isMoreThere,
      startCursor: edges.at(0)?.cursor ?? '',
      endCursor: edges.at(-1)?.cursor ?? '',
    },
  };
}

function queryOf(list: DocumentedList, { size, isBackwards, newestFirst, at }: Page): readonly string[] {
  return [
    // Without a size, only a cursor tells that the page is read backwards.
    ...(size === null && (!isBackwards || at !== null)
      ? []
      : [`pagination.${isBackwards ? 'last' : 'first'}=${size ?? 1000}`]),
    ...(at === null ? [] : [`pagination.${isBackwards ? 'before' : 'after'}=${cursorOf(list, at)}`]),
    ...(newestFirst === null ? [] : [`pagination.newest_first=${newestFirst}`]),
  ];
}

function cursorOf({ field }: DocumentedList, position: bigint): string {
  return Buffer.from(`1.${field}.${position}`).toString('base64url');
}

function rangeOf({ filters }: DocumentedList): readonly [DocumentedFilter, DocumentedFilter] {
  const from = filters.find(({ kind }) => kind === 'from');
  const to = filters.find(({ kind }) => kind === 'to' || kind === 'before');
  if (from === undefined || to === undefined) throw new Error('a list without a range');
  return [from, to];
}

function rowsOf({ table, shows = () => true }: DocumentedList): readonly TableRow[] {
  return (tables[table] ?? []).filter(shows);
}

function positionOf(row: TableRow): bigint {
  return BigInt(row['created_position'] ?? 0);
}

/** Answers are safe to stand in a page. */
function unescaped(text: string): string {
  return text.replaceAll('\\u003c', '<').replaceAll('\\u003e', '>').replaceAll('\\u0026', '&');
}

function marketDataOf(row: TableRow) {
  const columns = (...names: readonly string[]) =>
    nodeOf(Object.fromEntries(names.map((name) => [name, snakeCased(name)])), row);
  const added = (...names: readonly string[]) =>
    nodeOf({}, row, Object.fromEntries(names.map((name) => [name, snakeCased(name)])));
  const json = (name: string) => inOrder({ [name]: JSON.parse(row[snakeCased(name)] ?? 'null') }, [name]);
  return {
    ...columns('markPrice', 'bestBidPrice', 'bestBidVolume', 'bestOfferPrice', 'bestOfferVolume'),
    ...columns('bestStaticBidPrice', 'bestStaticBidVolume', 'bestStaticOfferPrice', 'bestStaticOfferVolume'),
    ...columns('midPrice', 'staticMidPrice'),
    ...nodeOf({ market: 'market_id' }, row),
    ...columns('timestamp', 'openInterest', 'auctionEnd', 'auctionStart'),
    ...columns('indicativePrice', 'indicativeVolume'),
    ...columns('marketTradingMode', 'trigger', 'extensionTrigger', 'targetStake', 'suppliedStake'),
    ...json('priceMonitoringBounds'),
    ...columns('marketValueProxy'),
    ...json('liquidityProviderFeeShare'),
    ...columns('marketState', 'nextMarkToMarket', 'lastTradedPrice'),
    ...added('marketGrowth'),
    ...json('productData'),
    ...json('liquidityProviderSla'),
    ...added('nextNetworkCloseout', 'markPriceType'),
    ...json('markPriceState'),
    ...json('activeProtocolAutomatedPurchase'),
  };
}

/** The members of the objects within JSON, in their order. Those of newer releases are absent where they are null. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  priceMonitoringBounds: ['minValidPrice', 'maxValidPrice', 'trigger', 'referencePrice', 'active'],
  trigger: ['horizon', 'probability', 'auctionExtension'],
  liquidityProviderFeeShare: [
    ...['party', 'equityLikeShare', 'averageEntryValuation', 'averageScore', 'virtualStake'],
  ],
  productData: ['perpetualData'],
  perpetualData: [
    ...['fundingPayment', 'fundingRate', 'internalTwap', 'externalTwap', 'seqNum', 'startTime'],
    ...['internalCompositePrice', 'nextInternalCompositePriceCalc', 'internalCompositePriceType'],
    ...['underlyingIndexPrice', 'internalCompositePriceState'],
  ],
  internalCompositePriceState: ['priceSources'],
  markPriceState: ['priceSources'],
  priceSources: ['priceSource', 'price', 'lastUpdated'],
  liquidityProviderSla: [
    ...['party', 'currentEpochFractionOfTimeOnBook', 'lastEpochFractionOfTimeOnBook', 'lastEpochFeePenalty'],
    ...['lastEpochBondPenalty', 'hysteresisPeriodFeePenalties', 'requiredLiquidity', 'notionalVolumeBuys'],
    'notionalVolumeSells',
  ],
  activeProtocolAutomatedPurchase: ['id', 'orderId'],
};

function inOrder(value: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  const told = names.flatMap((name) => {
    const inner = value[name] ?? null;
    if (inner === null && name !== 'trigger') return [];
    if (name === 'internalCompositePriceType') return [[name, `COMPOSITE_PRICE_TYPE_${inner}`] as const];
    return [[name, within(name, inner)] as const];
  });
  return Object.fromEntries(told);
}

function within(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => within(name, item));
  const names = WITHIN[name];
  return names === undefined || value === null ? value : inOrder(value as Record<string, unknown>, names);
}

function snakeCased(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Ids of 64 hexadecimal digits are taken in capitals as well. */
function spellingsOf(id: string): readonly string[] {
  return id.length === 64 ? [id, id.toUpperCase()] : [id];
}
