import { knownFrom } from '../history/retention.ts';
import { beginOf, piecesWithin, SMALLEST } from './units.ts';

/*
 * What was traded in each unit of time: the prices of the first and the last trade, the greatest and the least, and sums.
 */

const COLUMNS = 'open, high, low, close, volume, notional, trades';

/** A trade by itself, with the columns of a piece. */
const SINGLE = `market_id, created_position AS position, price::numeric AS open, price::numeric AS high, price::numeric AS low,
  price::numeric AS close, size::numeric AS volume, price::numeric * size::numeric AS notional, 1 AS trades FROM trades`;

/** Pieces of the trades of markets ($1), as SQL, with the last trade of each before: `market_id`, `position` and what was traded. */
export function tradePieces(
  units: readonly number[],
  most: number,
  range: Readonly<Record<'after' | 'upTo' | 'time', string>>,
): string {
  const rest = (after: string) => `
    (SELECT ${SINGLE}
    WHERE market_id = ANY ($1::text[]) AND created_position > ${after} AND created_position <= ${range.upTo} LIMIT ${most})
    UNION ALL
    SELECT before.* FROM unnest($1::text[]) AS markets (id) CROSS JOIN LATERAL (
      (SELECT ${SINGLE} WHERE market_id = markets.id AND created_position <= ${range.after}
      ORDER BY created_position DESC LIMIT 1)
      UNION ALL (${lastRolledUp('markets.id', range.after)})
      ORDER BY position DESC LIMIT 1
    ) AS before`;
  return piecesWithin(units, range, {
    rolled: (unit, condition) => `
      SELECT market_id, position, ${COLUMNS} FROM trade_rollups
      WHERE market_id = ANY ($1::text[]) AND unit = ${unit} AND ${condition}`,
    single: rest,
  });
}

/**
 * The last minute with trades of a market up to a position: its trades may have been dropped, and it is kept. None where others
 * were dropped that it does not have, since any of those may have been before the position.
 */
function lastRolledUp(market: string, after: string): string {
  const ofMarket = `market_id = ${market} AND unit = ${SMALLEST}`;
  return `
    SELECT rolled.* FROM (
      SELECT market_id, position, ${COLUMNS} FROM trade_rollups WHERE ${ofMarket} AND position <= ${after}
      ORDER BY position DESC LIMIT 1
    ) AS rolled
    LEFT JOIN LATERAL (
      SELECT position, trades FROM trade_rollups WHERE ${ofMarket} AND position > ${after} ORDER BY position LIMIT 1
    ) AS next ON TRUE
    WHERE (next.trades IS NULL OR next.trades = (
      SELECT count(*) FROM trades
      WHERE market_id = ${market} AND created_position > rolled.position AND created_position <= next.position
    )) AND (SELECT ${knownFrom(['trades'])} - 1 FROM networks)
      <= (SELECT up_to_position FROM rollup_levels WHERE unit = ${SMALLEST})`;
}

/** How a unit is made of what is after one position ($1) and up to another ($2): of trades, or of the next smaller unit. */
export function rollUpTrades(unit: number, smaller: number | undefined): string {
  const pieces =
    smaller === undefined
      ? `SELECT ${SINGLE} WHERE created_position > $1::bigint AND created_position <= $2::bigint`
      : `SELECT market_id, position, ${COLUMNS} FROM trade_rollups
        WHERE unit = ${smaller} AND position > $1::bigint AND position <= $2::bigint`;
  return `
    INSERT INTO trade_rollups (market_id, unit, position, ${COLUMNS})
    SELECT market_id, ${unit}, max(position), (array_agg(open ORDER BY position))[1], max(high), min(low),
      (array_agg(close ORDER BY position DESC))[1], sum(volume), sum(notional), sum(trades)
    FROM (
      SELECT pieces.*, ${beginOf(unit, 'blocks.timestamp')} AS begin
      FROM (${pieces}) AS pieces JOIN blocks ON blocks.height = pieces.position >> 20
    ) AS pieces GROUP BY market_id, begin`;
}
