import type { CompositePriceState, PerpetualData, ProductData } from '../../data/nouns/market-data.ts';
import { compositePriceTypes } from '../../domain/enumerations.ts';
import {
  enumerated,
  listOf,
  nullable,
  object,
  optional,
  otherwise,
  required,
  text,
  timeText,
} from '../json-objects.ts';
import { decimals, integers, optionalDecimals } from '../json-values.ts';
import type {
  PerpetualData as PerpetualMessage,
  ProductData as ProductMessage,
  CompositePriceState as StateMessage,
} from '../protocol/generated/market-data_pb.ts';
import { decimal, decimalIfSent, optionalDecimal } from '../values.ts';

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

export const productData = object({
  perpetualData: required(
    object({
      fundingPayment: required(nullable(optionalDecimals)),
      fundingRate: required(nullable(optionalDecimals)),
      internalTwap: required(decimals),
      externalTwap: required(decimals),
      seqNum: optional(integers),
      startTime: optional(timeText),
      internalCompositePrice: optional(decimals),
      nextInternalCompositePriceCalc: optional(timeText),
      internalCompositePriceType: optional(enumerated(compositePriceTypes)),
      underlyingIndexPrice: optional(decimals),
      internalCompositePriceState: optional(compositePriceState),
    }),
  ),
});

/** Of another kind of product than a perpetual there is nothing that could be kept. */
export function fromProductData(product: ProductMessage | undefined): ProductData | null {
  if (product?.data.case !== 'perpetualData') return null;
  return { perpetualData: fromPerpetualData(product.data.value) };
}

function fromPerpetualData(data: PerpetualMessage): PerpetualData {
  const state = data.internalCompositePriceState;
  // Numbers that are 0 are not sent. Releases that have them always send this price, too.
  const hasAll = data.internalCompositePrice !== undefined;
  const ifSent = (value: bigint | undefined) => (hasAll || value !== undefined ? String(value ?? 0n) : null);
  return {
    fundingPayment: optionalDecimal('fundingPayment', data.fundingPayment),
    fundingRate: optionalDecimal('fundingRate', data.fundingRate),
    internalTwap: decimal('internalTwap', data.internalTwap),
    externalTwap: decimal('externalTwap', data.externalTwap),
    seqNum: ifSent(data.seqNum),
    startTime: ifSent(data.startTime),
    internalCompositePrice: decimalIfSent('internalCompositePrice', data.internalCompositePrice),
    nextInternalCompositePriceCalc: ifSent(data.nextInternalCompositePriceCalc),
    internalCompositePriceType: data.internalCompositePriceType ?? null,
    underlyingIndexPrice: decimalIfSent('underlyingIndexPrice', data.underlyingIndexPrice),
    internalCompositePriceState: state ? fromPriceState(state) : null,
  };
}
