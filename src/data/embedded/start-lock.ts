import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Backoff } from '../../backoff.ts';

const WAIT_LIMIT_MS = 30_000;
const TRY_EVERY_MS = 20;

/**
 * Lets one process at a time prepare and start a server on a folder, so that two that come up together do not
 * both make a database and both take over what a killed server left. The kernel lets go when the holder dies.
 *
 * The lock is a courtesy: where the kernel has none of the kind (outside Linux), and after a bounded wait, work
 * goes on without, and PostgreSQL's own lock on its data folder decides.
 */
export async function takeStartLock(folder: string): Promise<AsyncDisposable> {
  const backoff = new Backoff({ firstMs: TRY_EVERY_MS, deadlineMs: WAIT_LIMIT_MS });
  const { dev, ino } = await stat(folder);
  if (process.platform === 'linux') {
    do {
      const lock = await listen(`\0periscope-${dev}-${ino}`);
      if (lock) return lock;
    } while (await backoff.wait());
  }
  return { [Symbol.asyncDispose]: async () => {} };
}

/** Listening on a name of Linux's abstract namespace is exclusive, leaves no file and ends with the process. */
function listen(name: string): Promise<AsyncDisposable | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(name, () => resolve(server));
  });
}
