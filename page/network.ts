import { effect, signal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import { type Block, blocks, followOver, marketData } from '../client/src/index.ts';
import { ask, GATEWAY, TRANSPORTS, watchConnection } from './connection.ts';
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

const Newest = graphql(`
  query Newest($first: Int!) {
    deposits(first: $first) { edges { node { id partyId amount status assetNode { symbol decimals } } } }
    rewards(first: $first) {
      edges { node { nodeId partyId amount epoch rewardType asset { symbol decimals } } }
    }
    votes(first: $first) { edges { node { nodeId partyId value proposalId timestamp } } }
  }
`);

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

/** The newest deposits, rewards and votes; null until they are there. */
export const newest = signal<ResultOf<typeof Newest> | null>(null);

const NEWEST_ROWS = 8;

/** Follows the network for as long as the page is open. */
export function followNetwork(): void {
  void followBlocks();
  void followMarkets();
  askAtEachBlock();
}

async function followBlocks(): Promise<void> {
  const followed = followOver(TRANSPORTS, blocks, GATEWAY);
  watchConnection(followed);
  for await (const told of followed) block.value = told.block;
}

async function followMarkets(): Promise<void> {
  const fields = { marketData: selectionOf(MarketRow) };
  for await (const { block, rows } of followOver(TRANSPORTS, marketData, { ...GATEWAY, fields })) {
    const all = new Map(markets.value);
    // They have what was asked for, and no other fields.
    for (const row of (rows.marketData ?? []) as unknown as readonly MarketRow[])
      all.set(row.market, keepPrices(all.get(row.market), row, BigInt(block.height)));
    markets.value = all;
    isReady.value = true;
  }
}

/** The stream of all deposits would begin with all of them: the newest few are asked for again at each block instead. */
function askAtEachBlock(): void {
  let isAsking = false;
  effect(() => {
    if (block.value === null || isAsking) return;
    isAsking = true;
    ask(Newest, { first: NEWEST_ROWS })
      .then((answer) => {
        newest.value = answer;
      })
      // The connection says what is wrong; the next block asks again.
      .catch(() => {})
      .finally(() => {
        isAsking = false;
      });
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
  const old = known?.prices ?? [];
  const before = old.filter((one) => one.height < height);
  // Before anybody has traded there is no price.
  const prices = row.markPrice === '0' ? before : [...before, { height, price: row.markPrice }];
  // The one before the plot begins is the price with which it begins.
  const first = prices.findLastIndex((one) => one.height <= height - PLOTTED_BLOCKS);
  return { ...row, prices: prices.slice(Math.max(0, first)) };
}
