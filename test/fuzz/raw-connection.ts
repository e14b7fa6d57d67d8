import { connect } from 'node:net';

/** Far longer than the server keeps what is not finished, and short enough to look for a smaller input that hangs, too. */
const IDLE_MS = 30_000;

/** What came back over one connection, and how it ended. */
export interface Exchange {
  readonly received: Buffer;
  /** `null` for an end in good order; else the error that cut it. */
  readonly cut: string | null;
}

/**
 * Sends bytes in these pieces and gives what comes back until the server ends the connection, or `isEnough` says that all
 * has come that will. Rejects where neither happens.
 */
export function exchange(
  port: number,
  pieces: readonly Uint8Array[],
  isEnough: (received: Buffer) => boolean,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }).setTimeout(IDLE_MS).setNoDelay(true);
    let received = Buffer.alloc(0);
    let cut: string | null = null;
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (isEnough(received)) socket.destroy();
    });
    socket.once('error', ({ message }) => {
      cut = message;
    });
    socket.once('timeout', () => {
      socket.destroy();
      reject(new Error(`neither an answer nor an end, after ${received.toString('latin1')}`));
    });
    socket.once('close', () => resolve({ received, cut }));
    // One at a time, so that they arrive as they were cut; what the server does not want any more is lost.
    const send = (n: number) => {
      const piece = pieces[n];
      if (piece !== undefined) socket.write(piece, () => setImmediate(send, n + 1));
    };
    socket.once('connect', () => send(0));
  });
}

/** Bytes in pieces that end at these places. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1))), bytes.length].sort(
    (a, b) => a - b,
  );
  return ends.map((end, n) => bytes.subarray(ends[n - 1] ?? 0, end)).filter(({ length }) => length > 0);
}
