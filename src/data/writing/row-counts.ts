import type { QueryConfig } from 'pg';
import type { Noun, Positioned } from '../noun.ts';
import { dependsOnNoun } from '../noun-tags.ts';
import { type NounName, nounNames, nouns } from '../nouns/index.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { statementOf } from '../templates.ts';
import type { BlockChanges } from './block-changes.ts';

/**
 * The statements that count the rows that a block has added, once they are written: of the nouns that it names alone.
 * What is new was created within the block: nothing known has a position so high, whatever is repeated.
 */
export function countStatements(changes: BlockChanges): readonly QueryConfig[] {
  return counted.flatMap((name) => {
    const first = changes[name][0] as Positioned | undefined;
    if (first === undefined) return [];
    return [{ name: `count ${name}`, text: countAdded(nouns[name]), values: [first.createdPosition] }];
  });
}

/** How many rows a noun has. */
export async function readRowCount(statements: Statements, noun: Pick<Noun, 'name'>): Promise<number> {
  const [row] = await statements.rows<{ rows: bigint }>(
    statementOf(sql`SELECT rows FROM row_counts WHERE noun = ${noun.name}`, dependsOnNoun(noun)),
  );
  return Number(row?.rows ?? 0n);
}

/** The nouns that are listed. */
const counted: readonly NounName[] = nounNames.filter((name) =>
  nouns[name].table.fields.includes('createdPosition'),
);

function countAdded({ name, table }: Pick<Noun, 'name' | 'table'>): string {
  return `
    INSERT INTO row_counts (noun, rows)
    SELECT '${name}', count(*) FROM ${table.name.text} WHERE created_position >= $1 HAVING count(*) > 0
    ON CONFLICT (noun) DO UPDATE SET rows = row_counts.rows + EXCLUDED.rows`;
}
