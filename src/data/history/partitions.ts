import type { ClientBase, DatabaseError } from 'pg';
import { Backoff } from '../../backoff.ts';
import { ARCHIVED_ROWS, ARCHIVES, MIXED_ARCHIVE, ROLLUPS } from './archives.ts';

/** The histories that streams read. */
export const HISTORIES = ['changes', 'balance_changes'] as const;

/** The tables of rows that are only ever added, in the order of their positions. */
export const ROWS_BY_POSITION = ['rewards', 'trades'] as const;

/** The tables whose rows are in partitions by position. */
export const PARTITIONED: readonly string[] = [
  ...HISTORIES,
  ...ROWS_BY_POSITION,
  ...[...ARCHIVES, ROLLUPS].map(({ table }) => table),
  ...[ARCHIVED_ROWS, MIXED_ARCHIVE],
];

/** What is behind the name of a table whose rows are still to come. */
export const TO_COME = '_to_come';

const OUR_NAMES = [...PARTITIONED, ...ROWS_BY_POSITION.map((table) => `${table}${TO_COME}`)];

/** A part of a partitioned table: what is from one position on, and before another. */
export interface Partition {
  readonly table: string;
  readonly name: string;
  /** Null where it begins with whatever there is. */
  readonly from: bigint | null;
  readonly to: bigint;
  /** Whether somebody was ended while it was being detached. */
  readonly isDetached: boolean;
}

/** The partitions of all histories, each table's in order. Others may keep tables in partitions beside them. */
export async function readPartitions(client: ClientBase): Promise<readonly Partition[]> {
  const { rows } = await client.query<{ table: string; name: string; bound: string; detached: boolean }>({
    name: 'read partitions',
    text: `
      SELECT parent.relname AS table, part.relname AS name, pg_get_expr(part.relpartbound, part.oid) AS bound,
        inhdetachpending AS detached
      FROM pg_inherits JOIN pg_class AS parent ON parent.oid = inhparent JOIN pg_class AS part ON part.oid = inhrelid
      WHERE parent.relname = ANY ($1) AND parent.relnamespace = current_schema()::regnamespace AND part.relkind = 'r'`,
    values: [OUR_NAMES],
  });
  const found = rows.map(({ table, name, bound, detached }): Partition => {
    const [, from, to] = BOUND.exec(bound) ?? [];
    if (from === undefined || to === undefined)
      throw new TypeError(`the partition ${name} has no such bounds as this version makes: ${bound}`);
    return {
      table,
      name,
      from: from === 'MINVALUE' ? null : BigInt(from),
      to: BigInt(to),
      isDetached: detached,
    };
  });
  return found.sort((a, b) => (a.to < b.to ? -1 : 1));
}

const BOUND = /^FOR VALUES FROM \('?(MINVALUE|\d+)'?\) TO \('?(\d+)'?\)$/;

/** Gives a table the owner of another. */
function ownAs(table: string, name: string): string {
  return `DO $$ BEGIN EXECUTE format('ALTER TABLE ${name} OWNER TO %I',
    (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = '${table}'::regclass)); END $$`;
}

/**
 * Makes a partition, in a transaction of its own. Nobody waits for it: those who read and write the table go on
 * meanwhile, which they could not if it was made as a part from the start.
 */
export async function makePartition(
  client: ClientBase,
  { table, name, from, to }: Omit<Partition, 'isDetached'>,
  tryForMs?: number,
): Promise<void> {
  const statements = [
    `CREATE TABLE "${name}" (LIKE "${table}")`,
    // Whoever migrates changes it with its table.
    ownAs(table, name),
    `ALTER TABLE "${table}" ATTACH PARTITION "${name}" FOR VALUES FROM (${from ?? 'MINVALUE'}) TO (${to})`,
  ];
  await withoutWaiting(client, statements, tryForMs);
}

/**
 * Has the server look at partitions of tables that have many more rows than when it last did: of what it takes for empty, it would read
 * every row for each question, and it looks for itself once a minute.
 */
