import type { PriceMonitoringBounds as BoundsShape } from '../data/nouns/market-data.ts';
import { builder } from './builder.ts';

const PriceMonitoringTrigger = builder
  .objectRef<NonNullable<BoundsShape['trigger']>>('PriceMonitoringTrigger')
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

export const PriceMonitoringBounds = builder.objectRef<BoundsShape>('PriceMonitoringBounds').implement({
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
    active: t.expose('active', {
      type: 'Boolean',
      nullable: true,
      description:
        'Whether the bounds are in force. Null where the network did not say so: releases before 0.77 say nothing of any bounds, later ones nothing of those that are not in force.',
    }),
  }),
});
