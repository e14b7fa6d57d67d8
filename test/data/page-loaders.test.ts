import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/data/client.ts';
import { createCounts } from '../../src/data/counts.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { createPageLoaders } from '../../src/data/page-loaders.ts';
import type { Statements } from '../../src/data/statements.ts';
import { LightSignal } from '../../src/signal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let reader: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  reader = openDatabase({ url: database.url, readOnly: true });
});

afterAll(async () => {
  await reader?.close();
  await database?.[Symbol.asyncDispose]();
});

const EPOCHS = Array.from({ length: 20 }, (_, epoch) => ({ fromEpoch: BigInt(epoch) }));

test('a count of another operation comes between those of one that asks for many', async () => {
  const { statements, counts } = countSlowly();
  const ended: string[] = [];
  const [many, one] = [
    createPageLoaders(statements, counts, ignore),
    createPageLoaders(statements, counts, ignore),
  ];
  const all = EPOCHS.map((filter) => many.countAll(nouns.reward, filter).then(() => ended.push('of many')));
  await sleep(0);
  await one.countAll(nouns.proposal, { states: ['STATE_OPEN'] }).then(() => ended.push('another'));
  expect(ended.length).toBeLessThan(4);
  await Promise.all(all);
});

test('two lists are counted at once, also where they hang off objects', async () => {
  const { statements, counts, seen } = countSlowly();
  const operations = Array.from({ length: 6 }, () => createPageLoaders(statements, counts, ignore));
  const found = await Promise.all(
    operations.flatMap((pages) => [
      pages.count(nouns.deposit, { field: 'partyId', key: 'a' }, {}),
      pages.countAll(nouns.proposal, { states: ['STATE_OPEN'] }),
    ]),
  );
  expect(found).toEqual(Array(12).fill(0));
  expect(seen).toEqual({ sent: 12, most: 2 });
});

test('nothing more is counted for one who has left', async () => {
  const { statements, counts, seen } = countSlowly();
  const asking = new LightSignal();
  const pages = createPageLoaders(statements, counts, ignore, asking);
  const all = EPOCHS.map((filter) => pages.countAll(nouns.reward, filter));
  await expect.poll(() => seen.sent, { interval: 5 }).toBeGreaterThan(0);
  asking.abort(new Error('left'));
  const { sent } = seen;
  const ended = await Promise.allSettled(all);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(20 - sent);
  expect(seen.sent).toBe(sent);
});

/** Statements that each stay until all that may run do, and what was seen of them. */
function countSlowly() {
  const seen = { sent: 0, most: 0 };
  let running = 0;
  const statements: Statements = {
    ...reader.statements,
    async rows(statement) {
      seen.sent += 1;
      running += 1;
      seen.most = Math.max(seen.most, running);
      await sleep(20);
      running -= 1;
      return reader.statements.rows(statement);
    },
  };
  return { statements, counts: createCounts(statements), seen };
}

function ignore(): void {}
