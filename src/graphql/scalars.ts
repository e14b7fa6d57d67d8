import { Kind, TokenKind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { canonicalDecimal, canonicalInteger, DecimalError, MAX_DIGITS } from '../domain/decimals.ts';
import { shorten } from '../domain/text.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { builder } from './builder.ts';

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

builder.scalarType('Timestamp', {
  description:
    'A time as nanoseconds since the Unix epoch, written as a decimal string. `"0"` stands for no time.',
  ...textScalar('Timestamp', integerWithin(MIN_INT64, MAX_INT64)),
});

builder.scalarType('Int64', {
  description: 'An integer from -2^63 to 2^63 - 1, written as a decimal string.',
  ...textScalar('Int64', integerWithin(MIN_INT64, MAX_INT64)),
});

builder.scalarType('Uint64', {
  description: 'An integer from 0 to 2^64 - 1, written as a decimal string.',
  ...textScalar('Uint64', integerWithin(0n, MAX_UINT64)),
});

builder.scalarType('Integer', {
  description: `An integer of any sign and at most ${MAX_DIGITS} digits, written as a decimal string.`,
  ...textScalar('Integer', {
    accepts: `an integer of at most ${MAX_DIGITS} digits as a string`,
    read: orUndefined(canonicalInteger),
  }),
});

builder.scalarType('Decimal', {
  description: `An exact decimal number of any sign, written as a decimal string. An argument can have an exponent, and at most ${MAX_DIGITS} digits when written out.`,
  ...textScalar('Decimal', {
    accepts: `a decimal number of at most ${MAX_DIGITS} digits as a string`,
    read: orUndefined(canonicalDecimal),
  }),
});

interface TextForm<Value> {
  /** What is accepted, as the end of the sentence "it takes …". */
  readonly accepts: string;
  readonly read: (text: string) => Value | undefined;
}

/** A scalar that travels as text. It takes numbers too, as far as they are exact: literals are, whatever their size. */
function textScalar<Value>(type: string, { accepts, read }: TextForm<Value>) {
  const parse = (field: string, given: unknown): Value => {
    const text = typeof given === 'number' && Number.isSafeInteger(given) ? String(given) : given;
    const value = typeof text === 'string' ? read(text) : undefined;
    if (value !== undefined) return value;
    const shown = typeof given === 'string' ? quoted(given) : shorten(String(JSON.stringify(given)));
    throw invalidArgument(field, `${field} takes ${accepts}, not ${shown}.`);
  };
  return {
    serialize: String,
    parseValue: (given: unknown) => parse(type, given),
    parseLiteral: (node: ValueNode) => {
      const isNumber = node.kind === Kind.INT || node.kind === Kind.FLOAT;
      return parse(argumentOf(node) ?? type, isNumber ? node.value : valueFromASTUntyped(node));
    },
  };
}

function integerWithin(min: bigint, max: bigint): TextForm<bigint> {
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

/** The name of the argument that a literal is given to. GraphQL gives scalars only the value. */
function argumentOf({ loc }: ValueNode): string | undefined {
  const colon = loc?.startToken.prev;
  return colon?.kind === TokenKind.COLON ? colon.prev?.value : undefined;
}
