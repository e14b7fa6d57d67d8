import { canonicalInteger, Decimal, DecimalError, roundToDouble } from './decimals.ts';
import { EstimateInputError } from './estimate-errors.ts';
import { shorten } from './text.ts';

/** The terms are rows of the database or whatever else has these fields; factors are decimal text. */
export interface FeeEstimateInput {
  readonly market: {
    readonly decimalPlaces: number;
    readonly positionDecimalPlaces: number;
    readonly makerFee: string;
    readonly infrastructureFee: string;
    readonly liquidityFee: string;
  };
  readonly asset: { readonly decimals: number };
  /** A whole number above zero and below 2^255, in market decimals. */
  readonly price: string;
  /** Above zero, in position decimals. */
  readonly size: bigint;
}

/** Canonical whole numbers, in asset decimals. */
export interface Fees {
  readonly makerFee: string;
  readonly infrastructureFee: string;
  readonly liquidityFee: string;
}

/**
 * What a trade of this size at this price would pay, each fee being
 *
 *     price * 10^(asset decimals - market decimals) * size / 10^(position decimals) * factor
 *
 * The trade's value is rounded to 16 places and each fee to a whole number, halves away from zero (the network itself
 * charges the next whole number up). The factors are taken as the doubles that the reference makes of them; values
 * are exact at any size, where the reference's wrap at 2^256. Throws an EstimateInputError naming price or size.
 * Source: reference data node 0.71.4, EstimateFee.
 */
export function estimateFee(input: FeeEstimateInput): Fees {
  const { market, asset } = input;
  const value = readPrice(input.price)
    .shift(asset.decimals - market.decimalPlaces)
    .multiply(readSize(input.size))
    .shift(-market.positionDecimalPlaces)
    .round(16);
  const fee = (factor: string) =>
    value
      .multiply(Decimal.parse(roundToDouble(factor)))
      .round(0)
      .toString();
  return {
    makerFee: fee(market.makerFee),
    infrastructureFee: fee(market.infrastructureFee),
    liquidityFee: fee(market.liquidityFee),
  };
}

/** The reference keeps prices as 256-bit numbers and takes those from here on as negative. */
const PRICE_LIMIT = 2n ** 255n;

function readPrice(text: string): Decimal {
  const price = BigInt(canonicalPrice(text));
  if (price <= 0n) throw new EstimateInputError('price', `${shorten(text)} is not above 0.`);
  if (price >= PRICE_LIMIT) throw new EstimateInputError('price', `${shorten(text)} is not below 2^255.`);
  return Decimal.ofScaled(price, 0);
}

function canonicalPrice(text: string): string {
  try {
    return canonicalInteger(text);
  } catch (error) {
    if (error instanceof DecimalError) throw new EstimateInputError('price', error.message);
    throw error;
  }
}

function readSize(size: bigint): Decimal {
  if (size <= 0n) throw new EstimateInputError('size', `${size} is not above 0.`);
  return Decimal.ofScaled(size, 0);
}
