import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { isUnavailable } from '../../src/data/servers/unavailable.ts';
import { sql } from '../../src/data/sql.ts';
import { unkept } from '../../src/data/templates.ts';
import { createTestDatabase } from '../support/database.ts';
import { FreezingProxy } from './freezing-proxy.ts';

const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

test('whoever waits for a server that fell silent is let go long before the limit of statements', async () => {
  await using place = await createTestDatabase();
  await using proxy = await FreezingProxy.start(place.url);
  await using database = openDatabase({
    url: proxy.url,
    readOnly: true,
    waitMs: 300,
    // Nothing else than the server's absence ends what waits within the time of this test.
    statementTimeoutMs: 600_000,
    maxConnections: 4,
  });
  const { statements } = database;
  const ask = () => statements.rows(unkept(sql`SELECT 1 AS one`));
  await Promise.all([ask(), ask(), ask(), ask()]);
  proxy.freeze();
  const waiting = await Promise.all([failure(ask()), failure(ask()), failure(ask())]);
  expect(waiting.map(isUnavailable)).toEqual([true, true, true]);
  // Now nobody is let wait.
  expect(String(await failure(ask()))).toContain('the server does not answer');
  proxy.thaw();
  // No connection of before is used again: each of them would be silent.
  await expect.poll(() => failure(ask())).toBeUndefined();
  const answers = await Promise.all(Array.from({ length: 8 }, () => failure(ask())));
  expect(answers).toEqual(new Array(8).fill(undefined));
});

test('a statement that takes long on a server that is there is waited for', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, waitMs: 3_000 });
  const slow = database.statements.rows(unkept(sql`SELECT pg_sleep(4)::text AS slept`));
  await sleep(0);
  expect(await slow).toEqual([{ slept: '' }]);
});
