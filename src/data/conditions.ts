import { raw, type Sql } from './sql.ts';

/**
 * What a filter asks of a row: a field that has one of several values, or none of them, or one that lies within bounds. Both
 * readers are given it: SQL is written of it (`queries/scans.ts`), and what Prisma takes (`models/pages.ts`).
 */
export type Condition = AnyOf | NoneOf | Bounds;

export interface AnyOf extends Field {
  readonly values: readonly string[];
}

export interface Field {
  readonly field: string;
  /** The SQL type of the field's column, as in `text` or `integer`. */
  readonly type: string;
  /** Where it stands for several, any of which may have the value: those. */
  readonly either?: readonly string[];
}

/** Asks for all values of a field but these; no index leads to them. */
export interface NoneOf {
  readonly field: string;
  readonly type: string;
  readonly except: readonly string[];
}

/** A number that is at least one value, at most another, or both. */
export interface Bounds {
  readonly field: string;
  readonly least?: bigint;
  readonly most?: bigint;
  /** Whether the column is text, of whole numbers of any size. */
  readonly isText?: true;
  /** Whether there is an index on the field, which no list is in the order of. */
  readonly isIndexed?: true;
}

/**
 * What is true of every row that the conditions let through, said so that SQL which walks an index ends sooner: a range
 * of positions that they lie in, or plain SQL on `t`. It changes no answer.
 */
export type Hint = PositionRange | Sql;

/** What SQL is told of the rows that it looks for. */
export type Check = Condition | Hint;

/** Whether a check asks for some values of a field. */
export function isAnyOf(check: Check): check is AnyOf {
  return 'field' in check && 'values' in check;
}

/** Whether a check asks for a field within bounds. */
export function isBounds(check: Check): check is Bounds {
  return 'field' in check && !('values' in check) && !('except' in check);
}

/** Whether a check asks for all values of a field but some. */
export function isNoneOf(check: Check): check is NoneOf {
  return 'field' in check && 'except' in check;
}

/** The first and the last `created_position` that can pass; SQL that gives a bigint, never NULL. */
export interface PositionRange {
  readonly least?: Sql | undefined;
  readonly most?: Sql | undefined;
  /** The range is another for each class of rows; the bounds name the class of a row as `each_<class>.key`. */
  readonly each?: RowClasses;
  /** Of such a range: what holds for all classes, for an index without them. */
  readonly ofAll?: PositionRange;
}

/** What rows are divided by that an index has as a column: an expression on `t`, its SQL type, and all values that it has. */
export interface RowClasses {
  readonly field: string;
  readonly expression: Sql;
  readonly type: string;
  readonly values: readonly string[];
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

/** Asks for a field within the bounds that are given. They may lie beyond all that 64 bits hold. */
export function isWithin(
  field: string,
  { least, most, ...others }: { readonly least?: Bound; readonly most?: Bound; readonly isIndexed?: true },
): readonly Bounds[] {
  if ((least ?? MIN) > MAX || (most ?? MAX) < MIN) return [{ field, least: 1n, most: 0n }];
  return boundsOf({
    field,
    ...(isGiven(least) && least > MIN && { least }),
    ...(isGiven(most) && most < MAX && { most }),
    ...others,
  });
}

/** Of a list in the order of amounts: the least and the largest amount wanted, whole numbers of any size. */
export interface AmountRange {
  readonly amountFrom?: string | null | undefined;
  readonly amountTo?: string | null | undefined;
}

/** Asks for amounts of a range in a field that has whole numbers of any size as text. */
export function isAmountWithin(
  field: string,
  least: string | null | undefined,
  most: string | null | undefined,
): readonly Bounds[] {
  return boundsOf({
    field,
    ...(isGiven(least) && { least: BigInt(least) }),
    ...(isGiven(most) && { most: BigInt(most) }),
    isText: true,
  });
}

/** Bounds that are none ask for nothing. */
function boundsOf(bounds: Bounds): readonly Bounds[] {
  return 'least' in bounds || 'most' in bounds ? [bounds] : [];
}

type Bound = bigint | null | undefined;

/** Whether a bound or an argument was given; 0 is one. */
export function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
}

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
