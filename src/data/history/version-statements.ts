import type { Condition } from '../conditions.ts';
import type { Noun } from '../noun.ts';
import { allOf, toSql } from '../queries/scans.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { archivedRows } from './archives.ts';
import { END_OF_ITS_HEIGHT, historyOf, IS_LATER_AT_ITS_HEIGHT } from './change-logs.ts';
import { packedRow } from './packed.ts';

/*
 * The statements that read versions: those that are among the changes still, and those that are packed in the archive. What is packed
 * while others read is in one of both, whenever a statement looks.
 */

/** The rows whose versions are wanted: by their positions where they are few, or by what they meet. */
export type ChosenRows = { readonly keys: readonly bigint[] } | { readonly checks: readonly Condition[] };

/** The walk of a statement: the positions that it looks at, both included; what is packed of them is packed after `after`. */
export interface VersionWalk {
  readonly direction: 'ASC' | 'DESC';
  readonly least: bigint;
  readonly most: bigint;
  readonly after: bigint;
  /** How many versions are read, and how many of one row. */
  readonly limit: number;
  readonly ofOne: number;
}

/**
 * How the archive keeps versions of a kind of history. In its SQL a version is `change`, with `first`, where those begin that it is packed
 * with, and `next`, where the one after it is among these.
 */
interface Archive {
  readonly tableOf: (noun: Pick<Noun, 'table'>) => Sql;
  readonly key: Sql;
  readonly versions: (packed: Sql) => Sql;
  /** Whether a version may be another noun's, and so its row has to be looked for. */
  readonly isMixed: Sql;
  /** What is read of a version: from the history, and from the archive. */
  readonly parts: { readonly history: Sql; readonly archive: Sql };
  /** The join that makes a change of what is read, which is `packed`. */
  readonly change: Sql;
}

const ARCHIVES: Readonly<Record<'rows' | 'balances', Archive>> = {
  rows: {
    tableOf: ({ table }) => raw(archivedRows(table.name.text)),
    key: sql`row_position`,
    versions: (packed) => sql`
      SELECT packed.row_position, packed.position AS first, version.position, version.next, packed.row, packed.positions,
        packed.columns, packed.is_mixed
      FROM ${packed} AS packed CROSS JOIN LATERAL
        unnest(coalesce(packed.positions, ARRAY[packed.position]), packed.positions[2:]) AS version (position, next)
      WHERE (packed.positions IS NOT NULL OR packed.row ->> 'updated_position' = packed.position::text)`,
    isMixed: sql`change.is_mixed`,
    parts: {
      history: sql`change.row, NULL::bigint[] AS positions, NULL::jsonb AS columns`,
      archive: sql`change.row, change.positions, change.columns`,
    },
    change: sql`CROSS JOIN LATERAL (SELECT packed.at AS position, ${raw(packedRow('packed.at'))} AS row) AS change`,
  },
  balances: {
    tableOf: () => sql`archived_balances`,
    key: sql`account_position`,
    versions: (packed) => sql`
      SELECT packed.account_position, packed.position AS first, version.position, version.next, version.balance
      FROM ${packed} AS packed CROSS JOIN LATERAL
        unnest(coalesce(packed.positions, ARRAY[packed.position]), coalesce(packed.balances, ARRAY[packed.balance]),
          packed.positions[2:]) AS version (position, balance, next)
      WHERE packed.since IS NULL`,
    isMixed: sql`FALSE`,
    parts: { history: sql`change.balance`, archive: sql`change.balance` },
    change: sql`CROSS JOIN LATERAL (SELECT packed.at AS position, packed.key AS account_position, packed.balance) AS change`,
  },
};

/** Reads the first versions of a walk, of the rows that are chosen, less those that the same height superseded. */
export function versionsWithin<Row>(noun: Noun<Row, never>, chosen: ChosenRows, walk: VersionWalk): Sql {
  const { row } = historyOf(noun);
  const { change } = archiveOf(noun);
  const direction = raw(walk.direction);
  const found = 'keys' in chosen ? ofRows(noun, chosen.keys, walk) : ofAll(noun, chosen, walk);
  return sql`
    SELECT change.position AS "changePosition", ${noun.table.columns}
    FROM (SELECT found.* FROM ${found} ORDER BY found.at ${direction} LIMIT ${walk.limit}) AS packed ${change} ${row}
    ORDER BY change.position ${direction}`;
}

function archiveOf(noun: Pick<Noun, 'history' | 'table'>): Archive & { readonly table: Sql } {
  const archive = ARCHIVES[noun.history as keyof typeof ARCHIVES];
  return { ...archive, table: archive.tableOf(noun) };
}

