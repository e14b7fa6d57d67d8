import { AS_OF } from '../block-positions.ts';
import type { Noun } from '../noun.ts';
import { dependsOnList } from '../noun-tags.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { statementOf } from '../templates.ts';

/** From which position on there are rows of a table, as SQL: nothing where none were dropped. */
export function keptFrom({ table }: Pick<Noun, 'table'>): Sql {
  return raw(`(SELECT (kept_from_of ->> '${table.name.text}')::bigint FROM networks LIMIT 1)`);
}

/** From which position on there are rows of a noun; null where none were dropped. Where some are, a block has the tags of them all. */
export async function findKeptFrom(statements: Statements, noun: Noun): Promise<bigint | null> {
  const [found] = await statements.rows<{ keptFrom: bigint | null }>(
    // What is as of a block has to read something that is.
    statementOf(
      sql`SELECT ${keptFrom(noun)} AS "keptFrom" WHERE ${AS_OF} IS NOT NULL`,
      dependsOnList(noun, []),
    ),
  );
  return found?.keptFrom ?? null;
}
