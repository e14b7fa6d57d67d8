import type { ClientBase } from 'pg';
import { ROLLUPS } from '../history/archives.ts';
import { coverHeight } from '../history/coverage.ts';
import { knownFrom } from '../history/retention.ts';
import { inTransaction } from '../servers/transaction.ts';
import { rollUpValues } from './market-rollups.ts';
import { rollUpTrades } from './trade-rollups.ts';
import { before, beginOf, SMALLEST, UNITS } from './units.ts';

/** So many blocks are rolled up in one transaction. */
const BLOCKS_AT_ONCE = 4_096;

/** What makes each unit of what the next smaller one has. */
const INSERTS = UNITS.map((unit, index) =>
  [rollUpValues, rollUpTrades].map((write) => write(unit, UNITS[index + 1])),
);

/** Rolls up what is settled, of some blocks, in partitions of so many. Says whether there was any. */
export async function rollUpSome(client: ClientBase, span: bigint): Promise<boolean> {
  const levels = await client.query<{ unit: number; time: string; position: string }>(
    'SELECT unit, up_to_time AS time, up_to_position AS position FROM rollup_levels',
  );
  const reached = new Map(levels.rows.map((one) => [one.unit, one]));
  const begin = reached.size > 0 ? '-1' : await readBegin(client);
  const { time = '-1', position = begin } = reached.get(SMALLEST) ?? {};
  const { rows } = await client.query<{ height: string; time: string }>({
    text: `
      SELECT height, ${beginOf(SMALLEST, 'blocks.timestamp')} AS time FROM blocks
      WHERE height IN ((SELECT max(height) FROM blocks), (
        SELECT height FROM blocks WHERE last_position > $1 ORDER BY last_position OFFSET ${BLOCKS_AT_ONCE} LIMIT 1))
      ORDER BY height`,
    values: [position],
  });
  const next = rows.find((one) => BigInt(one.time) > BigInt(time));
  if (next === undefined) return false;
  await coverNext(client, position, next.height, span);
  await inTransaction(client, async () => {
    for (const unit of UNITS.toReversed())
      await rollUp(client, unit, reached.get(unit)?.position ?? begin, next.time);
  });
  return true;
}

/** What has been forgotten is not rolled up. */
async function readBegin(client: ClientBase): Promise<string> {
  const known = knownFrom([ROLLUPS.noun.table.name.text]);
  const { rows } = await client.query<{ begin: string }>(`SELECT ${known} - 1 AS begin FROM networks`);
  return rows[0]?.begin ?? '-1';
}

/** Makes the partitions for the units of the blocks behind a position, up to one: of a minute there may be more than are rolled up at once. */
async function coverNext(client: ClientBase, position: string, upTo: string, span: bigint): Promise<void> {
  const { rows } = await client.query<{ height: string }>({
    text: `
      SELECT DISTINCT height / $3::bigint * $3::bigint AS height FROM blocks
      WHERE last_position > $1 AND height <= $2 ORDER BY height`,
    values: [position, upTo, span],
  });
  for (const { height } of rows) await coverHeight(client, [ROLLUPS.table], BigInt(height), span);
}

/** Rolls up the units of one size that are over at a time. */
async function rollUp(
  client: ClientBase,
  unit: (typeof UNITS)[number],
  after: string,
  time: string,
): Promise<void> {
  const up = beginOf(unit, '$1::bigint');
  const { rows } = await client.query<{ position: string; time: string }>({
    text: `
      INSERT INTO rollup_levels (unit, up_to_time, up_to_position) VALUES (${unit}, ${up}, ${before(up)})
      ON CONFLICT (unit) DO UPDATE SET up_to_time = EXCLUDED.up_to_time, up_to_position = EXCLUDED.up_to_position
      RETURNING up_to_position AS position, up_to_time AS time`,
    values: [time],
  });
  const upTo = rows[0]?.position ?? after;
  if (BigInt(upTo) <= BigInt(after)) return;
  for (const insert of INSERTS[UNITS.indexOf(unit)] ?? []) await client.query(insert, [after, upTo]);
}
