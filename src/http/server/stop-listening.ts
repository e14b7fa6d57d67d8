import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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
  Server.prototype.close.call(server);
  server.off('connection', onCame).off('drop', onCame);
}

/**
 * Waits for as long as a stop goes on as before, from when somebody was here last: where nobody was, there is nothing to
 * wait for.
 */
export async function passGrace(options: {
  readonly graceMs: number;
  readonly usedAt: () => number;
}): Promise<void> {
  const left = () => options.usedAt() + options.graceMs - performance.now();
  for (let ms = left(); ms > 0; ms = left()) await sleep(Math.min(ms, LOOK_MS));
}

/** Lets the event loop look for what has come, and handle it. From within that, the first `setImmediate` is before it looks again. */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

const LOOK_MS = 10;
const SHORT_MS = 0.05;
const DOUBLED_EACH_MS = 100;
const LIMIT_MS = 1000;
