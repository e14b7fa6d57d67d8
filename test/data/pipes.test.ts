import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import type { TextColumns } from '../../src/data/servers/text-statement.ts';
import { sql } from '../../src/data/sql.ts';
import { type Statement, statementOf } from '../../src/data/templates.ts';
import { createTestDatabase } from '../support/database.ts';
import { HANG_MS } from '../support/limits.ts';
import { FreezingProxy } from './freezing-proxy.ts';

const POOL = 4;
const MOST_TIMES = 10;

/** A busy machine may take long to make a connection. */
function openPool(
  url: string,
  options: { readonly isPreparing?: boolean; readonly waitMs?: number } = {},
): Database {
  return openDatabase({ url, readOnly: true, maxConnections: POOL, waitMs: HANG_MS, ...options });
}

function short(sent: ReturnType<typeof sql>, mostRows = 1): Statement {
  return { ...statementOf(sent, 'nothing'), mostRows };
}

/** Tells the process of the server that answers it, which a pipe does not change. */
const whoAnswers = (value: number) => short(sql`SELECT pg_backend_pid(), ${value}::int`);
const takesUp = (seconds: number) => short(sql`SELECT pg_backend_pid(), pg_sleep(${seconds}::float8)::text`);

/** Keeps a connection for a moment. A text of its own: one that takes long is not for a pipe for a while. */
const KEEPS = short(sql`SELECT pg_sleep(0.02)::text`);

/**
 * Asks until the statement goes over the pipe: once the pool has all its connections, those that are free answer side by side. One
 * that is being made lets another answer for it.
 */
async function prove(database: Database, asked: (value: number) => Statement): Promise<string> {
  await expect
    .poll(async () => {
      await Promise.all(Array.from({ length: POOL }, () => database.statements.texts(KEEPS)));
      const { open, idle } = database.load;
      return open === POOL && idle >= POOL - 1;
    })
    .toBe(true);
  return findPipe(database, asked);
}

/** Asks side by side until one process answers all, which that of the pipe does alone. */
async function findPipe(database: Database, asked: (value: number) => Statement): Promise<string> {
  let answered: readonly (string | null | undefined)[] = [];
  await expect
    .poll(async () => {
      const ask = () => database.statements.texts(asked(0));
      answered = (await Promise.all([ask(), ask(), ask(), ask()])).map(([row]) => row?.[0]);
      return new Set(answered).size;
    })
    .toBe(1);
  return answered[0] as string;
}

async function processesOf(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: string }>(
    `SELECT pid::text FROM pg_stat_activity WHERE application_name = 'periscope' ORDER BY backend_start`,
  );
  await client.end();
  return rows.map(({ pid }) => pid);
}

async function kill(url: string, process: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SELECT pg_terminate_backend($1)', [process]);
  await client.end();
}

test('short statements share a connection, each with its own answer', async () => {
  await using place = await createTestDatabase();
  await using database = openPool(place.url);
  const process = await prove(database, whoAnswers);
  const values = Array.from({ length: 16 }, (_, value) => value);
  // On a busy machine some may have to be asked over the pool.
  await expect
    .poll(async () => {
      const answers = await Promise.all(values.map((value) => database.statements.texts(whoAnswers(value))));
      expect(answers.map(([row]) => row?.[1])).toEqual(values.map(String));
      return new Set(answers.map(([row]) => row?.[0]));
    })
    .toEqual(new Set([process]));
});

test('one that fails on it fails alone', async () => {
  await using place = await createTestDatabase();
  await using database = openPool(place.url);
  const asked = (value: number) => short(sql`SELECT pg_backend_pid(), 6 / ${value}::int`);
  await prove(database, (value) => asked(value + 1));
  const answers = await Promise.allSettled(
    [1, 0, 2, 0, 3].map((value) => database.statements.texts(asked(value))),
  );
  expect(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]?.[1] : answer.reason.code)),
  ).toEqual(['6', '22012', '3', '22012', '2']);
});

test('one of ten seconds delays none behind it by 50 ms', async () => {
  await using place = await createTestDatabase();
  await using database = openPool(place.url);
  await prove(database, whoAnswers);
  await findPipe(database, () => takesUp(0));
  const waits: number[] = [];
  const ask = async () => {
    const start = performance.now();
    const answer = await database.statements.texts(whoAnswers(7));
    waits.push(performance.now() - start);
    return answer[0]?.[1];
  };
  const leaving = new AbortController();
  const slow = database.statements
    .until(leaving.signal)
    .texts(takesUp(10))
    .catch(() => 'left');
  const behind = Promise.all(Array.from({ length: 8 }, ask));
  expect(await behind).toEqual(new Array(8).fill('7'));
  // The bound, and what a busy machine may take for eight statements over the pool.
  expect(Math.max(...waits)).toBeLessThan(50 + 200);
  // The next time it goes over the pool from the start, and delays nobody.
  const again = database.statements
    .until(leaving.signal)
    .texts(takesUp(10))
    .catch(() => 'left');
  // It may have another connection by then.
  await findPipe(database, whoAnswers);
  leaving.abort();
  expect(await Promise.all([slow, again])).toEqual(['left', 'left']);
});

