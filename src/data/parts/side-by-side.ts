import type pg from 'pg';
import { destroy } from '../servers/presence.ts';

/**
 * Does something with each of several things, side by side on several connections: each takes the next once it is done with one. Gives what
 * comes of them, in their order. What fails first is thrown: it cuts all connections and aborts the signal, and nothing is under way any
 * more then.
 */
export async function sideBySide<Thing, Made>(
  clients: readonly pg.Client[],
  things: readonly Thing[],
  make: (client: pg.Client, thing: Thing, signal: AbortSignal) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  const failing = new AbortController();
  const queue = things.entries();
  await Promise.all(
    clients.map(async (client) => {
      try {
        for (const [index, thing] of queue) made[index] = await make(client, thing, failing.signal);
      } catch (error) {
        // Of several, the first stays its reason.
        failing.abort(error);
        clients.forEach(destroy);
      }
    }),
  );
  failing.signal.throwIfAborted();
  return made;
}
