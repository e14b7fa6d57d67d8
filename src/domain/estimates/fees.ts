import { canonicalInteger, Decimal, DecimalError, roundToDouble } from '../decimals.ts';
import { shorten } from '../text.ts';
import { EstimateInputError, UntoldFactorError } from './errors.ts';

/** The terms are rows of the database or whatever else has these fields; factors are decimal text. */
export interface FeeEstimateInput {
  readonly market: FeeTerms;
  readonly asset: { readonly decimals: number };
  /** A whole number above zero and below 2^255, in market decimals. */
  readonly price: string;
  /** Above zero, in position decimals. */
  readonly size: bigint;
  /** Of the party that trades; null where none is named. */
  readonly discounts: PartyDiscounts | null;
}

export interface FeeTerms {
  readonly decimalPlaces: number;
  readonly positionDecimalPlaces: number;
  readonly makerFee: string;
  readonly infrastructureFee: string;
  readonly liquidityFee: string;
  /** Null where the network never sent it: its release is older than 0.78. */
  readonly treasuryFee: string | null;
  readonly buyBackFee: string | null;
}

/** Which parts of its fees a party is let off; null is what it has none of. */
export interface PartyDiscounts {
  readonly referral: DiscountFactors | null;
  readonly volume: DiscountFactors | null;
}

/** Decimal text, 0 to 1. */
export interface DiscountFactors {
  readonly maker: string;
  readonly infrastructure: string;
  readonly liquidity: string;
}

/** Canonical whole numbers, in asset decimals. What there is none of is absent. */
export interface Fees {
  readonly makerFee: string;
  readonly infrastructureFee: string;
  readonly liquidityFee: string;
  /** Charged on top of the others by networks from release 0.78 on. */
  readonly treasuryFee?: string;
  readonly buyBackFee?: string;
  /** What a party was let off: the fees are less by it. */
  readonly discounts?: FeeDiscounts;
}

export interface FeeDiscounts {
  readonly makerFeeReferrerDiscount: string;
  readonly infrastructureFeeReferrerDiscount: string;
  readonly liquidityFeeReferrerDiscount: string;
  readonly makerFeeVolumeDiscount: string;
  readonly infrastructureFeeVolumeDiscount: string;
  readonly liquidityFeeVolumeDiscount: string;
}

/**
 * What a trade of this size at this price would pay, each fee being
 *
 *     price * 10^(asset decimals - market decimals) * size / 10^(position decimals) * factor
 *
 * The price in asset decimals is cut to a whole number first, as the reference does from 0.76.4 on (before, it had no fees
 * where a market has more decimals than its asset). The trade's value is rounded to 16 places, halves away from zero. The
 * factors are taken as the doubles that the reference makes of them; values are exact at any size, where the reference's
 * wrap at 2^256. Which release a market is of is known from its factors: without fees for treasury and buy-back it is older
 * than 0.78, and each fee is rounded to a whole number, halves away from zero (what that network itself charges is the next
 * whole number up). From 0.78 on each fee is the next whole number up.
 *
 * Throws an EstimateInputError naming price or size, and an UntoldFactorError where discounts are asked for, or one of
 * the newer factors is told, but not both are. Sources: reference data node 0.71.4 and 0.79.0, EstimateFee.
 */
export function estimateFee(input: FeeEstimateInput): Fees {
  const { market } = input;
  const price = readPrice(input.price).shift(input.asset.decimals - market.decimalPlaces);
  const size = readSize(input.size).shift(-market.positionDecimalPlaces);
  const value = price.truncate().multiply(size).round(16);
  const isOlder = market.treasuryFee === null && market.buyBackFee === null && input.discounts === null;
  if (isOlder) return feesOf071(market, value);
  return feesOf078(market, value, input.discounts);
}

function feesOf071(market: FeeTerms, value: Decimal): Fees {
  const fee = (factor: string) => value.multiply(asDouble(factor)).round(0).toString();
  return {
    makerFee: fee(market.makerFee),
    infrastructureFee: fee(market.infrastructureFee),
    liquidityFee: fee(market.liquidityFee),
  };
}

function feesOf078(market: FeeTerms, value: Decimal, discounts: PartyDiscounts | null): Fees {
  const fee = (factor: string) => value.multiply(asDouble(factor)).ceil();
  const of = (kind: keyof DiscountFactors, factor: string) => discount(fee(factor), discounts, kind);
  const maker = of('maker', market.makerFee);
  const infrastructure = of('infrastructure', market.infrastructureFee);
  const liquidity = of('liquidity', market.liquidityFee);
  return {
    makerFee: maker.left,
    infrastructureFee: infrastructure.left,
    liquidityFee: liquidity.left,
    treasuryFee: fee(told(market, 'treasuryFee')).toString(),
    buyBackFee: fee(told(market, 'buyBackFee')).toString(),
    ...(discounts && {
      discounts: {
        makerFeeReferrerDiscount: maker.referral,
        infrastructureFeeReferrerDiscount: infrastructure.referral,
        liquidityFeeReferrerDiscount: liquidity.referral,
        makerFeeVolumeDiscount: maker.volume,
        infrastructureFeeVolumeDiscount: infrastructure.volume,
        liquidityFeeVolumeDiscount: liquidity.volume,
      },
    }),
  };
}

interface DiscountedFee {
  readonly left: string;
  readonly referral: string;
  readonly volume: string;
}

/** The referral's discount is taken first, and the volume's from what is left; both are cut to whole numbers. */
function discount(
  fee: Decimal,
  discounts: PartyDiscounts | null,
  kind: keyof DiscountFactors,
): DiscountedFee {
  const part = (of: Decimal, factors: DiscountFactors | null | undefined) =>
    of.multiply(Decimal.parse(factors?.[kind] ?? '0')).truncate();
  const referral = part(fee, discounts?.referral);
  const volume = part(fee.subtract(referral), discounts?.volume);
  return {
    left: fee.subtract(referral).subtract(volume).toString(),
    referral: referral.toString(),
    volume: volume.toString(),
  };
}

function told(market: FeeTerms, factor: 'treasuryFee' | 'buyBackFee'): string {
  const text = market[factor];
  if (text === null) throw new UntoldFactorError(factor, 'not all that a trade pays is known');
  return text;
}

function asDouble(factor: string): Decimal {
  return Decimal.parse(roundToDouble(factor));
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
