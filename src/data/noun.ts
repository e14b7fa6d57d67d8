import type { Enumeration } from '../domain/enumeration.ts';
import { columnOf } from './columns.ts';
import {
  type Check,
  type Condition,
  type Field,
  type FilterValues,
  givenValues,
  type Hint,
  type PositionRange,
} from './conditions.ts';
// The fields alone: whoever only writes need not load the client.
import { Prisma } from './generated/prisma/browser.ts';
import type { Prisma as Client } from './generated/prisma/client.ts';
import { join, raw, type Sql } from './sql.ts';
import type { ValueOrder, ValueOrderName } from './value-orders.ts';

/**
 * One kind of thing that the network has, as the tables keep it. What is done for every noun (writing a block,
 * histories, streams, lists, links, global IDs) loops over the records in `nouns/`.
 */
export interface Noun<Row = unknown, Filter = unknown> {
  /** The Prisma model and the GraphQL type: `MarginLevel`. */
  readonly model: Model;
  /** Several of them: the name that cursors of its list and its stream carry, and in snake_case its table. */
  readonly name: string;
  /** The table as lists see it, where it is `t`. */
  readonly table: Table<Row>;
  /** Whether it has a list, and so nodes: of others a row is found by its key alone. */
  readonly isListed: boolean;
  /** The fields that identify a row, in the order of the network's own key. */
  readonly key: readonly string[];
  /** The field that links and arguments name a row by. */
  readonly namedBy: string;
  readonly history: HistoryKind;
  /** What is to be written beside rows of it, as one statement: it begins with the WITH that writes these as `changed`. */
  readonly beside: ((changed: string) => string) | null;
  /** The field that names the party that a row is about; null where none does. */
  readonly party: string | null;
  /** What several fields are called together, as the buyer and the seller of a trade are its party: a row has a value in each. */
  readonly either: Readonly<Record<string, readonly string[]>>;
  /**
   * The indexes that its pages are read by: the fields of each, or classes of rows, less `createdPosition` at the end. The
   * first that a filter settles all fields of is taken.
   */
  readonly indexes: readonly (readonly string[])[];
  /** The orders that its list has besides that of creation. */
  readonly orders: Readonly<Partial<Record<OrderName, Order<Filter>>>>;
  /** The orders that its list has by values of its rows. */
  readonly valued: Readonly<Partial<Record<ValueOrderName, ValueOrder>>>;
  /** The fields by whose values its rows are counted as they are written. They never change in a row, and have few values. */
  readonly countedBy: readonly string[];
  /** What of its rows is added up; null where nothing is. */
  readonly sums: Sums | null;
  /** Which field each part of a filter chooses by. */
  readonly by: Readonly<Record<string, string>>;
  /** Those of them whose value may change in a row; of a noun that is followed none does. */
  readonly changing: readonly string[];
  /** The fields that are numbers of an enumeration; one within a column of JSON stands as `column.part`. */
  readonly enumerations: Readonly<Record<string, Enumeration>>;
  /** A field that filters choose by. */
  fieldOf(field: string): Field;
  /** What a filter asks of a row. */
  conditions(filter: Filter): readonly Condition[];
  /** What a filter asks of a row in SQL that walks an index, with what is true besides of the rows that pass. */
  checks(filter: Filter): readonly Check[];
}

export type OrderName = 'UPDATED' | ValueOrderName;

/** An order of a list: by a field of positions, none of which two rows share, with the indexes that end with it. */
export interface Order<Filter> {
  readonly field: string;
  readonly indexes: Noun['indexes'];
  /** The fields of which lists that hang off objects have it; null where all have. */
  readonly owners: readonly string[] | null;
  /** What a filter asks of a row, with the range of the field's values that says the same as its bounds where it has some. */
  checks(filter: Filter): readonly Check[];
}

/** The field of positions that a list is in the order of. */
export function orderedBy(
  { orders }: Pick<AnyNoun, 'orders'>,
  { order }: { readonly order?: OrderName | null },
): string {
  return (order ? orders[order]?.field : undefined) ?? 'createdPosition';
}

