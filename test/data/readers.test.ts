import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { migrate } from '../../src/data/migrate.ts';
import { openReadingPlace } from '../../src/data/open.ts';
import { grantReader, readExcessAt } from '../../src/data/upkeep/readers.ts';
import { createDisposableDatabase, createEmptyDatabase } from '../support/database.ts';
import { EmbeddedFolders } from '../support/embedded-folders.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { ask } from '../support/state.ts';
import { expectOnlyReads } from './reader-rights.ts';
import { createRole, type TestRole } from './roles.ts';

const TEMPORARY = ['CREATE TEMPORARY TABLE more ()'];

/** Who is connected to a database, by what they do there. */
const ROLES = `
  SELECT DISTINCT trim(split_part(application_name, ' ', 1) || ' ' || split_part(application_name, ' ', 2)) AS program,
    usename AS role FROM pg_stat_activity
  WHERE datname = current_database() AND split_part(application_name, ' ', 1) = 'periscope'
    AND split_part(application_name, ' ', 2) IN ('', 'listener', 'writer')
  ORDER BY 1`;

/** All rights in a database that somebody gave. */
const GRANTS = `
  SELECT datacl::text AS acl FROM pg_database WHERE datname = current_database()
  UNION ALL SELECT nspacl::text FROM pg_namespace
  UNION ALL SELECT relacl::text FROM pg_class
  UNION ALL SELECT defaclacl::text FROM pg_default_acl ORDER BY 1`;

describe('the embedded database', () => {
  let folders: EmbeddedFolders;

  beforeAll(async () => {
    folders = await EmbeddedFolders.create();
  });

  afterAll(() => folders.dispose());

  test('lets what serves read and listen, and do nothing else', async () => {
    const dataDir = folders.original;
    await using owner = await openPostgres({ dataDir });
    await using reading = await openReadingPlace({ url: null, readerUrl: null, dataDir });
    await expectOnlyReads(reading.url, owner.url, TEMPORARY);
    expect(await readExcessAt(reading.url)).toEqual([]);
  });

  test.each([
    ['serve --ingest', ['serve', '--ingest', 'tcp://127.0.0.1:0'], { SPOOL_DIR: 'spool' }],
    ['demo', ['demo'], {}],
  ])('is served as its reader by %s, and written to as its owner', async (_title, command, settings) => {
    const dataDir = folders.original;
    await using owner = await openPostgres({ dataDir });
    const paths = Object.entries(settings).map(([name, path]) => [name, folders.path(path)]);
    const environment = { DATA_DIR: dataDir, PORT: '0', ...Object.fromEntries(paths) };
    await using program = startProgram(command, environment);
    const roles = () => ask(owner.url, ROLES);
    await expect.poll(roles, { interval: 100 }).toEqual([
      { program: 'periscope', role: 'periscope_reader' },
      { program: 'periscope listener', role: 'periscope_reader' },
      { program: 'periscope writer', role: 'periscope' },
    ]);
    program.process.kill('SIGTERM');
    const { code, stdout } = await program.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain('may do more than read');
  });

  test('has its reader already: --reader is for a server', async () => {
    const environment = { DATA_DIR: folders.path('unmade') };
    const { code, stderr } = await runProgram(['migrate', '--reader', 'somebody'], environment);
    expect(stderr).toBe(
      'periscope: --reader is for a server at DATABASE_URL; the embedded database has its own role that only reads.\n',
    );
    expect(code).toBe(2);
  });

  test('gives what the grants of docs/running.md give, and npm run migrate finds nothing to add', async () => {
    const dataDir = folders.path('by-hand');
    await using owner = await openPostgres({ dataDir });
    await migrate(owner.url);
    const sql = /<!-- grants -->\n```sql\n(?<sql>[\s\S]*?)```/.exec(readFileSync('docs/running.md', 'utf8'));
    await ask(owner.url, sql?.groups?.['sql'] ?? '');
    const reader = new URL(owner.url);
    reader.username = 'periscope_reader';
    await expectOnlyReads(reader.href, owner.url, TEMPORARY);
    await ask(owner.url, 'CREATE TABLE later ()');
    expect(await ask(reader.href, 'SELECT FROM later')).toEqual([]);
    const before = await ask(owner.url, GRANTS);
    expect(await grantReader(owner.url, 'periscope_reader')).toBe(false);
    expect(await ask(owner.url, GRANTS)).toEqual(before);
  });
});

