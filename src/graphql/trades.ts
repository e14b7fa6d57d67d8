import { markets } from '../data/nouns/markets.ts';
import { trades } from '../data/nouns/trades.ts';
import { readFee, type TradeFee as TradeFeeShape } from '../domain/trade-fees.ts';
import { builder, defineQueries } from './builder.ts';
import { defineObject, exposeColumns, exposeObjects } from './columns.ts';
import { defineConnection, filteredListOf } from './connections.ts';
import { DateRange, type DateRangeArgs, readDateRange } from './date-ranges.ts';
import { defineKeptFrom } from './kept-rows.ts';
import { linkTo, partyNamedBy, rowBy } from './links.ts';
import { pageArgs } from './list-args.ts';
import { defineStream } from './streams.ts';

const TradeFee = defineObject<TradeFeeShape>(
  'TradeFee',
  'The fee that one side of a trade paid, in the smallest unit of the asset: of the settlement asset, or of the quote asset in a spot market. What there is none of is `"0"`.',
  {
    Integer: {
      makerFee: 'The fee for the maker of the trade.',
      infrastructureFee: 'The fee for the validators.',
      liquidityFee: 'The fee for the liquidity providers.',
      makerFeeVolumeDiscount: 'What the party was let off the maker fee for its volume.',
      infrastructureFeeVolumeDiscount: 'What the party was let off the infrastructure fee for its volume.',
      liquidityFeeVolumeDiscount: 'What the party was let off the liquidity fee for its volume.',
      makerFeeReferrerDiscount: 'What the party was let off the maker fee for its referral.',
      infrastructureFeeReferrerDiscount:
        'What the party was let off the infrastructure fee for its referral.',
      liquidityFeeReferrerDiscount: 'What the party was let off the liquidity fee for its referral.',
      treasuryFee: 'The fee for the treasury of the network.',
      buyBackFee: 'The fee for what the network buys back.',
      highVolumeMakerFee: 'The fee for a maker of much volume.',
    },
  },
);

export const Trade = builder.prismaNode('Trade', {
  nullable: true,
  id: { field: 'createdPosition' },
  description: 'A trade: two parties exchange a volume at a price. It never changes.',
  fields: (t) => ({
    ...exposeColumns(t, {
      ID: {
        id: 'The identifier of the trade.',
        marketId: 'The identifier of the market of the trade.',
        buyer: 'The identifier of the party that bought; `network` for the network itself.',
        seller: 'The identifier of the party that sold; `network` for the network itself.',
        buyOrder: 'The identifier of the order of the buyer. May be empty.',
        sellOrder: 'The identifier of the order of the seller. May be empty.',
      },
      Integer: { price: 'The price, in market decimals.' },
      'Integer | null': {
        assetPrice:
          'The price, in the decimals of the asset; null if the network gave none (before release 0.73).',
      },
      Uint64: {
        size: 'The volume, in position decimals.',
        buyerAuctionBatch: 'The number of the auction batch of the buyer\'s order; `"0"` for none.',
        sellerAuctionBatch: 'The number of the auction batch of the seller\'s order; `"0"` for none.',
      },
      TradeSide: { aggressor: 'The side whose order met one that was in the book; neither in an auction.' },
      TradeType: { type: 'The way in which the trade came about.' },
    }),
    ...exposeObjects(
      t,
      { type: TradeFee, read: readFee },
      { buyerFee: 'The fee that the buyer paid.', sellerFee: 'The fee that the seller paid.' },
    ),
    timestamp: t.expose('updatedTimestamp', {
      type: 'Timestamp',
      description: 'The time of the block of the trade.',
    }),
    market: t.relation(
      'market',
      linkTo(markets, 'marketId', 'The market of the trade; null until the network has announced it.'),
    ),
    buyerNode: t.relation('buyerParty', partyNamedBy('buyer', 'The party that bought.')),
    sellerNode: t.relation('sellerParty', partyNamedBy('seller', 'The party that sold.')),
  }),
});

export const TradeConnection = defineConnection(trades, Trade, 'A trade');

defineKeptFrom(trades, TradeConnection);

const TradeFilter = builder.inputType('TradeFilter', {
  description: 'The conditions that a trade must meet, all of them. An empty list is no condition.',
  fields: (t) => ({
    marketIds: t.idList({ description: 'Only trades in one of these markets.' }),
    partyIds: t.idList({ description: 'Only trades that one of these parties bought or sold in.' }),
    orderIds: t.idList({ description: 'Only trades of one of these orders, on either side.' }),
  }),
});

export const tradeArgs = builder.args((t) => ({
  filter: t.field({
    type: TradeFilter,
    description: 'The conditions that the trades must meet. Without it, all trades.',
  }),
  dateRange: t.field({ type: DateRange, description: 'Only trades in blocks of this range of times.' }),
}));

/** The conditions as the data layer takes them. Throws INVALID_ARGUMENT for a time that is not in nanoseconds. */
export function readTradeFilter({
  filter,
  ...range
}: DateRangeArgs & { filter?: typeof TradeFilter.$inferInput | null | undefined }) {
  const { startTimestamp: updatedFrom, endTimestamp: updatedBefore } = readDateRange(range);
  return { updatedFrom, updatedBefore, ...filter };
}

defineStream(trades, Trade, {
  description: 'A snapshot of the trades, then each new trade, in order, by whole blocks.',
  args: builder.args((t) => ({
    marketIds: t.idList({
      description: 'Only trades in one of these markets. An empty list is no condition.',
    }),
    partyIds: t.idList({
      description: 'Only trades that one of these parties bought or sold in. An empty list is no condition.',
    }),
  })),
  filterOf: (filter) => filter,
});

defineQueries((t) => ({
  trade: t.prismaField({
    type: Trade,
    nullable: true,
    description: 'The trade with this identifier; null if there is none.',
    args: { id: t.arg.id({ required: true, description: 'The identifier of the trade.' }) },
    ...rowBy(trades, 'id'),
  }),
  trades: t.field({
    type: TradeConnection,
    description: 'A list of trades.',
    args: { ...tradeArgs, ...pageArgs },
    ...filteredListOf(trades, readTradeFilter),
  }),
}));