/** What of a noun's rows is added up, by which of their fields, and what of it the writer keeps. */
export interface Sums<Field extends string = string> {
  /** The field that is added up: a whole number as text, in the smallest unit of the row's asset. */
  readonly amount: Field;
  /** The fields that rows are put into groups by, under the names that clients know them by. */
  readonly by: Readonly<Record<string, Field>>;
  /** Those of them that are of 64 bits. */
  readonly bigints?: readonly Field[];
  /** The sums that the writer keeps, the fewest first. */
  readonly kept: readonly KeptSums<Field>[];
}

/** A table of sums: one row for all rows of the noun that have the same values in some fields. */
export interface KeptSums<Field extends string = string> {
  readonly table: string;
  /** The fields, whose columns are called as in the noun's own table. */
  readonly by: readonly Field[];
  /** A field of times besides: the column `span` is the time without its last `SPAN_BITS`. */
  readonly spansOf?: Field;
  /** The table that says between which positions all rows lie that have a value in the first of the fields. */
  readonly settledIn?: string;
}

/** Of the nanoseconds of a span: it lasts for nearly ten hours. */
export const SPAN_BITS = 45n;

/** A noun whatever its rows and filters are. */
export type AnyNoun = Noun<unknown, never>;

/**
 * How the past of its rows is kept: whole rows, in `changes`; the one value that changes, in a table of its own; or in
 * the rows themselves, which are only ever added.
 */
export type HistoryKind = 'rows' | 'balances' | 'added';

export type Model = Exclude<
  Client.ModelName,
  | 'Network'
  | 'AccountRank'
  | 'AccountSum'
  | 'ArchivedBalance'
  | 'ArchivedChange'
  | 'ArchivedPart'
  | 'ArchivedRow'
  | 'BalanceChange'
  | 'BlockTouches'
  | 'Change'
  | 'DepositSum'
  | 'RankLevel'
  | 'RepeatedHeight'
  | 'RewardEpoch'
  | 'RewardEpochAssetSum'
  | 'RewardEpochSum'
  | 'RewardSum'
  | 'Rollup'
  | 'RollupLevel'
  | 'RowCount'
  | 'UnknownNumber'
>;

/** A row of a model, with Prisma's field names. */
export type RowOf<M extends Client.ModelName> = Client.TypeMap['model'][M]['payload']['scalars'];

/** The tables whose rows are listed: each has a `createdPosition`, which orders them and never changes. */
export interface Positioned {
  readonly createdPosition: bigint;
}

export interface Table<Row> {
  readonly name: Sql;
  readonly fields: readonly string[];
  /** The select list that gives rows with Prisma's field names. */
  readonly columns: Sql;
  /** Only carries the type of the rows. */
  readonly row?: Row;
}

/** What is a noun's own. */
interface NounRecord<
  M extends Model,
  By extends Readonly<Record<string, (keyof RowOf<M> & string) | keyof Either>>,
  Range,
  Either,
> {
  readonly model: M;
  readonly name: string;
  readonly key: readonly (keyof RowOf<M> & string)[];
  /** Where that is not the first of the key. */
  readonly namedBy?: keyof RowOf<M> & string;
  readonly isListed?: false;
  readonly history: HistoryKind;
  readonly beside?: (changed: string) => string;
  readonly party?: (keyof RowOf<M> & string) | keyof Either;
  readonly either?: Either;
  readonly indexes?: readonly (readonly string[])[];
  /** Makes its list have the order of updates: its indexes, less the position at their end, and where rows lie in it. */
  readonly updated?: {
    readonly indexes: readonly (readonly string[])[];
    /** Where rows are many: the fields that objects' lists of them are found by in this order. */
    readonly owners?: readonly (keyof RowOf<M> & string)[];
    readonly range?: (filter: Range) => PositionRange;
  };
  readonly valued?: Readonly<Partial<Record<ValueOrderName, ValueOrder<keyof RowOf<M> & string>>>>;
  readonly countedBy?: readonly (keyof RowOf<M> & string)[];
  readonly sums?: Sums<keyof RowOf<M> & string>;
  readonly by?: By;
  readonly changing?: readonly (keyof RowOf<M> & string)[];
  readonly enumerations?: Readonly<Record<string, Enumeration>>;
  /** What other parts of a filter ask. */
  readonly within?: (range: Range) => readonly Condition[];
  readonly hints?: (filter: FilterBy<By> & Range) => readonly Hint[];
}

