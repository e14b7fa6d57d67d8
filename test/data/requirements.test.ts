import { describe, expect, test } from 'vitest';
import { migrate } from '../../src/data/migrate.ts';
import { findProblem } from '../../src/data/upkeep/requirements.ts';
import { createEmptyDatabase, createEncodedDatabase, type TestDatabase } from '../support/database.ts';
import { runProgram } from '../support/program.ts';
import { ask } from '../support/state.ts';

const SERVE = ['serve'];
const MIGRATE = ['migrate'];
const INGEST = ['ingest', 'simulate', '--blocks', '1', '--parties', '1', '--markets', '1'];

test('a server before PostgreSQL 15 is refused by its version, and every later one taken', () => {
  const facts = (versionNumber: number, version: string) => ({ versionNumber, version, encoding: 'UTF8' });
  expect(findProblem(facts(140_019, '14.19 (Debian 14.19-1)'))).toBe(
    'The database server is PostgreSQL 14.19 (Debian 14.19-1), and Periscope needs 15 or later: upgrade it, or name another server in DATABASE_URL.',
  );
  expect(findProblem(facts(96_024, '9.6.24'))).toContain('PostgreSQL 9.6.24');
  expect(findProblem(facts(150_000, '15.0'))).toBeNull();
  expect(findProblem(facts(180_004, '18.4'))).toBeNull();
});

describe.each(['LATIN1', 'SQL_ASCII'])('a database in %s', (encoding) => {
  test.each([[SERVE], [MIGRATE], [INGEST], [['backup', '-']]])('ends %j in one sentence', async (command) => {
    await using database = await createEncodedDatabase(encoding);
    await refuses(
      database,
      command,
      `The database is encoded in ${encoding}, and Periscope needs UTF8: name another one in DATABASE_URL, made with CREATE DATABASE periscope ENCODING 'UTF8' TEMPLATE template0.`,
    );
    expect(await ask(database.url, 'SELECT FROM pg_tables WHERE schemaname = current_schema()')).toEqual([]);
  });
});

describe('a database with the migration of a newer version', () => {
  test.each([[SERVE], [MIGRATE], [INGEST], [['backup', '-']]])('ends %j in one sentence', async (command) => {
    await using database = await createEmptyDatabase();
    await migrate(database.url);
    await ask(
      database.url,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       VALUES ('1', 'x', '29991231000000_later', now())`,
    );
    await refuses(
      database,
      command,
      'The database has the migration 29991231000000_later, which this version of Periscope does not know: run the newer version that made it, or use another database (another DATA_DIR).',
    );
  });
});

describe('a database without tables', () => {
  test.each([[SERVE], [INGEST]])('ends %j in a sentence that says how to make them', async (command) => {
    await using database = await createEmptyDatabase();
    await refuses(
      database,
      command,
      'The database at DATABASE_URL lacks tables of this version. Make them with: periscope migrate (in a checkout: npm run migrate)',
    );
  });
});

test('a migration that a server refuses ends in one sentence', async () => {
  await using database = await createEmptyDatabase();
  await ask(database.url, 'CREATE TABLE networks ()');
  const reason = 'relation "networks" already exists';
  await refuses(
    database,
    MIGRATE,
    `The migration 20261120000000_initial failed and changed nothing: ${reason}`,
  );
});

async function refuses({ url }: TestDatabase, command: readonly string[], sentence: string): Promise<void> {
  const { code, stderr, stdout } = await runProgram(command, { DATABASE_URL: url, PORT: '0' });
  expect(stderr).toBe(`periscope: ${sentence}\n`);
  expect(stdout).toBe('');
  expect(code).toBe(1);
}
