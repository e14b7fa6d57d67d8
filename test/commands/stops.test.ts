import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../ingest/core-network.ts';
import { createTestDatabase } from '../support/database.ts';
import { createFolder } from '../support/part-folders.ts';
import { startProgram } from '../support/program.ts';
import { ask, withClient } from '../support/state.ts';

import { startOpeningDatabase } from './opening-database.ts';

describe.runIf(process.platform === 'linux')('stopped while its database opens', () => {
  test.each([
    ['backup', ['backup', 'FOLDER/x.sql'], 'Stopped: no backup was written.'],
    ['restore', ['restore', 'FOLDER/file'], 'Stopped: nothing was restored.'],
    [
      'export',
      ['export', 'FOLDER/parts'],
      'Stopped: the parts that are whole stay, and the next run goes on behind them.',
    ],
    [
      'ingest base',
      ['ingest', 'base', 'FOLDER'],
      'Stopped: the files that are in stay, and the next run goes on with the others.',
    ],
    ['digest', ['digest'], 'Stopped: there is no result.'],
    ['verify', ['verify'], 'Stopped: there is no result.'],
    ['migrate', ['migrate'], 'Stopped before the tables were up to date.'],
  ])('%s ends with 1, and says what there is', async (_, args, said) => {
    await using folder = await createFolder();
    const { code, stdout, stderr } = await stopOpening(args, folder.path);
    expect([code, stdout, stderr]).toEqual([1, '', `periscope: ${said}\n`]);
    for (const name of ['x.sql', 'parts']) expect(existsSync(join(folder.path, name))).toBe(false);
  });

  test.each([
    ['serve', ['serve']],
    ['demo', ['demo']],
    ['ingest simulate', ['ingest', 'simulate']],
  ])('%s ends with 0', async (_, args) => {
    await using folder = await createFolder();
    expect(await stopOpening(args, folder.path)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('stopped while its database server is silent', () => {
  test.each([
    ['serve', ['serve'], 0],
    ['ingest socket', ['ingest', 'socket', 'tcp://127.0.0.1:0'], 0],
    ['ingest jetstream', ['ingest', 'jetstream', 'nats://127.0.0.1:1'], 0],
    ['ingest simulate', ['ingest', 'simulate'], 0],
    ['export', ['export', 'FOLDER/parts'], 1],
  ])('%s ends at once', async (_, args, wanted) => {
    await using folder = await createFolder();
    const server = createTcpServer();
    const connected = new Promise<Socket>((resolve) => server.on('connection', resolve));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const named = args.map((arg) => arg.replace('FOLDER', folder.path));
    const { port } = server.address() as AddressInfo;
    const url = `postgres://127.0.0.1:${port}/none`;
    await using program = startProgram(named, { DATABASE_URL: url, PORT: '0', SPOOL_DIR: folder.path });
    const connection = await connected;
    const begin = performance.now();
    program.process.kill('SIGTERM');
    const { code } = await program.ended;
    expect(performance.now() - begin).toBeLessThan(5_000);
    expect(code).toBe(wanted);
    connection.destroy();
    server.close();
  });
});

test.each([
  ['ingest socket', ['ingest', 'socket', 'tcp://127.0.0.1:0']],
  ['ingest jetstream', ['ingest', 'jetstream', 'nats://127.0.0.1:1']],
])('%s that is stopped while its writer waits for a table ends within seconds', async (_, args) => {
  await using folder = await createFolder();
  await using database = await createTestDatabase();
  await withClient(database.url, async (client) => {
    await client.query('BEGIN; LOCK TABLE row_counts');
    await using program = startProgram(args, { DATABASE_URL: database.url, SPOOL_DIR: folder.path });
    await until(async () => (await ask(database.url, WAITING)).length > 0, 'the writer waits');
    const begin = performance.now();
    program.process.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(performance.now() - begin).toBeLessThan(15_000);
  });
});

const WAITING = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'periscope writer' AND wait_event_type = 'Lock'`;

test('a verify that is stopped while a gateway answers is not taken for one that found both the same', async () => {
  const gateway = createServer(() => {});
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/`;
  await using program = startProgram(['verify', url, url], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  // Whether there are parts, which it asks first, is not what it is stopped at.
  const [, response] = await once(gateway, 'request');
  response.writeHead(404).end();
  await once(gateway, 'request');
  program.process.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 1, stderr: 'periscope: Stopped: there is no result.\n' });
  gateway.closeAllConnections();
  gateway.close();
});

/** Runs a command until it opens its database, and stops it there. */
async function stopOpening(args: readonly string[], folder: string) {
  await writeFile(join(folder, 'file'), '');
  await using database = await startOpeningDatabase();
  const named = args.map((arg) => arg.replace('FOLDER', folder));
  await using program = startProgram(named, { DATA_DIR: database.dataDir, PORT: '0' });
  await Promise.race([database.asked, program.ended]);
  program.process.kill('SIGTERM');
  database.end();
  return await program.ended;
}
