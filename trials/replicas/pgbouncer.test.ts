import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { accountFor } from '../../src/data/embedded/account.ts';
import { startGateway } from '../../src/server.ts';
import { findFreePort, findProgram } from '../../test/live/proxy.ts';
import { openNdjson } from '../../test/support/http-clients.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { ask, withClient } from '../../test/support/state.ts';
import { Blocks } from './blocks.ts';
import { POSTGRES_PROGRAMS, type PostgresServer, ReplicatedPostgres } from './replicated-postgres.ts';

const PGBOUNCER = findProgram('pgbouncer');
const isSkipped = PGBOUNCER === undefined || POSTGRES_PROGRAMS === undefined;
if (isSkipped)
  console.warn('trials/replicas/pgbouncer.test.ts is skipped: pgbouncer or pg_basebackup is not here');

test.skipIf(isSkipped)('a gateway reads a replica through pgbouncer in transaction mode', async () => {
  await using network = await ReplicatedPostgres.start(1);
  const [primary, standby] = network.servers as [PostgresServer, PostgresServer];
  const blocks = new Blocks();
  await blocks.write(primary, 3);
  const [settings = ''] =
    /(?<=<!-- pooler-role -->\n```sql\n)[^`]*/.exec(readFileSync('docs/replicas.md', 'utf8')) ?? [];
  expect(settings).toContain('default_transaction_read_only');
  await withClient(primary.url, (client) => client.query(settings));
  await using pooler = await startPgbouncer(standby);
  await expect
    .poll(() => ask(pooler.url, 'SHOW default_transaction_read_only'))
    .toEqual([{ default_transaction_read_only: 'on' }]);
  const config = readConfig({
    PORT: '0',
    SHUTDOWN_GRACE_MS: '0',
    DATABASE_URL: primary.readerUrl,
    DATABASE_REPLICA_URLS: pooler.url,
    PREPARED_STATEMENTS: 'off',
    PRIMARY_READS: 'off',
    POOL_WAIT_MS: '20000',
    // Who waits for a busy machine is not to be refused here.
    ADMISSION_WAIT_MS: '20000',
  });
  const options = { config, databaseUrl: primary.readerUrl, logger: pino({ level: 'silent' }) };
  await using gateway = await startGateway(options);
  const stream = await openNdjson(gateway.url, '/api/v2/stream/accounts?cursors=true');
  expect(await stream.next()).toMatchObject({ block: { height: '3' } });
  // More at once than the pooler has connections, and each often enough to be prepared where that is on.
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, count) =>
      fetch(`${gateway.url}/api/v2/accounts?pagination.first=${count + 1}`),
    ),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  await blocks.write(primary, 6, 4);
  for (const height of ['4', '5', '6']) expect(await stream.next()).toMatchObject({ block: { height } });
  stream.close();
});

/** The file of deploy/ as it stands, but for where it listens, whom it asks and whom it lets in. */
async function startPgbouncer(server: PostgresServer): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  const changes: readonly (readonly [string, string])[] = [
    ['port=5433 dbname=periscope', `port=${server.port} dbname=periscope user=periscope_reader`],
    ['listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`],
    ['auth_type = scram-sha-256', 'auth_type = any'],
    ['auth_file = /etc/pgbouncer/userlist.txt', ''],
    ['default_pool_size = 20', 'default_pool_size = 3'],
  ];
  const file = join(folder, 'pgbouncer.ini');
  const text = changes.reduce(
    (before, [what, by]) => {
      expect(before).toContain(what);
      return before.replace(what, by);
    },
    readFileSync('deploy/pgbouncer.ini', 'utf8'),
  );
  writeFileSync(file, text);
  const child: ChildProcess = spawn(PGBOUNCER as string, [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(accountFor([]) ?? {}),
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said = (said + chunk).slice(-2000);
  });
  const ended = once(child, 'exit');
  const url = `postgres://periscope_reader@127.0.0.1:${port}/periscope?sslmode=disable`;
  const deadline = performance.now() + HANG_MS;
  const isUp = () => ask(url, 'SELECT 1').then(() => true, () => false); // biome-ignore format: a pair
  while (!(await isUp())) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`pgbouncer does not start: ${said}`);
    await sleep(50);
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
