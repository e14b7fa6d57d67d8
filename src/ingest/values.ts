import {
  canonicalDecimal,
  canonicalInteger,
  DecimalError,
  formatPercentage,
  roundDecimal,
} from '../domain/decimals.ts';

/**
 * Single values on their way in, whatever the source: each function takes the field's name and its text and
 * gives the value in our terms, or throws a ValueError that names both.
 */

/** Ids are keys of indexes, which hold no longer ones, nor the character U+0000. */
const MAX_ID_LENGTH = 256;
/** Ten times what the network itself can hold; a bound on what one row can grow to. */
const MAX_INTEGER_DIGITS = 10_000;
/** The reference keeps risk factors to so many decimals. */
const RISK_FACTOR_PLACES = 16;
/** No token and no market has more decimals: a token contract counts them in one byte. */
const MAX_DECIMAL_PLACES = 255;

const HEX_ID = /^[0-9a-fA-F]{64}$/;

/** The id of a thing: hexadecimal ids in lower case, well-known ones as they are. Never empty. */
export function id(field: string, text: string): string {
  if (text === '') throw refusal(field, text, 'must not be empty');
  return optionalId(field, text);
}

/** The id of a thing that may be none: the empty text then. */
export function optionalId(field: string, text: string): string {
  exactText(field, text);
  return HEX_ID.test(text) ? text.toLowerCase() : text;
}

/** A text that is compared later, so that it must be kept as it is: the name of a chain, the hash of a block. */
export function exactText(field: string, text: string): string {
  if (text.length > MAX_ID_LENGTH) {
    throw refusal(field, text, `has more than ${MAX_ID_LENGTH} characters`);
  }
  if (text.includes('\0')) throw refusal(field, text, 'holds the character U+0000');
  return text;
}

/** The id of a party; the network itself, which its events call `*`, is the party `network`. */
export function partyId(field: string, text: string): string {
  return text === '*' ? 'network' : id(field, text);
}

/** The id of a market, or the empty text for none, which the network's events call `!`. */
export function optionalMarketId(field: string, text: string): string {
  return text === '!' ? '' : optionalId(field, text);
}

/** A whole number of any size up to 10,000 digits; none is 0. */
export function integer(field: string, text: string): string {
  const canonical = text === '' ? '0' : canonically(field, text, canonicalInteger);
  if (canonical.length > MAX_INTEGER_DIGITS) {
    throw refusal(field, text, `has more than ${MAX_INTEGER_DIGITS} digits`);
  }
  return canonical;
}

/** A decimal number; none is 0. */
export function decimal(field: string, text: string): string {
  return text === '' ? '0' : canonically(field, text, canonicalDecimal);
}

/** A decimal number to 16 decimals, halves away from zero; none is 0. */
export function riskFactor(field: string, text: string): string {
  const round = (factor: string) => roundDecimal(factor, RISK_FACTOR_PLACES);
  return text === '' ? '0' : canonically(field, text, round);
}

/** A percentage in the reference's form; none is 0. */
export function percentage(field: string, text: string): string {
  return text === '' ? '0' : canonically(field, text, formatPercentage);
}

/** A signed whole number that fits 64 bits: a time in nanoseconds, an epoch. */
export function int64(field: string, text: string): bigint {
  const value = BigInt(integer(field, text));
  if (BigInt.asIntN(64, value) !== value) throw refusal(field, text, 'does not fit 64 bits');
  return value;
}

/** An unsigned whole number that fits 63 bits, as PostgreSQL's bigint holds them: an epoch. */
export function uint63(field: string, text: string): bigint {
  const value = int64(field, text);
  if (value < 0n) throw refusal(field, text, 'must not be negative');
  return value;
}

/** How many decimals an amount or a price has. */
export function decimalPlaces(field: string, value: bigint, least: 0 | -255 = 0): number {
  if (value < least || value > MAX_DECIMAL_PLACES) {
    throw refusal(field, String(value), `is not within ${least}..${MAX_DECIMAL_PLACES}`);
  }
  return Number(value);
}

/** A value that cannot be taken. The message names the field and the value. */
export class ValueError extends Error {
  override name = 'ValueError';
}

/** The error of a value that cannot be taken. A long value is shown by its beginning. */
export function refusal(field: string, value: string, complaint: string): ValueError {
  return new ValueError(`${field} ${quote(value)} ${complaint}`);
}

/** A text as an error shows it: on one line, and a long one by its beginning. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function canonically(field: string, text: string, convert: (text: string) => string): string {
  try {
    return convert(text);
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw new ValueError(`${field} ${error.message.replace(/\.$/, '')}`);
  }
}
