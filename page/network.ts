import { signal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import { type Block, blocks, followOver, marketData } from '../client/src/index.ts';
import { ask, GATEWAY, isForGood, TRANSPORTS, watchConnection } from './connection.ts';
import { graphql, selectionOf } from './graphql.ts';

/** How many blocks the plots reach back. */
export const PLOTTED_BLOCKS = 120n;

const MarketRow = graphql(`
  fragment MarketRow on MarketData {
    market markPrice bestBidPrice bestOfferPrice openInterest marketState marketTradingMode
    productData { perpetualData { fundingPayment fundingRate } }
    marketNode {
      instrumentCode instrumentName product quoteName decimalPlaces positionDecimalPlaces
      cap { maxPrice } baseAssetNode { symbol } quoteAssetNode { symbol }
      settlementAssetNode { symbol decimals }
    }
  }
`);

/** The markets as of a block, the newest of them with their mark prices up to it: those that trade, as others end. */
export const MarketsAt = graphql(
  `
  query MarketsAt($at: Uint64) {
    asOf(height: $at) {
      block { height timestamp }
      marketsData(newestFirst: false) { edges { node { ...MarketRow } } }
      plotted: marketsData(first: 20) {
        edges { node { market history(first: 120) { edges { block { height } node { markPrice } } } } }
      }
    }
  }
`,
  [MarketRow],
);

type MarketRow = ResultOf<typeof MarketRow>;

/** A market as it is, and what its mark price was. */
export interface Market extends MarketRow {
  readonly prices: readonly Price[];
}

/** A mark price, from a block on. */
export interface Price {
  readonly height: bigint;
  readonly price: string;
}

/** The newest block; null until the first has come. */
export const block = signal<Block | null>(null);

/** The markets by their ids, in the order in which they were made. */
export const markets = signal<ReadonlyMap<string, Market>>(new Map());

/** Whether all markets are there that the network had when the page was opened. */
export const isReady = signal(false);

/** How often the network began again while the page is open. */
let resets = 0;

/** How long it waits after a question that came to nothing. */
const PAUSE_MS = 5_000;

/** Follows the network's blocks for as long as the page is open. */
export async function followBlocks(): Promise<void> {
  const followed = followOver(TRANSPORTS, blocks, GATEWAY);
  watchConnection(followed);
  for await (const told of followed) {
    // Before its first block a network is told of as at height 0, which has no time.
    if (told.block.timestamp !== '0') block.value = told.block;
  }
}

/** Follows its markets. One question is answered before a stream has begun, so they are asked for first, with what their prices were. */
export async function followMarkets(): Promise<void> {
  void askMarkets();
  const fields = { marketData: selectionOf(MarketRow) };
  const followed = followOver(TRANSPORTS, marketData, { ...GATEWAY, fields });
  watchConnection(followed);
  for await (const { block, rows, isReset } of followed) {
    const all = isReset ? new Map<string, Market>() : new Map(markets.value);
    // They have what was asked for, and no other fields.
    for (const row of (rows.marketData ?? []) as unknown as readonly MarketRow[])
      all.set(row.market, keepPrices(all.get(row.market), row, BigInt(block.height)));
    markets.value = all;
    isReady.value = true;
    // Those of a network that began again are others.
    if (isReset) {
      resets += 1;
      void askMarkets();
    }
  }
}

/** Asks for them until it is told of them, refused for good, or the network begins again: an answer of before that is of other markets. */
async function askMarkets(): Promise<void> {
  const askedAt = resets;
  while (askedAt === resets) {
    try {
      const answer = await ask(MarketsAt, {});
      if (askedAt === resets) takeMarkets(answer);
      return;
    } catch (error) {
      // Without an answer the plots begin with the page.
      if (isForGood(error)) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

function takeMarkets(answer: ResultOf<typeof MarketsAt>): void {
  block.value ??= answer.asOf?.block ?? null;
  const all = new Map(markets.value);
  for (const market of marketsIn(answer)) {
    const known = all.get(market.market);
    const first = known?.prices[0]?.height ?? null;
    const before = market.prices.filter(({ height }) => first === null || height < first);
    all.set(market.market, { ...market, ...known, prices: [...before, ...(known?.prices ?? [])] });
  }
  markets.value = all;
  isReady.value = true;
}

/** The markets in an answer, those that were made first before the others. */
export function marketsIn({ asOf }: ResultOf<typeof MarketsAt>): readonly Market[] {
  const { block, marketsData, plotted } = asOf ?? {};
  const from = BigInt(block?.height ?? 0) - PLOTTED_BLOCKS;
  const histories = new Map(plotted?.edges.map(({ node }) => [node.market, node.history.edges]));
  return (marketsData?.edges ?? []).map(({ node }) => {
    const versions = [...(histories.get(node.market) ?? [])].reverse();
    const prices = versions.map(({ block, node }) => ({
      height: BigInt(block.height),
      price: node.markPrice,
    }));
    return { ...node, prices: pricesSince(from, prices) };
  });
}

/** Whether a market will not trade any more. */
export function isOver({ marketState }: Market): boolean {
  return OVER.includes(marketState);
}

const OVER: readonly MarketRow['marketState'][] = [
  'STATE_CANCELLED',
  'STATE_CLOSED',
  'STATE_REJECTED',
  'STATE_SETTLED',
  'STATE_TRADING_TERMINATED',
];

function keepPrices(known: Market | undefined, row: MarketRow, height: bigint): Market {
  const before = (known?.prices ?? []).filter((one) => one.height < height);
  return {
    ...row,
    prices: pricesSince(height - PLOTTED_BLOCKS, [...before, { height, price: row.markPrice }]),
  };
}

/** Before anybody has traded there is no price; and the last before the plot begins is the one with which it begins. */
function pricesSince(from: bigint, prices: readonly Price[]): readonly Price[] {
  const real = prices.filter(({ price }) => price !== '0');
  return real.slice(
    Math.max(
      0,
      real.findLastIndex(({ height }) => height <= from),
    ),
  );
}
