import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Dependencies } from '../../src/cache/cache-tags.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { createCounts } from '../../src/data/queries/counts.ts';
import { createPageLoaders } from '../../src/data/queries/page-loaders.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { proposalStates } from '../../src/domain/enumerations.ts';
import { LightSignal } from '../../src/signal.ts';
import { createTestDatabase } from '../support/database.ts';
import { slowDown } from './slow-statements.ts';

const EPOCHS = Array.from({ length: 20 }, (_, epoch) => ({ fromEpoch: BigInt(epoch) }));

test('a count of another operation comes between those of one that asks for many', async () => {
  await using database = await createTestDatabase();
  await using reader = openDatabase({ url: database.url, readOnly: true });
  const { slow } = slowDown(reader.statements);
  const counts = createCounts(slow);
  const ended: string[] = [];
  const [many, one] = [
    createPageLoaders(slow, counts, new Dependencies()),
    createPageLoaders(slow, counts, new Dependencies()),
  ];
  const all = EPOCHS.map((filter) => many.countAll(nouns.reward, filter).then(() => ended.push('of many')));
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
  const counts = createCounts(slow);
  const operations = Array.from({ length: 6 }, () => createPageLoaders(slow, counts, new Dependencies()));
  const found = await Promise.all(
    operations.flatMap((pages) => [
      pages.count(nouns.deposit, { field: 'partyId', key: 'a' }, {}),
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
  const counts = createCounts(slow);
  const asking = new LightSignal();
  const pages = createPageLoaders(slow, counts, new Dependencies(), asking);
  const all = EPOCHS.map((filter) => pages.countAll(nouns.reward, filter));
  await expect.poll(() => seen.sent, { interval: 5 }).toBeGreaterThan(0);
  asking.abort(new Error('left'));
  const { sent } = seen;
  const ended = await Promise.allSettled(all);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(20 - sent);
  expect(seen.sent).toBe(sent);
});
