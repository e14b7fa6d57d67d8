import type { ClientBase } from 'pg';
import { endBefore } from '../queries/blocks.ts';
import { raw } from '../sql.ts';
import { MARKET_VALUES, versionsOf } from './values.ts';

/*
 * What the values of the data of markets were in each unit of time in which they changed. A unit is rolled up once a block is
 * behind it: times never fall, so nothing comes to it any more. Series are made of the largest units that their buckets
 * consist of, and of changes where nothing is rolled up yet.
 */

/** The units, in seconds, large ones first: each consists of whole ones of the next. Zones differ by quarters of an hour. */
const UNITS = [3600, 900, 60] as const;
const SMALLEST = 60;

/** So many blocks are rolled up in one transaction. */
const BLOCKS_AT_ONCE = 4_096;

const EVERY_PLACE = MARKET_VALUES.map((_, place) => place);

/** The end of the last block before a time. */
function before(time: string): string {
  return `coalesce(${endBefore(raw(time)).text}, -1)`;
}

/** The begin of the unit that a time is in. */
function beginOf(unit: number, time: string): string {
  return `(${time} / ${unit}000000000 * ${unit}000000000)`;
}

/** The units that buckets with some bounds consist of, large ones first. */
export function unitsWithin(times: readonly bigint[]): readonly number[] {
  const largest = UNITS.findIndex((unit) =>
    times.every((time) => time % (BigInt(unit) * 1_000_000_000n) === 0n),
  );
  return largest < 0 ? [] : UNITS.slice(largest);
}

/**
 * Pieces of units, and of changes where there are no units, as SQL: `key`, `position`, `high`, `low` and `close` of the value at
 * a place. They are after one position and up to another, which is the end of what is known at a time.
 */
export function piecesOf(
  {
    units,
    place,
    most,
  }: { readonly units: readonly number[]; readonly place: number; readonly most: number },
  { keys, after, upTo, time }: Readonly<Record<'keys' | 'after' | 'upTo' | 'time', string>>,
): string {
  const ends = units.map(
    (unit) => `least(coalesce((SELECT up_to_position FROM rollup_levels WHERE unit = ${unit}), -1),
      ${before(beginOf(unit, time))}) AS unit_${unit}`,
  );
  const reached = [after, ...units.map((unit) => `(SELECT unit_${unit} FROM reach)`)];
  // What a larger unit has come to, a smaller one has too.
  const from = (index: number) => `greatest(${reached.slice(0, index + 1).join(', ')})`;
  const held = (name: string) => `rollups.${name}[${place + 1}]::numeric AS ${name}`;
  const rolled = units.map(
    (unit, index) => `
    SELECT keys.key, rollups.position, ${['high', 'low', 'close'].map(held).join(', ')}
    FROM ${keys} AS keys (key) JOIN rollups ON rollups.row_position = keys.key AND rollups.unit = ${unit}
      AND rollups.position > ${from(index)} AND rollups.position <= least(${upTo}, ${reached[index + 1]})`,
  );
  const single = `SELECT key, position, values[1] AS high, values[1] AS low, values[1] AS close
    FROM (${versionsOf(keys, [place], from(units.length), upTo)} LIMIT ${most}) AS versions`;
  const reach = units.length === 0 ? '' : `WITH reach AS MATERIALIZED (SELECT ${ends.join(', ')})`;
  return `${reach} ${[...rolled, single].join(' UNION ALL ')}`;
}

/** Rolls up what is settled, of some blocks. Says whether there was any. */
export async function rollUpSome(client: ClientBase): Promise<boolean> {
  const levels = await client.query<{ unit: number; time: string; position: string }>(
    'SELECT unit, up_to_time AS time, up_to_position AS position FROM rollup_levels',
  );
  const reached = new Map(levels.rows.map((one) => [one.unit, one]));
  const { time = '-1', position = '-1' } = reached.get(SMALLEST) ?? {};
  const { rows } = await client.query<{ time: string }>({
    text: `
      SELECT ${beginOf(SMALLEST, 'blocks.timestamp')} AS time FROM blocks
      WHERE height IN ((SELECT max(height) FROM blocks), (
        SELECT height FROM blocks WHERE last_position > $1 ORDER BY last_position OFFSET ${BLOCKS_AT_ONCE} LIMIT 1))
      ORDER BY height`,
    values: [position],
  });
  const next = rows.find((one) => BigInt(one.time) > BigInt(time));
  if (next === undefined) return false;
  await client.query('BEGIN');
  try {
    for (const unit of UNITS.toReversed())
      await rollUp(client, unit, reached.get(unit)?.position ?? '-1', next.time);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
  return true;
}

/** Rolls up the units of one size that are over at a time. */
async function rollUp(client: ClientBase, unit: number, after: string, time: string): Promise<void> {
  const up = beginOf(unit, '$1::bigint');
  const { rows } = await client.query<{ position: string; time: string }>({
    text: `
      INSERT INTO rollup_levels (unit, up_to_time, up_to_position) VALUES (${unit}, ${up}, ${before(up)})
      ON CONFLICT (unit) DO UPDATE SET up_to_time = EXCLUDED.up_to_time, up_to_position = EXCLUDED.up_to_position
      RETURNING up_to_position AS position, up_to_time AS time`,
    values: [time],
  });
  const upTo = rows[0]?.position ?? after;
  if (BigInt(upTo) > BigInt(after)) await client.query(INSERTS[unit] as string, [after, upTo]);
}

const KEYS = '(SELECT created_position FROM market_data WHERE created_position <= $2::bigint)';

/** How each unit is made: of changes, or of the next smaller one. */
const INSERTS: Readonly<Record<number, string>> = Object.fromEntries(
  UNITS.map((unit, index) => {
    const smaller = UNITS[index + 1];
    const each = (write: (place: number) => string) =>
      `ARRAY[${EVERY_PLACE.map((place) => write(place + 1)).join(', ')}]`;
    const pieces =
      smaller === undefined
        ? `SELECT key, position, values AS high, values AS low, values AS close
          FROM (${versionsOf(KEYS, EVERY_PLACE, '$1::bigint', '$2::bigint')}) AS versions`
        : `SELECT keys.key, position, high::numeric[], low::numeric[], close::numeric[] FROM ${KEYS} AS keys (key)
          JOIN rollups ON row_position = keys.key AND unit = ${smaller} AND position > $1::bigint AND position <= $2::bigint`;
    const insert = `
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
    return [unit, insert];
  }),
);
