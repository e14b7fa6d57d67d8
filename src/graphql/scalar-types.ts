import type { EnumerationName } from '../domain/enumerations.ts';

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