describe('migrate --reader', () => {
  test('makes a role, by whatever name, that may read the tables and those to come; once', async () => {
    await using role = await createRole(null, `"'; DROP é`);
    await using database = await createEmptyDatabase();
    const environment = { DATABASE_URL: database.url };
    const first = await runProgram(['migrate', '--reader', role.name], environment);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Applied \d+_initial(, \d+_\w+)*\.\n/);
    expect(first.stdout).toContain(
      `The role ${role.name} may read the tables.\nIt is new and has no password;`,
    );
    await expectOnlyReads(await role.loginTo(database.url), database.url);
    await ask(database.url, 'CREATE TABLE later ()');
    expect(await ask(await role.loginTo(database.url), 'SELECT FROM later')).toEqual([]);
    const before = await ask(database.url, GRANTS);
    expect(await runProgram(['migrate', '--reader', role.name], environment)).toMatchObject({
      code: 0,
      stdout: `Up to date already.\nThe role ${role.name} may read the tables.\n`,
    });
    expect(await ask(database.url, GRANTS)).toEqual(before);
  });

  test('gives a role that is there what it lacks, also where nobody else may even connect', async () => {
    await using role = await createRole('LOGIN');
    await using database = await createDisposableDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await ask(
      database.url,
      `REVOKE ALL ON DATABASE "${name}" FROM PUBLIC; REVOKE ALL ON SCHEMA public FROM PUBLIC`,
    );
    expect(await grantReader(database.url, role.name)).toBe(false);
    await expectOnlyReads(await role.loginTo(database.url), database.url, TEMPORARY);
  });

  test('keeps what it gives when it is taken from everybody later', async () => {
    await using role = await createRole('LOGIN');
    await using database = await createDisposableDatabase();
    await grantReader(database.url, role.name);
    const name = new URL(database.url).pathname.slice(1);
    await ask(
      database.url,
      `REVOKE ALL ON DATABASE "${name}" FROM PUBLIC; REVOKE ALL ON SCHEMA public FROM PUBLIC`,
    );
    await expectOnlyReads(await role.loginTo(database.url), database.url, TEMPORARY);
  });

  test('is for whoever owns the tables, who need be no superuser', async () => {
    await using owner = await createRole('LOGIN CREATEROLE');
    await using role = await createRole(null);
    await using database = await createEmptyDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await ask(database.url, `ALTER DATABASE "${name}" OWNER TO ${owner.quoted}`);
    const ownerUrl = await owner.loginTo(database.url);
    await migrate(ownerUrl);
    expect(await grantReader(ownerUrl, role.name)).toBe(true);
    await expectOnlyReads(await role.loginTo(database.url), ownerUrl);
  });

  test('says who has to make the role where the owner of the tables may not', async () => {
    await using owner = await createRole('LOGIN');
    await using role = await createRole(null);
    await using database = await createEmptyDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await ask(database.url, `ALTER DATABASE "${name}" OWNER TO ${owner.quoted}`);
    const { code, stderr } = await runProgram(['migrate', '--reader', role.name], {
      DATABASE_URL: await owner.loginTo(database.url),
    });
    expect(stderr).toBe(
      `periscope: The role ${role.name} cannot be made: permission denied to create role. Let one who may run CREATE ROLE "${role.name}" LOGIN; then try again.\n`,
    );
    expect(code).toBe(1);
  });

  test.each([
    ['a superuser', 'it is a superuser', (role: TestRole) => `ALTER ROLE ${role.quoted} SUPERUSER`],
    ['who may make roles', 'it may make roles', (role: TestRole) => `ALTER ROLE ${role.quoted} CREATEROLE`],
    [
      'who may run programs',
      'it is a member of pg_execute_server_program',
      (role: TestRole) => `GRANT pg_execute_server_program TO ${role.quoted}`,
    ],
    [
      'who may write to a table',
      'it may change tables',
      (role: TestRole) => `GRANT INSERT ON votes TO ${role.quoted}`,
    ],
    [
      'who may make tables',
      'it may make tables in the schema public',
      (role: TestRole) => `GRANT CREATE ON SCHEMA public TO ${role.quoted}`,
    ],
    [
      'who may make schemas',
      'it may make schemas',
      (role: TestRole, database: string) => `GRANT CREATE ON DATABASE "${database}" TO ${role.quoted}`,
    ],
  ])('refuses a role %s, and gives it nothing', async (_title, right, grant) => {
    await using role = await createRole('LOGIN');
    await using database = await createDisposableDatabase();
    await ask(database.url, grant(role, new URL(database.url).pathname.slice(1)));
    const before = await ask(database.url, GRANTS);
    await expect(grantReader(database.url, role.name)).rejects.toThrow(
      `The role ${role.name} would serve, but may do more than read (${right}): take that from it, or name another.`,
    );
    expect(await ask(database.url, GRANTS)).toEqual(before);
  });

  test('refuses a role that may act as one who owns the tables', async () => {
    await using owner = await createRole('LOGIN CREATEROLE');
    await using role = await createRole('LOGIN');
    await using database = await createEmptyDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await ask(
      database.url,
      `ALTER DATABASE "${name}" OWNER TO ${owner.quoted}; GRANT ${owner.quoted} TO ${role.quoted}`,
    );
    const ownerUrl = await owner.loginTo(database.url);
    await migrate(ownerUrl);
    await expect(grantReader(ownerUrl, role.name)).rejects.toThrow(
      '(it may make roles, it may change tables, ',
    );
  });

  test.each([
    ['', 'The name of a role has 1 to 63 bytes: "" has not.'],
    ['é'.repeat(32), `The name of a role has 1 to 63 bytes: "${'é'.repeat(32)}" has not.`],
    ['pg_reader', 'The role pg_reader cannot be made: role name "pg_reader" is reserved.'],
    ['public', 'The role public cannot be made: role name "public" is reserved.'],
  ])('refuses the name %j', async (name, message) => {
    await using database = await createDisposableDatabase();
    await expect(grantReader(database.url, name)).rejects.toThrow(message);
  });
});

