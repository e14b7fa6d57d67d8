import type pg from 'pg';
import { destroy } from '../servers/presence.ts';

/**
 * Does something with each of several things, side by side on several connections: each takes the next once it is done with one. Gives what
 * comes of them, in their order. What fails first is thrown: it cuts all connections, and nothing is under way any more then.
 */
export async function sideBySide<Thing, Made>(
  clients: readonly pg.Client[],
  things: readonly Thing[],
  make: (client: pg.Client, thing: Thing) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  const failures: unknown[] = [];
  const queue = things.entries();
  await Promise.all(
    clients.map(async (client) => {
      try {
        for (const [index, thing] of queue) made[index] = await make(client, thing);
      } catch (error) {
        failures.push(error);
        clients.forEach(destroy);
      }
    }),
  );
  if (failures.length > 0) throw failures[0];
  return made;
}