/** Describes a noun by what is its own. */
export function noun<
  const M extends Model,
  const By extends Readonly<Record<string, (keyof RowOf<M> & string) | keyof Either>>,
  Range = unknown,
  const Either extends Readonly<Record<string, readonly (keyof RowOf<M> & string)[]>> = Readonly<
    Record<never, never>
  >,
>(record: NounRecord<M, By, Range, Either>): Noun<RowOf<M>, FilterBy<By> & Range> {
  const by = (record.by ?? {}) as Readonly<Record<string, string>>;
  const either: Noun['either'] = record.either ?? {};
  const enumerations = record.enumerations ?? {};
  const bigints: readonly string[] = record.sums?.bigints ?? [];
  const typeOf = (field: string) => {
    if (bigints.includes(field)) return 'bigint';
    return Object.hasOwn(enumerations, field) ? 'integer' : 'text';
  };
  const fieldOf = (field: string): Field => ({
    field,
    type: typeOf(field),
    ...(either[field] && { either: either[field] }),
  });
  const parts = Object.entries(by).map(([part, field]) => ({ part, field: fieldOf(field) }));
  const conditionsOf = (filter: FilterBy<By> & Range): readonly Condition[] => {
    const conditions: Condition[] = [];
    for (const { part, field } of parts) {
      const values = givenValues((filter as Readonly<Record<string, FilterValues>>)[part]);
      if (values !== null) conditions.push({ values, ...field });
    }
    if (record.within !== undefined) conditions.push(...record.within(filter));
    return conditions;
  };
  const { hints, updated } = record;
  const byUpdate = updated && {
    field: 'updatedPosition',
    indexes: updated.indexes,
    owners: updated.owners ?? null,
    checks: (filter: FilterBy<By> & Range) => [
      ...conditionsOf(filter),
      // A range of all would keep the statement from being written once.
      ...[updated.range?.(filter) ?? {}].filter((range) => Object.keys(range).length > 0),
    ],
  };
  return {
    model: record.model,
    name: record.name,
    table: describeTable(record.name, record.model),
    isListed: record.isListed ?? true,
    key: record.key,
    namedBy: record.namedBy ?? record.key[0] ?? '',
    history: record.history,
    beside: record.beside ?? null,
    party: (record.party as string | undefined) ?? null,
    either,
    indexes: record.indexes ?? [[]],
    orders: byUpdate === undefined ? {} : { UPDATED: byUpdate },
    valued: record.valued ?? {},
    countedBy: record.countedBy ?? [],
    sums: record.sums ?? null,
    by,
    changing: record.changing ?? [],
    enumerations,
    fieldOf,
    conditions: conditionsOf,
    checks: hints === undefined ? conditionsOf : (filter) => [...conditionsOf(filter), ...hints(filter)],
  };
}

/** The fields that rows have for one: the field itself, or those that it stands for. */
export function fieldsIn({ either }: Pick<Noun, 'either'>, field: string): readonly string[] {
  return either[field] ?? [field];
}

export type FilterBy<By> = { readonly [Part in keyof By]?: FilterValues };

export function describeTable<M extends Model | 'UnknownNumber'>(name: string, model: M): Table<RowOf<M>> {
  const fields = Object.keys(Prisma[`${model}ScalarFieldEnum`]);
  const columns = fields.map((field) => raw(`t.${columnOf(field)} AS "${field}"`));
  return { name: raw(columnOf(name)), fields, columns: join(columns) };
}
