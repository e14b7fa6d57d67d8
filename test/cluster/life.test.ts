import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMetrics, sumOf } from '../metrics/exposition.ts';
import { type AccountNetwork, party, startAccountNetwork } from '../support/account-network.ts';
import { createTestDatabase, readerUrlOf } from '../support/database.ts';
import { openNdjson } from '../support/http-clients.ts';
import { type Environment, runProgram, startProgram } from '../support/program.ts';
import { withClient } from '../support/state.ts';
import { isRunning, startWorkers } from '../support/workers.ts';

let network: AccountNetwork;
let folder: string;

beforeAll(async () => {
  network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '10' });
  folder = mkdtempSync(join(tmpdir(), 'periscope-life-'));
});

afterAll(async () => {
  await network?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Its own temporary files, too, are in a folder of the test. */
const settings = (): Environment => ({ DATABASE_URL: readerUrlOf(network.url), TMPDIR: folder });

describe('a stop', () => {
  test('ends streams with the reason, answers whoever still comes, and leaves nothing', async () => {
    await using workers = await startWorkers(2, { ...settings(), SHUTDOWN_GRACE_MS: '500' });
    const streams = await Promise.all(
      Array.from({ length: 4 }, () => openNdjson(workers.url, '/api/v2/stream/accounts')),
    );
    for (const stream of streams) expect((await stream.next()).result.snapshot.accounts).toHaveLength(1);
    const pids = [...workers.processes.values()];
    workers.program.process.kill('SIGTERM');
    const answers = await askUntilRefused(workers.url);
    expect(new Set(answers)).toEqual(new Set([200, 503, 'ECONNREFUSED']));
    for (const stream of streams) {
      expect((await stream.next()).error.message).toContain('The gateway is stopping');
      expect(await stream.ended).toMatchObject({ code: 1000 });
    }
    expect(await workers.program.ended).toMatchObject({ code: 0, stderr: '' });
    expect(pids.filter(isRunning)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('ends a worker that does not, after the deadline', async () => {
    await using workers = await startWorkers(2, { ...settings(), SHUTDOWN_DEADLINE_MS: '500' });
    process.kill(workers.processes.get(1) as number, 'SIGSTOP');
    workers.program.process.kill('SIGTERM');
    expect(await workers.program.ended).toMatchObject({ code: 0 });
    expect([...workers.processes.values()].filter(isRunning)).toEqual([]);
    expect(workers.lines.map(({ msg }) => msg)).toContain('killed after the shutdown deadline');
  });

  test('a primary that is killed leaves no worker', async () => {
    await using workers = await startWorkers(2, settings());
    workers.program.process.kill('SIGKILL');
    await workers.program.ended;
    await expect.poll(() => [...workers.processes.values()].filter(isRunning)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('it ends with the reason', () => {
  test('where workers end at once, again and again', async () => {
    const crash = join(folder, 'crash.cjs');
    writeFileSync(crash, "if (process.argv[2] === 'worker') process.exit(7);");
    const options = { ...settings(), PORT: '0', NODE_OPTIONS: `--require ${crash}` };
    const { code, stderr, stdout } = await runProgram(['serve', '--workers', '2'], options);
    expect(code).toBe(1);
    expect(stderr).toContain('A worker has ended 5 times in a row at once: exit code 7');
    const replaced = stdout.split('\n').filter((line) => line.includes('another takes its place'));
    const byPlace = [1, 2].map(
      (place) => replaced.filter((line) => JSON.parse(line).worker === place).length,
    );
    expect(Math.max(...byPlace)).toBe(4);
    rmSync(crash);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('where that becomes so while the demo writes, which ends, too', async () => {
    await using database = await createTestDatabase();
    const crash = join(folder, 'crash-later.cjs');
    const isOver = join(folder, 'over');
    writeFileSync(
      crash,
      `const isOver = () => require('node:fs').existsSync('${isOver}') && process.exit(7);
      if (process.argv[2] === 'worker' && !isOver()) setInterval(isOver, 50).unref();`,
    );
    await using demo = startProgram(['demo'], {
      ...{ DATABASE_URL: database.url, TMPDIR: folder, PORT: '0', WORKERS: '2' },
      NODE_OPTIONS: `--require ${crash}`,
    });
    await once(demo.process.stdout as Readable, 'data');
    writeFileSync(isOver, '');
    const { code, stderr } = await demo.ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('A worker has ended 5 times in a row at once'),
    ]);
    for (const path of [crash, isOver]) rmSync(path);
  });

  test('where a worker can say why it cannot begin', async () => {
    // Their primary has looked at its own list before it starts them.
    const loses = join(folder, 'loses.cjs');
    writeFileSync(loses, "if (process.argv[2] === 'worker') process.env.OPERATION_LIST = '/nowhere.json';");
    const options = { ...settings(), PORT: '0', NODE_OPTIONS: `--require ${loses}` };
    const { code, stderr } = await runProgram(['serve', '--workers', '2'], options);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^periscope: OPERATION_LIST is "\/nowhere.json", which cannot be read/),
    ]);
    rmSync(loses);
  });

  test('where the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await runProgram(['serve', '--workers', '2'], {
      ...settings(),
      PORT: `${port}`,
    });
    server.close();
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`PORT is ${port}, which another program uses`),
    ]);
  });

  test.each([
    [['--workers', '11'], 'WORKERS is 11, more than POOL_SIZE, 10, of which each needs one'],
    [['--workers', 'many'], 'is invalid. It takes a whole number from 1 to 256, or auto'],
  ])('%j', async (args, reason) => {
    const { code, stderr } = await runProgram(['serve', ...args], settings());
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});

describe('whoever looks at it', () => {
  test('is told how many workers there are', async () => {
    await using workers = await startWorkers(3, settings());
    const environment = { ...settings(), PORT: new URL(workers.url).port };
    const { stdout } = await runProgram(['status'], environment);
    expect(stdout).toContain(`ready at ${workers.url}, at block 1 (0 behind), 3 of 3 workers\n`);
    const { gateways, gateway } = JSON.parse((await runProgram(['status', '--json'], environment)).stdout);
    expect([gateways, gateway.workers]).toEqual([1, { wanted: 3, running: 3 }]);
  });

  test('reads the metrics of all of them from any', async () => {
    await using workers = await startWorkers(3, { ...settings(), MAX_CONNECTIONS_PER_CLIENT: '30' });
    // Connections that stay have those that come go to all workers.
    const streams = await Promise.all(
      Array.from({ length: 6 }, () => openNdjson(workers.url, '/api/v2/stream/accounts')),
    );
    for (let times = 0; times < 4; times += 1)
      await Promise.all(Array.from({ length: 10 }, () => ask(`${workers.url}/votes`)));
    const metrics = await readMetrics(`${workers.url}/metrics`);
    const asked = { route: '/votes', method: 'GET', status: '200' };
    expect(sumOf(metrics, 'periscope_http_request_duration_seconds_count', asked)).toBe(40);
    expect(sumOf(metrics, 'periscope_pool_connections_limit')).toBe(10);
    expect(sumOf(metrics, 'periscope_build_info')).toBe(1);
    expect(sumOf(metrics, 'periscope_block_height')).toBe(1);
    expect(sumOf(metrics, 'periscope_feed_following')).toBe(1);
    expect(sumOf(metrics, 'periscope_streams')).toBe(6);
    expect(sumOf(metrics, 'periscope_http_connections_refused_total')).toBe(0);
    for (const stream of streams) stream.close();
  });

  test('reads them while the database does not answer, and no connection to it is free', async () => {
    await using workers = await startWorkers(2, { ...settings(), POOL_SIZE: '2', METRICS_PORT: '0' });
    const { metrics: url } = workers.lines.find(({ msg }) => msg === 'listening') ?? {};
    const metrics = await withClient(network.url, async (client) => {
      await client.query('BEGIN; LOCK TABLE blocks IN ACCESS EXCLUSIVE MODE');
      return readMetrics(url as string);
    });
    expect(sumOf(metrics, 'periscope_pool_connections_limit')).toBe(2);
    expect(metrics.get('periscope_database_up')?.samples.map(({ value }) => value)).toEqual([0]);
  });

  test('finds what only grows not to fall where a worker ends or does not answer', async () => {
    await using workers = await startWorkers(2, {
      ...settings(),
      METRICS_PORT: '0',
      WORKER_STALL_MS: '5000',
    });
    const { metrics: url } = workers.lines.find(({ msg }) => msg === 'listening') ?? {};
    const streams = await Promise.all(
      Array.from({ length: 4 }, () => openNdjson(workers.url, '/api/v2/stream/accounts')),
    );
    const read = async () => {
      const metrics = await readMetrics(url as string);
      return ['periscope_streams_opened_total', 'periscope_streams'].map((name) => sumOf(metrics, name));
    };
    expect(await read()).toEqual([4, 4]);
    const before = new Map(workers.processes);
    const hanging = before.get(1) as number;
    process.kill(hanging, 'SIGSTOP');
    const whileItHangs = await read();
    process.kill(hanging, 'SIGKILL');
    expect(whileItHangs).toEqual([4, 2]);
    await workers.replaced([1], before);
    expect(await read()).toEqual([4, 2]);
    for (const stream of streams) stream.close();
  });

  test('reads them at METRICS_PORT, of the primary too', async () => {
    await using workers = await startWorkers(2, {
      ...settings(),
      METRICS_PORT: '0',
      MAX_CONNECTIONS_PER_CLIENT: '1',
    });
    const { metrics: url } = workers.lines.find(({ msg }) => msg === 'listening') ?? {};
    await using _stream = await openNdjson(workers.url, '/api/v2/stream/accounts');
    expect(await ask(`${workers.url}/votes`)).toMatch(/^E|^cut/);
    const metrics = await readMetrics(url as string);
    expect(sumOf(metrics, 'periscope_streams')).toBe(1);
    expect(sumOf(metrics, 'periscope_http_connections_refused_total')).toBe(1);
    expect(await ask(`${url}`.replace('/metrics', '/votes'))).toBe(404);
  });
});

/** Asks on a new connection again and again; gives the statuses, and at last the error of one that found nobody. */
async function askUntilRefused(url: string): Promise<readonly (number | string)[]> {
  const answers: (number | string)[] = [];
  while (typeof answers.at(-1) !== 'string') {
    const asked = Array.from({ length: 4 }, (_, n) =>
      ask(`${url}${n % 2 ? '/health/ready' : '/api/v2/accounts'}`),
    );
    answers.push(
      ...(await Promise.all(asked)).sort((one, other) =>
        typeof one === 'string' ? 1 : typeof other === 'string' ? -1 : 0,
      ),
    );
  }
  return answers;
}

function ask(url: string): Promise<number | string> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      response.once('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 'cut'));
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
