import type { TypeOfColumn } from './column-types.ts';
import type { Block } from './generated/prisma/client.ts';
import { describeTable, type Noun } from './noun.ts';
import { type NounName, type NounRow, nounNames, nouns } from './nouns/index.ts';
import type { RowSet } from './row-sets.ts';
import { touchFieldsOf } from './touches.ts';
import { type Upsert, upsertInto } from './upsert.ts';

/**
 * What a block changed, by noun: each row as the block leaves it, and so no two rows with one key, in the order of their
 * positions. Of parties these are all that the block names; known ones stay as they are.
 */
export type BlockChanges = { readonly [Name in NounName]: readonly NounRow<Name>[] };

/** Makes a block's rows ready to be written. No statement that writes them needs another's answer. */
export interface BlockStatements {
  /** The block and the rows of each table that changes but the parties'. */
  rows(block: Block, changes: BlockChanges): readonly RowSet[];
  /** Writing these gives the ids of those that are new. */
  parties: Upsert<NounRow<'party'>>;
}

export function createBlockStatements(typeOf: TypeOfColumn): BlockStatements {
  const writeBlock = upsertInto(describeTable('blocks', 'Block'), ['height'], typeOf);
  const writeRows = nounNames
    .filter((name) => name !== 'party')
    .map((name) => [name, upsertOf(nouns[name], typeOf)] as const);
  const { table, key } = nouns.party;
  return {
    rows: (block, changes) => [
      ...writeBlock([block]),
      ...writeRows.flatMap(([name, writeRowsOf]) => writeRowsOf(changes[name])),
    ],
    parties: upsertInto(table, key, typeOf, { extend: (upsert) => `${upsert} RETURNING id` }),
  };
}

function upsertOf(noun: Noun<unknown, never>, typeOf: TypeOfColumn): Upsert<unknown> {
  const { table, key } = noun;
  return upsertInto(table, key, typeOf, {
    extend: (upsert) => withHistory(noun, noun.beside?.(upsert) ?? upsert),
    noteEarlier: earlierHistory(noun),
    fixed: touchFieldsOf(noun).filter((field) => !key.includes(field)),
  });
}

/** Rows and what they have become, in one statement: the history that streams resume from. */
function withHistory({ history, table }: Noun<unknown, never>, upsert: string): string {
  switch (history) {
    case 'rows':
      return `
  WITH changed AS (${upsert} RETURNING *)
  ${INTO_CHANGES}
  SELECT updated_position, '${table.name.text}', created_position, to_jsonb(changed) FROM changed`;
    case 'balances':
      return `
  WITH changed AS (${upsert} RETURNING created_position, updated_position, balance)
  ${INTO_BALANCE_CHANGES}
  SELECT updated_position, created_position, balance FROM changed`;
    default:
      return upsert;
  }
}

/** The same of versions that were never in the table. They name the first of them as the one that created the row. */
function earlierHistory({ history, table }: Noun<unknown, never>): string | null {
  switch (history) {
    case 'rows':
      return `${INTO_CHANGES}
  SELECT given.updated_position, '${table.name.text}', t.created_position,
    to_jsonb(given) || jsonb_build_object('created_position', t.created_position)`;
    case 'balances':
      return `${INTO_BALANCE_CHANGES}
  SELECT given.updated_position, t.created_position, given.balance`;
    default:
      return null;
  }
}

const INTO_CHANGES = 'INSERT INTO changes (position, noun, row_position, row)';
const INTO_BALANCE_CHANGES = 'INSERT INTO balance_changes (position, account_position, balance)';
