import type { CompositePriceState } from '../../data/nouns/market-data.ts';
import { listOf, object, otherwise, required, text, timeText } from '../json-objects.ts';
import { decimals } from '../json-values.ts';
import type { CompositePriceState as StateMessage } from '../protocol/generated/market-data_pb.ts';
import { decimal } from '../values.ts';

export const compositePriceState = object({
  priceSources: otherwise(
    [],
    listOf(
      object({
        priceSource: required(text),
        price: required(decimals),
        lastUpdated: otherwise('0', timeText),
      }),
    ),
  ),
});

export function fromPriceState({ priceSources }: StateMessage): CompositePriceState {
  return {
    priceSources: priceSources.map(({ priceSource, price, lastUpdated }) => ({
      priceSource,
      price: decimal('priceSources.price', price),
      lastUpdated: String(lastUpdated),
    })),
  };
}
