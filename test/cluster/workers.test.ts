import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'graphql-sse';
import { describe, expect, test } from 'vitest';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { readerUrlOf } from '../support/database.ts';
import { startDatabaseProxy } from '../support/faulty-proxy.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { openNdjson } from '../support/http-clients.ts';
import { within } from '../support/message-queue.ts';
import type { Environment } from '../support/program.ts';
import { chooseRandom } from '../support/seed.ts';
import { RefusedError, type StreamClient } from '../support/stream-client.ts';
import { startWorkers } from '../support/workers.ts';

const network = await forAllTests(startAccountNetwork());
await network.block({ owner: party(1), balance: '10' }, { owner: party(2), balance: '20' });

const start = (count: number, settings: Environment = {}) =>
  startWorkers(count, { DATABASE_URL: readerUrlOf(network.url), ...settings });

/** What a stream of one account has told so far, going on by its cursor wherever it is cut. */
class Follower {
  readonly balances: string[] = [];
  cuts = 0;
  #cursor: string | null = null;
  #isOver = false;
  readonly #url: string;
  #client: StreamClient | null = null;
  readonly done: Promise<void>;

  constructor(url: string, account: string) {
    this.#url = url;
    this.done = this.#follow(`/api/v2/stream/accounts?cursors=true&partyId=${account}`);
  }

  stop(): void {
    this.#isOver = true;
    this.#client?.close();
  }

  async #follow(path: string): Promise<void> {
    while (!this.#isOver) {
      try {
        const from = this.#cursor === null ? '' : `&after=${this.#cursor}`;
        this.#client = await openNdjson(this.#url, path + from);
        for (let message = await this.#client.next(); message !== null; message = await this.#client.next())
          this.#take(message);
      } catch (error) {
        // A connection that is cut in the middle of a line, or before its answer.
        if (error instanceof RefusedError) throw error;
      }
      if (!this.#isOver) this.cuts += 1;
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: what is wrong with it fails the test.
  #take({ result, cursor }: any): void {
    const { accounts } = result.snapshot ?? result.updates;
    for (const { balance } of accounts) this.balances.push(balance);
    this.#cursor = cursor;
  }
}

describe('a worker that ends', () => {
  test('is replaced, and its streams go on by their cursors, without a gap and nothing twice', async () => {
    await using workers = await start(3);
    const followers = Array.from({ length: 12 }, () => new Follower(workers.url, party(1)));
    await expect.poll(() => followers.every(({ balances }) => balances.length === 1)).toBe(true);
    const expected = ['10'];
    const random = chooseRandom('workers that are killed');
    for (let round = 0; round < 4; round += 1) {
      const before = new Map(workers.processes);
      const place = random.between(1, 3);
      for (let n = 0; n < 5; n += 1) {
        const balance = `${100 * (round + 1) + n}`;
        expected.push(balance);
        await network.block({ owner: party(1), balance });
        if (n === 2) process.kill(before.get(place) as number, 'SIGKILL');
      }
      await workers.replaced([place], before);
    }
    await expect.poll(() => followers.every(({ balances }) => balances.length >= expected.length)).toBe(true);
    for (const { balances } of followers) expect(balances).toEqual(expected);
    // Connections are spread evenly, so that each round cuts some.
    expect(followers.reduce((sum, { cuts }) => sum + cuts, 0)).toBeGreaterThanOrEqual(8);
    for (const follower of followers) follower.stop();
    await Promise.all(followers.map(({ done }) => done));
  });

  test('is replaced when it hangs, and what was handed to it is answered by another', async () => {
    await using workers = await start(2, { WORKER_STALL_MS: '1500' });
    const before = new Map(workers.processes);
    process.kill(before.get(1) as number, 'SIGSTOP');
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => ask(`${workers.url}/api/v2/accounts`)),
    );
    expect(answers).toEqual(answers.map(() => 200));
    await workers.replaced([1], before);
    expect(workers.lines.map(({ msg }) => msg)).toContain('a worker shows no sign of life, and is ended');
  });

  test('waits for a database that is away, for as long as it is', async () => {
    await using away = await startDatabaseProxy(readerUrlOf(network.url));
    await using workers = await start(2, { DATABASE_URL: away.url });
    const before = new Map(workers.processes);
    away.proxy.set('refuses');
    process.kill(before.get(1) as number, 'SIGKILL');
    const failures = () => workers.lines.filter(({ reason }) => reason !== undefined).length;
    await expect.poll(failures).toBeGreaterThan(5);
    expect(await ask(`${workers.url}/health/ready`)).toBe(503);
    away.proxy.set('passes');
    await workers.replaced([1], before);
    await expect.poll(() => ask(`${workers.url}/health/ready`)).toBe(200);
  });

  test.each([
    ['room for a process', "throw new Error('spawn ENOMEM')", 'spawn ENOMEM'],
    ['descriptors to spare', 'return withoutDescriptors(() => fork(...given))', /^spawn .* EMFILE$/],
  ])('waits for a machine that has no %s, while the others serve', async (_, failing, reason) => {
    const folder = mkdtempSync(join(tmpdir(), 'periscope-workers-'));
    const full = join(folder, 'full.cjs');
    writeFileSync(
      full,
      `const cluster = require('node:cluster');
      const { ChildProcess } = require('node:child_process');
      const { fork } = cluster;
      const withoutDescriptors = (work) => {
        const { spawn } = ChildProcess.prototype;
        ChildProcess.prototype.spawn = function (options) {
          this._handle.spawn = () => -require('node:os').constants.errno.EMFILE;
          return spawn.call(this, options);
        };
        try {
          return work();
        } finally {
          ChildProcess.prototype.spawn = spawn;
        }
      };
      let calls = 0;
      cluster.fork = (...given) => {
        calls += 1;
        if (calls > 2 && calls < 9) ${failing};
        return fork(...given);
      };`,
    );
    await using workers = await start(2, { NODE_OPTIONS: `--require ${full}` });
    const before = new Map(workers.processes);
    process.kill(before.get(1) as number, 'SIGKILL');
    await workers.replaced([1], before);
    expect(workers.processes.get(2)).toBe(before.get(2));
    const refused = workers.lines.filter(({ reason: said }) => said !== undefined);
    expect(refused).toHaveLength(6);
    for (const line of refused) expect(line).toMatchObject({ reason: expect.stringMatching(reason) });
    rmSync(folder, { recursive: true });
  });

  test('all of them at once, and the port is kept', async () => {
    await using workers = await start(2);
    const before = new Map(workers.processes);
    for (const pid of before.values()) process.kill(pid, 'SIGKILL');
    await workers.replaced([1, 2], before);
    expect(await ask(`${workers.url}/api/v2/accounts`)).toBe(200);
  });
});

