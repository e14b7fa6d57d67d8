import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export type TestDatabase = AsyncDisposable & { readonly url: string };

const LIMIT_MS = 30_000;

/** A fresh, migrated database of its own, dropped when disposed of. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('serverUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = await createDatabase(server, name, inject('templateName'));
  return { url, [Symbol.asyncDispose]: () => dropDatabase(server, name) };
}

/** An empty database of its own: no tables at all. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = inject('serverUrl');
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  const url = await createDatabase(server, name);
  return { url, [Symbol.asyncDispose]: () => dropDatabase(server, name) };
}

/** Makes a database on a server and returns its address. Copying files is quicker than logging each page. */
export async function createDatabase(server: string, name: string, template = 'template0'): Promise<string> {
  await run(server, `CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database whoever still uses it. */
export async function dropDatabase(server: string, name: string): Promise<void> {
  await run(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: LIMIT_MS,
    query_timeout: LIMIT_MS,
  });
  client.on('error', () => {}); // What is lost here fails the query that waits for it.
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