/**
 * Of each row by its key: what is packed is read in its order, as much as is wanted. The last that is read comes with all that it is packed
 * with, so that PostgreSQL need not sort what comes in order.
 */
function ofRows<Row>(noun: Noun<Row, never>, keys: readonly bigint[], walk: VersionWalk): Sql {
  const { table, key, versions } = archiveOf(noun);
  const direction = raw(walk.direction);
  // Where the versions begin that the first is packed with.
  const begin = sql`coalesce((
    SELECT max(position) FROM ${table} AS before WHERE before.${key} = wanted.key AND before.position <= ${walk.least}
  ), ${walk.least})`;
  const near = sql`(
    SELECT packed.* FROM ${table} AS packed
    WHERE packed.${key} = wanted.key AND packed.position >= ${begin} AND packed.position <= ${walk.most}
    ORDER BY packed.position ${direction} OFFSET 0)`;
  return sql`unnest(${keys}::bigint[]) AS wanted (key) CROSS JOIN LATERAL (
    (${fromHistory(noun, sql`change.${key} = wanted.key`, { ...walk, limit: walk.ofOne })})
    UNION ALL
    (${fromArchive(noun, sql`(${versions(near)})`, isWithin(walk))}
      ORDER BY change.first ${direction} FETCH FIRST ${walk.ofOne} ROWS WITH TIES)
    ORDER BY at ${direction} LIMIT ${walk.ofOne}
  ) AS found`;
}

/** Of all rows that pass: a part of the archive is read whole, and put in order. Whether a row passes never changes. */
function ofAll<Row>(
  noun: Noun<Row, never>,
  { checks }: Extract<ChosenRows, { checks: unknown }>,
  walk: VersionWalk,
): Sql {
  const { table, key, versions, isMixed } = archiveOf(noun);
  // The fence keeps the planner from reading all rows that pass.
  const hasRow = (conditions: readonly Sql[]) => sql`EXISTS (
    SELECT FROM ${noun.table.name} AS t WHERE ${allOf([sql`t.created_position = change.${key}`, ...conditions])} OFFSET 0)`;
  const passes = checks.length === 0 ? sql`TRUE` : hasRow(checks.map(toSql));
  const isOwn = checks.length === 0 ? sql`(NOT ${isMixed} OR ${hasRow([])})` : passes;
  const ordered = sql`(
    SELECT change.* FROM (${versions(table)} AND packed.position > ${walk.after} AND packed.position <= ${walk.most}) AS change
    WHERE ${isWithin(walk)} ORDER BY change.position ${raw(walk.direction)} OFFSET 0)`;
  return sql`(
    (${fromHistory(noun, passes, walk)})
    UNION ALL
    (${fromArchive(noun, ordered, isOwn)} ORDER BY change.position ${raw(walk.direction)} LIMIT ${walk.limit})
  ) AS found`;
}

function isWithin({ least, most }: VersionWalk): Sql {
  return sql`change.position >= ${least} AND change.position <= ${most}`;
}

function fromHistory<Row>(noun: Noun<Row, never>, chosen: Sql, walk: VersionWalk): Sql {
  const { source, condition, key, superseded } = historyOf(noun);
  return sql`
    SELECT change.position AS at, ${key} AS key, ${archiveOf(noun).parts.history} FROM ${source}
    WHERE ${condition} AND change.position > (SELECT archived_to FROM networks LIMIT 1) AND ${isWithin(walk)} AND ${chosen}
      AND NOT ${superseded}
    ORDER BY change.position ${raw(walk.direction)} LIMIT ${walk.limit}`;
}

function fromArchive<Row>(noun: Noun<Row, never>, versions: Sql, chosen: Sql): Sql {
  const { key: live, superseded } = historyOf(noun);
  const { table, key, parts } = archiveOf(noun);
  // The one that follows is packed with it, or begins what is packed next, or is not packed.
  const isSuperseded = sql`
    CASE WHEN change.next IS NOT NULL THEN change.next <= ${END_OF_ITS_HEIGHT}
    ELSE EXISTS (SELECT FROM ${table} AS later WHERE later.${key} = ${live} AND ${IS_LATER_AT_ITS_HEIGHT}) OR ${superseded} END`;
  return sql`
    SELECT change.position AS at, ${live} AS key, ${parts.archive} FROM ${versions} AS change
    WHERE ${chosen} AND NOT ${isSuperseded}`;
}
