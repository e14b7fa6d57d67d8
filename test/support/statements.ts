import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { HANG_MS } from './limits.ts';

export interface StatementCount {
  /** How many statements this process has sent over any connection since the count began. */
  count(): number;
  /** Their texts, newest last. */
  readonly texts: readonly string[];
  stop(): void;
}

/** Counts at the driver, below everything that could send more than it seems to. */
export function countStatements(): StatementCount {
  const texts: string[] = [];
  const prototype = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
  const original = prototype.query;
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [first] = args;
    texts.push(typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? ''));
    return original.apply(this, args);
  };
  return {
    texts,
    count: () => texts.length,
    stop: () => {
      prototype.query = original;
    },
  };
}

/** A count once it has not risen for half a second. */
export async function settled(count: () => number): Promise<number> {
  for (let last = -1, deadline = Date.now() + HANG_MS; Date.now() < deadline; await sleep(500)) {
    if (count() === last) return last;
    last = count();
  }
  throw new Error('it goes on and on');
}
