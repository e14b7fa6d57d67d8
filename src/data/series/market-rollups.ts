import { beginOf, piecesWithin } from './units.ts';
import { MARKET_VALUES, versionsOf } from './values.ts';

/*
 * What the values of the data of markets were at most, at least and at last in each unit of time in which they changed.
 */

const EVERY_PLACE = MARKET_VALUES.map((_, place) => place);

/** Pieces of a value at a place, as SQL: `key`, `position`, `high`, `low` and `close`. */
export function valuePieces(
  {
    units,
    place,
    most,
  }: { readonly units: readonly number[]; readonly place: number; readonly most: number },
  { keys, ...range }: Readonly<Record<'keys' | 'after' | 'upTo' | 'time', string>>,
): string {
  const held = (name: string) => `rollups.${name}[${place + 1}]::numeric AS ${name}`;
  return piecesWithin(units, range, {
    rolled: (unit, condition) => `
      SELECT keys.key, rollups.position, ${['high', 'low', 'close'].map(held).join(', ')}
      FROM ${keys} AS keys (key) JOIN rollups ON row_position = keys.key AND unit = ${unit} AND ${condition}`,
    single: (after) => `
      SELECT key, position, values[1] AS high, values[1] AS low, values[1] AS close
      FROM (${versionsOf(keys, [place], after, range.upTo)} LIMIT ${most}) AS versions`,
  });
}

const KEYS = '(SELECT created_position FROM market_data WHERE created_position <= $2::bigint)';

/** How a unit is made of what is after one position ($1) and up to another ($2): of changes, or of the next smaller unit. */
export function rollUpValues(unit: number, smaller: number | undefined): string {
  const each = (write: (place: number) => string) =>
    `ARRAY[${EVERY_PLACE.map((place) => write(place + 1)).join(', ')}]`;
  const pieces =
    smaller === undefined
      ? `SELECT key, position, values AS high, values AS low, values AS close
          FROM (${versionsOf(KEYS, EVERY_PLACE, '$1::bigint', '$2::bigint')}) AS versions`
      : `SELECT keys.key, position, high::numeric[], low::numeric[], close::numeric[] FROM ${KEYS} AS keys (key)
          JOIN rollups ON row_position = keys.key AND unit = ${smaller} AND position > $1::bigint AND position <= $2::bigint`;
  return `
      INSERT INTO rollups (row_position, unit, position, high, low, close)
      SELECT key, ${unit}, max(position), ${each((place) => `trim_scale(max(high[${place}]))::text`)},
        ${each((place) => `trim_scale(min(low[${place}]))::text`)},
        ${each((place) => `trim_scale(max(close[${place}]) FILTER (WHERE later IS DISTINCT FROM begin))::text`)}
      FROM (
        SELECT *, lead(position) OVER walk AS next, lead(begin) OVER walk AS later FROM (
          SELECT pieces.*, ${beginOf(unit, 'blocks.timestamp')} AS begin
          FROM (${pieces}) AS pieces JOIN blocks ON blocks.height = pieces.position >> 20
        ) AS pieces WINDOW walk AS (PARTITION BY key ORDER BY position)
      ) AS pieces
      WHERE next IS NULL OR next >> 20 <> position >> 20
      GROUP BY key, begin`;
}