describe('serve on a server', () => {
  test('warns of a role that may write, and says nothing of a reader', async () => {
    await using role = await createRole(null);
    await using database = await createDisposableDatabase();
    await grantReader(database.url, role.name);
    const readerUrl = await role.loginTo(database.url);
    const asWriter = { DATABASE_URL: database.url };
    expect(await serve(asWriter)).toMatchObject({
      warnings: [expect.objectContaining({ rights: ['it is a superuser'] })],
      roles: [
        expect.objectContaining({ role: serverRole() }),
        expect.objectContaining({ role: serverRole() }),
      ],
    });
    const asReader = { warnings: [], roles: [{ role: role.name }, { role: role.name }] };
    expect(await serve({ DATABASE_URL: readerUrl })).toMatchObject(asReader);
    expect(await serve({ ...asWriter, DATABASE_READER_URL: readerUrl })).toMatchObject(asReader);

    /** Starts and stops a gateway, and gives what it warned of and who it was meanwhile. */
    async function serve(environment: Readonly<Record<string, string>>) {
      await using program = startProgram(['serve'], { PORT: '0', ...environment });
      await expect.poll(() => ask(database.url, ROLES), { interval: 100 }).toHaveLength(2);
      const roles = await ask(database.url, ROLES);
      program.process.kill('SIGTERM');
      const { stdout } = await program.ended;
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return { warnings: lines.filter(({ level }) => level >= 40), roles };
    }
  });

  test('as a role without rights ends in one sentence', async () => {
    await using role = await createRole('LOGIN');
    await using database = await createDisposableDatabase();
    const { code, stderr } = await runProgram(['serve'], { DATABASE_URL: await role.loginTo(database.url) });
    expect(stderr).toBe(
      "periscope: The role of the database's address may not read the tables. As their owner, let it with: periscope migrate --reader ROLE (in a checkout: npm run migrate -- --reader ROLE)\n",
    );
    expect(code).toBe(1);
  });
});

function serverRole(): string {
  return decodeURIComponent(new URL(inject('serverUrl')).username);
}
