import type { Block } from '../generated/prisma/client.ts';
import { trades } from '../nouns/trades.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { statementOf } from '../templates.ts';

/** When a market was first and last traded up to a block, in nanoseconds; null where it never was. */
export async function findTradedTimes(
  statements: Statements,
  marketId: string,
  { lastPosition }: Block,
): Promise<{ readonly first: bigint; readonly last: bigint } | null> {
  const trade = sql`SELECT t.updated_timestamp FROM ${trades.table.name} AS t
    WHERE t.market_id = ${marketId} AND t.created_position <= ${lastPosition}::bigint ORDER BY t.created_position`;
  const [found] = await statements.rows<{ readonly first: bigint | null; readonly last: bigint | null }>(
    statementOf(sql`SELECT (${trade} LIMIT 1) AS first, (${trade} DESC LIMIT 1) AS last`, 'nothing'),
  );
  const { first = null, last = null } = found ?? {};
  return first === null || last === null ? null : { first, last };
}