test('the loss of its connection loses no answer, and another is taken', async () => {
  await using place = await createTestDatabase();
  await using database = openPool(place.url);
  let pipe = await prove(database, whoAnswers);
  for (let round = 0; round < 3; round += 1) {
    const values = Array.from({ length: 200 }, (_, value) => value);
    const asking = Promise.all(
      values.map(async (value) => {
        await sleep(value / 10);
        return database.statements.texts(whoAnswers(value));
      }),
    );
    await kill(place.url, pipe);
    const answers: readonly (readonly TextColumns[])[] = await asking;
    expect(answers.map(([row]) => row?.[1])).toEqual(values.map(String));
    pipe = await prove(database, whoAnswers);
  }
});

test('behind a network that falls silent, what was sent is asked anew', async () => {
  await using place = await createTestDatabase();
  await using proxy = await FreezingProxy.start(place.url);
  await using database = openPool(proxy.url, { waitMs: 300 });
  await prove(database, whoAnswers);
  proxy.freeze();
  const asked = await Promise.allSettled(
    Array.from({ length: 8 }, (_, value) => database.statements.texts(whoAnswers(value))),
  );
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set(['rejected']));
  proxy.thaw();
  await expect
    .poll(() => database.statements.texts(whoAnswers(3)).catch(() => null))
    .toMatchObject([[expect.any(String), '3']]);
  await prove(database, whoAnswers);
});

test('a page of many rows, and a statement without a name, go over the pool', async () => {
  await using place = await createTestDatabase();
  await using database = openPool(place.url);
  const many = () =>
    database.statements.texts(short(sql`SELECT pg_backend_pid() FROM pg_sleep(0.01)`, 1_000));
  await using unprepared = openPool(place.url, { isPreparing: false });
  const unnamed = () => unprepared.statements.texts(short(sql`SELECT pg_backend_pid() FROM pg_sleep(0.001)`));
  for (const ask of [many, unnamed]) {
    for (let time = 0; time < 10; time += 1) await ask();
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(new Set(answers.map(([row]) => row?.[0])).size).toBe(4);
  }
});

test('what is under way when it is closed is answered, however long it takes', async () => {
  await using place = await createTestDatabase();
  let pipe = '';
  let answeredBy: string | null | undefined;
  // One of no time that a busy machine was late for is thought long, and the next asked over the pool: it is answered, but shows nothing.
  for (let time = 0; time < MOST_TIMES && answeredBy !== pipe; time += 1) {
    await using database = openPool(place.url);
    await prove(database, whoAnswers);
    pipe = await findPipe(database, () => takesUp(0));
    const asking = database.statements.texts(takesUp(0.5));
    const closing = database.close();
    answeredBy = (await asking)[0]?.[0];
    await closing;
  }
  expect(answeredBy).toBe(pipe);
});

test('what waits for a connection when it is closed is answered', async () => {
  await using place = await createTestDatabase();
  await using database = openPool(place.url);
  const values = Array.from({ length: POOL * 3 }, (_, value) => value);
  const asked = (value: number) => short(sql`SELECT ${value}::int FROM pg_sleep(0.1)`, 1_000);
  const asking = Promise.all(values.map((value) => database.statements.texts(asked(value))));
  await expect.poll(() => database.load.waiting).toBe(POOL * 2);
  const closing = database.close();
  expect((await asking).map(([row]) => row?.[0])).toEqual(values.map(String));
  await closing;
});

test('its connection is one of the pool, and is closed with it', async () => {
  await using place = await createTestDatabase();
  const database = openPool(place.url);
  await prove(database, whoAnswers);
  expect(database.load.open).toBeLessThanOrEqual(POOL);
  const asking = Promise.all([1, 2, 3].map((value) => database.statements.texts(whoAnswers(value))));
  const closing = database.close();
  expect((await asking).map(([row]) => row?.[1])).toEqual(['1', '2', '3']);
  await closing;
  await expect.poll(() => processesOf(place.url)).toEqual([]);
});
