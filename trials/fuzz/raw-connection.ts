import { connect } from 'node:net';

/** Far longer than the server keeps what is not finished, and short enough to look for a smaller input that hangs, too. */
const LIMIT_MS = 30_000;

/** What came back over one connection, and how it ended. */
export interface Exchange {
  readonly received: Buffer;
  /** `null` for an end in good order; else the error that cut it. */
  readonly cut: string | null;
}

/** As long as a busy machine has to have kept us, for the server to have given up: its limits are longer. */
const LATE_MS = 1000;

/**
 * Sends bytes in these pieces and gives what comes back until the server ends the connection, or `isEnough` says that all
 * has come that will. Rejects where neither happens. Who is late with the first byte finds the connection ended, and may
 * lose the answer with it (408): that is sent once more.
 */
export async function exchange(
  port: number,
  pieces: readonly Uint8Array[],
  isEnough: (received: Buffer) => boolean,
): Promise<Exchange> {
  const start = performance.now();
  const first = await exchangeOnce(port, pieces, isEnough);
  const isLate = first.cut !== null && first.received.length === 0 && performance.now() - start > LATE_MS;
  return isLate ? exchangeOnce(port, pieces, isEnough) : first;
}

function exchangeOnce(
  port: number,
  pieces: readonly Uint8Array[],
  isEnough: (received: Buffer) => boolean,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }).setNoDelay(true);
    // For all of it: a stream that nobody ends shows again and again that it is alive.
    const limit = setTimeout(() => {
      socket.destroy();
      // What came has ids in it, and a fault is known by its words.
      const [line] = received.toString('latin1').split('\r\n', 1);
      reject(new Error(`neither all that was due nor an end, after ${line || 'nothing'}`));
    }, LIMIT_MS);
    let received = Buffer.alloc(0);
    let cut: string | null = null;
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (isEnough(received)) socket.destroy();
    });
    socket.once('error', ({ message }) => {
      cut = message;
    });
    socket.once('close', () => {
      clearTimeout(limit);
      resolve({ received, cut });
    });
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
