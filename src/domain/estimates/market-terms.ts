import { Decimal } from '../decimals.ts';
import { marketTradingModes } from '../enumerations.ts';
import { UntoldFactorError } from './errors.ts';

/** What estimates in a market are made from: rows of the database or whatever else has these fields. Prices and factors are decimal text. */
export interface PositionTerms {
  readonly market: MarketTerms;
  readonly asset: { readonly decimals: number };
  readonly riskFactor: { readonly long: string; readonly short: string };
  readonly marketData: MarketPrices;
}

export interface MarketTerms {
  readonly product: MarginedProduct;
  readonly decimalPlaces: number;
  readonly positionDecimalPlaces: number;
  /** Null where the network never sent it. */
  readonly linearSlippageFactor: string | null;
  readonly quadraticSlippageFactor: string | null;
  readonly searchLevel: string;
  readonly initialMargin: string;
  readonly collateralRelease: string;
}

export type Product = MarginedProduct | { readonly kind: 'spot' };
/** What positions are taken in. */
export type MarginedProduct =
  | { readonly kind: 'future'; readonly cap: PriceCap | null }
  | { readonly kind: 'perpetual'; readonly marginFundingFactor: string | null };

/** No price of a capped future is above it. */
export interface PriceCap {
  /** In market decimals. */
  readonly maxPrice: string;
  /** Whether a position is margined with all that it can lose. */
  readonly fullyCollateralised: boolean;
}

/** Prices are in market decimals. */
export interface MarketPrices {
  readonly markPrice: string;
  readonly indicativePrice: string;
  /** Zero unless the market is in an auction that has an end. */
  readonly auctionEnd: bigint;
  readonly marketTradingMode: number;
  /** Of a perpetual, once it has both averages. */
  readonly funding: Funding | null;
}

export interface Funding {
  /** What a long position pays for each unit as things stand, in asset decimals; below zero where it is paid. Null where it was not told. */
  readonly payment: string | null;
  readonly rate: string | null;
}

type PriceTerms = Pick<PositionTerms, 'market' | 'asset'>;

/** By how many places prices of a market are shifted to be prices in asset decimals; below zero where the market has more decimals. */
export function priceShift({ market, asset }: PriceTerms): number {
  return asset.decimals - market.decimalPlaces;
}

/** A price in market decimals as one in asset decimals, exactly. */
export function inAssetDecimals(terms: PriceTerms, price: Decimal): Decimal {
  return price.shift(priceShift(terms));
}

export function isInAuction({ auctionEnd }: MarketPrices): boolean {
  return auctionEnd > 0n;
}

/** The price that positions are valued at, in asset decimals. An opening auction has no mark price yet, only the price at which it would uncross. */
export function valuationPrice(terms: PositionTerms): Decimal {
  const { marketData: data } = terms;
  const isOpening = isInAuction(data) && data.marketTradingMode === OPENING_AUCTION;
  return isOpening ? indicativePrice(terms) : inAssetDecimals(terms, Decimal.parse(data.markPrice));
}

/** The price at which an auction would uncross, in asset decimals. Zero outside of auctions, and while nothing would trade. */
export function indicativePrice(terms: PositionTerms): Decimal {
  return inAssetDecimals(terms, Decimal.parse(terms.marketData.indicativePrice));
}

const OPENING_AUCTION = marketTradingModes.numbers.TRADING_MODE_OPENING_AUCTION;

/**
 * What a long position of a perpetual is margined for the next funding payment, for each unit: the payment as it
 * stands, times the market's factor. It is zero for other products, and where factor, payment or rate is zero or there
 * is no payment yet. Payment and result are in asset decimals. Throws an UntoldFactorError.
 * Source: reference data node 0.79.0, EstimatePosition.
 */
export function fundingPerUnit(product: MarginedProduct, { funding }: MarketPrices): Decimal {
  if (product.kind !== 'perpetual') return Decimal.zero;
  const factor = read('marginFundingFactor', product.marginFundingFactor);
  if (factor.sign === 0 || funding === null) return Decimal.zero;
  const payment = read('funding payment', funding.payment);
  const rate = read('funding rate', funding.rate);
  return rate.sign === 0 ? Decimal.zero : factor.multiply(payment);
}

function read(name: string, text: string | null): Decimal {
  if (text === null) throw new UntoldFactorError(name, 'its part of the margin is not known');
  return Decimal.parse(text);
}
