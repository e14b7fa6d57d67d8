import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** What the protocol has in the place of a version, where a connection is only to cancel another's statement. */
const CANCEL_REQUEST = 80877102;
const LIMIT_MS = 2000;

/**
 * Asks the server to end what it is doing for a connection, as the protocol has it: on a connection beside it, which the
 * server closes without an answer. Resolves when it has, or cannot be reached. The connection itself is not to be given
 * to anybody else before: it is its next statement that would be cancelled.
 */
export function cancelStatement(client: ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = client as ClientBase & Backend;
  const request = Buffer.alloc(16);
  [request.length, CANCEL_REQUEST, processID, secretKey].forEach((word, index) => {
    request.writeInt32BE(word | 0, 4 * index);
  });
  return new Promise((resolve) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    socket.setTimeout(LIMIT_MS, () => socket.destroy());
    socket.on('error', () => {});
    socket.once('close', () => resolve());
    socket.resume().end(request);
  });
}

/** A request that finds nothing to cancel, or does not arrive, is lost. */
const AGAIN_MS = 1000;

/**
 * Cancels what a connection does when a signal is aborted, or was before, and what it does next, until the function that is given is called: from when
 * that has resolved, statements are safe from it.
 */
export function cancelOnAbort(client: ClientBase, signal: AbortSignal | undefined): () => Promise<void> {
  const ending = new AbortController();
  let cancelling: Promise<void> | undefined;
  const cancelAll = async () => {
    while (!ending.signal.aborted) {
      await cancelStatement(client);
      await sleep(AGAIN_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const begin = () => {
    cancelling = cancelAll();
  };
  if (signal?.aborted) begin();
  else signal?.addEventListener('abort', begin, { once: true });
  return async () => {
    signal?.removeEventListener('abort', begin);
    ending.abort();
    await cancelling;
  };
}

/** What the driver knows of its server process, and has no types for. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}
