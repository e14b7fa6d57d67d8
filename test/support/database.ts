import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, inject } from 'vitest';
import { spanOf } from '../../src/data/history/coverage.ts';
import { readPartitions } from '../../src/data/history/partitions.ts';
import { positionsOf } from '../../src/domain/positions.ts';
import { HANG_MS } from './limits.ts';
import { ask, withClient } from './state.ts';

export type TestDatabase = AsyncDisposable & { readonly url: string };

/** Databases of this worker that are free again: emptying one costs a tenth of making one. */
const free: string[] = [];
/** What the shortest partition spans that is made where everything is kept. */
const LONG_POSITIONS = positionsOf(spanOf('changes', null)).first;
/** What a migrated database is made of. */
let made: readonly string[] | null = null;

/**
 * A migrated database without a row, which is emptied for the next test when it is disposed of. Throws there when the test
 * has left more than rows: that is for a disposable one.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const url = free.pop() ?? (await createMigratedDatabase());
  made ??= await readMade(url);
  const before = made;
  return {
    url,
    async [Symbol.asyncDispose]() {
      await emptyDatabase(url);
      expect(await readMade(url), 'the test has left more than rows in a database that others use').toEqual(
        before,
      );
      free.push(url);
    },
  };
}

/** What a database is made of, but for partitions, which writers make and drop. */
async function readMade(url: string): Promise<readonly string[]> {
  const rows = await ask<{ name: string }>(url, MADE);
  return rows.map(({ name }) => name);
}

const MADE = `
  SELECT 'function ' || oid::regprocedure AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT format('trigger %s of %s', tgname, tgrelid::regclass) FROM pg_trigger WHERE NOT tgisinternal AND tgparentid = 0
  UNION ALL SELECT 'event trigger ' || evtname FROM pg_event_trigger
  UNION ALL SELECT format('%s of %s: %s', conname, conrelid::regclass, pg_get_constraintdef(pg_constraint.oid))
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid WHERE connamespace = 'public'::regnamespace AND NOT relispartition
  UNION ALL SELECT format('%s %s: %s', relkind, relname, columns) FROM pg_class CROSS JOIN LATERAL (
      SELECT string_agg(format('%s %s', attname, atttypid::regtype), ', ' ORDER BY attnum) AS columns
      FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    ) AS its WHERE relnamespace = 'public'::regnamespace AND NOT relispartition
  UNION ALL SELECT 'settings ' || setconfig::text FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase
    WHERE datname = current_database()
  ORDER BY 1`;

/** A migrated database whose tables a test may spoil: no other test gets it. */
export async function createDisposableDatabase(): Promise<TestDatabase> {
  return dropWhenDisposed(await createMigratedDatabase());
}

/** A database of its own without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return dropWhenDisposed(await createDatabase(inject('serverUrl'), nameDatabase()));
}

/** The same in an encoding of the test's choice. */
export async function createEncodedDatabase(encoding: string): Promise<TestDatabase> {
  const options = `ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`;
  return dropWhenDisposed(await createDatabase(inject('serverUrl'), nameDatabase(), 'template0', options));
}

/** The address of a migrated database for the role that serves. */
export function readerUrlOf(url: string): string {
  const { role, password } = inject('reader');
  return Object.assign(new URL(url), { username: role, password }).href;
}

/** Drops what the tests of a run have left on the server. */
export async function dropTestDatabases(server: string, prefix: string): Promise<void> {
  const rows = await ask<{ name: string }>(
    server,
    `SELECT datname AS name FROM pg_database WHERE starts_with(datname, '${prefix}')`,
  );
  for (const { name } of rows) await dropDatabase(server, name);
}

function createMigratedDatabase(): Promise<string> {
  return createDatabase(inject('serverUrl'), nameDatabase(), `${inject('databasePrefix')}template`);
}

function nameDatabase(): string {
  return `${inject('databasePrefix')}${randomUUID()}`;
}

function dropWhenDisposed(url: string): TestDatabase {
  const name = new URL(url).pathname.slice(1);
  return { url, [Symbol.asyncDispose]: () => dropDatabase(inject('serverUrl'), name) };
}

/** Leaves a database as its migrations did, whoever still uses it. */
async function emptyDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(
      `SELECT pg_terminate_backend(pid, ${HANG_MS}) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    await dropOddPartitions(client);
    // Rows, not files: TRUNCATE makes every table's and index's file anew, which is slow where files come and go.
    const { rows } = await client.query<{ tables: string[] }>(
      `SELECT array_agg(quote_ident(tablename)) AS tables FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
    );
    const tables = rows[0]?.tables ?? [];
    await client.query(tables.map((table) => `DELETE FROM ${table};`).join(''));
    await client.query(`VACUUM ${tables.join()}`);
  });
}

/**
 * Drops all partitions of each table that has some another writer would not have made: short ones, or none for its first rows. The
 * others stay, as the next writer would make them again.
 */
async function dropOddPartitions(client: pg.Client): Promise<void> {
  const partitions = await readPartitions(client);
  for (const table of new Set(partitions.map((one) => one.table))) {
    const own = partitions.filter((one) => one.table === table);
    const isWhole = own[0]?.from === 0n && own.every(({ from, to }) => to - (from ?? 0n) >= LONG_POSITIONS);
    if (!isWhole) await client.query(`DROP TABLE ${own.map(({ name }) => `"${name}"`).join()}`);
  }
}

/** Makes a database on a server and returns its address. Copying files is quicker than logging each page. */
export async function createDatabase(
  server: string,
  name: string,
  template = 'template0',
  options = '',
): Promise<string> {
  await ask(server, `CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY file_copy ${options}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database whoever still uses it. */
async function dropDatabase(server: string, name: string): Promise<void> {
  await ask(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}
