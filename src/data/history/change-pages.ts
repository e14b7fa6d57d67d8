import type { Condition } from '../conditions.ts';
import type { Noun, Positioned, Table } from '../noun.ts';
import { allOf, createScan, toSql } from '../queries/scans.ts';
import type { Statements } from '../servers/statements.ts';
import { type Sql, sql } from '../sql.ts';
import { unkept } from '../templates.ts';

/** A row as a block left it, and the position of the change. */
export interface Change<Row> {
  readonly position: bigint;
  readonly row: Row;
}

/** The changes after one position and up to another, of which at most about `limit` are wanted. */
export interface Range {
  readonly after: bigint;
  readonly upTo: bigint;
  readonly limit: number;
}

/** All changes from the start of a range up to `reached`, in order. */
export interface ChangePage<Row> {
  readonly changes: readonly Change<Row>[];
  readonly reached: bigint;
  /** How many changes were looked up one by one: each lies in a page of the disk of its own. */
  readonly lookedUp?: number;
}

/** A table of changes as pages of them are read. In its SQL a change is `change`, what it made of its row `t`. */
export interface History {
  /** What stands after FROM, as in `changes AS change`. */
  readonly source: Sql;
  /** What the changes in the table must fulfil, as those of one noun. */
  readonly condition: Sql;
  /** The column that says which row a change is of. */
  readonly key: Sql;
  /** The join that gives `t`. */
  readonly row: Sql;
  /** Whether the row changed again at the same height, where that began again. */
  readonly superseded: Sql;
}

/** Where more rows changed that a filter lets through, it is checked change by change, instead of asking row by row. */
const FEW_ROWS = 500;
/** How many changes a statement looks at, whatever it finds: so each ends soon, however far back it begins. */
const MOST_READ = 20_000;
/** How many of these are looked up one by one: a disk that has none of them in memory reads a page of 8 kB for each. */
export const MOST_LOOKED_UP = 2_000;

/**
 * Reads the first changes of a range, of the rows that pass a filter. Where few of those changed since, each one's changes are
 * looked up; where they are many, the changes of all rows are read and checked, a part of the range at a time. What a
 * filter chooses by never changes in a row.
 */
export async function readChangePage<Row extends Positioned, Filter>(
  statements: Statements,
  list: Noun<Row, Filter>,
  filter: Filter,
  history: History,
  range: Range,
): Promise<ChangePage<Row>> {
  const conditions = list.conditions(filter);
  if (conditions.length === 0) return readInOrder(statements, list, history, [], range);
  const keys = await findChangedRows(statements, list, conditions, range.after);
  if (keys === null) {
    const upTo = await findEnd(statements, history, range);
    return readInOrder(statements, list, history, conditions, { ...range, upTo });
  }
  if (keys.length === 0) return { changes: [], reached: range.upTo };
  return readByRow(statements, list, history, keys, range);
}

/** Finds the rows that pass and changed after a position; null where they are many, or too many pass to look at each. */
async function findChangedRows<Row, Filter>(
  statements: Statements,
  { table, indexes }: Noun<Row, Filter>,
  conditions: readonly Condition[],
  after: bigint,
): Promise<readonly bigint[] | null> {
  const columns = sql`t.created_position AS "createdPosition", t.updated_position AS "updatedPosition"`;
  const scan = createScan({ table: { ...table, columns }, indexes }, conditions);
  const found = await statements.rows<Positioned & { place: bigint }>(
    unkept(sql`
    SELECT "createdPosition", place
    FROM (SELECT passing.*, row_number() OVER () AS place FROM (${scan('ASC', {}, MOST_READ)}) AS passing) AS passing
    WHERE "updatedPosition" > ${after} OR place = ${MOST_READ} LIMIT ${FEW_ROWS + 1}`),
  );
  if (found.length > FEW_ROWS || found.some(({ place }) => place === BigInt(MOST_READ))) return null;
  return found.map(({ createdPosition }) => createdPosition);
}

/** What a statement found that was to find at most `limit`. */
export function toChangePage<Row>(found: readonly Found<Row>[], { upTo, limit }: Range): ChangePage<Row> {
  const changes = found.map(({ changePosition, ...row }) => ({ position: changePosition, row: row as Row }));
  return { changes, reached: changes.length < limit ? upTo : (changes.at(-1)?.position ?? upTo) };
}

async function readInOrder<Row extends Positioned>(
  statements: Statements,
  { table }: { readonly table: Table<Row> },
  history: History,
  conditions: readonly Condition[],
  range: Range,
): Promise<ChangePage<Row>> {
  const found = await statements.rows<Found<Row>>(
    unkept(sql`
    SELECT change.position AS "changePosition", ${table.columns} FROM ${history.source} ${history.row}
    WHERE ${isWithin(history, range)} AND ${allOf(conditions.map(toSql))}
    ORDER BY change.position LIMIT ${range.limit}`),
  );
  return toChangePage(found, range);
}

/** Where a statement must stop that reads no more than MOST_READ changes. */
async function findEnd(statements: Statements, history: History, range: Range): Promise<bigint> {
  const found = await statements.rows<{ position: bigint }>(
    unkept(sql`
    SELECT change.position FROM ${history.source} WHERE ${isWithin(history, range)}
    ORDER BY change.position OFFSET ${MOST_READ - 1} LIMIT 1`),
  );
  return found[0]?.position ?? range.upTo;
}

/** Each row gives no more than its part; where the first part was cut short ends what is known of all rows. */
async function readByRow<Row extends Positioned>(
  statements: Statements,
  { table }: { readonly table: Table<Row> },
  history: History,
  keys: readonly bigint[],
  range: Range,
): Promise<ChangePage<Row>> {
  const part = Math.min(range.limit, Math.floor(MOST_LOOKED_UP / keys.length));
  const found = await statements.rows<Found<Row> & { place: bigint }>(
    unkept(sql`
    SELECT found.* FROM unnest(${keys}::bigint[]) AS wanted (key)
    CROSS JOIN LATERAL (
      SELECT change.position AS "changePosition", row_number() OVER (ORDER BY change.position) AS place,
        ${table.columns}
      FROM ${history.source} ${history.row}
      WHERE ${isWithin(history, range)} AND ${history.key} = wanted.key
      ORDER BY change.position LIMIT ${part}
    ) AS found
    ORDER BY found."changePosition"`),
  );
  const cut = found.findIndex(({ place }) => place >= BigInt(part));
  const upTo = found[cut]?.changePosition ?? range.upTo;
  const known = cut === -1 ? found : found.slice(0, cut + 1);
  const first = known.slice(0, range.limit).map(({ place, ...row }) => row as unknown as Found<Row>);
  return { ...toChangePage(first, { ...range, upTo }), lookedUp: found.length };
}

type Found<Row> = Row & { readonly changePosition: bigint };

function isWithin({ condition }: History, { after, upTo }: Range): Sql {
  return sql`${condition} AND change.position > ${after} AND change.position <= ${upTo}`;
}
