import { LRUCache } from 'lru-cache';
import { columnOf } from '../columns.ts';
import type { AnyNoun } from '../noun.ts';
import { tagFieldsOf } from '../noun-tags.ts';
import { nouns } from '../nouns/index.ts';

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
        return `SELECT change.position AS updated_position, change.balance FROM balance_changes AS change
          WHERE change.account_position = now.created_position AND change.position <= ${at}`;
      });
    case 'rows': {
      // What never changes in a row is taken from the row of now, whose indexes lead to it.
      const fixed = ['createdPosition', ...tagFieldsOf(noun)];
      const changing = fields.filter((field) => !fixed.includes(field));
      const columns = changing.map((field) => `version.${columnOf(field)}`).join(', ');
      return versionsIn(noun, changing, (at) => {
        return `SELECT ${columns} FROM changes AS change
          CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, change.row) AS version
          WHERE change.noun = '${table}' AND change.row_position = now.created_position AND change.position <= ${at}`;
      });
    }
  }
}

/** Rows as they are, where they have not changed since; else their newest version before. */
function versionsIn({ table }: AnyNoun, changing: readonly string[], versionsOf: Source): Source {
  const columns = table.fields.map(
    (field) => `${changing.includes(field) ? 'past' : 'now'}.${columnOf(field)}`,
  );
  const present = changing.map((field) => `now.${columnOf(field)}`).join(', ');
  return (at) => `SELECT ${columns.join(', ')} FROM ${table.name.text} AS now
    CROSS JOIN LATERAL (
      SELECT ${present} WHERE now.updated_position <= ${at}
      UNION ALL
      (${versionsOf(at)} AND now.updated_position > ${at} ORDER BY change.position DESC LIMIT 1)
    ) AS past
    WHERE now.created_position <= ${at}`;
}
