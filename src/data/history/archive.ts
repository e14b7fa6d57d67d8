import type { ClientBase } from 'pg';
import { max, min } from '../../domain/bigints.ts';
import { heightOf } from '../../domain/positions.ts';
import { inTransaction } from '../servers/transaction.ts';
import { ARCHIVED_ROWS, ARCHIVES, type Archive, archivedRows, MIXED_ARCHIVE, ROLLUPS } from './archives.ts';
import { coverHeight } from './coverage.ts';
import { carryBalances, carryRows, PACK_BALANCES, PACK_ROWS } from './packed.ts';
import {
  dropPartition,
  HISTORIES,
  LOCK_LIMIT,
  LockPatience,
  type Partition,
  readPartitions,
  unlessHeld,
} from './partitions.ts';

/** How many blocks a partition of what is kept of a noun spans. */
export type Spans = (noun: Archive['noun']) => bigint;

/** So many changes are packed in one transaction: enough that many of them are of one row. */
const PACKED_AT_ONCE = 100_000;

interface Boundaries {
  /** Streams resume from here on, and the past is asked about from there on. */
  readonly historyFrom: bigint;
  readonly pastFrom: (noun: Archive['noun']) => bigint;
  /** Up to here changes are in the archive, and rolled up. */
  readonly archivedTo: bigint;
  readonly rolledUpTo: bigint;
}

/**
 * Moves changes that no stream resumes from any more to the archive, in partitions of so many blocks: as many as are packed
 * at once, or the rest of a partition. Says whether there were any. What was done stays done, whoever is ended in the middle.
 */
export async function archiveSome(
  client: ClientBase,
  spans: Spans,
  atOnce = PACKED_AT_ONCE,
): Promise<boolean> {
  const { historyFrom, archivedTo } = await readBoundaries(client);
  const partitions = await readPartitions(client);
  const ended = endedBy(partitions, HISTORIES, historyFrom).at(-1)?.to ?? 0n;
  const { first, full } = await measure(client, { after: archivedTo, upTo: historyFrom, atOnce });
  const end = full ?? ended - 1n;
  if (end <= archivedTo) return false;
  const archiveEnd = first === null || first > end ? end : await coverArchives(client, first, spans);
  // What is packed together is dropped together.
  await pack(client, archivedTo, min(end, archiveEnd));
  return true;
}

/** Makes the partitions of the archive that take in a position, where they are not there. Gives the last position in all of them. */
async function coverArchives(client: ClientBase, position: bigint, spans: Spans): Promise<bigint> {
  for (const { noun, table } of ARCHIVES) await coverHeight(client, [table], heightOf(position), spans(noun));
  const partitions = await readPartitions(client);
  const ends = ARCHIVES.map((one) =>
    partitions.find(({ table, to }) => table === one.table && to > position),
  );
  return min(...(ends.map((part) => (part as Partition).to - 1n) as [bigint]));
}

/**
 * Drops what is in the archive as well, and of the archive what nobody asks about any more. A table of which a partition is read for long is
 * noted in `held`, and passed over as long as it is: its next ones cannot be dropped before.
 */
export async function forget(
  client: ClientBase,
  spans: Spans,
  held: Set<string> = new Set(),
  patience: LockPatience = new LockPatience(),
): Promise<void> {
  const { historyFrom, pastFrom, archivedTo, rolledUpTo } = await readBoundaries(client);
  const partitions = await readPartitions(client);
  const drop = async (partition: Partition, prepare?: () => Promise<void>) => {
    if (held.has(partition.table)) return;
    if (!partition.isDetached) await prepare?.();
    if (!(await dropPartition(client, partition, patience))) held.add(partition.table);
  };
  for (const partition of endedBy(partitions, HISTORIES, archivedTo)) await drop(partition);
  for (const archive of ARCHIVES) {
    const needed = min(historyFrom, pastFrom(archive.noun), archivedTo);
    for (const partition of endedBy(partitions, [archive.table], needed))
      await drop(partition, () => carryOver(client, archive, partition, spans));
  }
  for (const rolledUp of endedBy(partitions, [ROLLUPS.table], min(pastFrom(ROLLUPS.noun), rolledUpTo)))
    await drop(rolledUp);
  for (const mixed of await findForgottenMixed(client)) await drop(mixed);
}

/** What older versions packed once every noun has forgotten its part: what was last of it is carried over. */
async function findForgottenMixed(client: ClientBase): Promise<readonly Partition[]> {
  const partitions = await readPartitions(client);
  const isNeeded = partitions.some(({ table, from }) => table.startsWith(ARCHIVED_ROWS) && from === null);
  return isNeeded ? [] : partitions.filter(({ table }) => table === MIXED_ARCHIVE);
}

