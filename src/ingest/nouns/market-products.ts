import type { FundingTerms, FutureCap, MarketObjects, Product } from '../../data/nouns/markets.ts';
import {
  boolean,
  nullable,
  object,
  oneOf,
  optional,
  otherwise,
  type Reader,
  required,
  text,
} from '../json-objects.ts';
import { decimals, ids, integers, optionalDecimals } from '../json-values.ts';
import type { FutureCap as CapMessage, Instrument, Perpetual } from '../protocol/generated/markets_pb.ts';
import { decimal, id, integer, optionalDecimal, ValueError } from '../values.ts';
import { compositePriceFromJson, fromCompositePrice } from './market-parts.ts';

/** What a market trades, and in which assets. What a product has none of is null. */
interface Traded extends Pick<MarketObjects, 'cap' | 'funding' | 'internalCompositePrice'> {
  readonly product: Product | null;
  readonly settlementAssetId: string | null;
  readonly baseAssetId: string | null;
  readonly quoteAssetId: string | null;
  readonly quoteName: string | null;
}

/** Of a product that is not known: a newer release's, whose markets are kept for all else that they have. */
const UNKNOWN: Traded = {
  product: null,
  settlementAssetId: null,
  baseAssetId: null,
  quoteAssetId: null,
  quoteName: null,
  cap: null,
  funding: null,
  internalCompositePrice: null,
};

export function fromProduct({ product }: Instrument): Traded {
  switch (product.case) {
    case 'future': {
      const { settlementAsset, quoteName, cap } = product.value;
      return {
        ...UNKNOWN,
        product: 'FUTURE',
        settlementAssetId: id('future.settlementAsset', settlementAsset),
        quoteName: quoteName || null,
        cap: cap === undefined ? null : fromCap(cap),
      };
    }
    case 'perpetual': {
      const { settlementAsset, quoteName, internalCompositePriceConfiguration: price } = product.value;
      return {
        ...UNKNOWN,
        product: 'PERPETUAL',
        settlementAssetId: id('perpetual.settlementAsset', settlementAsset),
        quoteName: quoteName || null,
        funding: fromPerpetual(product.value),
        internalCompositePrice: fromCompositePrice('internalCompositePrice', price),
      };
    }
    case 'spot':
      return {
        ...UNKNOWN,
        product: 'SPOT',
        baseAssetId: id('spot.baseAsset', product.value.baseAsset),
        quoteAssetId: id('spot.quoteAsset', product.value.quoteAsset),
      };
    default:
      return UNKNOWN;
  }
}

function fromCap({ maxPrice, binarySettlement, fullyCollateralised }: CapMessage): FutureCap {
  return {
    maxPrice: integer('cap.maxPrice', maxPrice),
    binarySettlement: binarySettlement ?? false,
    fullyCollateralised: fullyCollateralised ?? false,
  };
}

function fromPerpetual(perpetual: Perpetual): FundingTerms {
  const known = (field: 'interestRate' | 'clampLowerBound' | 'clampUpperBound') =>
    decimal(`perpetual.${field}`, perpetual[field]);
  const given = (field: Extract<keyof FundingTerms, `fundingRate${string}`>) =>
    optionalDecimal(`perpetual.${field}`, perpetual[field] ?? '');
  return {
    marginFundingFactor: optionalDecimal('perpetual.marginFundingFactor', perpetual.marginFundingFactor),
    interestRate: known('interestRate'),
    clampLowerBound: known('clampLowerBound'),
    clampUpperBound: known('clampUpperBound'),
    fundingRateScalingFactor: given('fundingRateScalingFactor'),
    fundingRateLowerBound: given('fundingRateLowerBound'),
    fundingRateUpperBound: given('fundingRateUpperBound'),
  };
}

/** The same fields of a line of JSON. */
export const productRules = {
  product: otherwise<Product | null>('FUTURE', nullable(oneOf(['FUTURE', 'PERPETUAL', 'SPOT']))),
  settlementAssetId: optional(ids),
  baseAssetId: optional(ids),
  quoteAssetId: optional(ids),
  quoteName: optional(text),
  cap: optional(
    object({
      maxPrice: required(integers),
      binarySettlement: otherwise(false, boolean),
      fullyCollateralised: otherwise(false, boolean),
    }),
  ),
  funding: optional(
    object({
      marginFundingFactor: required(nullable(optionalDecimals)),
      interestRate: otherwise('0', decimals),
      clampLowerBound: otherwise('0', decimals),
      clampUpperBound: otherwise('0', decimals),
      fundingRateScalingFactor: optional(optionalDecimals),
      fundingRateLowerBound: optional(optionalDecimals),
      fundingRateUpperBound: optional(optionalDecimals),
    }),
  ),
  internalCompositePrice: optional(compositePriceFromJson),
};

/** Has a line's market name what its product needs, and nothing that only another product has. */
export function ofItsProduct<Row extends Traded>(read: Reader<Row>): Reader<Row> {
  return (path, value, context) => {
    const row = read(path, value, context);
    if (row.product === null) return row;
    const { needs, mayHave } = FIELDS_OF[row.product];
    for (const field of OF_PRODUCTS) {
      if (row[field] === null && needs.includes(field)) throw new ValueError(`${path}.${field} is missing`);
      if (row[field] !== null && !needs.includes(field) && !mayHave.includes(field))
        throw new ValueError(`${path}.${field} is nothing that a market has whose product is ${row.product}`);
    }
    return row;
  };
}

type FieldOfProduct = Exclude<keyof Traded, 'product'>;

const OF_PRODUCTS = Object.keys(UNKNOWN).filter((field) => field !== 'product') as FieldOfProduct[];

const FIELDS_OF: Readonly<
  Record<Product, { readonly needs: readonly FieldOfProduct[]; readonly mayHave: readonly FieldOfProduct[] }>
> = {
  FUTURE: { needs: ['settlementAssetId'], mayHave: ['quoteName', 'cap'] },
  PERPETUAL: {
    needs: ['settlementAssetId', 'funding'],
    mayHave: ['quoteName', 'internalCompositePrice'],
  },
  SPOT: { needs: ['baseAssetId', 'quoteAssetId'], mayHave: [] },
};
