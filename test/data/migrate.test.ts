import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { MIGRATIONS_TABLE, migrate, NEWEST_WRITES } from '../../src/data/migrate.ts';
import { createDisposableDatabase, createEmptyDatabase } from '../support/database.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { ask, WRITES_BLOCKS, withClient } from '../support/state.ts';
import { copyMigrations, MIGRATIONS, NAMES } from './migrations-folder.ts';
import { openSchemaEngine } from './schema-engine.ts';

const INITIAL = '20261120000000_initial';
const IN_SYNC = {
  editedMigrationNames: [],
  failedMigrationNames: [],
  hasMigrationsTable: true,
  history: null,
};

test("no migration has a semicolon in a comment, at which Prisma's engine would cut it", () => {
  for (const name of NAMES) {
    const sql = readFileSync(join(MIGRATIONS, name, 'migration.sql'), 'utf8');
    expect([name, sql.match(/--.*;.*/g)]).toEqual([name, null]);
  }
});

test('the migrations make what prisma/schema.prisma describes', async () => {
  await using migrated = await createEmptyDatabase();
  await migrate(migrated.url);
  await using described = await createEmptyDatabase();
  await using engine = await openSchemaEngine(described.url);
  await ask(described.url, await engine.printSchema());
  expect(await describeTables(migrated.url)).toEqual(await describeTables(described.url));
});

test('the newest migration lets those alone write who know it', async () => {
  await using database = await createEmptyDatabase();
  await migrate(database.url);
  const [found] = await ask<{ text: string }>(
    database.url,
    `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = '${NEWEST_WRITES}'`,
  );
  expect(found?.text).toContain(`'${NAMES.at(-1)}'`);
});

test('a second run applies nothing', async () => {
  await using database = await createEmptyDatabase();
  expect(await migrate(database.url)).toEqual(NAMES);
  expect(await migrate(database.url)).toEqual([]);
});

test('of runs at the same time one applies each migration, and the others wait', async () => {
  await using database = await createEmptyDatabase();
  const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url)));
  expect(runs.flat()).toEqual(NAMES);
});

test("leaves the rows that Prisma's engine leaves, so that prisma migrate deploy finds nothing to do", async () => {
  await using ours = await createEmptyDatabase();
  await using theirs = await createEmptyDatabase();
  await migrate(ours.url);
  await using engine = await openSchemaEngine(ours.url);
  expect(await engine.deploy()).toEqual([]);
  expect(await engine.diagnose()).toEqual(IN_SYNC);

  await using other = await openSchemaEngine(theirs.url);
  expect(await other.deploy()).toEqual(NAMES);
  const rows = await ask(ours.url, ROWS);
  expect(rows).toEqual(await ask(theirs.url, ROWS));
  const file = readFileSync(join(MIGRATIONS, INITIAL, 'migration.sql'));
  expect(rows[0]?.['checksum']).toBe(createHash('sha256').update(file).digest('hex'));
  expect(await ask(ours.url, COLUMNS)).toEqual(await ask(theirs.url, COLUMNS));
});

test('what a server refuses is told in its own words', async () => {
  const url = new URL(inject('serverUrl'));
  url.pathname = '/not-there';
  const { code, stderr } = await runProgram(['migrate'], { DATABASE_URL: url.href });
  expect(stderr).toBe(
    'periscope: The database server at DATABASE_URL refuses: database "not-there" does not exist.\n',
  );
  expect(code).toBe(1);
});

test('goes on where prisma migrate deploy left off', async () => {
  await using database = await createEmptyDatabase();
  {
    await using engine = await openSchemaEngine(database.url);
    await engine.deploy();
  }
  await using folder = await copyMigrations();
  await folder.add(
    '20991231000000_second',
    `CREATE TABLE second (text text DEFAULT 'a;b'); -- a semicolon; here`,
  );
  expect(await migrate(database.url, { folder: folder.path })).toEqual(['20991231000000_second']);
  expect(await ask(database.url, 'INSERT INTO second DEFAULT VALUES RETURNING text')).toEqual([
    { text: 'a;b' },
  ]);
});

test('a migration that fails is named, changes nothing, and is tried again', async () => {
  await using database = await createEmptyDatabase();
  await using folder = await copyMigrations();
  await folder.add('20991231000000_second', 'CREATE TABLE second (); SELECT 1 / 0;');
  const message = 'The migration 20991231000000_second failed and changed nothing: division by zero';
  await expect(migrate(database.url, { folder: folder.path })).rejects.toThrow(message);
  expect(await ask(database.url, "SELECT to_regclass('second') AS made")).toEqual([{ made: null }]);
  await folder.add('20991231000000_second', 'CREATE TABLE second ();');
  expect(await migrate(database.url, { folder: folder.path })).toEqual(['20991231000000_second']);
});

