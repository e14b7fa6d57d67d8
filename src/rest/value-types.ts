import { canonicalDecimal, DecimalError } from '../domain/decimals.ts';

/** What the text of a parameter may be, and the value that it becomes. */
export interface ValueType<Value> {
  /** What is accepted, as the end of the sentence "it takes …". */
  readonly accepts: string;
  /** The same for machines: a JSON schema, as OpenAPI has them. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Gives undefined for a text that is not accepted. Never throws. */
  readonly read: (text: string) => Value | undefined;
}

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

/** A whole number as a number; with a sign or without, leading zeros or not. */
export function int32(min = -(2 ** 31), max = 2 ** 31 - 1): ValueType<number> {
  const read = readWhole(/^[+-]?[0-9]+$/, BigInt(min), BigInt(max));
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
export const int64: ValueType<string> = wholeText(/^[+-]?[0-9]+$/, 'int64', -(2n ** 63n), 2n ** 63n - 1n);

/** A whole number of 64 bits without a sign, as canonical text. */
export const uint64: ValueType<string> = unsigned(0n, 2n ** 64n - 1n);

/** A whole number without a sign between two bounds, as canonical text. */
export function unsigned(min: bigint, max: bigint): ValueType<string> {
  return wholeText(/^[0-9]+$/, 'uint64', min, max);
}

/** A whole number of any sign between two bounds, as canonical text. */
export function integer(min: bigint, max: bigint): ValueType<string> {
  return wholeText(/^[+-]?[0-9]+$/, 'integer', min, max);
}

/** An exact decimal as canonical text: `1e2` reads as `100`. */
export const decimal: ValueType<string> = {
  accepts: 'a decimal number of at most 400 digits written out',
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

/** One of the network's names, or the number that it has on the wire. */
export function enumOf<const Name extends string>(values: Readonly<Record<Name, number>>): ValueType<Name> {
  const byNumber = new Map(
    Object.entries<number>(values).map(([name, number]) => [BigInt(number), name as Name]),
  );
  const names = Object.keys(values) as Name[];
  return {
    accepts: `one of ${names.join(', ')}, or the number of one`,
    schema: { type: 'string', enum: names },
    read(given) {
      if (Object.hasOwn(values, given)) return given as Name;
      return /^[+-]?[0-9]+$/.test(given) ? byNumber.get(wholeOf(given)) : undefined;
    },
  };
}

/** 64 hexadecimal digits in either case, which become lower case, or one of the ids that are names. */
export function id(...wellKnown: readonly string[]): ValueType<string> {
  const names = wellKnown.length === 0 ? '' : `, or ${wellKnown.join(', ')}`;
  return {
    accepts: `an id of 64 hexadecimal digits${names}`,
    schema: { type: 'string', pattern: `^(${['[0-9a-fA-F]{64}', ...wellKnown].join('|')})$` },
    read(given) {
      if (/^[0-9a-fA-F]{64}$/.test(given)) return given.toLowerCase();
      return wellKnown.includes(given) ? given : undefined;
    },
  };
}

/** The network's own account stands among the parties (and, in filters, the markets) under this name. */
export const partyId: ValueType<string> = id('network');
export const marketId: ValueType<string> = id('network');

/** The assets that test networks build in have names for ids. */
export const assetId: ValueType<string> = id(
  'VOTE',
  'XYZalpha',
  'XYZbeta',
  'XYZdelta',
  'XYZepsilon',
  'XYZgamma',
  'fBTC',
  'fDAI',
  'fEURO',
  'fUSDC',
);

function wholeText(syntax: RegExp, format: string, min: bigint, max: bigint): ValueType<string> {
  const read = readWhole(syntax, min, max);
  return {
    accepts: `a whole number from ${min} to ${max}`,
    schema: { type: 'string', format },
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
