import { LRUCache } from 'lru-cache';
import { columnOf } from '../columns.ts';
import type { AnyNoun } from '../noun.ts';
import { tagFieldsOf } from '../noun-tags.ts';
import { nouns } from '../nouns/index.ts';
import { packedBalance, packedRow } from './packed.ts';

/** The column that says of which of several blocks a row is: the first is 1. */
export const BLOCK_COLUMN = 'asOfBlock';

/**
 * The text of a statement as of the end of a block, whose position is the value after those of the statement: every table
 * becomes what its rows were then, and all else stays. One that is guarded fails with `FORGOTTEN` where that is not kept.
 */
export function atOneBlock(text: string, values: number, isGuarded: boolean): string {
  const at = `$${values + 1}::bigint`;
  if (!isGuarded) return find(`1 ${text}`, () => atBlock(text, at));
  return find(`k ${text}`, () => `SELECT * FROM (${atBlock(text, at)}) AS past WHERE ${isKnown(at)}`);
}

/** The same, guarded, as of each of several blocks, whose positions are a list; rows have `BLOCK_COLUMN` at their end. */
export function atSeveralBlocks(text: string, values: number): string {
  return find(
    `n ${text}`,
    () => `SELECT past.*, each_block.place AS "${BLOCK_COLUMN}"
    FROM unnest($${values + 1}::bigint[]) WITH ORDINALITY AS each_block (position, place)
    CROSS JOIN LATERAL (${atBlock(text, 'each_block.position')}) AS past
    WHERE ${isKnown(`(SELECT min(position) FROM unnest($${values + 1}::bigint[]) AS position)`)}`,
  );
}

/** What a statement fails with whose past has been forgotten in the snapshot that it reads. */
export const FORGOTTEN = '22012'; // division_by_zero

/** A condition that always holds, or fails the statement with `FORGOTTEN` where a position is before what the snapshot has. */
export function isKnown(at: string, from = 'least(past_from, history_from)'): string {
  return `(SELECT 1 / coalesce((SELECT ${from} FROM networks LIMIT 1) <= ${at}, FALSE)::int) = 1`;
}

/** Each is written once. */
const written = new LRUCache<string, string>({ max: 1000 });

function find(key: string, write: () => string): string {
  const known = written.get(key) ?? write();
  written.set(key, known);
  return known;
}

function atBlock(text: string, at: string): string {
  // Prisma names a table in full with each of its columns.
  const short = text.replaceAll(QUALIFIED_COLUMN, '"$1".');
  return short.replaceAll(TABLE, (_, joins: string, table: string, alias: string | undefined) => {
    return `${joins} (${(SOURCES[table] as Source)(at)}) AS ${alias ?? `"${table}"`}`;
  });
}

/** What rows were at a position that have changed since, as a SELECT: of all others, what they are is what they were. */
export function changedSince({ table }: Pick<AnyNoun, 'table'>, at: string): string {
  return `${(SOURCES[table.name.text] as Source)(at)} AND now.updated_position > ${at}`;
}

/** What the rows of a table were at a position, as a SELECT. */
type Source = (at: string) => string;

const SOURCES: Readonly<Record<string, Source>> = {
  blocks: (at) => `SELECT * FROM blocks WHERE last_position <= ${at}`,
  ...Object.fromEntries(Object.values<AnyNoun>(nouns).map((noun) => [noun.table.name.text, sourceOf(noun)])),
};

const NAMES = Object.keys(SOURCES).join('|');
const QUALIFIED_COLUMN = new RegExp(`"public"\\."(${NAMES})"\\.`, 'g');
const TABLE = new RegExp(
  `\\b(FROM|JOIN)\\s+(?:"public"\\.)?"?\\b(${NAMES})\\b"?(?:\\s+AS\\s+("?\\w+"?))?`,
  'g',
);

function sourceOf(noun: AnyNoun): Source {
  const table = noun.table.name.text;
  const { fields } = noun.table;
  switch (noun.history) {
    case 'added': {
      const column = fields.includes('createdPosition') ? 'created_position' : 'updated_position';
      return (at) => `SELECT * FROM ${table} WHERE ${column} <= ${at}`;
    }
    case 'balances':
      return versionsIn(noun, ['updatedPosition', 'balance'], (at) => newestBalances(NOW, at));
    case 'rows': {
      // What never changes in a row is taken from the row of now, whose indexes lead to it.
      const fixed = ['createdPosition', ...tagFieldsOf(noun)];
      const changing = fields.filter((field) => !fixed.includes(field));
      const columns = changing.map((field) => `version.${columnOf(field)}`).join(', ');
      return versionsIn(noun, changing, (at) =>
        [
          newestOf(
            'changes',
            'row',
            `row_position = ${NOW} AND noun = '${table}' ${isBehindArchive(at)}`,
            at,
          ),
          newestOf('archived_changes', `${packedRow(at)} AS row`, `row_position = ${NOW}`, at),
        ].map(
          (newest) => `SELECT ${columns} FROM (${newest}) AS change
            CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, change.row) AS version`,
        ),
      );
    }
  }
}

/** By what the versions of the row of now are found. */
const NOW = 'now.created_position';

/**
 * When an account last changed up to a position, and its balance since then, as SELECTs: the first that has a row has the right one,
 * and the others need not be looked at.
 */
export function newestBalances(account: string, at: string): readonly string[] {
  const { since, balance } = packedBalance(at);
  const ofAccount = `account_position = ${account}`;
  return [
    newestOf('balance_changes', 'position, balance', `${ofAccount} ${isBehindArchive(at)}`, at),
    newestOf('archived_balances', `${since}, ${balance}`, ofAccount, at),
  ];
}

/** The first row of several SELECTs. PostgreSQL looks at them in their order, and no further than it has to. */
export function firstOf(selects: readonly string[]): string {
  return `${selects.map((select) => `(${select})`).join('\n      UNION ALL ')}
      LIMIT 1`;
}

/** Columns of the newest version up to a position, in one of the tables that have versions. */
function newestOf(table: string, columns: string, condition: string, at: string): string {
  // What is packed is made of the one that is found.
  return `SELECT ${columns} FROM (
    SELECT * FROM ${table} WHERE ${condition} AND position <= ${at} ORDER BY position DESC LIMIT 1
  ) AS packed`;
}

/** Up to where the archive has come, it has all that is looked for. */
function isBehindArchive(at: string): string {
  return `AND (SELECT archived_to FROM networks LIMIT 1) < ${at}`;
}

/**
 * Rows as they are, where they have not changed since; else their newest version before, of the archive where it is among the
 * changes no more.
 */
function versionsIn(
  { table }: AnyNoun,
  changing: readonly string[],
  versionsOf: (at: string) => readonly string[],
): Source {
  const columns = table.fields.map(
    (field) => `${changing.includes(field) ? 'past' : 'now'}.${columnOf(field)}`,
  );
  const names = changing.map(columnOf);
  const present = names.map((name) => `now.${name}`).join(', ');
  return (at) => `SELECT ${columns.join(', ')} FROM ${table.name.text} AS now
    CROSS JOIN LATERAL (
      ${firstOf([`SELECT ${present} WHERE now.updated_position <= ${at}`, ...versionsOf(at)])}
    ) AS past (${names.join(', ')})
    WHERE now.created_position <= ${at}`;
}
