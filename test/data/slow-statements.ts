import { setTimeout as sleep } from 'node:timers/promises';
import type { Statements } from '../../src/data/servers/statements.ts';

/** Statements that each stay until all that may run do; how many were sent, and how many ran at most at once. */
export function slowDown(statements: Statements) {
  const seen = { sent: 0, most: 0 };
  let running = 0;
  const slow: Statements = {
    ...statements,
    async rows(statement) {
      seen.sent += 1;
      running += 1;
      seen.most = Math.max(seen.most, running);
      await sleep(20);
      running -= 1;
      return statements.rows(statement);
    },
  };
  return { slow, seen };
}
