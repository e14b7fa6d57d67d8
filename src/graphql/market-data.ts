import { marketData, type AutomatedPurchase as PurchaseShape } from '../data/nouns/market-data.ts';
import { markets } from '../data/nouns/markets.ts';
import { topicOf } from '../feed/topics.ts';
import { builder } from './builder.ts';
import { linkTo, objectIn, rowBy } from './links.ts';
import { afterArgs, defineMessages } from './streams.ts';

const AutomatedPurchase = builder.objectRef<PurchaseShape>('AutomatedPurchase').implement({
  description: 'A purchase that the network makes in a spot market.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The identifier of the purchase.' }),
    orderId: t.exposeID('orderId', {
      nullable: true,
      description: "The identifier of the network's order; null while it has none.",
    }),
  }),
});

/** What it has of prices and volumes is in market-prices.ts, and of liquidity in market-liquidity.ts. */
const MarketData = builder.prismaNode('MarketData', {
  nullable: true,
  id: { field: 'marketId' },
  description:
    'The latest data of a market. Prices are in market decimals, volumes in position decimals, stakes in asset decimals.',
  fields: (t) => {
    const time = (
      field: 'timestamp' | 'auctionStart' | 'auctionEnd' | 'nextMarkToMarket',
      description: string,
    ) => t.expose(field, { type: 'Timestamp', description });
    return {
      market: t.exposeID('marketId', { description: 'The identifier of the market.' }),
      timestamp: time('timestamp', 'The time at which the data were computed.'),
      auctionEnd: time('auctionEnd', 'The time at which the auction ends; `"0"` outside auctions.'),
      auctionStart: time('auctionStart', 'The time at which the auction began; `"0"` outside auctions.'),
      nextMarkToMarket: time('nextMarkToMarket', 'The time at which positions are next marked to market.'),
      nextNetworkCloseout: t.expose('nextNetworkCloseout', {
        type: 'Timestamp',
        nullable: true,
        description:
          'The time at which the network next trades to be rid of the positions that it closed out; `"0"` if it has none. Null for spot markets, and before release 0.74.',
      }),
      marketState: t.expose('marketState', {
        type: 'MarketState',
        description: 'The state of the market.',
      }),
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
      activeProtocolAutomatedPurchase: t.field({
        type: AutomatedPurchase,
        nullable: true,
        description: 'The purchase that the network is making in the market; null if it makes none.',
        ...objectIn<PurchaseShape>()('activeProtocolAutomatedPurchase'),
      }),
      marketNode: t.relation('market', {
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
