import { invalidArgument } from '../errors.ts';
import { builder } from './builder.ts';

/** The JavaScript side of each scalar: rows hold times as bigint and quantities as canonical text. */
export type ScalarTypes = {
  ID: { Input: string; Output: string };
  Timestamp: { Input: bigint; Output: bigint };
  Uint64: { Input: bigint; Output: bigint | string };
  Integer: { Input: string; Output: string };
  Decimal: { Input: string; Output: string };
};

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

builder.scalarType('Timestamp', {
  description:
    'A time as nanoseconds since the Unix epoch, written as a decimal string. `"0"` stands for no time.',
  serialize: String,
  parseValue: (value) => readInteger('Timestamp', value, MIN_INT64, MAX_INT64),
});

builder.scalarType('Uint64', {
  description: 'An integer from 0 to 2^64 - 1, written as a decimal string.',
  serialize: String,
  parseValue: (value) => readInteger('Uint64', value, 0n, MAX_UINT64),
});

builder.scalarType('Integer', {
  description: 'An integer of any size and sign, written as a decimal string.',
  serialize: String,
});

builder.scalarType('Decimal', {
  description: 'An exact decimal number of any size and sign, written as a decimal string.',
  serialize: String,
});

/** Takes decimal strings, and numbers as far as they are exact. */
function readInteger(type: string, value: unknown, min: bigint, max: bigint): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === 'string' && /^[+-]?\d{1,20}$/.test(text)) {
    const number = BigInt(text.replace('+', ''));
    if (number >= min && number <= max) return number;
  }
  throw invalidArgument(
    type,
    `${type} takes an integer from ${min} to ${max} as a string, not ${JSON.stringify(value)?.slice(0, 80)}.`,
  );
}
