import type { ClientBase } from 'pg';
import { Backoff } from '../../backoff.ts';
import { GatewayError } from '../../errors.ts';

/** One writer per database holds this advisory lock, so that positions are committed in their order. */
export const WRITER_LOCK = 0x70657269; // 'peri'
/** The server notices a little late that a writer was killed, and holds its lock so long. */
const WAIT_MS = 3_000;
const RETRY_MS = 25;
export const WRITTEN_BY_ANOTHER =
  'Another process is ingesting into this database. There can be one at a time.';

/** Takes it until the connection ends. Throws FAILED_PRECONDITION where another process has it. */
export async function takeWriterLock(client: ClientBase): Promise<void> {
  const backoff = new Backoff({ firstMs: RETRY_MS, deadlineMs: WAIT_MS });
  do {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      WRITER_LOCK,
    ]);
    if (rows[0]?.locked === true) return;
  } while (await backoff.wait());
  throw new GatewayError('FAILED_PRECONDITION', WRITTEN_BY_ANOTHER);
}

/** Whether any process has it. */
export async function isWriterLocked(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(IS_LOCKED, [WRITER_LOCK]);
  return rows[0]?.locked === true;
}

const IS_LOCKED = `
  SELECT EXISTS (
    SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory' AND classid = 0 AND objid = $1 AND objsubid = 1 AND granted
  ) AS locked`;
