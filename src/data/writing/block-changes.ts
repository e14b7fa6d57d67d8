import { columnOf } from '../columns.ts';
import type { Block } from '../generated/prisma/client.ts';
import { describeTable, type Noun } from '../noun.ts';
import { fixedFieldsOf } from '../noun-tags.ts';
import { type NounName, type NounRow, nounNames, nouns } from '../nouns/index.ts';
import type { TypeOfColumn } from './column-types.ts';
import { keepSums } from './kept-sums.ts';
import { pageReadOf } from './page-reads.ts';
import type { RowSet } from './row-sets.ts';
import type { UnknownNumber } from './unknown-numbers.ts';
import { type Upsert, upsertInto, type WithEarlier } from './upsert.ts';

/**
 * What a block changed, by noun: each row as the block leaves it, in the order of their positions; and so no two rows with
 * one key, but where one comes with another value in a field that never changes. Of parties these are all that the block names; known ones stay as they are.
 */
export type BlockChanges = { readonly [Name in NounName]: readonly NounRow<Name>[] };

/** Makes a block's rows ready to be written. No statement that writes them needs another's answer. */
export interface BlockStatements {
  /** The numbers that it brings and nobody knows, and the rows of each table that changes but the parties'. */
  rows(changes: BlockChanges, unknown: readonly UnknownNumber[]): readonly RowSet[];
  /** Blocks themselves, once their digests are known. */
  blocks: Upsert<Block>;
  /** Writing these gives the ids of those that are new. */
  parties: Upsert<NounRow<'party'>>;
}

export function createBlockStatements(typeOf: TypeOfColumn): BlockStatements {
  const writeUnknown = upsertInto(
    describeTable('unknown_numbers', 'UnknownNumber'),
    ['field', 'number'],
    typeOf,
  );
  const writeRows = nounNames
    .filter((name) => name !== 'party')
    .map((name) => [name, upsertOf(nouns[name], typeOf)] as const);
  const { table, key } = nouns.party;
  return {
    rows: (changes, unknown) => [
      ...writeUnknown(unknown),
      ...writeRows.flatMap(([name, writeRowsOf]) =>
        changes[name].length === 0 ? [] : writeRowsOf(changes[name]),
      ),
    ],
    blocks: upsertInto(describeTable('blocks', 'Block'), ['height'], typeOf),
    parties: upsertInto(table, key, typeOf, {
      extend: (upsert) => `${upsert} RETURNING id`,
      pages: pageReadOf(nouns.party, typeOf),
    }),
  };
}

function upsertOf(noun: Noun<unknown, never>, typeOf: TypeOfColumn): Upsert<unknown> {
  const { table, key, beside, history } = noun;
  const historyOf = historyStatements[history](noun);
  return upsertInto(table, key, typeOf, {
    extend: (upsert) => historyOf?.written(upsert) ?? beside?.(changedBy(noun, upsert)) ?? upsert,
    withEarlier: historyOf?.withEarlier ?? null,
    fixed: fixedFieldsOf(noun),
    groupedBy: noun.party,
    pages: pageReadOf(noun, typeOf),
  });
}

/** Writes rows, and what is kept of them: `changed` has them as they are then, as far as others read them. */
function changedBy(noun: Noun<unknown, never>, upsert: string): string {
  const { history, sums, table } = noun;
  const read = new Set([
    'createdPosition',
    'updatedPosition',
    sums?.amount,
    ...(sums?.kept.flatMap(({ by }) => by) ?? []),
  ]);
  const columns =
    history === 'rows'
      ? '*'
      : table.fields
          .filter((field) => read.has(field))
          .map(columnOf)
          .join(', ');
  return `
  WITH changed AS (${upsert} RETURNING ${columns})${keepSums(noun)}`;
}

/** Rows and what they have become, in one statement: the history that streams resume from. */
interface HistoryStatements {
  written(upsert: string): string;
  /** Keeps versions besides that were never in the table. They name the row as the version that is there names it. */
  readonly withEarlier: WithEarlier;
}

const historyStatements: Readonly<
  Record<Noun['history'], (noun: Noun<unknown, never>) => HistoryStatements | null>
> = {
  added: () => null,
  rows: (noun) => {
    const { name, fields } = noun.table;
    const written = (upsert: string) => `${changedBy(noun, upsert)}
  INSERT INTO changes (position, noun, row_position, row)
  SELECT updated_position, '${name.text}', created_position, to_jsonb(changed) FROM changed`;
    const columns = fields.map((field) =>
      field === 'createdPosition' ? 'changed.created_position' : `earlier.${columnOf(field)}`,
    );
    return {
      written,
      withEarlier: {
        fields: fields.filter((field) => field !== 'createdPosition'),
        extend: (upsert, earlier) => `${written(upsert)}
  UNION ALL
  SELECT updated_position, '${name.text}', created_position, to_jsonb(version) FROM (
    SELECT ${columns.join(', ')} FROM (${earlier}) AS earlier JOIN changed ON changed.updated_position = became
  ) AS version`,
      },
    };
  },
  balances: (noun) => {
    const written = (upsert: string) => `${changedBy(noun, upsert)}
  INSERT INTO balance_changes (position, account_position, balance)
  SELECT updated_position, created_position, balance FROM changed`;
    return {
      written,
      withEarlier: {
        fields: ['updatedPosition', 'balance'],
        extend: (upsert, earlier) => `${written(upsert)}
  UNION ALL
  SELECT earlier.updated_position, changed.created_position, earlier.balance
  FROM (${earlier}) AS earlier JOIN changed ON changed.updated_position = became`,
      },
    };
  },
};
