import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Statements } from '../../src/data/servers/statements.ts';
import type { Statement } from '../../src/data/templates.ts';
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

/** What happens around statements, by their texts: each waits for it. */
interface Around {
  readonly before?: (text: string) => unknown;
  /** Once a statement is answered, before whoever asked has the rows. */
  readonly after?: (text: string) => unknown;
}

/** Statements around which something else happens, such as a block that comes between two of them. */
export function interrupted(statements: Statements, around: Around): Statements {
  const send = async <Answer>(text: string, ask: () => Promise<Answer>) => {
    await around.before?.(text);
    const answer = await ask();
    await around.after?.(text);
    return answer;
  };
  return {
    rows: <Row>(one: Statement) => send(one.text, () => statements.rows<Row>(one)),
    texts: (one) => send(one.text, () => statements.texts(one)),
    arrays: (one) => send(one.text, () => statements.arrays(one)),
    until: (...args) => interrupted(statements.until(...args), around),
    isPast: statements.isPast,
    saw: (position) => statements.saw(position),
  };
}