describe('what a client may have counts for all workers', () => {
  test('streams, and those of a worker that was killed are free again', async () => {
    await using workers = await start(3, { MAX_STREAMS_PER_CLIENT: '9', MAX_STREAMS: '100' });
    const open = () => openNdjson(workers.url, '/api/v2/stream/accounts');
    const openAll = (count: number) => Promise.allSettled(Array.from({ length: count }, open));
    // One after the other, so that each worker has one: of those at once, the quickest may get all.
    const first = [await open(), await open(), await open()];
    const opened = await openAll(30);
    const streams = [...first, ...opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))];
    const refused = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason as RefusedError] : []));
    expect(streams).toHaveLength(9);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 429));
    expect(refused[0]?.body.message).toBe(
      'This address has 9 streams open, and may have 9. Close one before opening another.',
    );
    const before = new Map(workers.processes);
    let cut = 0;
    for (const { ended } of streams) void ended.then(() => (cut += 1));
    process.kill(before.get(1) as number, 'SIGKILL');
    await workers.replaced([1], before);
    await expect.poll(() => cut).toBeGreaterThan(0);
    const again = await openAll(30);
    const reopened = again.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(reopened).toHaveLength(cut);
    for (const stream of [...streams, ...reopened]) stream.close();
    const opensAgain = () =>
      open().then(
        (stream) => stream.close(),
        (error) => error.status,
      );
    await expect.poll(opensAgain).toBeUndefined();
  });

  test('connections, where an idle one makes room for a new one on whichever worker it is', async () => {
    await using workers = await start(3, { MAX_CONNECTIONS_PER_CLIENT: '12' });
    const sockets = await Promise.all(Array.from({ length: 30 }, () => begin(workers.url)));
    await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBe(18);
    for (const socket of sockets) if (!socket.destroyed) socket.write('\r\n');
    const open = () => sockets.filter(({ destroyed }) => !destroyed);
    await Promise.all(open().map((socket) => once(socket, 'data')));
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(await ask(`${workers.url}/health/live`)).toBe(200);
    await expect.poll(() => open().length).toBe(11);
    for (const socket of open()) socket.destroy();
  });

  test('connections of all clients', async () => {
    await using workers = await start(2, { MAX_CONNECTIONS: '10' });
    const sockets = await Promise.all(Array.from({ length: 25 }, () => begin(workers.url)));
    await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBe(15);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => ask(`${workers.url}/health/live`).catch(() => 0)).toBe(200);
  });

  test('what it asks for over time, to the cost of one request', async () => {
    // 400 a second, 4000 at once: 20 requests of 200, one after the other, as each is charged in two parts.
    await using workers = await start(4, { RATE_LIMIT: '400', TRUSTED_PROXIES: 'loopback' });
    for (const client of ['192.0.2.1', '192.0.2.2']) {
      const begun = performance.now();
      const answers: number[] = [];
      for (let count = 0; count < 60; count += 1)
        answers.push(await ask(`${workers.url}/nothing`, { 'X-Forwarded-For': client }));
      const most = 20 + Math.floor(((performance.now() - begun) / 1000) * 2);
      const allowed = answers.filter((status) => status === 404).length;
      expect(new Set(answers)).toEqual(new Set([404, 429]));
      expect(allowed).toBeLessThanOrEqual(most);
      // What other workers keep for it is a sixteenth, 250: one request more at most.
      expect(allowed).toBeGreaterThanOrEqual(18);
    }
  });
});

test('event streams of many operations are refused with the reason, and each operation has its own', async () => {
  await using workers = await start(2);
  const refused = await fetch(`${workers.url}/graphql/stream`, { method: 'PUT' });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { code: 9, message: expect.stringContaining('need a gateway of one process (WORKERS=1)') },
  ]);
  const apart = createClient({ url: `${workers.url}/graphql`, retryAttempts: 0 });
  const results = apart.iterate({ query: 'subscription { blocks { block { height } } }' });
  expect((await within(results.next(), 'a result')).value).toMatchObject({ data: { blocks: {} } });
  apart.dispose();
});

test('a request whose head does not come is given up, as by one process', async () => {
  await using workers = await start(2, { HEADERS_TIMEOUT_MS: '500' });
  const socket = await begin(workers.url);
  const [head] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 408 /);
  socket.destroy();
});

/** A connection on which a request has begun that its last line would end. */
async function begin(url: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n');
  return socket;
}

/** The status of an answer on a connection of its own. */
function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const answered = new Promise<number>((resolve, reject) => {
    get(url, { agent: false, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
  return within(answered, url);
}
