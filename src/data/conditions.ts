import { Prisma } from './generated/prisma/client.ts';
import type { AnyOf } from './scans.ts';

/** Bounds that no position passes. */
export const AFTER_ALL = Prisma.raw('9007199254740993::bigint');
export const BEFORE_ALL = Prisma.raw('-1::bigint');

type FilterValues = string | readonly string[] | null | undefined;

/** What a filter asks for; null where no value, or an empty list of them, lets everything through. An empty text is a value. */
export function givenValues(values: FilterValues): readonly string[] | null {
  const given = typeof values === 'string' ? [values] : (values ?? []);
  return given.length === 0 ? null : given;
}

/** The rows whose column has one of the values that a filter gives. */
export function isOneOf(column: string, values: FilterValues, type = 'text'): readonly AnyOf[] {
  const given = givenValues(values);
  return given === null ? [] : [{ column, type, values: given }];
}

/** Whether a bound was given; 0 is one. */
export function isGiven(bound: bigint | null | undefined): bound is bigint {
  return bound !== null && bound !== undefined;
}
