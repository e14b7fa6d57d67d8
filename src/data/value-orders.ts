export type ValueOrderName = 'AMOUNT' | 'BALANCE';

/**
 * An order of a list by a value, and of rows that have the same by their positions. A walk along an index that ends with these reads
 * the rows that it gives; where no index has what is asked for, the rows are sorted, as far as they are few.
 */
export interface ValueOrder<Field extends string = string> {
  /** The field of the value: a whole number as text. */
  readonly value: Field;
  /** The field of which one value is chosen: values of others are never compared with these. */
  readonly within: Field;
  readonly ranks?: Ranks<Field>;
}

/** Rows as an index has them in the order of a value. */
export interface Ranks<Field extends string = string> {
  /** The table that has the index, and the expressions in it. */
  readonly table: string;
  readonly value: string;
  readonly position: string;
  /** The fields that the indexes begin with. */
  readonly indexes: readonly (readonly Field[])[];
  /** Up to which position the table says what rows are, as SQL; null where it is the noun's own. */
  readonly upTo: string | null;
}

/** The order by a value that is asked for; undefined for any other. */
export function valueOrderOf(
  { valued }: { readonly valued: Readonly<Partial<Record<ValueOrderName, ValueOrder>>> },
  { order }: { readonly order?: 'UPDATED' | ValueOrderName | null },
): ValueOrder | undefined {
  return order && order !== 'UPDATED' ? valued[order] : undefined;
}
