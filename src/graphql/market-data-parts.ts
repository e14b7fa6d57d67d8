import type * as Shapes from '../data/nouns/market-data.ts';
import { builder } from './builder.ts';
import { defineObject, exposeColumns } from './columns.ts';

/** The objects within the data of a market. */

const CompositePriceSource = defineObject<Shapes.CompositePriceState['priceSources'][number]>(
  'CompositePriceSource',
  'A price that others are made of.',
  {
    String: { priceSource: 'The name of the source.' },
    Integer: { price: 'The price that the source gave last, in asset decimals.' },
    Timestamp: { lastUpdated: 'The time at which the source gave it.' },
  },
);

export const CompositePriceState = builder
  .objectRef<Shapes.CompositePriceState>('CompositePriceState')
  .implement({
    description: 'The sources that a composite price is made of.',
    fields: (t) => ({
      priceSources: t.expose('priceSources', {
        type: [CompositePriceSource],
        description: 'A list of the sources that have given a price.',
      }),
    }),
  });

export const PriceMonitoringTrigger = defineObject<Shapes.PriceMonitoringTrigger>(
  'PriceMonitoringTrigger',
  'A trigger of price monitoring auctions.',
  {
    Integer: {
      horizon: 'The time that the model looks ahead, in seconds.',
      auctionExtension: 'The length of the auction or of its extension, in seconds.',
    },
    Decimal: {
      probability: 'The probability that the price stays within its bounds for that time, from 0 to 1.',
    },
  },
);

export const PriceMonitoringBounds = builder
  .objectRef<Shapes.PriceMonitoringBounds>('PriceMonitoringBounds')
  .implement({
    description: 'The bounds within which the price can move without an auction.',
    fields: (t) => ({
      ...exposeColumns(t, {
        Decimal: {
          minValidPrice: 'The lowest price, in market decimals.',
          maxValidPrice: 'The highest price, in market decimals.',
          referencePrice: 'The price from which the bounds were computed, in market decimals.',
        },
        'Boolean | null': {
          active:
            'Whether the bounds are in force. Null where the network did not say so: releases before 0.77 say nothing of any bounds, later ones nothing of those that are not in force.',
        },
      }),
      trigger: t.expose('trigger', {
        type: PriceMonitoringTrigger,
        nullable: true,
        description: 'The trigger that the bounds belong to; null if the network gave none.',
      }),
    }),
  });

const PerpetualData = builder.objectRef<Shapes.PerpetualData>('PerpetualData').implement({
  description: 'The funding of a perpetual in its current funding period.',
  fields: (t) => ({
    ...exposeColumns(t, {
      'Integer | null': {
        fundingPayment:
          "What a long position of one unit would pay if the period ended now, in the asset's smallest unit; negative where shorts pay. Null if the network told none.",
        internalCompositePrice:
          "The market's own price that goes into the average, in market decimals; null before release 0.74.",
        underlyingIndexPrice:
          'The newest price outside the network, in asset decimals; null before release 0.74.',
      },
      'Decimal | null': {
        fundingRate:
          'The payment as a share of the external average, so 0.01 is one percent; it can be negative. Null if the network told none.',
      },
      Integer: {
        internalTwap:
          "The average of the market's own price over the period, weighted by time, in asset decimals.",
        externalTwap: 'The average of the price outside the network over the period, in asset decimals.',
      },
      'Uint64 | null': { seqNum: 'The number of the period; null before release 0.74.' },
      'Timestamp | null': {
        startTime: 'The time at which the period began; null before release 0.74.',
        nextInternalCompositePriceCalc:
          'The time at which that price is next computed; negative where none is set. Null before release 0.74.',
      },
      'CompositePriceType | null': {
        internalCompositePriceType:
          'The way in which that price is made of its sources; null before release 0.74.',
      },
    }),
    internalCompositePriceState: t.expose('internalCompositePriceState', {
      type: CompositePriceState,
      nullable: true,
      description: "What the market's own price is made of; null before release 0.74.",
    }),
  }),
});

export const ProductData = builder.objectRef<Shapes.ProductData>('ProductData').implement({
  description: 'The data of a product besides its prices, by its kind. Only perpetuals have such data.',
  fields: (t) => ({
    perpetualData: t.expose('perpetualData', {
      type: PerpetualData,
      nullable: true,
      description: 'The funding of a perpetual; null if the product is not a perpetual.',
    }),
  }),
});

export const LiquidityProviderFeeShare = defineObject<Shapes.LiquidityProviderFeeShare>(
  'LiquidityProviderFeeShare',
  "A liquidity provider's share of the fees.",
  {
    ID: { party: 'The identifier of the party that provides liquidity.' },
    Decimal: {
      equityLikeShare: 'The share of the liquidity provider, from 0 to 1.',
      averageEntryValuation:
        "The average value of the market at the times of the party's commitments, in the asset's smallest unit.",
      averageScore: 'The average score of how close to the mid price the liquidity was.',
    },
    'Decimal | null': {
      virtualStake:
        "The stake that the share is computed from, which grows with the market, in the asset's smallest unit; null before release 0.72.",
    },
  },
);

export const LiquidityProviderSla = builder
  .objectRef<Shapes.LiquidityProviderSla>('LiquidityProviderSla')
  .implement({
    description: 'How well a liquidity provider keeps its agreement.',
    fields: (t) => ({
      ...exposeColumns(t, {
        ID: { party: 'The identifier of the party that provides liquidity.' },
        Decimal: {
          currentEpochFractionOfTimeOnBook:
            'The part of the current epoch in which the party provided what it had committed, from 0 to 1.',
          lastEpochFractionOfTimeOnBook: 'The same of the epoch before, from 0 to 1.',
          lastEpochFeePenalty: 'The part of its fees that the party lost for the epoch before, from 0 to 1.',
          lastEpochBondPenalty: 'The part of its bond that the party lost for the epoch before, from 0 to 1.',
          requiredLiquidity: "The liquidity that the party has to provide, in the asset's smallest unit.",
          notionalVolumeBuys: "The value of the party's buy orders that count, in the asset's smallest unit.",
          notionalVolumeSells:
            "The value of the party's sell orders that count, in the asset's smallest unit.",
        },
      }),
      hysteresisPeriodFeePenalties: t.expose('hysteresisPeriodFeePenalties', {
        type: ['Decimal'],
        description: 'A list of the fee penalties of the epochs that are weighed together, from 0 to 1 each.',
      }),
    }),
  });

export const AutomatedPurchase = defineObject<Shapes.AutomatedPurchase>(
  'AutomatedPurchase',
  'A purchase that the network makes in a spot market.',
  {
    ID: { id: 'The identifier of the purchase.' },
    'ID | null': { orderId: "The identifier of the network's order; null while it has none." },
  },
);
