import { Decimal } from '../decimals.ts';
import { UntoldFactorError } from './errors.ts';
import type { MarginedProduct, MarketPrices } from './market-terms.ts';

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
