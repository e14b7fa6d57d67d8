import { dependsOnRows } from '../data/noun-tags.ts';
import { marketData } from '../data/nouns/market-data.ts';
import { readMarketSeries } from '../data/series/market-series.ts';
import { MARKET_VALUES, type MarketValueName } from '../data/series/values.ts';
import { builder } from './builder.ts';
import { Bucket, costOfSeries, loadTogether, readSeriesArgs, seriesArgs } from './series.ts';

const DESCRIPTIONS: Readonly<Record<MarketValueName, string>> = {
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
};

const MarketValue = builder.enumType('MarketValue', {
  description: 'A value of the data of a market, as `MarketData` has it.',
  values: Object.fromEntries(
    MARKET_VALUES.map(({ name }) => [name, { description: DESCRIPTIONS[name] }]),
  ) as Record<MarketValueName, { description: string }>,
});

builder.prismaObjectFields('Market', (t) => ({
  series: t.field({
    type: [Bucket],
    description:
      'A list of the buckets of one value over time, in their order: those that a range of times touches, as the market data of each block have it. Empty for a market without data, and for times that are not there yet.',
    args: {
      ...seriesArgs,
      of: t.arg({ type: MarketValue, defaultValue: 'MARK_PRICE', description: 'Which value.' }),
    },
    ...costOfSeries,
    resolve: async ({ id }, args, context) => {
      const request = readSeriesArgs(args);
      const of = args.of ?? 'MARK_PRICE';
      const at = await context.newestBlock();
      if (at === null) return [];
      if (context.past === null) context.dependencies.add(dependsOnRows(marketData, 'marketId', [id]));
      const read = async (ids: readonly string[]) => {
        const series = await context.readInTurn(() =>
          readMarketSeries(context.histories, ids, of, request, at),
        );
        return ids.map((one) => series.get(one));
      };
      const series = await loadTogether(context, [of, request, at.lastPosition], read, id);
      context.charge(series?.rows ?? 0);
      return [...(series?.buckets ?? [])];
    },
  }),
}));
