import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { followMany, openNetwork } from '../../test/live/live-network.ts';
import { StreamError } from '../../test/live/live-transports.ts';
import { findFreePort, startProxy } from '../../test/live/proxy.ts';
import { GatewayProcess, WriterProcess } from '../../test/live/restarted-processes.ts';
import { chooseRandom, seed } from '../../test/support/seed.ts';
import { RefusedError } from '../../test/support/stream-client.ts';
import { shuffled } from '../chaos/processes.ts';
import { MixedAsker } from './mixed-asker.ts';
import { DEFAULTS, frontOfGateways, HAPROXY, passOnToPrimary } from './primary-proxy.ts';
import { POSTGRES_PROGRAMS, ReplicatedPostgres } from './replicated-postgres.ts';

/** A round with a few streams in every run of the tests; `npm run replicas` has more of both. */
const ROUNDS = Number(process.env['REPLICAS_ROUNDS'] ?? 1);
const STREAMS = Number(process.env['REPLICAS_STREAMS'] ?? 12);
/** How many processes each gateway has; 0 is one that has no others. */
const WORKERS = Number(process.env['REPLICAS_WORKERS'] ?? 0);
const FIRST_BLOCKS = 40;
const BLOCKS_A_SECOND = 4;
const BLOCKS_A_ROUND = 100;
/** For how long after a process was killed a request that was on it may be told so. */
const NOTICED_MS = 2_000;

const isSkipped = POSTGRES_PROGRAMS === undefined || HAPROXY === undefined;
if (isSkipped)
  console.warn('trials/replicas/oracle.test.ts is skipped: pg_basebackup or HAProxy is not here');

test.skipIf(isSkipped)(
  'streams and answers stay true while writer, gateways, standbys and the primary are killed',
  async () => {
    const random = chooseRandom('replicas');
    const blocks = FIRST_BLOCKS + BLOCKS_A_ROUND * ROUNDS;
    const network = await openNetwork({ seed: random.below(1000), blocks, parties: 60, markets: 3 });
    await using postgres = await ReplicatedPostgres.start(2);
    await network.write(postgres.primary.url, FIRST_BLOCKS, 'max');

    const primaryPort = await findFreePort();
    const ports = [await findFreePort(), await findFreePort()];
    const proxies = await startProxy({
      path: HAPROXY,
      args: (_folder, file) => ['-db', '-f', file],
      configure: (port) =>
        [
          DEFAULTS,
          frontOfGateways(
            port,
            ports.map((one) => `http://127.0.0.1:${one}`),
          ),
          passOnToPrimary(primaryPort, postgres.servers),
        ].join('\n'),
    });
    await using _ = proxies;
    const throughProxy = (user: string) =>
      `postgres://${user}@127.0.0.1:${primaryPort}/periscope?sslmode=disable`;
    // HAProxy takes every server for good until it has looked at it.
    await sleep(1500);
    const args = WORKERS > 0 ? ['--workers', `${WORKERS}`] : [];
    const gateways = await Promise.all(
      ports.map((port) =>
        GatewayProcess.start(
          throughProxy('periscope_reader'),
          {
            PORT: `${port}`,
            DATABASE_REPLICA_URLS: postgres.servers.map(({ readerUrl }) => readerUrl).join(),
            TRUSTED_PROXIES: 'loopback',
            // A machine with much else to do is no reason for an answer of 503.
            POOL_WAIT_MS: '20000',
            ADMISSION_WAIT_MS: '20000',
            STATEMENT_TIMEOUT_MS: '20000',
            MIN_BLOCK_WAIT_MS: '20000',
          },
          args,
        ),
      ),
    );
    const [first, second] = gateways as [GatewayProcess, GatewayProcess];
    await using _first = first;
    await using _second = second;
    // HAProxy looks twice a second, and has taken for away what was long in starting.
    await expect.poll(async () => (await fetch(`${proxies.url}/health/ready`)).status).toBe(200);
    await sleep(1000);
    await using writer = WriterProcess.simulating(throughProxy('postgres'), network.options, BLOCKS_A_SECOND);
    const asker = new MixedAsker(proxies.url, network.chain);
    const duration = (1000 * BLOCKS_A_ROUND * ROUNDS) / BLOCKS_A_SECOND;
    const following = followMany(STREAMS, random, network, () => ({
      url: () => proxies.url,
      afterMs: random.below(duration / 2),
      chooseLength: () => random.pick([3, 20, Number.POSITIVE_INFINITY]),
      isExpected,
    }));
    // Nobody is to miss a failure that comes before the rounds are over.
    following.catch(() => {});

    const table: string[] = [];
    /** When gateways were killed: what was on them then may fail. */
    const killings: number[] = [];
    const kinds: Readonly<Record<string, () => Promise<void>>> = {
      writer: async () => writer.kill('SIGKILL'),
      gateway: async () => {
        killings.push(performance.now());
        asker.forgetBlocks();
        await random.pick(gateways).restart('SIGKILL');
        asker.forgetBlocks();
      },
      standby: async () => {
        const standby = random.pick(postgres.standbys);
        await standby.stop('SIGKILL');
        await sleep(1000);
        await standby.start();
      },
      'primary, with a promotion': () => postgres.failOver(),
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [kind, kill] of shuffled(Object.entries(kinds), random.below)) {
        const before = asker.failures.length;
        const start = performance.now();
        await kill();
        await sleep(random.between(1500, 3000));
        const failed = asker.failures.length - before;
        table.push(
          `${kind.padEnd(26)} ${String(failed).padStart(3)} requests failed in ${Math.round(performance.now() - start)} ms`,
        );
      }
    }
    await writer.done;
    await asker.stop();
    await network.writeLast(postgres.primary.url);
    await following;
    const unexpected = asker.failures.filter(
      ({ from, to }) => !killings.some((at) => from <= at + NOTICED_MS && to >= at),
    );
    console.info(
      [
        `replicas with SEED=${seed}: ${ROUNDS} rounds of ${Object.keys(kinds).length} kills`,
        ...table,
        `${asker.answers} answers of REST and GraphQL were held to the blocks that they name; ${asker.failures.length} requests failed, ${unexpected.length} of them not on a killed gateway; the writer was started ${writer.starts} times`,
      ].join('\n'),
    );
    expect(asker.faults).toEqual([]);
    expect([...new Set(unexpected.map(({ reason }) => reason))]).toEqual([]);
    expect(asker.answers).toBeGreaterThan(100);
  },
  300_000 + ROUNDS * 180_000,
);

/** Whatever a killed process does to a connection; but never what the oracle complains of. */
function isExpected(error: unknown): boolean {
  if (error instanceof StreamError) return error.code === 14 || error.code === 'UNAVAILABLE';
  if (error instanceof RefusedError) return [502, 503, 504].includes(error.status);
  return error instanceof Error && error.name !== 'AssertionError';
}
