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
const NS_PER_SECOND = 1_000_000_000n;
/** The calendar begins again after so many seconds, which are 400 years. */
const CYCLE = 146_097n * 86_400n;

/** The time to the millisecond before it: a `Date` holds no more. It is an `Invalid Date` some 275,000 years away. */
export function toDateLosingNanoseconds({ epochNanoseconds }: Time): Date {
  return new Date(Number(divide(epochNanoseconds, NS_PER_MS).whole));
}

/**
 * The time in UTC with all nine digits: `2026-11-25T08:45:04.123456789Z`. A year below 0 or above 9999 has its sign, and six digits at
 * least. A `Date` does not come to every time that proposals can name, so it writes the year of the same form within 400.
 */
export function isoTime({ epochNanoseconds }: Time): string {
  const { whole: seconds, rest: nanoseconds } = divide(epochNanoseconds, NS_PER_SECOND);
  const { whole: cycles, rest } = divide(seconds, CYCLE);
  const alike = new Date(Number(rest) * 1_000).toISOString();
  const year = BigInt(alike.slice(0, 4)) + 400n * cycles;
  return `${yearText(year)}${alike.slice(4, 19)}.${`${nanoseconds}`.padStart(9, '0')}Z`;
}

function yearText(year: bigint): string {
  if (year >= 0n && year <= 9999n) return `${year}`.padStart(4, '0');
  return year < 0n ? `-${`${-year}`.padStart(6, '0')}` : `+${`${year}`.padStart(6, '0')}`;
}

/** With a rest that is never below zero. */
function divide(number: bigint, by: bigint): { readonly whole: bigint; readonly rest: bigint } {
  const rest = ((number % by) + by) % by;
  return { whole: (number - rest) / by, rest };
}
