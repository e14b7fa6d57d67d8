import { parse } from 'graphql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Semaphore } from '../../src/data/servers/semaphore.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import { prepareOperation } from '../../src/engine/run/prepared.ts';
import { createContext } from '../../src/graphql/context.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { countStatements } from '../support/statements.ts';
import { oddNetwork } from './executor-data.ts';
import { bytesOf, NO_FEED } from './executors.ts';

/* The statements that one operation has under way, however many it comes to. */

const data = await forAllTests(oddNetwork.open());

/** Counts the statements of an operation that were sent, and how many were under way at most. */
class CountedStatements implements Statements {
  sent = 0;
  most = 0;
  readonly isPast = false;
  readonly #statements: Statements;
  #underWay = 0;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  readonly rows: Statements['rows'] = (statement) => this.#count(() => this.#statements.rows(statement));
  readonly texts: Statements['texts'] = (statement) => this.#count(() => this.#statements.texts(statement));
  readonly arrays: Statements['arrays'] = (statement) =>
    this.#count(() => this.#statements.arrays(statement));
  readonly saw = (position: bigint) => this.#statements.saw(position);

  /** Nobody leaves. */
  until(): Statements {
    return this;
  }

  async #count<Result>(send: () => Promise<Result>): Promise<Result> {
    this.sent += 1;
    this.#underWay += 1;
    this.most = Math.max(this.most, this.#underWay);
    try {
      return await send();
    } finally {
      this.#underWay -= 1;
    }
  }
}

const FIELDS = 40;
const fields = Array.from(
  { length: FIELDS },
  (_, number) => `of${number}: deposits(first: 1, partyId: "party ${number}") { edges { node { id } } }`,
);
const document = parse(`{ ${fields.join('\n')} }`);

function contextOf(statements: Statements, signal: AbortSignal) {
  return createContext({ ...data.database, statements, feed: NO_FEED }, { signal });
}

test.each([
  ['as text', true],
  ['by graphql-js', false],
])('are few %s, and all are answered', async (_, asText) => {
  const statements = new CountedStatements(data.database.statements);
  const { signal } = new AbortController();
  const answer = await prepareOperation(document, null, { asText }).run({}, contextOf(statements, signal));
  const whole = bytesOf(answer);
  expect(whole).not.toContain('"errors"');
  expect(Object.keys(JSON.parse(whole).data)).toHaveLength(FIELDS);
  expect(statements.sent).toBeGreaterThanOrEqual(FIELDS);
  expect(statements.most).toBe(4);
});

test('are as few of a whole batch, and all are answered', async () => {
  await using gateway = await startTestGateway(data.url);
  const underWay = countAdmitted();
  const operations = Array.from({ length: 10 }, (_, n) => ({
    query: `{ ${fields.map((field) => field.replace(/"party (\d+)"/, `"party $1 of ${n}"`)).join('\n')} }`,
  }));
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(operations),
  });
  const results = (await response.json()) as { readonly data: object }[];
  expect(results.map(({ data: found }) => Object.keys(found).length)).toEqual(Array(10).fill(FIELDS));
  expect(underWay.most).toBe(4);
});

test('those that wait for their turn are not sent for who has left', async () => {
  const leaving = new AbortController();
  const driven = countStatements();
  onTestFinished(driven.stop);
  const running = prepareOperation(document).run({}, contextOf(data.database.statements, leaving.signal));
  leaving.abort(new Error('left'));
  expect(bytesOf(await running)).toContain('"errors"');
  expect(driven.count()).toBeLessThanOrEqual(4);
});

/** Counts the statements of all operations of this process that were let through at once, at most. */
function countAdmitted(): { readonly most: number } {
  const counted = { most: 0 };
  let underWay = 0;
  const { run } = Semaphore.prototype;
  const spy = vi.spyOn(Semaphore.prototype, 'run');
  spy.mockImplementation(function (this: Semaphore, task, signal) {
    const admitted = async () => {
      underWay += 1;
      counted.most = Math.max(counted.most, underWay);
      try {
        return await task();
      } finally {
        underWay -= 1;
      }
    };
    return run.call(this, admitted, signal);
  });
  onTestFinished(() => spy.mockRestore());
  return counted;
}
