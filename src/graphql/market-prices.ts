import type {
  PriceMonitoringBounds as BoundsShape,
  CompositePriceState as PriceStateShape,
  ProductData as ProductDataShape,
} from '../data/nouns/market-data.ts';
import { builder } from './builder.ts';
import { CompositePriceState } from './composite-prices.ts';
import { objectIn, objectsIn } from './links.ts';
import { PriceMonitoringBounds } from './price-monitoring.ts';
import { ProductData } from './product-data.ts';

type PriceField =
  | 'markPrice'
  | 'bestBidPrice'
  | 'bestOfferPrice'
  | 'bestStaticBidPrice'
  | 'bestStaticOfferPrice'
  | 'midPrice'
  | 'staticMidPrice'
  | 'indicativePrice'
  | 'lastTradedPrice';

type VolumeField =
  | 'bestBidVolume'
  | 'bestOfferVolume'
  | 'bestStaticBidVolume'
  | 'bestStaticOfferVolume'
  | 'openInterest'
  | 'indicativeVolume';

builder.prismaObjectFields('MarketData', (t) => {
  const price = (field: PriceField, description: string) =>
    t.expose(field, { type: 'Integer', description: `${description} In market decimals.` });
  const volume = (field: VolumeField, description: string) =>
    t.expose(field, { type: 'Uint64', description: `${description} In position decimals.` });
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
    staticMidPrice: price('staticMidPrice', 'The mean of the best static bid and best static offer prices.'),
    openInterest: volume('openInterest', 'The sum of all long positions.'),
    indicativePrice: price('indicativePrice', 'The price of the trades if the auction ended now.'),
    indicativeVolume: volume('indicativeVolume', 'The volume of the trades if the auction ended now.'),
    lastTradedPrice: price('lastTradedPrice', 'The price of the last trade.'),
  };
});

builder.prismaObjectFields('MarketData', (t) => ({
  priceMonitoringBounds: t.field({
    type: [PriceMonitoringBounds],
    description: 'A list of the price bounds in force, one for each trigger.',
    ...objectsIn<BoundsShape>()('priceMonitoringBounds'),
  }),
  markPriceType: t.expose('markPriceType', {
    type: 'CompositePriceType',
    nullable: true,
    description:
      'The way in which the mark price is made of its sources; null where the network says none, as for spot markets and before release 0.74.',
  }),
  markPriceState: t.field({
    type: CompositePriceState,
    nullable: true,
    description:
      'What the mark price is made of; null where the network does not say, as for spot markets and before release 0.74.',
    ...objectIn<PriceStateShape>()('markPriceState'),
  }),
  productData: t.field({
    type: ProductData,
    nullable: true,
    description:
      'What the product has besides prices; null unless it is a perpetual of which both averages have data.',
    ...objectIn<ProductDataShape>()('productData'),
  }),
}));
