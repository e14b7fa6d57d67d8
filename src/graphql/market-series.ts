import type { GraphQLResolveInfo } from 'graphql';
import { dependsOnRows } from '../data/noun-tags.ts';
import { marketData } from '../data/nouns/market-data.ts';
import { trades } from '../data/nouns/trades.ts';
import type { ReadByKeys } from '../data/queries/load-by-key.ts';
import {
  keepFinding,
  type MarketQuestion,
  type MarketSeries,
  type MarketBucket as Row,
  readMarketSeries,
} from '../data/series/market-series.ts';
import type { MarketValueName } from '../data/series/values.ts';
import { builder } from './builder.ts';
import { defineObject } from './columns.ts';
import { defineLiveSeries } from './live-series.ts';
import { selectsAny } from './selected.ts';
import {
  askedTogether,
  BUCKET_COLUMNS,
  DESCRIPTION_OF_BUCKET,
  ofSeries,
  readSeriesArgs,
  seriesArgs,
} from './series.ts';
import { rowsCost } from './streams.ts';

const DESCRIPTIONS: Readonly<Record<MarketValueName | 'TRADE_PRICE', string>> = {
  MARK_PRICE: 'The mark price. In market decimals.',
  MID_PRICE: 'The mean of the best bid and best offer prices; 0 while one is missing. In market decimals.',
  LAST_TRADED_PRICE: 'The price of the last trade. In market decimals.',
  BEST_BID_PRICE: 'The highest price of a buy order; 0 while there is none. In market decimals.',
  BEST_OFFER_PRICE: 'The lowest price of a sell order; 0 while there is none. In market decimals.',
  INDICATIVE_PRICE:
    'The price of the trades if the auction ended then; 0 outside auctions. In market decimals.',
  OPEN_INTEREST: 'The sum of all long positions. In position decimals.',
  FUNDING_RATE: 'The funding rate of a perpetual, as a share; null while the network tells none.',
  FUNDING_PAYMENT:
    'The funding payment of a perpetual, in asset decimals; null while the network tells none.',
  TRADE_PRICE:
    'The prices of trades, one by one. A bucket opens with its first trade, and `high` and `low` are of its trades alone: a candle. Without any it has the price of the last one before. In market decimals.',
};

const MarketValue = builder.enumType('MarketValue', {
  description: 'A value of the data of a market, as `MarketData` has it.',
  values: Object.fromEntries(
    Object.entries(DESCRIPTIONS).map(([name, description]) => [name, { description }]),
  ) as Record<keyof typeof DESCRIPTIONS, { description: string }>,
});

const MarketBucket = defineObject<Row>('MarketBucket', DESCRIPTION_OF_BUCKET, {
  ...BUCKET_COLUMNS,
  'Timestamp | null': {
    lastUpdate:
      'The time of the last block in it of which there is market data, or before it where it has none: of `TRADE_PRICE`, of the last trade. Null if there is none.',
  },
  Decimal: {
    volume: 'The sum of the sizes of the trades in it. In position decimals.',
    notional:
      'The sum of price times size of the trades in it. In market decimals and position decimals together: divide by `10^(decimalPlaces + positionDecimalPlaces)`.',
  },
  Int: { trades: 'The number of trades in it.' },
});

const TRADED = ['volume', 'notional', 'trades'];

/** What is asked of a series, given what is selected of buckets, which stand below some fields. */
function readQuestion(
  of: MarketQuestion['of'] | null | undefined,
  info: GraphQLResolveInfo,
  below: readonly string[] = [],
): MarketQuestion {
  return {
    of: of ?? 'MARK_PRICE',
    hasTraded: selectsAny(info, TRADED, below),
    hasUpdates: selectsAny(info, ['lastUpdate'], below),
  };
}

const valueArgs = builder.args((t) => ({
  of: t.field({ type: MarketValue, defaultValue: 'MARK_PRICE', description: 'Which value.' }),
}));

const liveArgs = builder.args((t) => ({
  marketId: t.id({ required: true, description: "The market's identifier." }),
  ...valueArgs,
}));

builder.prismaObjectFields('Market', (t) => ({
  series: t.field({
    type: [MarketBucket],
    description:
      'A list of the buckets of one value over time, in their order: those that a range of times touches, as the market data of each block have it. Empty for a market without data, but of `TRADE_PRICE` if it has trades, and for times that are not there yet.',
    args: { ...seriesArgs, ...valueArgs },
    ...ofSeries(),
    resolve: async ({ id }, args, context, info) => {
      const request = readSeriesArgs(args);
      const question = readQuestion(args.of, info);
      const at = await context.newestBlock();
      if (at === null) return [];
      if (context.past === null)
        for (const noun of [marketData, trades])
          context.dependencies.add(dependsOnRows(noun, 'marketId', [id]));
      const { histories, readInTurn, load } = context;
      const read: ReadByKeys<MarketSeries> = (_, ids) =>
        readInTurn(() => readMarketSeries(histories, ids, question, request, at));
      const series = await load(read, id, askedTogether('market', question, request, at.lastPosition));
      context.charge(series?.rows ?? 0);
      return [...(series?.buckets ?? [])];
    },
  }),
}));

defineLiveSeries<readonly Row[], typeof liveArgs>('marketSeries', {
  description: 'The buckets of one value of a market, as they change.',
  args: liveArgs,
  fields: (t) => ({
    buckets: t.field({
      type: [MarketBucket],
      description:
        'A list of the buckets, in their order. Empty while the market has no data, but of `TRADE_PRICE` once it has trades.',
      ...rowsCost,
      resolve: ({ value }) => [...(value ?? [])],
    }),
  }),
  follow: ({ marketId, of }, _, info) => {
    const question = readQuestion(of, info, ['buckets']);
    const find = keepFinding();
    return {
      needs: [question.hasTraded, question.hasUpdates],
      dependsOn: [marketData, trades].flatMap((noun) => dependsOnRows(noun, 'marketId', [marketId])),
      read: async ({ histories }, request, at) => {
        const series = await readMarketSeries(histories, [marketId], question, request, at, find);
        return series.get(marketId)?.buckets ?? [];
      },
      bucketsOf: (buckets) => buckets,
      lengthsOf: ({ length }) => ({ buckets: length }),
    };
  },
});
