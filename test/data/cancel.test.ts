import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cancelOnAbort } from '../../src/data/servers/cancel.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { sql } from '../../src/data/sql.ts';
import { unkept } from '../../src/data/templates.ts';
import { LightSignal } from '../../src/signal.ts';
import { createTestDatabase } from '../support/database.ts';
import { ask, withClient } from '../support/state.ts';

const SLEEPING = `FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(50)%' AND state = 'active' AND pid <> pg_backend_pid()`;
const backends = (url: string) =>
  ask(
    url,
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'periscope'`,
  );

test.each(['rows', 'texts'] as const)(
  'a statement ends on the server when nobody waits for its %s any more',
  async (wanted) => {
    await using place = await createTestDatabase();
    await using database = openDatabase({ url: place.url, readOnly: true, maxConnections: 1 });
    const leaving = new AbortController();
    const asked = database.statements.until(leaving.signal)[wanted](unkept(sql`SELECT pg_sleep(50)::text`));
    const failed = expect(asked).rejects.toThrow('gone');
    await expect.poll(() => ask(place.url, `SELECT pid ${SLEEPING}`)).toHaveLength(1);
    const before = await backends(place.url);
    leaving.abort(new Error('gone'));
    await expect.poll(() => ask(place.url, `SELECT pid ${SLEEPING}`)).toEqual([]);
    await failed;
    expect(await database.statements.rows(unkept(sql`SELECT 1 AS one`))).toEqual([{ one: 1 }]);
    // The connection that was cancelled serves on.
    expect(await backends(place.url)).toEqual(before);
  },
);

test('a connection whose statement did not end by its cancellation is not used again', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, maxConnections: 1 });
  const leaving = new AbortController();
  // As one that is done just before it is cancelled: the next statement of the connection could be.
  const deaf = sql`DO $$ BEGIN PERFORM pg_sleep(50); EXCEPTION WHEN query_canceled THEN NULL; END $$`;
  const asked = database.statements.until(leaving.signal).texts(unkept(deaf));
  await expect.poll(() => ask(place.url, `SELECT pid ${SLEEPING}`)).toHaveLength(1);
  const before = await backends(place.url);
  leaving.abort(new Error('gone'));
  await asked.catch(() => undefined);
  expect(await database.statements.rows(unkept(sql`SELECT 1 AS one`))).toEqual([{ one: 1 }]);
  expect(await backends(place.url)).not.toEqual(before);
});

test('one who has left already sends nothing, and one who leaves in the queue takes no connection', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, maxConnections: 1 });
  const { statements } = database;
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(statements.until(gone).rows(unkept(sql`SELECT 1`))).rejects.toThrow('gone');
  const leaving = new AbortController();
  const first = statements.rows(unkept(sql`SELECT pg_sleep(0.3)::text`));
  const queued = statements.until(leaving.signal).rows(unkept(sql`SELECT pg_sleep(50)::text`));
  leaving.abort(new Error('gone'));
  await expect(queued).rejects.toThrow('gone');
  await first;
  expect(await statements.rows(unkept(sql`SELECT 1 AS one`))).toEqual([{ one: 1 }]);
});

test('a statement is for all who may leave: it ends with the first of them', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase({ url: place.url, readOnly: true, maxConnections: 1 });
  const [one, other] = [new LightSignal(), new AbortController()];
  const statements = database.statements.until(one).until(other.signal);
  for (const leave of [() => other.abort(new Error('gone')), () => one.abort(new Error('gone'))]) {
    const failed = expect(statements.texts(unkept(sql`SELECT pg_sleep(50)::text`))).rejects.toThrow('gone');
    leave();
    await failed;
  }
});

test.each(['rows', 'texts'] as const)(
  'a statement of another is never cancelled, whenever somebody leaves its %s',
  async (wanted) => {
    await using place = await createTestDatabase();
    await using database = openDatabase({ url: place.url, readOnly: true, maxConnections: 2 });
    const { statements } = database;
    const others: Promise<unknown>[] = [];
    for (let round = 0; round < 150; round += 1) {
      const leaving = new AbortController();
      const left = statements.until(leaving.signal)[wanted](unkept(sql`SELECT pg_sleep(0.003)::text`));
      left.catch(() => undefined);
      others.push(statements[wanted](unkept(sql`SELECT pg_sleep(0.002)::text`)));
      await sleep(round % 7);
      leaving.abort(new Error('gone'));
    }
    await Promise.all(others);
    expect(others).toHaveLength(150);
  },
);

test.each(['rows', 'texts'] as const)(
  'a failure of the statement itself stays what it is, whoever wants its %s',
  async (wanted) => {
    await using place = await createTestDatabase();
    await using database = openDatabase({ url: place.url, readOnly: true, maxConnections: 1 });
    const statements = database.statements.until(new LightSignal());
    await expect(statements[wanted](unkept(sql`SELECT 1 / 0`))).rejects.toMatchObject({ code: '22012' });
    expect(await statements.rows(unkept(sql`SELECT 1 AS one`))).toEqual([{ one: 1 }]);
  },
);

test.each(['before', 'after'])(
  'a stop cancels what a connection does next as well, until that is ended: one that comes %s it is heeded',
  async (when) => {
    await using place = await createTestDatabase();
    await withClient(place.url, async (client) => {
      const stop = new AbortController();
      if (when === 'before') stop.abort();
      const endCancelling = cancelOnAbort(client, stop.signal);
      // The server has nothing to do yet.
      stop.abort();
      for (let round = 0; round < 2; round += 1)
        await expect(client.query('SELECT pg_sleep(3600)')).rejects.toMatchObject({ code: '57014' });
      await endCancelling();
      await client.query('SELECT pg_sleep(2)');
    });
  },
);
