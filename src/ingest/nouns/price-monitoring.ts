import type { PriceMonitoringBounds, PriceMonitoringTrigger } from '../../data/nouns/market-data.ts';
import { boolean, object, optional, required } from '../json-objects.ts';
import { decimals, integers } from '../json-values.ts';
import type {
  PriceMonitoringBounds as BoundsMessage,
  PriceMonitoringTrigger as TriggerMessage,
} from '../protocol/generated/market-data_pb.ts';
import { decimal } from '../values.ts';

/** What lets the price cause an auction, which a market has and its data repeat with the bounds that follow. */
export const priceMonitoringTrigger = object({
  horizon: required(integers),
  probability: required(decimals),
  auctionExtension: required(integers),
});

export function fromTrigger(trigger: TriggerMessage): PriceMonitoringTrigger {
  return {
    horizon: String(trigger.horizon),
    probability: decimal('trigger.probability', trigger.probability),
    auctionExtension: String(trigger.auctionExtension),
  };
}

export const priceMonitoringBounds = object({
  minValidPrice: required(decimals),
  maxValidPrice: required(decimals),
  referencePrice: required(decimals),
  trigger: optional(priceMonitoringTrigger),
  active: optional(boolean),
});

export function fromBounds(bounds: BoundsMessage): PriceMonitoringBounds {
  const { trigger } = bounds;
  return {
    minValidPrice: decimal('minValidPrice', bounds.minValidPrice),
    maxValidPrice: decimal('maxValidPrice', bounds.maxValidPrice),
    referencePrice: decimal('referencePrice', bounds.referencePrice),
    trigger: trigger ? fromTrigger(trigger) : null,
    active: bounds.active ?? null,
  };
}
