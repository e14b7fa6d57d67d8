import type { ClientBase } from 'pg';
import { min } from '../../domain/bigints.ts';
import { heightOf } from '../../domain/positions.ts';
import { coverHeight } from './coverage.ts';
import { carryBalances, carryRows, PACK_BALANCES, PACK_ROWS } from './packed.ts';
import { ARCHIVES, dropPartition, HISTORIES, type Partition, readPartitions } from './partitions.ts';

/** So many changes are packed in one transaction: enough that many of them are of one row. */
const PACKED_AT_ONCE = 100_000;

interface Boundaries {
  /** Streams resume from here on, and the past is asked about from there on. */
  readonly historyFrom: bigint;
  readonly pastFrom: bigint;
  /** Up to here changes are in the archive. */
  readonly archivedTo: bigint;
}

/**
 * Moves changes that no stream resumes from any more to the archive, in partitions of so many blocks: as many as are packed
 * at once, or the rest of a partition. Says whether there were any. What was done stays done, whoever is ended in the middle.
 */
export async function archiveSome(
  client: ClientBase,
  span: bigint,
  atOnce = PACKED_AT_ONCE,
): Promise<boolean> {
  const { historyFrom, archivedTo } = await readBoundaries(client);
  const partitions = await readPartitions(client);
  const ended = endedBy(partitions, HISTORIES, historyFrom).at(-1)?.to ?? 0n;
  const { first, full } = await measure(client, { after: archivedTo, upTo: historyFrom, atOnce });
  const end = full ?? ended - 1n;
  if (end <= archivedTo) return false;
  const part = first === null || first > end ? null : await findArchive(client, first, span);
  // What is packed together is dropped together.
  await pack(client, archivedTo, part === null || part.to > end ? end : part.to - 1n);
  return true;
}

/** Finds the partition of the archive that takes in a position, or makes it. */
async function findArchive(client: ClientBase, position: bigint, span: bigint): Promise<Partition | null> {
  await coverHeight(client, ARCHIVES, heightOf(position), span);
  const partitions = await readPartitions(client);
  return partitions.find(({ table, to }) => table === ARCHIVES[0] && to > position) ?? null;
}

/** Drops what is in the archive as well, and of the archive what nobody asks about any more. */
export async function forget(client: ClientBase, span: bigint): Promise<void> {
  const { historyFrom, pastFrom, archivedTo } = await readBoundaries(client);
  const partitions = await readPartitions(client);
  for (const partition of endedBy(partitions, HISTORIES, archivedTo)) await dropPartition(client, partition);
  const needed = min(historyFrom, pastFrom, archivedTo);
  for (const partition of endedBy(partitions, ARCHIVES, needed)) {
    if (!partition.isDetached) await carryOver(client, partition, span);
    await dropPartition(client, partition);
  }
}

async function readBoundaries(client: ClientBase): Promise<Boundaries> {
  const { rows } = await client.query<Record<keyof Boundaries, string>>({
    name: 'read boundaries',
    text: `SELECT history_from AS "historyFrom", past_from AS "pastFrom", archived_to AS "archivedTo" FROM networks`,
  });
  const { historyFrom = 0, pastFrom = 0, archivedTo = 0 } = rows[0] ?? {};
  return { historyFrom: BigInt(historyFrom), pastFrom: BigInt(pastFrom), archivedTo: BigInt(archivedTo) };
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

/** Packs all that changed after one position and up to another, in partitions that are there. */
export async function pack(client: ClientBase, after: bigint, upTo: bigint): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(PACK_ROWS, [after, upTo]);
    await client.query(PACK_BALANCES, [after, upTo]);
    const { rowCount } = await client.query('UPDATE networks SET archived_to = $2 WHERE archived_to = $1', [
      after,
      upTo,
    ]);
    if (rowCount !== 1) throw new Error('the archive was written to by somebody else');
    await client.query('INSERT INTO archived_parts (position) VALUES ($1)', [upTo]);
    await client.query(SUMMARIZE);
  });
}

/** Of what no index that is read by position knows yet, all is looked through. */
const SUMMARIZE = `
  SELECT brin_summarize_new_values(index.indexrelid) FROM unnest('{${ARCHIVES.join()}}'::regclass[]) AS archive
  CROSS JOIN LATERAL pg_partition_tree(archive) JOIN pg_index AS index ON index.indrelid = relid
  JOIN pg_class AS class ON class.oid = index.indexrelid JOIN pg_am AS method ON method.oid = class.relam
  WHERE isleaf AND amname = 'brin'`;

/** Keeps what each row of a partition was last, in the partition behind it: as of a later block it may be that still. */
async function carryOver(client: ClientBase, { table, name, to }: Partition, span: bigint): Promise<void> {
  await coverHeight(client, [table], heightOf(to), span);
  const carry = table === 'archived_changes' ? carryRows(name) : carryBalances(name);
  await inTransaction(client, () => client.query(carry, [to]));
}

async function inTransaction(client: ClientBase, work: () => Promise<unknown>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
