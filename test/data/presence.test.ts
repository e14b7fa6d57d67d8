import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openReader } from '../../src/commands/sides.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { Presence } from '../../src/data/servers/presence.ts';
import { isUnavailable } from '../../src/data/servers/unavailable.ts';
import { sql } from '../../src/data/sql.ts';
import { unkept } from '../../src/data/templates.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createTestDatabase } from '../support/database.ts';
import { FaultyProxy } from '../support/faulty-proxy.ts';
import { within } from '../support/message-queue.ts';
import { FreezingProxy } from './freezing-proxy.ts';
import { SlowServer } from './slow-server.ts';

const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

test('whoever waits for a server that fell silent is let go long before the limit of statements', async () => {
  await using place = await createTestDatabase();
  await using proxy = await FreezingProxy.start(place.url);
  await using database = openDatabase({
    url: proxy.url,
    readOnly: true,
    // Whoever makes a connection has this long, too, on a machine that has much to do.
    waitMs: 5_000,
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

/** Has a server asked whether it is there, and gives what comes of it. */
async function ask(server: SlowServer, limitMs: number): Promise<'lost' | 'there'> {
  let presence: Presence | undefined;
  try {
    return await new Promise((resolve) => {
      presence = new Presence({ url: server.url, limitMs, onLost: () => resolve('lost') });
      presence.watch(() => {});
      // It says goodbye once it has been answered.
      void server.left.then(() => resolve('there'));
    });
  } finally {
    presence?.close();
  }
}

test('a server that takes its time to let one in, and says something all along, is there', async () => {
  await using server = await SlowServer.start({ words: 60, everyMs: 25 });
  expect(await ask(server, 1_800)).toBe('there');
});

test('one that falls silent on the way is not', async () => {
  await using server = await SlowServer.start({ words: 3, everyMs: 25, isSilentThen: true });
  expect(await ask(server, 1_800)).toBe('lost');
});

test('a server is not lost for being slower than requests are patient', async () => {
  await using server = await SlowServer.start({ words: 2, everyMs: 100 });
  expect(await ask(server, 150)).toBe('there');
});

test('what compares databases waits longer for one that is far away than requests do', async () => {
  await using place = await createTestDatabase();
  const { proxy, url } = await startProxy(place.url);
  await using _ = proxy;
  await using database = openReader(url);
  proxy.set('stalls');
  const asked = database.statements.rows(unkept(sql`SELECT 1 AS one`)).catch((error: Error) => error);
  await sleep(2_500);
  proxy.set('passes');
  expect(await asked).toEqual([{ one: 1 }]);
});

test('whoever stops waits for no goodbye of a server that fell silent while nothing was under way', async () => {
  await using place = await createTestDatabase();
  const { proxy, url } = await startProxy(place.url);
  await using _ = proxy;
  const [pool, writer] = [openReader(url), await Writer.open(url)];
  await writer.claimNetwork('c1');
  await applySource(
    openSimulation({ seed: 1, blocks: 64, parties: 2, markets: 1, release: '0.79' }),
    writer,
    {
      pace: 'max',
      signal: new AbortController().signal,
    },
  );
  // Its keeper has a connection from here on, too.
  await writer.histories.settled();
  await pool.statements.rows(unkept(sql`SELECT 1 AS one`));
  proxy.set('stalls');
  await within(Promise.all([writer.close(), pool.close()]), 'the goodbyes');
});

/** A network in front of a database's server. */
async function startProxy(
  databaseUrl: string,
): Promise<{ readonly proxy: FaultyProxy; readonly url: string }> {
  const url = new URL(databaseUrl);
  const { hostname, port, searchParams } = url;
  const folder = searchParams.get('host');
  const proxy = await FaultyProxy.start(() =>
    folder ? { path: `${folder}/.s.PGSQL.5432` } : { host: hostname, port: Number(port) },
  );
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${proxy.port}`;
  return { proxy, url: url.href };
}
