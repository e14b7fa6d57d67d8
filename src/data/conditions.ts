import { raw, type Sql } from './sql.ts';

/**
 * What the rows of a list must fulfil, all of it: a field that has one of several values, a range of positions that
 * they lie in, or plain SQL on `t`.
 */
export type Condition = AnyOf | PositionRange | Sql;

export interface AnyOf {
  readonly field: string;
  /** The SQL type of the field's column, as in `text` or `integer`. */
  readonly type: string;
  readonly values: readonly string[];
}

/** Whether a condition asks for some values of a field. */
export function isAnyOf(condition: Condition): condition is AnyOf {
  return 'field' in condition;
}

/** The first and the last `created_position` that can pass; SQL that gives a bigint, never NULL. */
export interface PositionRange {
  readonly least?: Sql | undefined;
  readonly most?: Sql | undefined;
}

/** Bounds that no position passes. */
export const AFTER_ALL = raw('9007199254740993::bigint');
export const BEFORE_ALL = raw('-1::bigint');

/** A value or several; none, and an empty list of them, let everything through. */
export type FilterValues = FilterValue | readonly FilterValue[] | null | undefined;

/** A text, or the number of an enumeration. */
type FilterValue = string | number;

/** What a filter asks for; null where no value, or an empty list of them, lets everything through. An empty text is a value. */
export function givenValues(values: FilterValues): readonly string[] | null {
  if (values === null || values === undefined) return null;
  const given = Array.isArray(values) ? values : [values];
  return given.length === 0 ? null : given.map(String);
}

/** Whether a bound was given; 0 is one. */
export function isGiven(bound: bigint | null | undefined): bound is bigint {
  return bound !== null && bound !== undefined;
}
