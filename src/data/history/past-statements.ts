import { LRUCache } from 'lru-cache';
import { columnOf } from '../columns.ts';
import type { AnyNoun } from '../noun.ts';
import { tagFieldsOf } from '../noun-tags.ts';
import { nouns } from '../nouns/index.ts';
import type { Statements } from '../servers/statements.ts';
import { packedBalance, packedRow } from './packed.ts';

/**
 * Statements that see the database as it was at the end of a block: in the text of each, every table becomes what its rows
 * were then, and all else stays. So whatever can be asked of the present can be asked of the past, in the same words.
 * What the past depends on never changes. The histories must reach back to the position.
 */
export function pastStatements(statements: Statements, position: bigint): Statements {
  return {
    rows: ({ text, values }) => {
      return statements.rows({
        text: pastText(text, values.length),
        values: [...values, position],
        ...FIXED,
      });
    },
    texts: ({ text, values }) => {
      return statements.texts({
        text: pastText(text, values.length),
        values: [...values, position],
        ...FIXED,
      });
    },
    arrays: ({ text, values = [], ...config }) => {
      return statements.arrays({
        ...config,
        text: pastText(text, values.length),
        values: [...values, `${position}`],
      });
    },
    until: (signal, steps) => pastStatements(statements.until(signal, steps), position),
    saw: (seen) => statements.saw(seen),
    isPast: true,
  };
}

const FIXED = { dependsOn: 'nothing' } as const;

/** The text of a statement with so many values, where the next one is the position. Each is written once. */
function pastText(text: string, values: number): string {
  const known = pastTexts.get(text);
  if (known !== undefined) return known;
  const at = `$${values + 1}::bigint`;
  // Prisma names a table in full with each of its columns.
  const short = text.replaceAll(QUALIFIED_COLUMN, '"$1".');
  const past = short.replaceAll(TABLE, (_, joins: string, table: string, alias: string | undefined) => {
    return `${joins} (${(SOURCES[table] as Source)(at)}) AS ${alias ?? `"${table}"`}`;
  });
  pastTexts.set(text, past);
  return past;
}

const pastTexts = new LRUCache<string, string>({ max: 1000 });

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
