import { marketData } from '../data/nouns/market-data.ts';
import { markets } from '../data/nouns/markets.ts';
import { builder, defineQueries } from './builder.ts';
import { exposeColumns, exposeObjects } from './columns.ts';
import { defineConnection, listOf } from './connections.ts';
import { linkTo, rowBy } from './links.ts';
import { pageArgs } from './list-args.ts';
import {
  AutomatedPurchase,
  CompositePriceState,
  LiquidityProviderFeeShare,
  LiquidityProviderSla,
  PriceMonitoringBounds,
  ProductData,
} from './market-data-parts.ts';
import { defineStream } from './streams.ts';

export const MarketData = builder.prismaNode('MarketData', {
  nullable: true,
  id: { field: 'marketId' },
  description:
    'The latest data of a market. Prices are in market decimals, volumes in position decimals, stakes in asset decimals.',
  fields: (t) => ({
    market: t.exposeID('marketId', { description: 'The identifier of the market.' }),
    ...exposeColumns(t, {
      Timestamp: {
        timestamp: 'The time at which the data were computed.',
        auctionEnd: 'The time at which the auction ends; `"0"` outside auctions.',
        auctionStart: 'The time at which the auction began; `"0"` outside auctions.',
        nextMarkToMarket: 'The time at which positions are next marked to market.',
      },
      'Timestamp | null': {
        nextNetworkCloseout:
          'The time at which the network next trades to be rid of the positions that it closed out; `"0"` if it has none. Null for spot markets, and before release 0.74.',
      },
      MarketState: { marketState: 'The state of the market.' },
      MarketTradingMode: { marketTradingMode: 'The trading mode of the market.' },
      AuctionTrigger: {
        trigger: 'The reason for which the auction started.',
        extensionTrigger: 'The reason for which the auction was extended.',
      },
    }),
    ...exposeObjects(
      t,
      { type: AutomatedPurchase, nullable: true },
      {
        activeProtocolAutomatedPurchase:
          'The purchase that the network is making in the market; null if it makes none.',
      },
    ),
    marketNode: t.relation('market', linkTo(markets, 'marketId', 'The market.')),
  }),
});

/** Its prices and volumes. */
builder.prismaObjectFields('MarketData', (t) => ({
  ...exposeColumns(t, {
    Integer: {
      markPrice: 'The mark price. In market decimals.',
      bestBidPrice: 'The highest price of a buy order. In market decimals.',
      bestOfferPrice: 'The lowest price of a sell order. In market decimals.',
      bestStaticBidPrice: 'The highest price of a buy order that is not pegged. In market decimals.',
      bestStaticOfferPrice: 'The lowest price of a sell order that is not pegged. In market decimals.',
      midPrice:
        'The mean of the best bid and best offer prices; `"0"` if one is missing. In market decimals.',
      staticMidPrice: 'The mean of the best static bid and best static offer prices. In market decimals.',
      indicativePrice: 'The price of the trades if the auction ended now. In market decimals.',
      lastTradedPrice: 'The price of the last trade. In market decimals.',
    },
    Uint64: {
      bestBidVolume: 'The volume at the best bid price. In position decimals.',
      bestOfferVolume: 'The volume at the best offer price. In position decimals.',
      bestStaticBidVolume: 'The volume at the best static bid price. In position decimals.',
      bestStaticOfferVolume: 'The volume at the best static offer price. In position decimals.',
      openInterest: 'The sum of all long positions. In position decimals.',
      indicativeVolume: 'The volume of the trades if the auction ended now. In position decimals.',
    },
    'CompositePriceType | null': {
      markPriceType:
        'The way in which the mark price is made of its sources; null where the network says none, as for spot markets and before release 0.74.',
    },
  }),
  ...exposeObjects(
    t,
    { type: [PriceMonitoringBounds] },
    {
      priceMonitoringBounds: 'A list of the price bounds in force, one for each trigger.',
    },
  ),
  ...exposeObjects(
    t,
    { type: CompositePriceState, nullable: true },
    {
      markPriceState:
        'What the mark price is made of; null where the network does not say, as for spot markets and before release 0.74.',
    },
  ),
  ...exposeObjects(
    t,
    { type: ProductData, nullable: true },
    {
      productData:
        'What the product has besides prices; null unless it is a perpetual of which both averages have data.',
    },
  ),
}));

/** Its liquidity. */
builder.prismaObjectFields('MarketData', (t) => ({
  ...exposeColumns(t, {
    Integer: {
      targetStake: "The stake that the market needs, in the asset's smallest unit.",
      suppliedStake: "The stake that liquidity providers have committed, in the asset's smallest unit.",
    },
    Decimal: { marketValueProxy: 'An estimate of the value of the market, in asset decimals.' },
    'Decimal | null': {
      marketGrowth:
        'The growth of the market since the epoch before, as a share of what it was: 0.1 is a tenth more, and it can be negative. Null before release 0.72.',
    },
  }),
  ...exposeObjects(
    t,
    { type: [LiquidityProviderFeeShare] },
    {
      liquidityProviderFeeShare: 'A list of the shares of the liquidity fees.',
    },
  ),
  ...exposeObjects(
    t,
    { type: [LiquidityProviderSla], nullable: true },
    {
      liquidityProviderSla:
        'A list of how well liquidity providers keep to what they agreed to; null where the network told of none, as before release 0.73.',
    },
  ),
}));

defineStream(marketData, MarketData, {
  description: 'A snapshot of the market data, then the data of each block that changes them, in order.',
  args: builder.args((t) => ({
    marketIds: t.idList({ description: 'Only data of these markets. An empty list is no condition.' }),
  })),
  filterOf: (filter) => filter,
});

const MarketDataConnection = defineConnection(marketData, MarketData, 'The data of a market');

defineQueries((t) => ({
  marketData: t.prismaField({
    type: MarketData,
    nullable: true,
    description: 'The latest data of a market; null if there are none.',
    args: { marketId: t.arg.id({ required: true, description: 'The identifier of the market.' }) },
    ...rowBy(marketData, 'marketId'),
  }),
  marketsData: t.field({
    type: MarketDataConnection,
    description: 'A list of the latest data of all markets.',
    args: pageArgs,
    ...listOf(marketData),
  }),
}));