export async function analyzeGrown(client: ClientBase, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT part.relname AS name FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
     WHERE inhparent = ANY ($1::regclass[]) AND pg_stat_get_mod_since_analyze(part.oid) > greatest(${FEW_ROWS}, 3 * part.reltuples)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`ANALYZE "${name}"`);
}

/** These are read as soon as not. */
const FEW_ROWS = 500;

const TO_BE_DROPPED = 'periscope drops it';

/** Marks a partition that is about to be detached: what others keep, by whatever name, is not dropped. */
export function markAsDropped(name: string): string {
  return `COMMENT ON TABLE "${name}" IS '${TO_BE_DROPPED}'`;
}

/** So long those are waited for who have read tables: a backup does for hours, and the next time goes on where this one ended. */
const PATIENCE_MS = 2_000;
/** So long, at least, for each table. */
const LEAST_PATIENCE_MS = 100;

/** For how long others' locks are waited for, of all tables together: a backup has every one of them, and other work would wait for it. */
export class LockPatience {
  #leftMs = PATIENCE_MS;

  /** Does what needs a lock and may wait for so many milliseconds. Says whether it could. */
  async unlessHeld(work: (waitMs: number) => Promise<unknown>): Promise<boolean> {
    const begin = performance.now();
    const isDone = await unlessHeld(() => work(this.#leftMs));
    const leftMs = Math.round(this.#leftMs - (performance.now() - begin));
    if (!isDone) this.#leftMs = Math.max(LEAST_PATIENCE_MS, leftMs);
    return isDone;
  }
}

/**
 * Removes a partition with all that is in it, and says whether it is gone: those who read the table go on meanwhile, and find it there or
 * not, and where one of them takes long it stays until the next time.
 */
export async function dropPartition(
  client: ClientBase,
  { table, name, isDetached }: Partition,
  patience: LockPatience = new LockPatience(),
): Promise<boolean> {
  const how = isDetached ? 'FINALIZE' : 'CONCURRENTLY';
  const isDropped = await patience.unlessHeld(async (waitMs) => {
    await client.query(`SET lock_timeout = ${waitMs}`);
    await client.query(markAsDropped(name));
    await client.query(`ALTER TABLE "${table}" DETACH PARTITION "${name}" ${how}`);
    await drop(client, name, waitMs);
  });
  await client.query('RESET lock_timeout');
  return isDropped;
}

/** Drops what a process was ended at that had detached it; what somebody reads, the next time. */
export async function dropDetached(
  client: ClientBase,
  patience: LockPatience = new LockPatience(),
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT relispartition AND obj_description(oid, 'pg_class') = $1`,
    [TO_BE_DROPPED],
  );
  for (const { name } of rows) await patience.unlessHeld((waitMs) => drop(client, name, waitMs));
}

/** Does what needs a lock, and says whether it could: what else there is to do does not wait for those who hold it for hours. */
export async function unlessHeld(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if ((error as DatabaseError).code !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}

function drop(client: ClientBase, name: string, tryForMs: number): Promise<void> {
  return withoutWaiting(client, [`DROP TABLE IF EXISTS "${name}"`], tryForMs);
}

/** So long a change of a table waits for those who use it, and others behind it. */
export const LOCK_LIMIT = "SET LOCAL lock_timeout = '50ms'";
const TRY_FOR_MS = 20_000;
/** So long those who read have the table to themselves between two attempts, after a few. */
const MOST_PAUSE_MS = 1_000;
export const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Changes tables in a transaction, again where a lock cannot be had at once: those who read them do not queue behind it. There is no other
 * attempt once the signal is aborted.
 */
export async function withoutWaiting(
  client: ClientBase,
  statements: readonly string[],
  tryForMs = TRY_FOR_MS,
  signal?: AbortSignal,
): Promise<void> {
  const limits = { firstMs: 25, limitMs: MOST_PAUSE_MS, deadlineMs: tryForMs, ...(signal && { signal }) };
  const backoff = new Backoff(limits);
  for (;;) {
    try {
      for (const statement of ['BEGIN', LOCK_LIMIT, ...statements, 'COMMIT']) await client.query(statement);
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if ((error as DatabaseError).code !== LOCK_NOT_AVAILABLE || !(await backoff.wait())) throw error;
    }
  }
}
