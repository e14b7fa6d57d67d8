import type {
  PerpetualData as PerpetualShape,
  ProductData as ProductShape,
} from '../data/nouns/market-data.ts';
import { builder } from './builder.ts';
import { CompositePriceState } from './composite-prices.ts';

const PerpetualData = builder.objectRef<PerpetualShape>('PerpetualData').implement({
  description: 'The funding of a perpetual in its current funding period.',
  fields: (t) => ({
    fundingPayment: t.expose('fundingPayment', {
      type: 'Integer',
      nullable: true,
      description:
        "What a long position of one unit would pay if the period ended now, in the asset's smallest unit; negative where shorts pay. Null if the network told none.",
    }),
    fundingRate: t.expose('fundingRate', {
      type: 'Decimal',
      nullable: true,
      description:
        'The payment as a share of the external average, so 0.01 is one percent; it can be negative. Null if the network told none.',
    }),
    internalTwap: t.expose('internalTwap', {
      type: 'Integer',
      description:
        "The average of the market's own price over the period, weighted by time, in asset decimals.",
    }),
    externalTwap: t.expose('externalTwap', {
      type: 'Integer',
      description: 'The average of the price outside the network over the period, in asset decimals.',
    }),
    seqNum: t.expose('seqNum', {
      type: 'Uint64',
      nullable: true,
      description: 'The number of the period; null before release 0.74.',
    }),
    startTime: t.expose('startTime', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time at which the period began; null before release 0.74.',
    }),
    internalCompositePrice: t.expose('internalCompositePrice', {
      type: 'Integer',
      nullable: true,
      description:
        "The market's own price that goes into the average, in market decimals; null before release 0.74.",
    }),
    nextInternalCompositePriceCalc: t.expose('nextInternalCompositePriceCalc', {
      type: 'Timestamp',
      nullable: true,
      description:
        'The time at which that price is next computed; negative where none is set. Null before release 0.74.',
    }),
    internalCompositePriceType: t.expose('internalCompositePriceType', {
      type: 'CompositePriceType',
      nullable: true,
      description: 'The way in which that price is made of its sources; null before release 0.74.',
    }),
    underlyingIndexPrice: t.expose('underlyingIndexPrice', {
      type: 'Integer',
      nullable: true,
      description: 'The newest price outside the network, in asset decimals; null before release 0.74.',
    }),
    internalCompositePriceState: t.expose('internalCompositePriceState', {
      type: CompositePriceState,
      nullable: true,
      description: "What the market's own price is made of; null before release 0.74.",
    }),
  }),
});

export const ProductData = builder.objectRef<ProductShape>('ProductData').implement({
  description: 'What a product has besides prices, by its kind. Perpetuals alone have something.',
  fields: (t) => ({
    perpetualData: t.expose('perpetualData', {
      type: PerpetualData,
      nullable: true,
      description: 'The funding of a perpetual; null if the product is none.',
    }),
  }),
});