async function readBoundaries(client: ClientBase): Promise<Boundaries> {
  const { rows } = await client.query<{
    bounds: readonly string[];
    of: Readonly<Record<string, number | null>>;
  }>({
    name: 'read boundaries',
    text: `SELECT ARRAY[history_from, archived_to, past_from, (SELECT min(up_to_position) FROM rollup_levels)]::text[] AS bounds,
      past_from_of AS of FROM networks`,
  });
  const { bounds = [], of = {} } = rows[0] ?? {};
  const [historyFrom = 0n, archivedTo = 0n, known = 0n, rolledUpTo = 0n] = bounds.map((bound) =>
    BigInt(bound ?? 0),
  );
  // Positions are below 2^53.
  const pastFrom: Boundaries['pastFrom'] = ({ table }) => max(known, BigInt(of[table.name.text] ?? 0));
  return { historyFrom, pastFrom, archivedTo, rolledUpTo };
}

/** The partitions of some tables of which nothing is behind a position. */
function endedBy(
  partitions: readonly Partition[],
  tables: readonly string[],
  position: bigint,
): readonly Partition[] {
  return partitions.filter(({ table, to }) => tables.includes(table) && to - 1n <= position);
}

/** Where the first change after a position is, and the last of as many as are packed at once; null where there are not. */
async function measure(
  client: ClientBase,
  { after, upTo, atOnce }: { after: bigint; upTo: bigint; atOnce: number },
) {
  const within = 'WHERE position > $1 AND position <= $2 ORDER BY position';
  const find = (offset: number) =>
    HISTORIES.map((table) => `(SELECT position FROM ${table} ${within} OFFSET ${offset} LIMIT 1)`);
  const { rows } = await client.query<{ first: string | null; full: string | null }>({
    text: `SELECT least(${find(0).join(', ')}) AS first, least(${find(atOnce - 1).join(', ')}) AS full`,
    values: [after, upTo],
  });
  const [{ first = null, full = null } = {}] = rows;
  return { first: first === null ? null : BigInt(first), full: full === null ? null : BigInt(full) };
}

/** PostgreSQL's code for what others did first. */
const WRITTEN_TO = '40001';

/** Packs all that changed after one position and up to another, in partitions that are there. */
export async function pack(client: ClientBase, after: bigint, upTo: bigint): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(PACK_ROWS, [after, upTo]);
    await client.query(PACK_BALANCES, [after, upTo]);
    const { rowCount } = await client.query('UPDATE networks SET archived_to = $2 WHERE archived_to = $1', [
      after,
      upTo,
    ]);
    if (rowCount !== 1)
      throw Object.assign(new Error('the archive was written to by somebody else'), { code: WRITTEN_TO });
    await client.query('INSERT INTO archived_parts (position) VALUES ($1)', [upTo]);
  });
  await summarize(client);
}

/** The indexes of the archive that are read by position. */
const SUMMARIZED = `
  SELECT index.indexrelid AS index FROM unnest('{${ARCHIVED_ROWS}, archived_balances}'::regclass[]) AS archive
  CROSS JOIN LATERAL pg_partition_tree(archive) JOIN pg_index AS index ON index.indrelid = relid
  JOIN pg_class AS class ON class.oid = index.indexrelid JOIN pg_am AS method ON method.oid = class.relam
  WHERE isleaf AND amname = 'brin'`;

/**
 * Has each index know what was packed; what it does not is looked through by every question. One whose table is under maintenance, which
 * may take hours, has its turn after the next packing.
 */
async function summarize(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ index: number }>(SUMMARIZED);
  for (const { index } of rows)
    await unlessHeld(() =>
      inTransaction(client, async () => {
        await client.query(LOCK_LIMIT);
        await client.query('SELECT brin_summarize_new_values($1)', [index]);
      }),
    );
}

/** Keeps what each row of a partition was last, in the partition behind it: as of a later block it may be that still. */
async function carryOver(
  client: ClientBase,
  { noun, table }: Archive,
  { name, from, to }: Partition,
  spans: Spans,
): Promise<void> {
  await coverHeight(client, [table], heightOf(to), spans(noun));
  const rows = noun.table.name.text;
  // The first takes over what is in the mixed archive, too.
  const all = `(SELECT archived.* FROM ${archivedRows(rows)} AS archived JOIN ${rows} ON created_position = row_position)`;
  const carry =
    noun.history === 'balances' ? carryBalances(name) : carryRows(rows, from === null ? all : `"${name}"`);
  await inTransaction(client, () => client.query(carry, [to]));
}
