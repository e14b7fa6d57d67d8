import { canonicalDecimal, canonicalInteger, DecimalError, MAX_DIGITS } from '../domain/decimals.ts';
import type { Enumeration } from '../domain/enumeration.ts';
import { type EnumerationName, enumerations } from '../domain/enumerations.ts';

/** What a scalar of ours is, in one place: for the schema, for what reads it, and for the page that specifies it. */
export interface ScalarForm<Value = unknown> {
  readonly description: string;
  /** What the gateway writes, whole. */
  readonly written: RegExp;
  /** What it takes, as the end of the sentence "it takes …". */
  readonly accepts: string;
  readonly read: (text: string) => Value | undefined;
  /** How a value is written, where not as `String` writes it. */
  readonly write?: (value: number) => string;
  readonly examples: readonly string[];
}

/**
 * The JavaScript side of each scalar: rows hold times as bigint, and within JSON as text; quantities as canonical text,
 * enumerations as numbers.
 */
export type ScalarTypes = {
  ID: { Input: string; Output: string };
  Timestamp: { Input: bigint; Output: bigint | string };
  Int64: { Input: bigint; Output: bigint };
  Uint64: { Input: bigint; Output: bigint | string };
  Integer: { Input: string; Output: string };
  Decimal: { Input: string; Output: string };
} & { [Name in EnumerationName]: { Input: number; Output: number } };

export type ScalarName = keyof typeof SCALAR_FORMS;

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;
const WRITTEN_INTEGER = /^(0|-?[1-9][0-9]*)$/;

export const SCALAR_FORMS = {
  Timestamp: {
    description:
      'A time as nanoseconds since the Unix epoch, written as a decimal string. `"0"` stands for no time. Those of the terms of a proposal can need more than 64 bits: whoever proposes names them.',
    written: WRITTEN_INTEGER,
    examples: ['1767225603038463894', '0'],
    ...integerWithin(MIN_INT64, MAX_INT64),
  },
  Int64: {
    description: 'An integer from -2^63 to 2^63 - 1, written as a decimal string.',
    written: WRITTEN_INTEGER,
    examples: ['-9223372036854775808', '42'],
    ...integerWithin(MIN_INT64, MAX_INT64),
  },
  Uint64: {
    description: 'An integer from 0 to 2^64 - 1, written as a decimal string.',
    written: /^(0|[1-9][0-9]*)$/,
    examples: ['0', '18446744073709551615'],
    ...integerWithin(0n, MAX_UINT64),
  },
  Integer: {
    description: `An integer of any sign and at most ${MAX_DIGITS} digits, written as a decimal string.`,
    written: WRITTEN_INTEGER,
    examples: ['20000000000000000000000000', '-1'],
    accepts: `an integer of at most ${MAX_DIGITS} digits as a string`,
    read: orUndefined(canonicalInteger),
  },
  Decimal: {
    description: `An exact decimal number of any sign, written as a decimal string. An argument can have an exponent, and at most ${MAX_DIGITS} digits when written out.`,
    written: /^(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]*[1-9])$/,
    examples: ['0.0002', '-12.5', '1000000'],
    accepts: `a decimal number of at most ${MAX_DIGITS} digits as a string`,
    read: orUndefined(canonicalDecimal),
  },
  ...enumerationForms(),
} as const satisfies Readonly<Record<string, ScalarForm>>;

/** The page that specifies them all, at every gateway. */
export const SCALARS_PAGE = '/docs/scalars';

/**
 * Where a scalar is specified. The schema is the same everywhere and hosts are not, so it is a reference (RFC 3986) to
 * be resolved against the address of the endpoint.
 */
export function scalarAddress(name: string): string {
  return `${SCALARS_PAGE}#${name}`;
}

function enumerationForms() {
  const forms = Object.entries(enumerations).map(([name, one]) => [name, enumerated(one)]);
  return Object.fromEntries(forms) as { readonly [Name in EnumerationName]: ScalarForm<number> };
}

/**
 * An enumeration of the network is a scalar, since an enum of GraphQL has no room for a number that a newer release of the
 * network brings. Literals are written as those of an enum, or as strings.
 */
function enumerated(enumeration: Enumeration): ScalarForm<number> {
  const { description, prefix, names, values } = enumeration;
  const listed = names.map((name) => `- \`${name}\`: ${values[name]?.[2]}`);
  const [example = ''] = names.slice(-1);
  return {
    description: `${description} One of the names below, or \`${prefix}\` and the number on the wire, such as \`${prefix}99\`, for a value of a newer release of the network that this version has no name for. More names can come with each version.\n\n${listed.join('\n')}`,
    written: new RegExp(`^${prefix}[A-Z0-9_]+$`),
    examples: [example, `${prefix}99`],
    accepts: `the name of a value, or \`${prefix}\` and its number`,
    read: (text) => enumeration.numberOf(text),
    write: (number) => enumeration.nameOf(number),
  };
}

function integerWithin(min: bigint, max: bigint): Pick<ScalarForm<bigint>, 'accepts' | 'read'> {
  return {
    accepts: `an integer from ${min} to ${max} as a string`,
    read(text) {
      if (!/^[+-]?\d{1,20}$/.test(text)) return undefined;
      const number = BigInt(text.replace('+', ''));
      return number >= min && number <= max ? number : undefined;
    },
  };
}

function orUndefined(read: (text: string) => string): (text: string) => string | undefined {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof DecimalError) return undefined;
      throw error;
    }
  };
}
