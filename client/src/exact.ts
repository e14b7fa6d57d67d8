/*
 * Numbers and times as the gateway sends them are text of any size. Here they become big integers, and text again; no float touches one.
 */

const INTEGER = /^-?\d+$/;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** A whole number, an amount in the asset's smallest unit: `Integer`, `Uint64` and `Int64` of the schema. */
export function amount(text: string): bigint {
  if (!INTEGER.test(text)) throw new RangeError(`"${text}" is no whole number.`);
  return BigInt(text);
}

/** A `Decimal` of the schema as `unscaled / 10^scale`. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

export function decimal(text: string): Decimal {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`"${text}" is no decimal number.`);
  return { unscaled: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

/** Orders decimal numbers, for `sort`. */
export function compareDecimals(one: string, other: string): -1 | 0 | 1 {
  const [a, b] = [decimal(one), decimal(other)];
  const [left, right] = [a.unscaled * 10n ** BigInt(b.scale), b.unscaled * 10n ** BigInt(a.scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Writes a whole number with its point so many places from the right: `12345n` by 3 is `12.345`. All places are written. */
export function shift(unscaled: bigint, places: number): string {
  if (places < 0) return `${unscaled * 10n ** BigInt(-places)}`;
  const digits = `${unscaled < 0n ? -unscaled : unscaled}`.padStart(places + 1, '0');
  const point = digits.length - places;
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, point)}${places > 0 ? `.${digits.slice(point)}` : ''}`;
}

/** A time in nanoseconds since 1970: what `Temporal.Instant` has, and `Temporal.Instant.fromEpochNanoseconds` takes. */
export interface Time {
  readonly epochNanoseconds: bigint;
}

export function time(timestamp: string): Time {
  return { epochNanoseconds: amount(timestamp) };
}

const NS_PER_MS = 1_000_000n;

/** The time to the millisecond before it: a `Date` holds no more. */
export function toDateLosingNanoseconds({ epochNanoseconds }: Time): Date {
  const rest = ((epochNanoseconds % NS_PER_MS) + NS_PER_MS) % NS_PER_MS;
  return new Date(Number((epochNanoseconds - rest) / NS_PER_MS));
}

/** The time in UTC with all nine digits: `2026-11-25T08:45:04.123456789Z`. */
export function isoTime({ epochNanoseconds }: Time): string {
  const second = 1_000_000_000n;
  const nanoseconds = ((epochNanoseconds % second) + second) % second;
  const seconds = new Date(Number((epochNanoseconds - nanoseconds) / NS_PER_MS)).toISOString();
  return seconds.replace(/\d{3}Z$/, `${nanoseconds}`.padStart(9, '0').concat('Z'));
}
