import { Prisma } from './generated/prisma/client.ts';
import type { AnyOf } from './scans.ts';

/** Bounds that no position passes. */
export const AFTER_ALL = Prisma.raw('9007199254740993::bigint');
export const BEFORE_ALL = Prisma.raw('-1::bigint');

/** A filter value that was not given, or an empty list of them, lets every row through. An empty text is a value. */
export function isOneOf(
  column: string,
  values: string | readonly string[] | null | undefined,
  type = 'text',
): readonly AnyOf[] {
  const given = typeof values === 'string' ? [values] : (values ?? []);
  return given.length === 0 ? [] : [{ column, type, values: given }];
}

/** Whether a bound was given; 0 is one. */
export function isGiven(bound: bigint | null | undefined): bound is bigint {
  return bound !== null && bound !== undefined;
}
