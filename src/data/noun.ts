import type { Enumeration } from '../domain/enumeration.ts';
import { columnOf } from './columns.ts';
import {
  type Check,
  type Condition,
  type Field,
  type FilterValues,
  givenValues,
  type Hint,
} from './conditions.ts';
// The fields alone: whoever only writes need not load the client.
import { Prisma } from './generated/prisma/browser.ts';
import type { Prisma as Client } from './generated/prisma/client.ts';
import { join, raw, type Sql } from './sql.ts';

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
  /** What is to be written beside rows of it, as one statement around theirs. */
  readonly beside: ((upsert: string) => string) | null;
  /** The field that names the party that a row is about; null where none does. */
  readonly party: string | null;
  /** What several fields are called together, as the buyer and the seller of a trade are its party: a row has a value in each. */
  readonly either: Readonly<Record<string, readonly string[]>>;
  /**
   * The indexes that its pages are read by: the fields of each, or classes of rows, less `createdPosition` at the end. The
   * first that a filter settles all fields of is taken.
   */
  readonly indexes: readonly (readonly string[])[];
  /** The fields by whose values its rows are counted as they are written. They never change in a row, and have few values. */
  readonly countedBy: readonly string[];
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
  /** The same for SQL that walks an index, with what is true besides of the rows that pass. */
  checks(filter: Filter): readonly Check[];
}

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
  | 'ArchivedBalance'
  | 'ArchivedChange'
  | 'BalanceChange'
  | 'BlockTouches'
  | 'Change'
  | 'RewardEpoch'
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

/** Describes a noun by what is its own. */
export function noun<
  const M extends Model,
  const By extends Readonly<Record<string, (keyof RowOf<M> & string) | keyof Either>>,
  Range = unknown,
  const Either extends Readonly<Record<string, readonly (keyof RowOf<M> & string)[]>> = Readonly<
    Record<never, never>
  >,
>(record: {
  readonly model: M;
  readonly name: string;
  readonly key: readonly (keyof RowOf<M> & string)[];
  /** Where that is not the first of the key. */
  readonly namedBy?: keyof RowOf<M> & string;
  readonly isListed?: false;
  readonly history: HistoryKind;
  readonly beside?: (upsert: string) => string;
  readonly party?: (keyof RowOf<M> & string) | keyof Either;
  readonly either?: Either;
  readonly indexes?: readonly (readonly string[])[];
  readonly countedBy?: readonly (keyof RowOf<M> & string)[];
  readonly by?: By;
  readonly changing?: readonly (keyof RowOf<M> & string)[];
  readonly enumerations?: Readonly<Record<string, Enumeration>>;
  /** What other parts of a filter ask. */
  readonly within?: (range: Range) => readonly Condition[];
  readonly hints?: (filter: FilterBy<By> & Range) => readonly Hint[];
}): Noun<RowOf<M>, FilterBy<By> & Range> {
  const by = (record.by ?? {}) as Readonly<Record<string, string>>;
  const either: Noun['either'] = record.either ?? {};
  const parts = Object.entries(by);
  const enumerations = record.enumerations ?? {};
  const fieldOf = (field: string): Field => ({
    field,
    type: Object.hasOwn(enumerations, field) ? 'integer' : 'text',
    ...(either[field] && { either: either[field] }),
  });
  const conditionsOf = (filter: FilterBy<By> & Range): readonly Condition[] => {
    const conditions: Condition[] = [];
    for (const [part, field] of parts) {
      const values = givenValues((filter as Readonly<Record<string, FilterValues>>)[part]);
      if (values !== null) conditions.push({ ...fieldOf(field), values });
    }
    if (record.within !== undefined) conditions.push(...record.within(filter));
    return conditions;
  };
  const { hints } = record;
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
    countedBy: record.countedBy ?? [],
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
