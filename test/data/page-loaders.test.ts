import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Dependencies } from '../../src/cache/cache-tags.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { type Counts, createCounts, FOR_NOBODY } from '../../src/data/queries/counts.ts';
import { createPageLoaders } from '../../src/data/queries/page-loaders.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import { proposalStates } from '../../src/domain/enumerations.ts';
import { LightSignal, type Signal } from '../../src/signal.ts';
import { createTestDatabase } from '../support/database.ts';
import { slowDown } from './slow-statements.ts';

/** The writer counts rewards by their epochs, and not those of a party. */
const OF_A_PARTY = Array.from({ length: 20 }, (_, epoch) => ({ partyId: 'a', fromEpoch: BigInt(epoch) }));
const WAIT = { waitMs: 60_000 };

function load(statements: Statements, counts: Counts, signal?: Signal) {
  return createPageLoaders({ statements, counts, dependencies: new Dependencies() }, FOR_NOBODY, signal);
}

test('a count of another operation comes between those of one that asks for many', async () => {
  await using database = await createTestDatabase();
  await using reader = openDatabase({ url: database.url, readOnly: true });
  const { slow } = slowDown(reader.statements);
  const counts = createCounts(slow, WAIT);
  const ended: string[] = [];
  const [many, one] = [load(slow, counts), load(slow, counts)];
  const all = OF_A_PARTY.map((filter) =>
    many.countAll(nouns.reward, filter).then(() => ended.push('of many')),
  );
  await sleep(0);
  await one
    .countAll(nouns.proposal, { states: [proposalStates.numbers.STATE_OPEN] })
    .then(() => ended.push('another'));
  expect(ended.length).toBeLessThan(4);
  await Promise.all(all);
});

test('two lists are counted at once, also where they hang off objects', async () => {
  await using database = await createTestDatabase();
  await using reader = openDatabase({ url: database.url, readOnly: true });
  const { slow, seen } = slowDown(reader.statements);
  const counts = createCounts(slow, WAIT);
  const operations = Array.from({ length: 6 }, () => load(slow, counts));
  const found = await Promise.all(
    operations.flatMap((pages) => [
      pages.count(nouns.deposit, { field: 'partyId', key: 'a' }, { updatedBefore: 5n }),
      pages.countAll(nouns.proposal, { states: [proposalStates.numbers.STATE_OPEN] }),
    ]),
  );
  expect(found).toEqual(Array(12).fill(0));
  expect(seen).toEqual({ sent: 12, most: 2 });
});

test('nothing more is counted for one who has left', async () => {
  await using database = await createTestDatabase();
  await using reader = openDatabase({ url: database.url, readOnly: true });
  const { slow, seen } = slowDown(reader.statements);
  const counts = createCounts(slow, WAIT);
  const asking = new LightSignal();
  const pages = load(slow, counts, asking);
  const all = OF_A_PARTY.map((filter) => pages.countAll(nouns.reward, filter));
  await expect.poll(() => seen.sent, { interval: 5 }).toBeGreaterThan(0);
  asking.abort(new Error('left'));
  const { sent } = seen;
  const ended = await Promise.allSettled(all);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(20 - sent);
  expect(seen.sent).toBe(sent);
});
