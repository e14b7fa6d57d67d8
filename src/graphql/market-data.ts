import type {
  LiquidityProviderFeeShare as LiquidityProviderFeeShareShape,
  PriceMonitoringBounds as PriceMonitoringBoundsShape,
} from '../data/nouns/market-data.ts';
import { marketData } from '../data/nouns/market-data.ts';
import { markets } from '../data/nouns/markets.ts';
import { topicOf } from '../feed/topics.ts';
import { builder } from './builder.ts';
import { linkTo, objectsIn, rowBy } from './links.ts';
import { afterArgs, defineMessages } from './streams.ts';

const PriceMonitoringTrigger = builder
  .objectRef<NonNullable<PriceMonitoringBoundsShape['trigger']>>('PriceMonitoringTrigger')
  .implement({
    description: 'A trigger of price monitoring auctions.',
    fields: (t) => ({
      horizon: t.expose('horizon', {
        type: 'Integer',
        description: 'The time that the model looks ahead, in seconds.',
      }),
      probability: t.expose('probability', {
        type: 'Decimal',
        description: 'The probability that the price stays within its bounds for that time, from 0 to 1.',
      }),
      auctionExtension: t.expose('auctionExtension', {
        type: 'Integer',
        description: 'The length of the auction or of its extension, in seconds.',
      }),
    }),
  });

const PriceMonitoringBounds = builder
  .objectRef<PriceMonitoringBoundsShape>('PriceMonitoringBounds')
  .implement({
    description: 'The bounds within which the price can move without an auction.',
    fields: (t) => ({
      minValidPrice: t.expose('minValidPrice', {
        type: 'Decimal',
        description: 'The lowest price, in market decimals.',
      }),
      maxValidPrice: t.expose('maxValidPrice', {
        type: 'Decimal',
        description: 'The highest price, in market decimals.',
      }),
      trigger: t.expose('trigger', {
        type: PriceMonitoringTrigger,
        nullable: true,
        description: 'The trigger that the bounds belong to; null if the network gave none.',
      }),
      referencePrice: t.expose('referencePrice', {
        type: 'Decimal',
        description: 'The price from which the bounds were computed, in market decimals.',
      }),
    }),
  });

const LiquidityProviderFeeShare = builder
  .objectRef<LiquidityProviderFeeShareShape>('LiquidityProviderFeeShare')
  .implement({
    description: "A liquidity provider's share of the fees.",
    fields: (t) => ({
      party: t.exposeID('party', { description: 'The identifier of the party that provides liquidity.' }),
      equityLikeShare: t.expose('equityLikeShare', {
        type: 'Decimal',
        description: 'The share of the liquidity provider, from 0 to 1.',
      }),
      averageEntryValuation: t.expose('averageEntryValuation', {
        type: 'Decimal',
        description:
          "The average value of the market at the times of the party's commitments, in the asset's smallest unit.",
      }),
      averageScore: t.expose('averageScore', {
        type: 'Decimal',
        description: 'The average score of how close to the mid price the liquidity was.',
      }),
    }),
  });

