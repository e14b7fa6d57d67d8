import type { PriceMonitoringBounds } from '../../data/nouns/market-data.ts';
import { boolean, object, optional, required } from '../json-objects.ts';
import { decimals, integers } from '../json-values.ts';
import type { PriceMonitoringBounds as BoundsMessage } from '../protocol/generated/market-data_pb.ts';
import { decimal } from '../values.ts';

export const priceMonitoringBounds = object({
  minValidPrice: required(decimals),
  maxValidPrice: required(decimals),
  referencePrice: required(decimals),
  trigger: optional(
    object({
      horizon: required(integers),
      probability: required(decimals),
      auctionExtension: required(integers),
    }),
  ),
  active: optional(boolean),
});

export function fromBounds(bounds: BoundsMessage): PriceMonitoringBounds {
  const { trigger } = bounds;
  return {
    minValidPrice: decimal('minValidPrice', bounds.minValidPrice),
    maxValidPrice: decimal('maxValidPrice', bounds.maxValidPrice),
    referencePrice: decimal('referencePrice', bounds.referencePrice),
    trigger: trigger
      ? {
          horizon: String(trigger.horizon),
          probability: decimal('trigger.probability', trigger.probability),
          auctionExtension: String(trigger.auctionExtension),
        }
      : null,
    active: bounds.active ?? null,
  };
}
