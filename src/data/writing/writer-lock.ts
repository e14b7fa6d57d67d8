import type { ClientBase } from 'pg';
import { Backoff } from '../../backoff.ts';
import { GatewayError } from '../../errors.ts';

/** One writer per database holds this advisory lock, so that positions are committed in their order. */
export const WRITER_LOCK = 0x70657269; // 'peri'
/** The server notices a little late that a writer was killed, and holds its lock so long. */
const WAIT_MS = 3_000;
const RETRY_MS = 25;

/** Takes it until the connection ends. Throws FAILED_PRECONDITION where another process has it. */
export async function takeWriterLock(client: ClientBase): Promise<void> {
  const backoff = new Backoff({ firstMs: RETRY_MS, deadlineMs: WAIT_MS });
  do {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      WRITER_LOCK,
    ]);
    if (rows[0]?.locked === true) return;
  } while (await backoff.wait());
  throw new GatewayError(
    'FAILED_PRECONDITION',
    'Another process is ingesting into this database. There can be one at a time.',
  );
}
