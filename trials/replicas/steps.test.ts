import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { accountFor } from '../../src/data/embedded/account.ts';
import { blockOf } from '../../test/docs/documents.ts';
import { findFreePort } from '../../test/live/proxy.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { readListening, startProgram } from '../../test/support/program.ts';
import { Blocks } from './blocks.ts';
import { POSTGRES_PROGRAMS, type PostgresServer, ReplicatedPostgres } from './replicated-postgres.ts';

const run = promisify(execFile);

describe.skipIf(POSTGRES_PROGRAMS === undefined)('the steps of docs/replicas.md', () => {
  test('make a replica of a primary, and a gateway that reads from it', async () => {
    await using network = await ReplicatedPostgres.start(0);
    const [primary] = network.servers as [PostgresServer];
    await new Blocks().write(primary, 3);
    await using folder = makeFolder();
    const names = {
      ...{ PRIMARY: '127.0.0.1', PRIMARY_PORT: `${primary.port}`, PRIMARY_DATA: primary.folder },
      ...{
        REPLICA: '127.0.0.1',
        REPLICA_PORT: `${await findFreePort()}`,
        REPLICA_DATA: folder.path('replica'),
      },
    };
    // Where psql finds a server of this machine, and who asks: of the test alone.
    const env = {
      ...names,
      PATH: `${POSTGRES_PROGRAMS}:${process.env['PATH']}`,
      PGHOST: '127.0.0.1',
      PGUSER: 'postgres',
    };
    const runShown = async (name: string) => {
      const shown = blockOf('docs/replicas.md', 'sh', `replica: ${name}`);
      const { stdout } = await run('bash', ['-euc', shown], {
        env,
        cwd: folder.root,
        timeout: HANG_MS,
        ...accountFor([]),
      });
      return stdout;
    };
    await runShown('let in');
    await runShown('copy');
    // Servers of tests get these by their command line: no folder for sockets, and as many connections as the primary has.
    const settings = "unix_socket_directories = ''\nmax_connections = 200\n";
    await appendFile(join(names.REPLICA_DATA, 'postgresql.auto.conf'), settings);
    expect(await runShown('start')).toMatch(/\nt\n$/);
    try {
      await using program = startProgram(['serve'], { ...shownSettings(names), PORT: '0' });
      const url = await readListening(program.process.stdout as never);
      const ready = async () => (await fetch(`${url}/health/ready`)).json();
      await expect.poll(ready, { timeout: HANG_MS }).toMatchObject({
        servers: [{ state: 'spare' }, { state: 'used', role: 'replica', height: '3' }],
      });
      program.process.kill('SIGTERM');
      await program.ended;
    } finally {
      await run('pg_ctl', ['-D', names.REPLICA_DATA, '-m', 'immediate', 'stop'], { env, ...accountFor([]) });
    }
  });
});

/** What the last block exports, with the names filled in. */
function shownSettings(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const lines = blockOf('docs/replicas.md', 'sh', 'replica: serve').matchAll(/^export (\w+)="(.*)"$/gm);
  return Object.fromEntries(
    [...lines].map(([, name = '', value = '']) => [
      name,
      value.replace(/\$(\w+)/g, (_, of) => names[of] ?? ''),
    ]),
  );
}

/** A folder of the account that servers run as. */
function makeFolder() {
  const root = mkdtempSync(join(tmpdir(), 'periscope-steps-'));
  const { uid, gid } = accountFor([]) ?? {};
  if (uid !== undefined && gid !== undefined) chownSync(root, uid, gid);
  return {
    root,
    path: (name: string) => join(root, name),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  };
}
