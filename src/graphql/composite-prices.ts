import type { CompositePriceState as StateShape } from '../data/nouns/market-data.ts';
import { builder } from './builder.ts';

const CompositePriceSource = builder
  .objectRef<StateShape['priceSources'][number]>('CompositePriceSource')
  .implement({
    description: 'A price that others are made of.',
    fields: (t) => ({
      priceSource: t.exposeString('priceSource', { description: 'The name of the source.' }),
      price: t.expose('price', {
        type: 'Integer',
        description: 'The price that the source gave last, in asset decimals.',
      }),
      lastUpdated: t.expose('lastUpdated', {
        type: 'Timestamp',
        description: 'The time at which the source gave it.',
      }),
    }),
  });

export const CompositePriceState = builder.objectRef<StateShape>('CompositePriceState').implement({
  description: 'What a price is made of.',
  fields: (t) => ({
    priceSources: t.expose('priceSources', {
      type: [CompositePriceSource],
      description: 'A list of the sources that have given a price.',
    }),
  }),
});
