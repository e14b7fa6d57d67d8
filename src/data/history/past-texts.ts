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
 * becomes what its rows were then, and all else stays.
 */
export function atOneBlock(text: string, values: number): string {
  return find(`1 ${text}`, () => atBlock(text, `$${values + 1}::bigint`));
}

/** The same as of each of several blocks, whose positions are a list; rows have `BLOCK_COLUMN` at their end. */
export function atSeveralBlocks(text: string, values: number): string {
  return find(
    `n ${text}`,
    () => `SELECT past.*, each_block.place AS "${BLOCK_COLUMN}"
    FROM unnest($${values + 1}::bigint[]) WITH ORDINALITY AS each_block (position, place)
    CROSS JOIN LATERAL (${atBlock(text, 'each_block.position')}) AS past`,
  );
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
      return versionsIn(noun, ['updatedPosition', 'balance'], (at) => {
        const packed = packedBalance(at);
        return `SELECT coalesce(change.position, archived.since), coalesce(change.balance, archived.balance)
          FROM ${newest(at, {
            change: `SELECT change.position, change.balance FROM balance_changes AS change
              WHERE change.account_position = now.created_position`,
            archived: `SELECT ${packed.since} AS since, ${packed.balance} AS balance FROM archived_balances AS packed
              WHERE packed.account_position = now.created_position`,
          })}
          WHERE coalesce(change.position, archived.since) IS NOT NULL`;
      });
    case 'rows': {
      // What never changes in a row is taken from the row of now, whose indexes lead to it.
      const fixed = ['createdPosition', ...tagFieldsOf(noun)];
      const changing = fields.filter((field) => !fixed.includes(field));
      const columns = changing.map((field) => `version.${columnOf(field)}`).join(', ');
      return versionsIn(noun, changing, (at) => {
        return `SELECT ${columns}
          FROM ${newest(at, {
            change: `SELECT change.position, change.row FROM changes AS change
              WHERE change.noun = '${table}' AND change.row_position = now.created_position`,
            archived: `SELECT ${packedRow(at)} AS row FROM archived_changes AS packed
              WHERE packed.row_position = now.created_position`,
          })}
          CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, coalesce(change.row, archived.row)) AS version
          WHERE coalesce(change.row, archived.row) IS NOT NULL`;
      });
    }
  }
}

/** The newest version up to a position: of the archive where it is among the changes no more. */
function newest(
  at: string,
  { change, archived }: { readonly change: string; readonly archived: string },
): string {
  return `(SELECT) AS one
    LEFT JOIN LATERAL (
      ${change} AND change.position <= ${at} ORDER BY change.position DESC LIMIT 1
    ) AS change ON TRUE
    LEFT JOIN LATERAL (
      ${archived} AND packed.position <= ${at} AND change.position IS NULL ORDER BY packed.position DESC LIMIT 1
    ) AS archived ON TRUE`;
}

/** Rows as they are, where they have not changed since; else their newest version before. */
function versionsIn({ table }: AnyNoun, changing: readonly string[], versionsOf: Source): Source {
  const columns = table.fields.map(
    (field) => `${changing.includes(field) ? 'past' : 'now'}.${columnOf(field)}`,
  );
  const names = changing.map(columnOf);
  const present = names.map((name) => `now.${name}`).join(', ');
  return (at) => `SELECT ${columns.join(', ')} FROM ${table.name.text} AS now
    CROSS JOIN LATERAL (
      SELECT ${present} WHERE now.updated_position <= ${at}
      UNION ALL
      (${versionsOf(at)} AND now.updated_position > ${at})
    ) AS past (${names.join(', ')})
    WHERE now.created_position <= ${at}`;
}
