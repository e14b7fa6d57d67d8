import { canonicalDecimal, DecimalError, MAX_DIGITS } from '../domain/decimals.ts';
import type { Enumeration } from '../domain/enumeration.ts';
import { canonicalId, complaintAboutId, MAX_ID_LENGTH } from '../domain/ids.ts';
import { describeMistakenTime } from '../domain/time.ts';
import type { JsonSchema } from './json-schema.ts';

/** What the text of a parameter may be, and the value that it becomes. */
export interface ValueType<Value> {
  /** What is accepted, as the end of the sentence "it takes …". */
  readonly accepts: string;
  /** Says to programs what is accepted, of the canonical form: what `read` takes besides is left to `accepts`. */
  readonly schema: JsonSchema;
  /** Gives undefined for a text that is not accepted. Never throws. */
  readonly read: (text: string) => Value | undefined;
  /** What a text that is not accepted was probably meant to be, as the rest of a sentence after "it". */
  readonly hint?: (text: string) => string | null;
}

const SIGNED = /^[+-]?[0-9]+$/;
const UNSIGNED = /^[0-9]+$/;

/** Any text; what it may be is decided further in. */
export const text: ValueType<string> = {
  accepts: 'any text without a NUL character',
  schema: { type: 'string' },
  read: (given) => (given.includes('\0') ? undefined : given),
};

/** The spellings that the reference reads, and no other. */
export const bool: ValueType<boolean> = {
  accepts: 'true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0)',
  schema: { type: 'boolean' },
  read(given) {
    if (['true', 't', 'T', 'True', 'TRUE', '1'].includes(given)) return true;
    if (['false', 'f', 'F', 'False', 'FALSE', '0'].includes(given)) return false;
    return undefined;
  },
};

/** Of a parameter that newer releases of the network have, and that nothing can be said about here. */
export function notTaken(reason: string): ValueType<never> {
  return { accepts: `no value: ${reason}`, schema: { type: 'string', maxLength: 0 }, read: () => undefined };
}

/** Of a switch that newer releases of the network have: here it can only be off. */
export function onlyFalse(reason: string): ValueType<false> {
  return {
    accepts: `false alone: ${reason}`,
    schema: { type: 'boolean', const: false },
    read: (given) => (bool.read(given) === false ? false : undefined),
  };
}

/** A whole number as a number; with a sign or without, leading zeros or not. */
export function int32(min = -(2 ** 31), max = 2 ** 31 - 1): ValueType<number> {
  const read = readWhole(SIGNED, BigInt(min), BigInt(max));
  return {
    accepts: `a whole number from ${min} to ${max}`,
    schema: { type: 'integer', format: 'int32', minimum: min, maximum: max },
    read(given) {
      const value = read(given);
      return value === undefined ? undefined : Number(value);
    },
  };
}

/** A whole number of 64 bits as canonical text: `+05` reads as `5`. */
export const int64: ValueType<string> = wholeText(SIGNED, -(2n ** 63n), 2n ** 63n - 1n, 'int64');

/**
 * A time. Every whole number of 64 bits is read, as the reference does it; the operation refuses one that looks like
 * seconds. The error for what cannot be read says what it looks like.
 */
export const timestamp: ValueType<string> = {
  ...int64,
  accepts: `nanoseconds since 1970, ${int64.accepts}`,
  hint: describeMistakenTime,
};

/** A whole number of 64 bits without a sign, as canonical text. */
export const uint64: ValueType<string> = wholeText(UNSIGNED, 0n, 2n ** 64n - 1n, 'uint64');

/** A whole number without a sign between two bounds, as canonical text. */
export function unsigned(min: bigint, max: bigint): ValueType<string> {
  return wholeText(UNSIGNED, min, max);
}

/** A whole number of any sign between two bounds, as canonical text. */
export function integer(min: bigint, max: bigint): ValueType<string> {
  return wholeText(SIGNED, min, max);
}

/** An exact decimal as canonical text: `1e2` reads as `100`. */
export const decimal: ValueType<string> = {
  accepts: `a decimal number of at most ${MAX_DIGITS} digits written out`,
  schema: { type: 'string', format: 'decimal' },
  read(given) {
    try {
      return canonicalDecimal(given);
    } catch (error) {
      if (error instanceof DecimalError) return undefined;
      throw error;
    }
  },
};

/** A value of an enumeration: its name, its number where that has a name, or the prefix and its number. Gives the name. */
export function enumOf(enumeration: Enumeration): ValueType<string> {
  const { names, prefix } = enumeration;
  return {
    accepts: `one of ${names.join(', ')}, or the number of one, or ${prefix} and a number`,
    // Each has its type: of one without, generators of clients make anything.
    schema: {
      anyOf: [
        { type: 'string', enum: names },
        { type: 'string', pattern: `^${prefix}[0-9]+$` },
      ],
    },
    read(given) {
      const number = SIGNED.test(given)
        ? knownNumber(enumeration, wholeOf(given))
        : enumeration.numberOf(given);
      return number === undefined ? undefined : enumeration.nameOf(number);
    },
  };
}

/** A bare number is one that has a name: the reference refuses all others, as it does for a mistyped one. */
function knownNumber(enumeration: Enumeration, given: bigint): number | undefined {
  const number = Number(given);
  return enumeration.isKnown(number) ? number : undefined;
}

/** A known name whose values no query can say: it is refused by its name, wherever it is given with anything. */
export function takenElsewhere(where: string): ValueType<never> {
  return {
    accepts: `no value here: ask over ${where} for it`,
    schema: { type: 'string', maxLength: 0 },
    read: () => undefined,
  };
}

/** Any id that anything can have, in the form that it is kept in. */
export const id: ValueType<string> = {
  accepts: `an id, which is text of at most ${MAX_ID_LENGTH} characters without a NUL`,
  schema: { type: 'string', minLength: 1, maxLength: MAX_ID_LENGTH },
  read: (given) => (given === '' || complaintAboutId(given) !== null ? undefined : canonicalId(given)),
};

function wholeText(syntax: RegExp, min: bigint, max: bigint, format?: string): ValueType<string> {
  const read = readWhole(syntax, min, max);
  return {
    accepts: `a whole number from ${min} to ${max}`,
    schema: { type: 'string', ...(format === undefined ? {} : { format }), pattern: syntax.source },
    read: (given) => read(given)?.toString(),
  };
}

function readWhole(syntax: RegExp, min: bigint, max: bigint) {
  return (given: string): bigint | undefined => {
    if (!syntax.test(given)) return undefined;
    const value = wholeOf(given);
    return value >= min && value <= max ? value : undefined;
  };
}

/** BigInt itself takes no sign before zeros such as `+05`, and much else besides digits. */
function wholeOf(given: string): bigint {
  const magnitude = BigInt(given.replace(/^[+-]/, ''));
  return given.startsWith('-') ? -magnitude : magnitude;
}
