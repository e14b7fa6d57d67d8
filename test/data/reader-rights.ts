import pg from 'pg';
import { expect } from 'vitest';
import { BLOCK_CHANNEL } from '../../src/data/servers/connect.ts';
import { withClient } from '../support/state.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/** What nobody who only reads may do. */
const REFUSED = [
  "INSERT INTO networks VALUES ('chain')",
  'UPDATE blocks SET hash = hash',
  'DELETE FROM accounts',
  'TRUNCATE deposits',
  'DO $$ BEGIN LOCK TABLE accounts IN SHARE MODE; END $$',
  'DROP TABLE votes',
  'ALTER TABLE votes ADD COLUMN more text',
  'DELETE FROM _prisma_migrations',
  'CREATE TABLE more ()',
  'CREATE SCHEMA more',
  'CREATE FUNCTION more() RETURNS int LANGUAGE sql RETURN 1',
  'CREATE ROLE more',
  "COPY (SELECT 1) TO PROGRAM 'true'",
  "COPY (SELECT 1) TO '/tmp/more'",
  "SELECT pg_read_file('PG_VERSION')",
  'SELECT rolpassword FROM pg_authid',
  "ALTER SYSTEM SET work_mem = '5MB'",
  'ALTER ROLE CURRENT_USER SUPERUSER',
];

/** Holds a role to reading the tables and listening, whatever setting of its session it changes. */
export async function expectOnlyReads(
  readerUrl: string,
  ownerUrl: string,
  alsoRefused: readonly string[] = [],
): Promise<void> {
  await withClient(readerUrl, async (client) => {
    await client.query('SET default_transaction_read_only = off');
    for (const statement of [...REFUSED, ...alsoRefused]) {
      const { code, message } = await refusalOf(client, statement);
      expect([statement, code, message]).toEqual([statement, INSUFFICIENT_PRIVILEGE, expect.any(String)]);
    }
    const owner = await withClient(
      ownerUrl,
      async (its) => (await its.query('SELECT current_user AS role')).rows,
    );
    const become = `SET ROLE ${pg.escapeIdentifier(owner[0].role)}`;
    expect(await refusalOf(client, become)).toMatchObject({ code: INSUFFICIENT_PRIVILEGE });

    for (const table of await tablesOf(ownerUrl)) await client.query(`SELECT * FROM ${table} LIMIT 1`);
    const heard = new Promise((resolve) => client.once('notification', resolve));
    await client.query(`LISTEN ${BLOCK_CHANNEL}`);
    await withClient(ownerUrl, (its) => its.query(`NOTIFY ${BLOCK_CHANNEL}, '1'`));
    expect(await heard).toMatchObject({ payload: '1' });
  });
}

async function refusalOf(client: pg.Client, statement: string): Promise<Partial<pg.DatabaseError>> {
  return client.query(statement).then(
    () => ({ message: 'it was done' }),
    (error: pg.DatabaseError) => error,
  );
}

async function tablesOf(url: string): Promise<readonly string[]> {
  const sql = "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'";
  return withClient(url, async (client) => (await client.query(sql)).rows.map(({ name }) => name));
}
