import type { QueryConfig } from 'pg';
import type { Block } from './generated/prisma/client.ts';
import { describeTable, type Noun } from './noun.ts';
import { type NounName, type NounRow, nounNames, nouns } from './nouns/index.ts';
import { type Upsert, upsertInto } from './upsert.ts';

/**
 * What a block changed, by noun: each row as the block leaves it, and so no two rows with one key, in the order of their
 * positions. Of parties these are all that the block names; known ones stay as they are.
 */
export type BlockChanges = { readonly [Name in NounName]: readonly NounRow<Name>[] };

/** The statements that write a block, for each table that changes but the parties'; none needs another's answer. */
export function rowStatements(block: Block, changes: BlockChanges): readonly QueryConfig[] {
  return [
    ...writeBlock([block]),
    ...[...writeRows].flatMap(([name, writeRowsOf]) => writeRowsOf(changes[name])),
  ];
}

const writeBlock = upsertInto(describeTable('blocks', 'Block'), ['height']);

const writeRows: ReadonlyMap<NounName, Upsert<unknown>> = new Map(
  nounNames.filter((name) => name !== 'party').map((name) => [name, upsertOf(nouns[name])]),
);

/** The statements that write parties. They give the ids of those that are new. */
export const writeParties: Upsert<NounRow<'party'>> = upsertInto(
  nouns.party.table,
  nouns.party.key,
  (upsert) => `${upsert} RETURNING id`,
);

function upsertOf(noun: Noun<unknown, never>): Upsert<unknown> {
  const { table, key } = noun;
  return upsertInto(table, key, (upsert) => withHistory(noun, noun.beside?.(upsert) ?? upsert));
}

/** Rows and what they have become, in one statement: the history that streams resume from. */
function withHistory({ history, table }: Noun<unknown, never>, upsert: string): string {
  switch (history) {
    case 'rows':
      return `
  WITH changed AS (${upsert} RETURNING *)
  INSERT INTO changes (position, noun, row_position, row)
  SELECT updated_position, '${table.name.text}', created_position, to_jsonb(changed) FROM changed`;
    case 'balances':
      return `
  WITH changed AS (${upsert} RETURNING created_position, updated_position, balance)
  INSERT INTO balance_changes (position, account_position, balance)
  SELECT updated_position, created_position, balance FROM changed`;
    default:
      return upsert;
  }
}
