import type pg from 'pg';
import { destroy } from '../servers/presence.ts';

/** The longest that a timer can be. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Has statements under way at once on a connection, each as it is made, and waits for all of them. Throws the first failure: the
 * others follow from it. Where the server says nothing for `silenceMs` the connection is closed. The driver's own limit is not
 * for this: it begins for all of them as they are sent, so that what takes longer in sum would never be written.
 */
export async function runTogether(
  client: pg.Client,
  silenceMs: number,
  ...statements: readonly Iterable<pg.QueryConfig>[]
): Promise<readonly pg.QueryResult[]> {
  const running: Promise<pg.QueryResult>[] = [];
  try {
    for (const some of statements) {
      for (const statement of some) {
        const unlimited = { ...statement, query_timeout: NEVER_MS };
        running.push(client.query(unlimited));
      }
    }
  } catch (error) {
    // One that cannot be made.
    running.push(Promise.reject(error));
  }
  const silence = setTimeout(() => destroy(client), silenceMs);
  const answers = running.map((answer) => answer.finally(() => silence.refresh()));
  const results = await Promise.allSettled(answers);
  clearTimeout(silence);
  const failure = results.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