test('a stop cancels what the server does for it, and the next run goes on from there', async () => {
  await using database = await createEmptyDatabase();
  await ask(
    database.url,
    `${MIGRATIONS_TABLE};
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3600); RETURN NEW; END $$;
    CREATE TRIGGER wait BEFORE INSERT ON _prisma_migrations FOR EACH ROW
      WHEN (NEW.migration_name = '${NAMES[1]}') EXECUTE FUNCTION wait()`,
  );
  await using program = startProgram(['migrate'], { DATABASE_URL: database.url });
  const migrating = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'periscope migrate'`;
  const sleeping = `${migrating} AND wait_event = 'PgSleep'`;
  await expect.poll(async () => (await ask(database.url, sleeping)).length).toBe(1);
  program.process.kill('SIGTERM');
  expect(await program.ended).toEqual({
    ...{ code: 1, signal: null, stdout: '' },
    stderr: 'periscope: Stopped before the tables were up to date.\n',
  });
  expect(await ask(database.url, migrating)).toEqual([]);
  await ask(database.url, 'DROP FUNCTION wait CASCADE');
  expect(await migrate(database.url)).toEqual(NAMES.slice(1));
});

test('a stop while rows are counted cancels that, and the next run counts though all is applied', async () => {
  await using database = await createDisposableDatabase();
  await ask(
    database.url,
    `${WRITES_BLOCKS}; INSERT INTO networks (chain_id) VALUES ('here');
    INSERT INTO blocks (height, hash, timestamp, last_position) VALUES (1, '', 1, 1048577);
    INSERT INTO parties (id, created_position) VALUES ('someone', 1048577);
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3600); RETURN NEW; END $$;
    CREATE TRIGGER wait BEFORE INSERT ON row_counts FOR EACH ROW EXECUTE FUNCTION wait()`,
  );
  const stop = new AbortController();
  const migrated = migrate(database.url, { signal: stop.signal });
  const stopped = expect(migrated).rejects.toMatchObject({ name: 'AbortError' });
  const sleeping = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
  await expect.poll(async () => (await ask(database.url, sleeping)).length).toBe(1);
  stop.abort();
  await stopped;
  expect(await ask(database.url, sleeping)).toEqual([]);
  await ask(database.url, 'DROP FUNCTION wait CASCADE');
  expect(await migrate(database.url)).toEqual([]);
  expect(await ask(database.url, 'SELECT noun, rows FROM row_counts')).toEqual([
    { noun: 'parties', rows: '1' },
  ]);
});

test('of a migration whose connection is lost at COMMIT it is not said that it changed nothing', async () => {
  await using database = await createDisposableDatabase();
  await using folder = await copyMigrations();
  await folder.add(
    '20991231000000_second',
    `CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NULL; END $$;
     CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON _prisma_migrations DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION cut()`,
  );
  await expect(migrate(database.url, { folder: folder.path })).rejects.toThrow(
    'The migration 20991231000000_second may have been applied, which the next run finds out: terminating',
  );
});

test('a migration that PostgreSQL ends for a deadlock with a writer is applied once the writer is done', async () => {
  await using database = await createEmptyDatabase();
  await migrate(database.url);
  await using folder = await copyMigrations();
  await folder.add(
    '29991231000000_both',
    'LOCK TABLE blocks; ALTER TABLE parties ADD COLUMN shoe_size INTEGER;',
  );
  await withClient(database.url, async (writer) => {
    // So that the migration is the one that finds the deadlock.
    await writer.query("BEGIN; SET LOCAL deadlock_timeout = '1h'; LOCK TABLE parties");
    const migrated = migrate(database.url, { folder: folder.path });
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'parties'::regclass";
    await expect.poll(async () => (await ask(database.url, waiting)).length).toBe(1);
    await writer.query('LOCK TABLE blocks');
    await writer.query('COMMIT');
    expect(await migrated).toEqual(['29991231000000_both']);
  });
});

test('a migration that failed under prisma migrate deploy is named', async () => {
  await using database = await createEmptyDatabase();
  await migrate(database.url);
  await ask(database.url, 'UPDATE _prisma_migrations SET finished_at = NULL');
  await expect(migrate(database.url)).rejects.toThrow(`The migration ${INITIAL} failed in the middle`);
  await ask(database.url, 'UPDATE _prisma_migrations SET rolled_back_at = now()');
  await expect(migrate(database.url)).rejects.toThrow(`The migration ${INITIAL} failed and changed nothing`);
});

test('a migration that was changed after it was applied is named', async () => {
  await using database = await createEmptyDatabase();
  await migrate(database.url);
  await using folder = await copyMigrations();
  await folder.add(INITIAL, '-- something else');
  await expect(migrate(database.url, { folder: folder.path })).rejects.toThrow(
    `The migration ${INITIAL} is not the one that was applied to this database`,
  );
});

const ROWS = `
  SELECT migration_name, checksum, finished_at IS NOT NULL AS finished, finished_at >= started_at AS ordered,
    rolled_back_at, logs, applied_steps_count, length(id) AS id_length
  FROM _prisma_migrations ORDER BY migration_name`;

const COLUMNS = `
  SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
  FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`;

/** Each noun's part of the archive. */
const PARTS = '^archived_rows_';

/** Everything that Prisma's schema can say, by name: not that a table is partitioned, or of what partitions, and no view. The order of columns is no difference. */
async function describeTables(url: string) {
  const parts = [
    `SELECT table_name, column_name, data_type, udt_name, is_nullable, column_default
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name !~ '${PARTS}' ORDER BY 1, 2`,
    `SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS index FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE relnamespace = 'public'::regnamespace AND indexprs IS NULL AND indpred IS NULL AND indnatts = indnkeyatts
       AND indrelid::regclass::text !~ '${PARTS}' ORDER BY 1`,
    `SELECT conrelid::regclass::text AS relation, conname, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'c'
       AND conrelid::regclass::text !~ '${PARTS}' ORDER BY 1, 2`,
    `SELECT typname, array_agg(enumlabel ORDER BY enumsortorder)::text AS labels
     FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid GROUP BY 1 ORDER BY 1`,
  ];
  const described = await Promise.all(parts.map((sql) => ask(url, sql)));
  return described.map((rows) => rows.filter((row) => !JSON.stringify(row).includes('_prisma_migrations')));
}