const MarketData = builder.prismaNode('MarketData', {
  nullable: true,
  id: { field: 'marketId' },
  description:
    'The latest data of a market. Prices are in market decimals, volumes in position decimals, stakes in asset decimals.',
  fields: (t) => {
    const price = (
      field:
        | 'markPrice'
        | 'bestBidPrice'
        | 'bestOfferPrice'
        | 'bestStaticBidPrice'
        | 'bestStaticOfferPrice'
        | 'midPrice'
        | 'staticMidPrice'
        | 'indicativePrice'
        | 'lastTradedPrice',
      description: string,
    ) => t.expose(field, { type: 'Integer', description: `${description} In market decimals.` });
    const volume = (
      field:
        | 'bestBidVolume'
        | 'bestOfferVolume'
        | 'bestStaticBidVolume'
        | 'bestStaticOfferVolume'
        | 'openInterest'
        | 'indicativeVolume',
      description: string,
    ) => t.expose(field, { type: 'Uint64', description: `${description} In position decimals.` });
    const time = (
      field: 'timestamp' | 'auctionStart' | 'auctionEnd' | 'nextMarkToMarket',
      description: string,
    ) => t.expose(field, { type: 'Timestamp', description });
    return {
      markPrice: price('markPrice', 'The mark price.'),
      bestBidPrice: price('bestBidPrice', 'The highest price of a buy order.'),
      bestBidVolume: volume('bestBidVolume', 'The volume at the best bid price.'),
      bestOfferPrice: price('bestOfferPrice', 'The lowest price of a sell order.'),
      bestOfferVolume: volume('bestOfferVolume', 'The volume at the best offer price.'),
      bestStaticBidPrice: price('bestStaticBidPrice', 'The highest price of a buy order that is not pegged.'),
      bestStaticBidVolume: volume('bestStaticBidVolume', 'The volume at the best static bid price.'),
      bestStaticOfferPrice: price(
        'bestStaticOfferPrice',
        'The lowest price of a sell order that is not pegged.',
      ),
      bestStaticOfferVolume: volume('bestStaticOfferVolume', 'The volume at the best static offer price.'),
      midPrice: price('midPrice', 'The mean of the best bid and best offer prices; `"0"` if one is missing.'),
      staticMidPrice: price(
        'staticMidPrice',
        'The mean of the best static bid and best static offer prices.',
      ),
      market: t.exposeID('marketId', { description: 'The identifier of the market.' }),
      timestamp: time('timestamp', 'The time at which the data were computed.'),
      openInterest: volume('openInterest', 'The sum of all long positions.'),
      auctionEnd: time('auctionEnd', 'The time at which the auction ends; `"0"` outside auctions.'),
      auctionStart: time('auctionStart', 'The time at which the auction began; `"0"` outside auctions.'),
      indicativePrice: price('indicativePrice', 'The price of the trades if the auction ended now.'),
      indicativeVolume: volume('indicativeVolume', 'The volume of the trades if the auction ended now.'),
      marketTradingMode: t.expose('marketTradingMode', {
        type: 'MarketTradingMode',
        description: 'The trading mode of the market.',
      }),
      trigger: t.expose('trigger', {
        type: 'AuctionTrigger',
        description: 'The reason for which the auction started.',
      }),
      extensionTrigger: t.expose('extensionTrigger', {
        type: 'AuctionTrigger',
        description: 'The reason for which the auction was extended.',
      }),
      targetStake: t.expose('targetStake', {
        type: 'Integer',
        description: "The stake that the market needs, in the asset's smallest unit.",
      }),
      suppliedStake: t.expose('suppliedStake', {
        type: 'Integer',
        description: "The stake that liquidity providers have committed, in the asset's smallest unit.",
      }),
      priceMonitoringBounds: t.field({
        type: [PriceMonitoringBounds],
        description: 'A list of the price bounds in force, one for each trigger.',
        ...objectsIn<PriceMonitoringBoundsShape>()('priceMonitoringBounds'),
      }),
      marketValueProxy: t.expose('marketValueProxy', {
        type: 'Decimal',
        description: 'An estimate of the value of the market, in asset decimals.',
      }),
      liquidityProviderFeeShare: t.field({
        type: [LiquidityProviderFeeShare],
        description: 'A list of the shares of the liquidity fees.',
        ...objectsIn<LiquidityProviderFeeShareShape>()('liquidityProviderFeeShare'),
      }),
      marketState: t.expose('marketState', {
        type: 'MarketState',
        description: 'The state of the market.',
      }),
      nextMarkToMarket: time('nextMarkToMarket', 'The time at which positions are next marked to market.'),
      lastTradedPrice: price('lastTradedPrice', 'The price of the last trade.'),
      marketNode: t.prismaField({
        type: 'Market',
        nullable: true,
        description: 'The market.',
        ...linkTo(markets, 'marketId'),
      }),
    };
  },
});

const MarketDataMessage = defineMessages({
  type: MarketData,
  noun: marketData,
});

builder.subscriptionField('marketData', (t) =>
  t.field({
    type: MarketDataMessage,
    description: 'A snapshot of the market data, then the data of each block that changes them, in order.',
    args: {
      marketIds: t.arg.idList({ description: 'Only data of these markets. An empty list is no condition.' }),
      ...afterArgs,
    },
    subscribe: (_, { after, ...filter }, { feed }) => feed.open(topicOf(marketData), filter, after ?? null),
    resolve: (event) => event,
  }),
);

builder.queryField('marketData', (t) =>
  t.prismaField({
    type: MarketData,
    nullable: true,
    description: 'The latest data of a market; null if there are none.',
    args: { marketId: t.arg.id({ required: true, description: 'The identifier of the market.' }) },
    ...rowBy(marketData, 'marketId'),
  }),
);
