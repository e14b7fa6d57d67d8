import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { migrate } from '../../src/data/migrate.ts';
import { grantReader } from '../../src/data/upkeep/readers.ts';
import { createTestDatabase } from '../support/database.ts';
import { EmbeddedFolders, serverPid } from '../support/embedded-folders.ts';
import { startTestGateway } from '../support/gateway.ts';
import { chooseRandom } from '../support/seed.ts';
import { withClient } from '../support/state.ts';
import { RefusedError } from '../support/stream-client.ts';
import { followMany, type LiveNetwork, openNetwork } from './live-network.ts';
import { StreamError } from './live-transports.ts';
import { GatewayProcess, WriterProcess } from './restarted-processes.ts';

/**
 * Each test applies a simulated network while streams with random filters, opened at random moments on random
 * transports, fold what they are told, and holds every message to the simulation's own events. Blocks come so fast that
 * about a thousand accounts change in a second. Again with the same seed, and for longer:
 *
 *   SEED=1234 ORACLE_SIZE=10 npx vitest run test/live/oracle.test.ts
 */
const SIZE = Number(process.env['ORACLE_SIZE'] ?? 1);
const LIMIT_MS = 300_000 + SIZE * 60_000;
const BLOCKS_A_SECOND = 12;
/** Applied before the first stream opens, so that snapshots have more than a page. */
const FIRST_BLOCKS = 40;
const FOREVER = Number.POSITIVE_INFINITY;

test(
  '200 streams fold to the state at every block that they name',
  async () => {
    const { random, network, duration } = await begin('200 streams', 28);
    await using database = await createTestDatabase();
    await network.write(database.url, FIRST_BLOCKS, 'max');
    await using gateway = await startTestGateway(database.url);
    const following = followMany(200, random, network, () => ({
      url: () => gateway.url,
      afterMs: random.below(duration),
      chooseLength: () => FOREVER,
      isExpected: () => false,
    }));
    const [followed] = await Promise.all([following, writeAll(network, database.url)]);
    expect(sum(followed, ({ connections }) => connections)).toBe(200);
  },
  LIMIT_MS,
);

test(
  'so do streams that are cut at random and resumed on another transport, while the listener is killed',
  async () => {
    const { random, network, duration } = await begin('cut', 24);
    await using database = await createTestDatabase();
    await network.write(database.url, FIRST_BLOCKS, 'max');
    await using gateway = await startTestGateway(database.url);
    let isOver = false;
    let killed = 0;
    const killing = withClient(database.url, async (client) => {
      while (!isOver) {
        await sleep(random.between(50, 300));
        const { rowCount } = await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name LIKE 'periscope listener %' AND datname = current_database()`,
        );
        killed += rowCount ?? 0;
      }
    });
    const following = followMany(40, random, network, () => {
      // Each is cut at its first message; how often after it depends on the filter and on the speed of the machine.
      const lengths = [1];
      return {
        url: () => gateway.url,
        afterMs: random.below(duration / 2),
        chooseLength: () => lengths.pop() ?? random.pick([1, 1, 2, 5, 20]),
        isExpected: () => false,
      };
    }).finally(() => {
      isOver = true;
    });
    const [followed] = await Promise.all([following, writeAll(network, database.url), killing]);
    console.info(`the listener was killed ${killed} times`);
    expect(killed).toBeGreaterThan(1);
    expect(sum(followed, ({ connections }) => connections)).toBeGreaterThan(60);
  },
  LIMIT_MS,
);

test(
  'so do streams while PostgreSQL is stopped fast, at once and by kill -9, and started again',
  async () => {
    const { random, network, duration } = await begin('database', 30);
    const folders = await EmbeddedFolders.create();
    const dataDir = folders.path('seed');
    const settings = { fsync: 'off' };
    const postgres = [await openPostgres({ dataDir, settings })];
    const url = postgres[0]?.url as string;
    try {
      await migrate(url);
      await grantReader(url, inject('reader').role);
      await network.write(url, FIRST_BLOCKS, 'max');
      await using gateway = await startTestGateway(url);
      const following = followMany(24, random, network, () => ({
        url: () => gateway.url,
        afterMs: random.below(duration),
        chooseLength: () => random.pick([3, 20, FOREVER]),
        isExpected: isDatabaseAway,
      }));
      await using writer = WriterProcess.simulating(url, network.options, BLOCKS_A_SECOND);
      const stopping = (async () => {
        for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
          await sleep(random.between(duration / 8, duration / 4));
          process.kill(serverPid(dataDir) as number, signal);
          postgres.push(await openPostgres({ dataDir, settings }));
        }
      })();
      await Promise.all([stopping, writer.done]);
      await network.writeLast(url);
      await following;
      console.info(`the writer was started ${writer.starts} times`);
    } finally {
      for (const opened of postgres.reverse()) await opened.close();
      await folders.dispose();
    }
  },
  LIMIT_MS,
);

test(
  'so do streams while the gateway and the writer are killed and started again',
  async () => {
    const { random, network, duration } = await begin('processes', 30);
    await using database = await createTestDatabase();
    await network.write(database.url, FIRST_BLOCKS, 'max');
    await using gateway = await GatewayProcess.start(database.url);
    const following = followMany(24, random, network, () => ({
      url: () => gateway.url,
      afterMs: random.below(duration),
      chooseLength: () => random.pick([3, 20, FOREVER]),
      isExpected: isConnectionLost,
    }));
    await using writer = WriterProcess.simulating(database.url, network.options, BLOCKS_A_SECOND);
    const killing = (async () => {
      for (let round = 0; round < 2; round++) {
        await sleep(random.between(duration / 8, duration / 4));
        writer.kill();
        await sleep(random.between(0, duration / 8));
        await gateway.restart();
      }
    })();
    await Promise.all([killing, writer.done]);
    await network.writeLast(database.url);
    const followed = await following;
    console.info(`the writer was started ${writer.starts} times`);
    expect(writer.starts).toBeGreaterThan(1);
    expect(sum(followed, ({ failures }) => failures.length)).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

async function begin(name: string, blocks: number) {
  const random = chooseRandom(name);
  const options = {
    seed: random.below(1000),
    blocks: FIRST_BLOCKS + blocks * SIZE,
    parties: 220,
    markets: 4,
  };
  const network = await openNetwork(options);
  const duration = Math.ceil((1000 * blocks * SIZE) / BLOCKS_A_SECOND);
  const changes = network.chain.countChanges(FIRST_BLOCKS, options.blocks);
  console.info(`${name}: ${Math.round((1000 * changes) / duration)} accounts change in a second`);
  return { random, network, duration };
}

async function writeAll(network: LiveNetwork, url: string): Promise<void> {
  await network.write(url, network.options.blocks, BLOCKS_A_SECOND);
  await network.writeLast(url);
}

function isDatabaseAway(error: unknown): boolean {
  if (error instanceof StreamError) return error.code === 14 || error.code === 'UNAVAILABLE';
  return error instanceof RefusedError && error.status === 503;
}

/** Whatever happens to a connection whose other end is killed; but never what the oracle complains of. */
function isConnectionLost(error: unknown): boolean {
  return !(error instanceof StreamError || error instanceof RefusedError) && !isComplaint(error);
}

function isComplaint(error: unknown): boolean {
  return error instanceof Error && error.name === 'AssertionError';
}

function sum<T>(items: readonly T[], pick: (item: T) => number): number {
  return items.reduce((total, item) => total + pick(item), 0);
}
