import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openReadingPlace } from '../../src/data/open.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { type Gateway, startGateway } from '../../src/server.ts';
import { FaultyProxy } from '../../test/support/faulty-proxy.ts';
import { openNdjson } from '../../test/support/http-clients.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { ask, readHeight } from '../../test/support/state.ts';
import { Blocks } from './blocks.ts';
import { POSTGRES_PROGRAMS, type PostgresServer, ReplicatedPostgres } from './replicated-postgres.ts';

if (POSTGRES_PROGRAMS === undefined)
  console.warn('trials/replicas/ is skipped: no PostgreSQL with pg_basebackup is here');

const STREAM = '/api/v2/stream/accounts?cursors=true';

describe.skipIf(POSTGRES_PROGRAMS === undefined)('a gateway with replicas', () => {
  test('reads and streams from a replica, and follows it promptly with the primary and without', async () => {
    await using network = await ReplicatedPostgres.start(1);
    const [primary, standby] = network.servers as [PostgresServer, PostgresServer];
    const blocks = new Blocks();
    await blocks.write(primary, 1);
    await using gateway = await serve(primary, [standby]);
    const stream = await openNdjson(gateway.url, STREAM);
    await stream.next();
    // What it says was seen at its last look, which may have been before the block came.
    await expect
      .poll(() => serversOf(gateway))
      .toMatchObject([
        { state: 'spare', role: 'primary' },
        { state: 'used', role: 'replica', height: '1', lagBlocks: '0' },
      ]);
    await using writer = await Writer.open(primary.url);
    let height = 1;
    const measure = async (count: number) => {
      const delays: number[] = [];
      for (let times = 0; times < count; times++) {
        height += 1;
        await blocks.apply(writer, height);
        const committed = performance.now();
        expect(await stream.next()).toMatchObject({ block: { height: `${height}` } });
        delays.push(performance.now() - committed);
        // Not in step with any poll.
        await sleep(20 + ((times * 37) % 400));
      }
      return delays;
    };
    console.info(
      `from commit to message over a replica that is told of blocks: ${describeMs(await measure(30))}`,
    );
    await using untold = await serve(standby, []);
    const other = await openNdjson(untold.url, STREAM);
    await other.next();
    const delays: number[] = [];
    for (let times = 0; times < 30; times++) {
      height += 1;
      await blocks.apply(writer, height);
      const committed = performance.now();
      expect(await other.next()).toMatchObject({ block: { height: `${height}` } });
      delays.push(performance.now() - committed);
      await sleep(20 + ((times * 37) % 400));
    }
    console.info(`and over one that has to be asked: ${describeMs(delays)}`);
  });

  test('answers every request and goes on with every stream while the replica that it reads is killed', async () => {
    await using network = await ReplicatedPostgres.start(2);
    const [primary, ...standbys] = network.servers as [PostgresServer, ...PostgresServer[]];
    const blocks = new Blocks();
    await blocks.write(primary, 3);
    await using gateway = await serve(primary, standbys);
    const stream = await openNdjson(gateway.url, STREAM);
    expect(await stream.next()).toMatchObject({ block: { height: '3' } });
    const used = await usedOf(gateway);
    const scope = new RequestScope(() => gateway.url);
    await sleep(200);
    await (standbys[used - 1] as PostgresServer).stop('SIGKILL');
    await blocks.write(primary, 6, 4);
    for (const height of ['4', '5', '6']) expect(await stream.next()).toMatchObject({ block: { height } });
    await sleep(500);
    expect(await scope.stop()).toEqual([]);
    expect(scope.answers).toBeGreaterThan(20);
    await expect
      .poll(() => serversOf(gateway))
      .toMatchObject([
        { state: 'spare' },
        { state: used === 1 ? 'away' : 'used' },
        { state: used === 2 ? 'away' : 'used' },
      ]);
    await (standbys[2 - used] as PostgresServer).stop('SIGKILL');
    await blocks.write(primary, 7, 7);
    expect(await stream.next()).toMatchObject({ block: { height: '7' } });
    await expect.poll(() => serversOf(gateway)).toMatchObject([{ state: 'used', role: 'primary' }, {}, {}]);
  });

  test('leaves a replica out that lags beyond the bound, and says so', async () => {
    await using network = await ReplicatedPostgres.start(1);
    const [primary, standby] = network.servers as [PostgresServer, PostgresServer];
    const blocks = new Blocks();
    await blocks.write(primary, 1);
    await using gateway = await serve(primary, [standby], { MAX_REPLICA_LAG_BLOCKS: '3' });
    await using strict = await serve(primary, [standby], {
      MAX_REPLICA_LAG_BLOCKS: '3',
      PRIMARY_READS: 'off',
      POOL_WAIT_MS: '200',
    });
    expect(await usedOf(strict)).toBe(1);
    await ask(standby.url, 'SELECT pg_wal_replay_pause()');
    await blocks.write(primary, 4, 2);
    await sleep(1500);
    // Within the bound it answers from before the newest block, and says from which.
    expect(await usedOf(gateway)).toBe(1);
    expect((await fetch(`${gateway.url}${LIST}`)).headers.get('x-block-height')).toBe('1');
    await blocks.write(primary, 5, 5);
    await expect.poll(() => usedOf(gateway)).toBe(0);
    await expect
      .poll(async () => (await fetch(`${gateway.url}${LIST}`)).headers.get('x-block-height'))
      .toBe('5');
    expect(await serversOf(gateway)).toMatchObject([{}, { state: 'lagging', lagBlocks: '4', height: '1' }]);
    await expect.poll(() => usedOf(strict)).toBe(-1);
    const ready = await fetch(`${strict.url}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      message:
        'Not ready: database has no server that may be read: DATABASE_URL is spare, DATABASE_REPLICA_URLS 1 is lagging by 4 blocks.',
      servers: [{ name: 'DATABASE_URL', state: 'spare' }, { state: 'lagging' }],
    });
    const refused = await fetch(`${strict.url}${LIST}`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await ask(standby.url, 'SELECT pg_wal_replay_resume()');
    await expect.poll(() => usedOf(strict)).toBe(1);
    await expect.poll(() => usedOf(gateway)).toBe(1);
    expect((await fetch(`${strict.url}${LIST}`)).headers.get('x-block-height')).toBe('5');
  });

  test('which was answered from blocks that a promotion lost waits until they are there again', async () => {
    await using network = await ReplicatedPostgres.start(2);
    const [primary, ahead, behind] = network.servers as [PostgresServer, PostgresServer, PostgresServer];
    const blocks = new Blocks();
    await blocks.write(primary, 3);
    await using gateway = await serve(primary, [ahead, behind], { POOL_WAIT_MS: '300' });
    // What it reads is the one that repeats all.
    if ((await usedOf(gateway)) === 2) await behind.stop('SIGKILL');
    await expect.poll(() => usedOf(gateway)).toBe(1);
    if (!(await isUp(behind))) await behind.start();
    await behind.follow(null);
    await sleep(500);
    await expect.poll(() => readHeight(ahead.url)).toBe(3);
    const stream = await openNdjson(gateway.url, STREAM);
    expect(await stream.next()).toMatchObject({ block: { height: '3' } });
    await blocks.write(primary, 6, 4);
    for (const height of ['4', '5', '6']) expect(await stream.next()).toMatchObject({ block: { height } });
    await primary.stop('SIGKILL');
    await behind.promote();
    await ahead.stop('SIGKILL');
    // What is promoted has three blocks of six: nothing is answered from it.
    for (let times = 0; times < 5; times++) {
      const answer = await fetch(`${gateway.url}${LIST}`);
      if (answer.status === 200) expect(await balanceIn(answer)).toBe('6');
      else expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      await sleep(100);
    }
    await expect
      .poll(async () => (await serversOf(gateway))[2])
      .toMatchObject({ state: 'behind', height: '3' });
    // The writer reads its source again, from where the database stands.
    await blocks.write(behind, 5, 4);
    expect((await fetch(`${gateway.url}${LIST}`)).status).toBe(503);
    await blocks.write(behind, 7, 6);
    expect(await stream.next()).toMatchObject({ block: { height: '7' } });
    const answer = await fetch(`${gateway.url}${LIST}`);
    expect(answer.headers.get('x-block-height')).toBe('7');
    expect(await balanceIn(answer)).toBe('7');
  });

  test('starts while the primary is away, and reads a replica', async () => {
    await using network = await ReplicatedPostgres.start(1);
    const [primary, standby] = network.servers as [PostgresServer, PostgresServer];
    await new Blocks().write(primary, 2);
    await expect.poll(() => readHeight(standby.url)).toBe(2);
    await primary.stop('SIGKILL');
    const place = { url: primary.readerUrl, readerUrl: null, dataDir: null };
    await expect(openReadingPlace(place)).rejects.toThrow('ECONNREFUSED');
    await using opened = await openReadingPlace({ ...place, replicaUrls: [standby.readerUrl] });
    expect(opened.url).toBe(standby.readerUrl);
    await using gateway = await serve(primary, [standby]);
    expect((await fetch(`${gateway.url}${LIST}`)).headers.get('x-block-height')).toBe('2');
    expect(await serversOf(gateway)).toMatchObject([{ state: 'away' }, { state: 'used' }]);
  });

  test('or one that knows the primary by a proxy alone, waits for what a promotion lost', async () => {
    await using network = await ReplicatedPostgres.start(1);
    const [primary, standby] = network.servers as [PostgresServer, PostgresServer];
    const blocks = new Blocks();
    await blocks.write(primary, 2);
    let target = primary;
    await using proxy = await FaultyProxy.start(() => ({ host: '127.0.0.1', port: target.port }));
    const url = primary.readerUrl.replace(`:${primary.port}/`, `:${proxy.port}/`);
    const config = readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0', DATABASE_URL: url, KEPT_ANSWERS_MB: '0' });
    const logger = pino({ level: 'silent' });
    await using gateway = await startGateway({ config, databaseUrl: url, logger });
    await expect.poll(() => readHeight(standby.url)).toBe(2);
    await standby.follow(null);
    await sleep(500);
    const stream = await openNdjson(gateway.url, STREAM);
    expect(await stream.next()).toMatchObject({ block: { height: '2' } });
    await blocks.write(primary, 4, 3);
    for (const height of ['3', '4']) expect(await stream.next()).toMatchObject({ block: { height } });
    target = standby;
    await primary.stop('SIGKILL');
    await standby.promote();
    proxy.drop();
    for (let times = 0; times < 5; times++) {
      expect((await fetch(`${gateway.url}${LIST}`)).status).toBe(503);
      await sleep(100);
    }
    await blocks.write(standby, 5, 3);
    expect(await stream.next()).toMatchObject({ block: { height: '5' } });
    expect(await balanceIn(await fetch(`${gateway.url}${LIST}`))).toBe('5');
  });
});

const LIST = '/api/v2/accounts';

async function balanceIn(answer: Response): Promise<string> {
  const { accounts } = (await answer.json()) as { accounts: { edges: { node: { balance: string } }[] } };
  return accounts.edges[0]?.node.balance ?? '';
}

/** Asks a gateway again and again, never the same, and holds each answer to the block that it names. */
class RequestScope {
  answers = 0;
  readonly #faults: string[] = [];
  readonly #done: Promise<void>;
  #isOver = false;

  constructor(url: () => string) {
    this.#done = this.#ask(url);
  }

  /** What was wrong with the answers. */
  async stop(): Promise<readonly string[]> {
    this.#isOver = true;
    await this.#done;
    return this.#faults;
  }

  async #ask(url: () => string): Promise<void> {
    for (let count = 1; !this.#isOver; count++) {
      const answer = await fetch(`${url()}${LIST}?pagination.first=${count}`, {
        signal: AbortSignal.timeout(HANG_MS),
      });
      this.answers += 1;
      if (answer.status !== 200) this.#faults.push(`${answer.status}: ${await answer.text()}`);
      else if (Number(await balanceIn(answer)) < Number(answer.headers.get('x-block-height')))
        this.#faults.push(`older than block ${answer.headers.get('x-block-height')}`);
    }
  }
}

/** Which server is read: 0 is that of DATABASE_URL, the others are the replicas; -1 is none. */
async function usedOf(gateway: Gateway): Promise<number> {
  return (await serversOf(gateway)).findIndex(({ state }) => state === 'used');
}

function isUp(server: PostgresServer): Promise<boolean> {
  return ask(server.url, 'SELECT 1').then(
    () => true,
    () => false,
  );
}

/** A gateway over a primary and standbys, by the addresses that they had in the beginning. */
function serve(
  primary: PostgresServer,
  standbys: readonly PostgresServer[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const config = readConfig({
    PORT: '0',
    SHUTDOWN_GRACE_MS: '0',
    DATABASE_URL: primary.readerUrl,
    ...(standbys.length > 0 && { DATABASE_REPLICA_URLS: standbys.map(({ readerUrl }) => readerUrl).join() }),
    ...settings,
  });
  const logger = pino({ level: process.env['REPLICAS_LOG'] ?? 'silent' });
  return startGateway({ config, databaseUrl: primary.readerUrl, logger });
}

async function serversOf({ url }: Gateway) {
  const { servers } = (await (await fetch(`${url}/health/ready`)).json()) as {
    servers: readonly { readonly state: string }[];
  };
  return servers;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function describeMs(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  return `p50 ${median(values).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${values.length}`;
}
