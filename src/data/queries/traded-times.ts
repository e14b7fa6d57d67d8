import type { Block } from '../generated/prisma/client.ts';
import { trades } from '../nouns/trades.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { statementOf } from '../templates.ts';
import { keptFrom } from './kept-from.ts';

/** When a market was first and last traded up to a block, as far as trades are kept. */
export interface TradedTimes {
  /** In nanoseconds; null where there is no trade. */
  readonly first: bigint | null;
  readonly last: bigint | null;
  /** Whether trades may have been dropped that were before: not of a market that came since. */
  readonly hasDropped: boolean;
}

export async function findTradedTimes(
  statements: Statements,
  marketId: string,
  { lastPosition }: Block,
): Promise<TradedTimes> {
  // Of its block, as candles go by it: a trade of a height that began again later has the time of the first begin.
  const trade = sql`SELECT (SELECT timestamp FROM blocks WHERE height = t.created_position >> 20) FROM ${trades.table.name} AS t
    WHERE t.market_id = ${marketId} AND t.created_position <= ${lastPosition}::bigint ORDER BY t.created_position`;
  const hasDropped = sql`coalesce((SELECT created_position FROM markets WHERE id = ${marketId}) < ${keptFrom(trades)}, FALSE)`;
  const [found] = await statements.rows<TradedTimes>(
    statementOf(
      sql`SELECT (${trade} LIMIT 1) AS first, (${trade} DESC LIMIT 1) AS last, ${hasDropped} AS "hasDropped"`,
      'nothing',
    ),
  );
  return found ?? { first: null, last: null, hasDropped: false };
}
