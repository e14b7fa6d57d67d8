import { amount, decimal, shift } from './exact.ts';

/** What an amount is of: an asset as the gateway has it, or a price's market with `decimals: decimalPlaces`. */
export interface Unit {
  /** So many decimals has one unit: amounts are in the smallest of them. Negative for markets whose sizes are in thousands. */
  readonly decimals: string | number;
  readonly symbol?: string | null;
}

export interface FormatOptions {
  /** What stands between thousands; nothing if nothing is said. */
  readonly grouping?: string;
  /** Writes digits, point and grouping as people of a language do: `de-CH`. */
  readonly locale?: string;
  /** Whether the symbol stands behind the number, where there is one: true if nothing is said. */
  readonly symbol?: boolean;
}

/** An amount for people, exact to the last decimal: `1234500` of an asset with 5 decimals is `12.34500 USDT`. */
export function format(
  quantity: string | bigint,
  unit: Unit,
  { grouping = '', locale, symbol = true }: FormatOptions = {},
): string {
  const places = placesOf(unit);
  const text = shift(typeof quantity === 'string' ? amount(quantity) : quantity, places);
  const number = locale === undefined ? group(text, grouping) : localize(text, places, locale);
  return symbol && unit.symbol ? `${number} ${unit.symbol}` : number;
}

/** The amount that somebody wrote, in the smallest unit: `12.5` or `12.5 USDT`. Throws a `RangeError` for what is no amount of the asset. */
export function parse(text: string, unit: Unit): bigint {
  const { symbol } = unit;
  const trimmed = text.trim();
  const number = symbol && trimmed.endsWith(symbol) ? trimmed.slice(0, -symbol.length).trimEnd() : trimmed;
  const { unscaled, scale } = decimal(number);
  const places = placesOf(unit);
  if (scale > Math.max(0, places)) throw new RangeError(`"${text}" has more than ${places} decimals.`);
  if (places >= scale) return unscaled * 10n ** BigInt(places - scale);
  const step = 10n ** BigInt(-places);
  if (unscaled % step !== 0n) throw new RangeError(`"${text}" is no multiple of ${step}.`);
  return unscaled / step;
}

/** Assets have 18 decimals, or 30; a thousand would be a mistake. */
const MOST_PLACES = 1_000;

function placesOf({ decimals }: Unit): number {
  const places = Number(decimals);
  if (!/^-?\d+$/.test(`${decimals}`) || Math.abs(places) > MOST_PLACES)
    throw new RangeError(
      `decimals is "${decimals}"; it must be a whole number from -${MOST_PLACES} to ${MOST_PLACES}.`,
    );
  return places;
}

function group(text: string, grouping: string): string {
  const [whole = '', fraction] = text.split('.');
  const grouped = grouping === '' ? whole : whole.replace(/\B(?=(\d{3})+$)/g, grouping);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/**
 * Intl writes the whole part, and digit by digit what is behind the point: older engines make a float of a text. It has 20 decimals, in
 * newer ones 100, and throws for more.
 */
function localize(text: string, places: number, locale: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = Math.max(0, places);
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: digits });
  const digit = new Intl.NumberFormat(locale);
  const writeFraction = () => [...fraction].map((one) => digit.format(Number(one))).join('');
  // No bigint is a zero below zero.
  return number
    .formatToParts(whole === '-0' ? -0 : BigInt(whole))
    .map(({ type, value }) => (type === 'fraction' ? writeFraction() : value))
    .join('');
}
