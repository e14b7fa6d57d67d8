import { LRUCache } from 'lru-cache';
import { columnOf } from '../columns.ts';
import type { AnyNoun } from '../noun.ts';
import { tagFieldsOf } from '../noun-tags.ts';
import { nouns } from '../nouns/index.ts';
import { archivedRows } from './archives.ts';
import { packedBalance, packedRow } from './packed.ts';
import { ROWS_BY_POSITION } from './partitions.ts';

/** The column that says of which of several blocks a row is: the first is 1. */
export const BLOCK_COLUMN = 'asOfBlock';

/**
 * What becomes of a statement that needs a version of a row which is not kept: it fails with `FORGOTTEN`, or, where its reader looks
 * afterwards, what is not kept of the row is left out. A version that is found is the right one, since the oldest are forgotten first.
 */
export type WhereForgotten = 'fails' | 'leaves out';

/**
 * The text of a statement as of the end of a block, whose position is the value after those of the statement: every table
 * becomes what its rows were then, and all else stays.
 */
export function atOneBlock(text: string, values: number, whereForgotten: WhereForgotten): string {
  return find(ofOneBlock[whereForgotten], text, () =>
    atBlock(text, `$${values + 1}::bigint`, whereForgotten),
  );
}

/** The same as of each of several blocks, whose positions are a list; rows have `BLOCK_COLUMN` at their end. */
export function atSeveralBlocks(text: string, values: number): string {
  return find(
    ofSeveralBlocks,
    text,
    () => `SELECT past.*, each_block.place AS "${BLOCK_COLUMN}"
    FROM unnest($${values + 1}::bigint[]) WITH ORDINALITY AS each_block (position, place)
    CROSS JOIN LATERAL (${atBlock(text, 'each_block.position', 'fails')}) AS past`,
  );
}

/** What a statement fails with whose past has been forgotten in the snapshot that it reads. */
export const FORGOTTEN = '22012'; // division_by_zero

/** A condition that holds of the network in a statement's snapshot, or fails the statement with `FORGOTTEN`. */
export function holds(condition: string): string {
  return `(SELECT 1 / coalesce((SELECT ${condition} FROM networks LIMIT 1), FALSE)::int) = 1`;
}

/** The tables that a statement reads, as far as they have a past. */
export function tablesIn(text: string): readonly string[] {
  return find(tables, text, () => [
    ...new Set(Array.from(text.matchAll(TABLE), ([, , table]) => table as string)),
  ]);
}

/** Whatever is made of a statement is made once, and found by the text itself, whose hash is known. */
type Known<Made> = LRUCache<string, Made & {}>;

const MOST_TEXTS = { max: 1000 } as const;
const ofOneBlock: Readonly<Record<WhereForgotten, Known<string>>> = {
  fails: new LRUCache(MOST_TEXTS),
  'leaves out': new LRUCache(MOST_TEXTS),
};
const ofSeveralBlocks: Known<string> = new LRUCache(MOST_TEXTS);
const tables: Known<readonly string[]> = new LRUCache(MOST_TEXTS);

function find<Made extends {}>(known: Known<Made>, text: string, make: () => Made): Made {
  const found = known.get(text);
  if (found !== undefined) return found;
  const made = make();
  known.set(text, made);
  return made;
}

function atBlock(text: string, at: string, whereForgotten: WhereForgotten): string {
  // Prisma names a table in full with each of its columns.
  const short = text.replaceAll(QUALIFIED_COLUMN, '"$1".');
  return short.replaceAll(TABLE, (_, joins: string, table: string, alias: string | undefined) => {
    return `${joins} (${(SOURCES[table] as Source)(at, whereForgotten)}) AS ${alias ?? `"${table}"`}`;
  });
}

/**
 * What rows were at a position that have changed since, as a SELECT: of all others, what they are is what they were. Whoever reads it
 * looks afterwards whether that is kept.
 */
export function changedSince({ table }: Pick<AnyNoun, 'table'>, at: string): string {
  return `${(SOURCES[table.name.text] as Source)(at, 'leaves out')} AND now.updated_position > ${at}`;
}

