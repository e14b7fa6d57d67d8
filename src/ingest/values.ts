import {
  canonicalInteger,
  cutDecimal,
  DecimalError,
  decimalOfDouble,
  formatPercentage,
  roundDecimal,
} from '../domain/decimals.ts';
import { canonicalId, complaintAboutId } from '../domain/ids.ts';
import { quoted } from '../errors.ts';

/**
 * Single values on their way in, whatever the source: each function takes the field's name and its text and
 * gives the value in our terms, or throws a ValueError that names both.
 */

/** The reference keeps risk factors to so many decimals. */
const RISK_FACTOR_PLACES = 16;
/** No token and no market has more decimals: a token contract counts them in one byte. */
const MAX_DECIMAL_PLACES = 255;

/** The id of a thing: hexadecimal ids in lower case, well-known ones as they are. Never empty. */
export function id(field: string, text: string): string {
  if (text === '') throw refusal(field, text, 'must not be empty');
  return optionalId(field, text);
}

/** The id of a thing that may be none: the empty text then. */
export function optionalId(field: string, text: string): string {
  return canonicalId(exactText(field, text));
}

/** A text that is compared later, so that it must be kept as it is: the name of a chain, the hash of a block. */
export function exactText(field: string, text: string): string {
  const complaint = complaintAboutId(text);
  if (complaint !== null) throw refusal(field, text, complaint);
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

/** A whole number; none is 0. */
export function integer(field: string, text: string): string {
  return text === '' ? '0' : canonically(field, text, canonicalInteger);
}

/** A whole number, where none is not the same as 0: null then. */
export function optionalInteger(field: string, text: string): string | null {
  return text === '' ? null : integer(field, text);
}

/** A decimal number, whose digits the network does not count; none is 0. */
export function decimal(field: string, text: string): string {
  return text === '' ? '0' : canonically(field, text, cutDecimal);
}

/** A decimal number, where none is not the same as 0: null then. */
export function optionalDecimal(field: string, text: string): string | null {
  return text === '' ? null : decimal(field, text);
}

/** A decimal number, where one that was not sent is none. */
export function decimalIfSent(field: string, text: string | undefined): string | null {
  return text === undefined ? null : decimal(field, text);
}

/** A number that the network sends as a double. */
export function decimalFromDouble(field: string, value: number): string {
  return canonically(field, String(value), () => decimalOfDouble(value));
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

/** An unsigned whole number of 64 bits, as text: a size. */
export function uint64(field: string, text: string): string {
  const value = integer(field, text);
  if (`${BigInt.asUintN(64, BigInt(value))}` !== value)
    throw refusal(field, text, 'does not fit 64 bits without a sign');
  return value;
}

/** How many decimals an amount or a price has. */
export function decimalPlaces(field: string, value: bigint, least: 0 | -255 = 0): number {
  if (value < least || value > MAX_DECIMAL_PLACES) {
    throw refusal(field, String(value), `is not within ${least}..${MAX_DECIMAL_PLACES}`);
  }
  return Number(value);
}

/** What cannot be taken of an event. */
export class FieldError extends Error {
  /** The field, as in `Account.type`, and the value or number in it, where it is one field that cannot be. */
  readonly field: string | null;
  readonly value: string | null;

  constructor(message: string, field: string | null = null, value: string | null = null) {
    super(message);
    this.field = field;
    this.value = value;
  }
}

/** A value that cannot be taken. The message names the field and the value. */
export class ValueError extends FieldError {
  override name = 'ValueError';
}

/** The error of a value that cannot be taken. A long value is shown by its beginning. */
export function refusal(field: string, value: string, complaint: string): ValueError {
  return new ValueError(`${field} ${quoted(value)} ${complaint}`, field, value);
}

function canonically(field: string, text: string, convert: (text: string) => string): string {
  try {
    return convert(text);
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw new ValueError(`${field} ${error.message.replace(/\.$/, '')}`, field, text);
  }
}
