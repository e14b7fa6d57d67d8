import { Bool, type DataType, Decimal, Field, Int32, Int64, Utf8 } from 'apache-arrow';
import {
  type ArrowColumn,
  BigintColumn,
  BooleanColumn,
  DecimalColumn,
  IntegerColumn,
  TextColumn,
  TIME,
  TimeColumn,
} from './arrow-columns.ts';
import { DECIMAL_PRECISION, type PartColumn } from './columns.ts';

/** A column of a file: a table's as it is, or in a type to compute with. */
export interface FileColumn {
  readonly field: Field;
  /** Whether the file says the least and the greatest of it. Of identifiers, and amounts as texts, they mean nothing. */
  readonly hasStatistics: boolean;
  /**
   * How its values are written: as what each is more than the one before, by a list of those that there are, or as they are. A list of values
   * of which most come once takes longer to make than all else, and more room.
   */
  readonly encoding: 'differences' | 'dictionary' | 'plain';
  readonly open: () => ArrowColumn;
}

/** What a file has of a column of a table: its exact values, and those beside them. */
export function fileColumnsOf(column: PartColumn): readonly FileColumn[] {
  const { name, form, isRequired, time, decimal } = column;
  const { type, open } = EXACT[form];
  const field = new Field(name, type, !isRequired);
  const exact = { field, hasStatistics: form !== 'text', encoding: encodingOf(column), open };
  if (time !== null) return [exact, { ...TIMES, field: new Field(time, TIME, true) }];
  return decimal === null ? [exact] : [exact, decimalColumn(decimal)];
}

/** Positions, heights and times grow; numbers and lists that are text, and rows as JSON, seldom come again. */
function encodingOf({ name, type, form, decimal }: PartColumn): FileColumn['encoding'] {
  if (form === 'bigint') return 'differences';
  const isRepeated = form !== 'text' || (type === 'text' && decimal === null && name !== 'balance');
  return isRepeated ? 'dictionary' : 'plain';
}

function decimalColumn(decimal: NonNullable<PartColumn['decimal']>): FileColumn {
  const decimalType = new Decimal(decimal.scale, DECIMAL_PRECISION, DECIMAL_BITS);
  const field = new Field(decimal.name, decimalType, true);
  // The library would hold all numbers of a file until its end, for the least and the greatest of each row group.
  return { field, hasStatistics: false, encoding: 'plain', open: () => new DecimalColumn(decimalType) };
}

const TIMES = { hasStatistics: true, encoding: 'differences', open: () => new TimeColumn() } as const;
const DECIMAL_BITS = 128;

const EXACT: Readonly<
  Record<PartColumn['form'], { readonly type: DataType; readonly open: () => ArrowColumn }>
> = {
  bigint: { type: new Int64(), open: () => new BigintColumn() },
  integer: { type: new Int32(), open: () => new IntegerColumn() },
  boolean: { type: new Bool(), open: () => new BooleanColumn() },
  text: { type: new Utf8(), open: () => new TextColumn() },
};
