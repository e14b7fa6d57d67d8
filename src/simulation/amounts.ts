import { Decimal } from '../domain/decimals.ts';

const SHARE_PLACES = 16;
const ONE = 10n ** BigInt(SHARE_PLACES);

/** A part of a whole as a fraction of one, to 16 decimals, cut off; zero of nothing. */
export function share(part: bigint, whole: bigint): string {
  return whole === 0n ? '0' : Decimal.ofScaled((part * ONE) / whole, SHARE_PLACES).toString();
}

/** A part of a whole in percent, to 16 decimals, cut off: `33.3333333333333333`, `0.00001`. */
export function percentage(part: bigint, whole: bigint): string {
  return whole === 0n ? '0' : Decimal.ofScaled((part * 100n * ONE) / whole, SHARE_PLACES).toString();
}

/** `value / 10^places` as text. */
export function scaled(value: number | bigint, places: number): string {
  return Decimal.ofScaled(BigInt(value), places).toString();
}

/** The quotient of two numbers that are not negative, rounded up. */
export function divideUp(numerator: bigint, divisor: bigint): bigint {
  return (numerator + divisor - 1n) / divisor;
}
