import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { readExcessAt } from '../../src/data/upkeep/readers.ts';
import { EmbeddedFolders } from '../support/embedded-folders.ts';
import { readListening, runProgram, startProgram } from '../support/program.ts';
import { ask, readTable } from '../support/state.ts';
import { blockOf } from './documents.ts';

let folders: EmbeddedFolders;
beforeAll(async () => {
  folders = await EmbeddedFolders.create();
});
afterAll(() => folders.dispose());

test('the three roles of docs/operating.md make, fill and serve a database, and do no more than that', async () => {
  await using server = await openPostgres({ dataDir: folders.original });
  const superuser = Object.assign(new URL(server.url), { pathname: '/postgres' }).href;
  // It has a database of that name already.
  await ask(superuser, 'DROP DATABASE periscope');
  await ask(superuser, 'CREATE ROLE stranger LOGIN');
  for (const statement of sql('server').split(/(?<=;)\n(?=.)/)) await ask(superuser, statement);
  /** The shown address, on this server, which asks for no password. */
  const addressOf = (shown: string) => {
    const { username, pathname } = new URL(shown);
    return Object.assign(new URL(server.url), { username, pathname }).href;
  };
  const runShown = (name: string) => {
    const { args, url } = command(name);
    return { args, environment: { DATABASE_URL: addressOf(url), PORT: '0', LOG_LEVEL: 'info' } };
  };
  const owner = addressOf(command('migrate').url);
  await ask(owner, sql('database'));

  const migrating = runShown('migrate');
  const migrated = await runProgram(migrating.args, migrating.environment);
  expect(migrated).toMatchObject({ code: 0, stderr: '' });
  const ingesting = runShown('ingest');
  const ingested = await runProgram(ingesting.args, ingesting.environment);
  expect(ingested.stderr).toContain('Applied 5 blocks');
  expect(ingested.code).toBe(0);
  expect(await readTable(owner, 'blocks')).toHaveLength(5);

  const { args, environment } = runShown('serve');
  await using serving = startProgram(args, environment);
  const url = await readListening(serving.process.stdout as never);
  const answer = await fetch(`${url}/api/v2/accounts?pagination.first=1`);
  expect([answer.status, answer.headers.get('x-block-height')]).toEqual([200, '5']);
  expect(await readExcessAt(environment.DATABASE_URL)).toEqual([]);

  // The writer makes partitions, which belong to the owner as all tables do, and no others may.
  const tables = `SELECT DISTINCT tableowner AS owner FROM pg_tables WHERE schemaname = 'public'`;
  expect(await ask(owner, tables)).toEqual([{ owner: 'periscope_owner' }]);
  const reader = environment.DATABASE_URL;
  await expect(ask(reader, 'DROP TABLE votes')).rejects.toThrow('must be owner');
  await expect(ask(reader, 'CREATE TABLE more ()')).rejects.toThrow('permission denied');
  // And who was given nothing cannot even connect.
  const stranger = Object.assign(new URL(owner), { username: 'stranger' }).href;
  await expect(ask(stranger, 'SELECT 1')).rejects.toThrow('permission denied for database');
});

function sql(name: string): string {
  return blockOf('docs/operating.md', 'sql', `roles: ${name}`);
}

/** The address and the arguments of `DATABASE_URL=… npm run …`. */
function command(name: string) {
  const shown = blockOf('docs/operating.md', 'sh', `roles: ${name}`);
  const {
    url = '',
    script = '',
    rest = '',
  } = /^DATABASE_URL=(?<url>\S+) npm (?:run )?(?<script>\w+)(?: -- (?<rest>.*))?\n$/.exec(shown)?.groups ??
  {};
  return { url, args: [script === 'start' ? 'serve' : script, ...rest.split(' ').filter(Boolean)] };
}
