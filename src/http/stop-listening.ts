import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/**
 * Closes the listener of a server, and nothing else. The operating system resets connections that it has made and the
 * server has not accepted; so this is done at the end of a turn of the event loop that had nobody to accept and took
 * next to no time. Under load such a turn may be long in coming: what counts as short grows, up to the deadline.
 */
export async function stopListening(server: Server, deadline: number): Promise<void> {
  let came = false;
  const onCame = () => {
    came = true;
  };
  server.on('connection', onCame).on('drop', onCame);
  const start = performance.now();
  for (let before = start; ; ) {
    came = false;
    await takeTurn();
    const now = performance.now();
    const longest = SHORT_MS * 2 ** ((now - start) / DOUBLED_EACH_MS);
    if ((!came && now - before <= longest) || now >= Math.min(start + LIMIT_MS, deadline)) break;
    before = now;
  }
  // That of http.Server would also destroy idle connections, with whatever is on its way on them.
  NetServer.prototype.close.call(server);
  server.off('connection', onCame).off('drop', onCame);
}

/** Lets the event loop look for what has come, and handle it. From within that, the first `setImmediate` is before it looks again. */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

const SHORT_MS = 0.05;
const DOUBLED_EACH_MS = 100;
const LIMIT_MS = 1000;
