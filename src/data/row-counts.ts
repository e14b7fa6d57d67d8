import type { QueryConfig } from 'pg';
import type { BlockChanges } from './block-changes.ts';
import type { Noun, Positioned } from './noun.ts';
import { type NounName, nounNames, nouns } from './nouns/index.ts';
import { sql } from './sql.ts';
import type { Statements } from './statements.ts';

/**
 * The statement that counts the rows that a block has added, once they are written. What is new was created within the
 * block: nothing known has a position so high, whatever is repeated.
 */
export function countStatement(changes: BlockChanges): QueryConfig {
  const firstPositions = counted.map((name) => {
    const first = changes[name][0] as Positioned | undefined;
    return first?.createdPosition ?? null;
  });
  return { name: 'count rows', text: COUNT, values: firstPositions };
}

/** How many rows a noun has. */
export async function readRowCount(statements: Statements, { name }: Pick<Noun, 'name'>): Promise<number> {
  const [row] = await statements.rows<{ rows: bigint }>(
    sql`SELECT rows FROM row_counts WHERE noun = ${name}`,
  );
  return Number(row?.rows ?? 0n);
}

/** The nouns that are listed. */
const counted: readonly NounName[] = nounNames.filter((name) =>
  nouns[name].table.fields.includes('createdPosition'),
);

const COUNT = `
  INSERT INTO row_counts (noun, rows)
  SELECT noun, rows FROM (${counted.map(countAdded).join(' UNION ALL ')}) AS added WHERE rows > 0
  ON CONFLICT (noun) DO UPDATE SET rows = row_counts.rows + EXCLUDED.rows`;

function countAdded(name: NounName, index: number): string {
  const { name: noun, table } = nouns[name];
  const first = `$${index + 1}::bigint`;
  return `SELECT '${noun}' AS noun, count(*) AS rows FROM ${table.name.text} WHERE created_position >= ${first}`;
}
