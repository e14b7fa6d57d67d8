import { Prisma } from './generated/prisma/client.ts';
import type { AnyOf } from './scans.ts';

/** Bounds that no position passes. */
export const AFTER_ALL = Prisma.raw('9007199254740993::bigint');
export const BEFORE_ALL = Prisma.raw('-1::bigint');

/** A filter value that was not given, or an empty list of them, lets every row through. */
export function isOneOf(
  column: string,
  values: string | readonly string[] | null | undefined,
  type = 'text',
): readonly AnyOf[] {
  if (values === undefined || values === null || values.length === 0) return [];
  return [{ column, type, values: typeof values === 'string' ? [values] : values }];
}

/** Whether a bound was given; 0 is one. */
export function isGiven(bound: bigint | null | undefined): bound is bigint {
  return bound !== null && bound !== undefined;
}
