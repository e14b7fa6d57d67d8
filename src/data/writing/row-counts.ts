import type pg from 'pg';
import { columnOf } from '../columns.ts';
import type { AnyNoun, Noun, Positioned } from '../noun.ts';
import { type NounName, nounNames, nouns } from '../nouns/index.ts';
import { isRightCount } from '../right-counts.ts';
import { inTransaction } from '../servers/transaction.ts';
import type { BlockChanges } from './block-changes.ts';
import { emptySums, MOST_MS, sumAnew } from './kept-sums.ts';

/**
 * The statements that count the rows that a block has added, once they are written, and remove sums of nothing: of the nouns that
 * it names alone.
 * What is new was created within the block: nothing known has a position so high, whatever is repeated.
 */
export function countStatements(changes: BlockChanges): readonly pg.QueryConfig[] {
  return counted.flatMap((name) => {
    const first = changes[name][0] as Positioned | undefined;
    if (first === undefined) return [];
    const count = { name: `count ${name}`, text: countAdded(nouns[name]), values: [first.createdPosition] };
    return [count, ...emptySums(nouns[name])];
  });
}

/**
 * Counts the nouns anew whose counts are not of their newest row, and adds up anew what is kept of them: somebody has written
 * them who does not count. Gives the names of those.
 */
export async function mendCounts(client: pg.ClientBase): Promise<readonly string[]> {
  const checks = counted.map((name) => `('${nouns[name].name}', ${isRightCount(nouns[name])})`);
  const isWrong = `SELECT name FROM (VALUES ${checks.join(', ')}) AS counted (name, is_right) WHERE NOT is_right`;
  if ((await client.query(isWrong)).rows.length === 0) return [];
  return inTransaction(client, async () => {
    // A writer that counts waits here, and adds what it has written to what is counted now.
    await client.query('LOCK TABLE row_counts IN SHARE ROW EXCLUSIVE MODE');
    const { rows } = await client.query<{ name: string }>(isWrong);
    const names = rows.map(({ name }) => name);
    await client.query('DELETE FROM row_counts WHERE noun = ANY ($1)', [names]);
    await client.query(`SET LOCAL statement_timeout = ${MOST_MS}`);
    for (const noun of counted
      .map((name) => nouns[name] as AnyNoun)
      .filter(({ name }) => names.includes(name))) {
      const count = { text: countAdded(noun), values: [0], query_timeout: MOST_MS };
      await client.query(count);
      await sumAnew(client, noun);
      if (noun.sums !== null) await client.query(SUMMED_FROM, [noun.table.name.text]);
    }
    return names;
  });
}

/** What is added up of rows of which some were dropped counts from where on they are kept. */
const SUMMED_FROM = `UPDATE networks SET summed_from_of = summed_from_of || jsonb_build_object($1::text, kept_from_of -> $1)
  WHERE kept_from_of ? $1`;

/** The nouns that are listed. */
const counted: readonly NounName[] = nounNames.filter((name) => nouns[name].isListed);

/** Counts the rows from a position on: all of them, and those with each of the values that the noun is counted by. */
function countAdded({ name, table, countedBy }: Pick<Noun, 'name' | 'table' | 'countedBy'>): string {
  const columns = countedBy.map(columnOf).join(', ');
  const key = `CASE GROUPING(${columns}) WHEN 0 THEN ARRAY[${countedBy.map((field) => `${columnOf(field)}::text`).join(', ')}]::text ELSE '' END`;
  const [keyOf, groups] =
    countedBy.length === 0 ? [`''`, ''] : [key, `GROUP BY GROUPING SETS ((), (${columns}))`];
  return `
    INSERT INTO row_counts (noun, key, rows, position)
    SELECT '${name}', ${keyOf}, count(*), max(created_position)
    FROM ${table.name.text} WHERE created_position >= $1 ${groups} HAVING count(*) > 0
    ON CONFLICT (noun, key) DO UPDATE SET rows = row_counts.rows + EXCLUDED.rows, position = EXCLUDED.position`;
}

/** Somebody wrote to the database who keeps no counts: an older version, before the database refused those. */
export function describeMended(nouns: readonly string[]): string {
  return `The database had rows that were not counted; they are now: ${nouns.join(', ')}.`;
}