/** What the rows of a table were at a position, as a SELECT. */
type Source = (at: string, whereForgotten: WhereForgotten) => string;

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
      const isKept = (at: string) => holds(`coalesce((kept_from_of ->> '${table}')::bigint, 0) <= ${at}`);
      const mayGo = ROWS_BY_POSITION.some((one) => one === table);
      return (at, whereForgotten) =>
        `SELECT * FROM ${table} WHERE ${column} <= ${at}${mayGo && whereForgotten === 'fails' ? ` AND ${isKept(at)}` : ''}`;
    }
    case 'balances':
      return (at, whereForgotten) => {
        const columns = noun.table.fields.map((field) => {
          const now = `now.${columnOf(field)}`;
          if (field !== 'balance' && field !== 'updatedPosition') return now;
          const before = versionsOfAccount(field, NOW, at).map((select) => `(${select})`);
          if (whereForgotten === 'fails') before.push(field === 'balance' ? `(${FAILS})::text` : FAILS);
          // Each is looked for only where it is asked for, which takes less than a join does.
          return `CASE WHEN now.updated_position <= ${at} THEN ${now} ELSE coalesce(${before.join(', ')}) END AS ${columnOf(field)}`;
        });
        return `SELECT ${columns.join(', ')} FROM ${table} AS now WHERE now.created_position <= ${at}`;
      };
    case 'rows':
      return versionsOf(noun);
  }
}

/** By what the versions of the row of now are found. */
const NOW = 'now.created_position';
/** Fails with `FORGOTTEN` once it is looked at, which no plan does beforehand. */
const FAILS = `1 / (${NOW} - ${NOW})`;

/**
 * When an account last changed up to a position, and its balance since then, as SELECTs: the first that has a row has the right one,
 * and the others need not be looked at.
 */
export function newestBalances(account: string, at: string): readonly string[] {
  return versionsOfAccount('both', account, at);
}

function versionsOfAccount(
  what: 'updatedPosition' | 'balance' | 'both',
  account: string,
  at: string,
): string[] {
  const packed = packedBalance(at);
  const [changed, archived] = {
    updatedPosition: ['position', packed.since],
    balance: ['balance', packed.balance],
    both: ['position, balance', `${packed.since}, ${packed.balance}`],
  }[what] as [string, string];
  const condition = `account_position = ${account}`;
  // Changes are in the archive before they are dropped, the oldest first: so the newest that is there is the right one.
  return [
    newestChange('balance_changes', changed, condition, at),
    newestPacked('archived_balances', archived, condition, at),
  ];
}

/** The first row of several SELECTs. PostgreSQL looks at them in their order, and no further than it has to. */
export function firstOf(selects: readonly string[]): string {
  return `${selects.map((select) => `(${select})`).join('\n      UNION ALL ')}
      LIMIT 1`;
}

/** Columns of the newest change up to a position. Where the archive has all up to there, no change is looked at. */
function newestChange(table: string, columns: string, condition: string, at: string): string {
  return `SELECT ${columns} FROM ${table} WHERE ${condition} AND position <= ${at}
    AND (SELECT archived_to FROM networks LIMIT 1) < ${at} ORDER BY position DESC LIMIT 1`;
}

/** Columns of the newest version up to a position in a table of the archive. What is packed is made of the one that is found. */
function newestPacked(table: string, columns: string, condition: string, at: string): string {
  return `SELECT ${columns} FROM (
    SELECT * FROM ${table} WHERE ${condition} AND position <= ${at} ORDER BY position DESC LIMIT 1
  ) AS packed`;
}

/** Rows as they are, where they have not changed since; else their newest version before. */
function versionsOf(noun: AnyNoun): Source {
  const table = noun.table.name.text;
  // What never changes in a row is taken from the row of now, whose indexes lead to it.
  const fixed = ['createdPosition', ...tagFieldsOf(noun)];
  const changing = noun.table.fields.filter((field) => !fixed.includes(field)).map(columnOf);
  const columns = noun.table.fields
    .map(columnOf)
    .map((name) => `${changing.includes(name) ? 'past' : 'now'}.${name}`);
  const [present, version] = ['now', 'version'].map((row) =>
    changing.map((name) => `${row}.${name}`).join(', '),
  );
  return (at, whereForgotten) => {
    const versions = [
      newestChange('changes', 'row', `row_position = ${NOW} AND noun = '${table}'`, at),
      newestPacked(
        `${archivedRows(table)} AS archived`,
        `${packedRow(at)} AS row`,
        `row_position = ${NOW}`,
        at,
      ),
    ].map(
      (newest) => `SELECT ${version} FROM (${newest}) AS change
        CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, change.row) AS version`,
    );
    const last = whereForgotten === 'fails' ? [`SELECT ${present} WHERE ${FAILS} = 1`] : [];
    return `SELECT ${columns.join(', ')} FROM ${table} AS now
    CROSS JOIN LATERAL (
      ${firstOf([`SELECT ${present} WHERE now.updated_position <= ${at}`, ...versions, ...last])}
    ) AS past (${changing.join(', ')})
    WHERE now.created_position <= ${at}`;
  };
}
