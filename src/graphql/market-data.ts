import type {
  LiquidityProviderFeeShare as LiquidityProviderFeeShareShape,
  PriceMonitoringBounds as PriceMonitoringBoundsShape,
} from '../data/nouns/market-data.ts';
import { marketData } from '../data/nouns/market-data.ts';
import { markets } from '../data/nouns/markets.ts';
import { topicOf } from '../feed/topics.ts';
import { builder } from './builder.ts';
import { AuctionTriggerEnum, MarketStateEnum, MarketTradingModeEnum } from './enums.ts';
import { afterArgs, defineMessages } from './streams.ts';

const PriceMonitoringTrigger = builder
  .objectRef<NonNullable<PriceMonitoringBoundsShape['trigger']>>('PriceMonitoringTrigger')
  .implement({
    description: 'What starts a price monitoring auction, and how long it lasts.',
    fields: (t) => ({
      horizon: t.expose('horizon', {
        type: 'Integer',
        description: 'How far the model looks ahead, in seconds.',
      }),
      probability: t.expose('probability', {
        type: 'Decimal',
        description: 'How probable it is that the price stays within its bounds until then, from 0 to 1.',
      }),
      auctionExtension: t.expose('auctionExtension', {
        type: 'Integer',
        description: 'How long the auction lasts or is extended by, in seconds.',
      }),
    }),
  });

const PriceMonitoringBounds = builder
  .objectRef<PriceMonitoringBoundsShape>('PriceMonitoringBounds')
  .implement({
    description: 'The prices within which a market trades without an auction.',
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
        description: 'What the bounds come from; null where the network did not say.',
      }),
      referencePrice: t.expose('referencePrice', {
        type: 'Decimal',
        description: 'The price that the bounds were computed around, in market decimals.',
      }),
    }),
  });

const LiquidityProviderFeeShare = builder
  .objectRef<LiquidityProviderFeeShareShape>('LiquidityProviderFeeShare')
  .implement({
    description: "A liquidity provider's share of the fees.",
    fields: (t) => ({
      party: t.exposeID('party', { description: 'The party that provides liquidity.' }),
      equityLikeShare: t.expose('equityLikeShare', {
        type: 'Decimal',
        description: 'The share, from 0 to 1.',
      }),
      averageEntryValuation: t.expose('averageEntryValuation', {
        type: 'Decimal',
        description:
          "The value of the market when the party entered, averaged over its commitments, in the asset's smallest unit.",
      }),
      averageScore: t.expose('averageScore', {
        type: 'Decimal',
        description: 'How close to the mid price the liquidity was, on average.',
      }),
    }),
  });

const MarketData = builder.prismaNode('MarketData', {
  nullable: true,
  id: { field: 'marketId' },
  description:
    'The latest state of trading in a market. Prices are in market decimals, volumes in position decimals, stakes in asset decimals.',
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
      markPrice: price('markPrice', 'The price that positions are marked to.'),
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
      midPrice: price('midPrice', 'The mean of best bid and best offer; `"0"` where one is missing.'),
      staticMidPrice: price('staticMidPrice', 'The mean of best static bid and best static offer.'),
      market: t.exposeID('marketId', { description: 'The identifier of the market.' }),
      timestamp: time('timestamp', 'When the data were computed.'),
      openInterest: volume('openInterest', 'The sum of all long positions.'),
      auctionEnd: time('auctionEnd', 'When the auction ends; `"0"` outside auctions.'),
      auctionStart: time('auctionStart', 'When the auction began; `"0"` outside auctions.'),
      indicativePrice: price('indicativePrice', 'What the auction would trade at if it ended now.'),
      indicativeVolume: volume('indicativeVolume', 'What the auction would trade if it ended now.'),
      marketTradingMode: t.expose('marketTradingMode', {
        type: MarketTradingModeEnum,
        description: 'How orders are matched.',
      }),
      trigger: t.expose('trigger', { type: AuctionTriggerEnum, description: 'What started the auction.' }),
      extensionTrigger: t.expose('extensionTrigger', {
        type: AuctionTriggerEnum,
        description: 'What extended the auction.',
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
        description: 'The price bounds in force, one for each trigger.',
        resolve: (data) => data.priceMonitoringBounds as unknown as readonly PriceMonitoringBoundsShape[],
      }),
      marketValueProxy: t.expose('marketValueProxy', {
        type: 'Decimal',
        description: 'An estimate of what the market is worth, in asset decimals.',
      }),
      liquidityProviderFeeShare: t.field({
        type: [LiquidityProviderFeeShare],
        description: 'How liquidity fees are shared.',
        resolve: (data) =>
          data.liquidityProviderFeeShare as unknown as readonly LiquidityProviderFeeShareShape[],
      }),
      marketState: t.expose('marketState', {
        type: MarketStateEnum,
        description: 'Where the market is in its life.',
      }),
      nextMarkToMarket: time('nextMarkToMarket', 'When positions are marked to the mark price next.'),
      lastTradedPrice: price('lastTradedPrice', 'The price of the last trade.'),
      marketNode: t.relation('market', {
        nullable: true,
        description: 'The market.',
        resolve: (query, { marketId }, _, { links }) => links.load(markets, query, marketId),
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
    description: 'Market data: a snapshot, then those of every block that changes them once, in order.',
    args: {
      marketIds: t.arg.idList({ description: 'Only data of these markets; an empty list is no condition.' }),
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
    description: 'The latest data of a market; null until there are any.',
    args: { marketId: t.arg.id({ required: true, description: 'The identifier of the market.' }) },
    resolve: (query, _, { marketId }, { links }) => links.load(marketData, query, marketId),
  }),
);
