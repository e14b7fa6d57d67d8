import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type EmbeddedPostgres, openPostgres } from '../../src/data/embedded/postgres.ts';
import { migrate } from '../../src/data/migrate.ts';
import { followMany, openNetwork } from '../../test/live/live-network.ts';
import { StreamError } from '../../test/live/live-transports.ts';
import { GatewayProcess, WriterProcess } from '../../test/live/restarted-processes.ts';
import { EmbeddedFolders, serverPid } from '../../test/support/embedded-folders.ts';
import { FaultyProxy, type NetworkState } from '../../test/support/faulty-proxy.ts';
import { chooseRandom, seed } from '../../test/support/seed.ts';
import { RefusedError } from '../../test/support/stream-client.ts';
import { Prober } from './prober.ts';
import { shuffled, signalServer } from './processes.ts';

/** A round of a few streams in every run of the tests; `npm run chaos` has more of both, and holds the times, too. */
const IS_WHOLE = process.env['CHAOS_ROUNDS'] !== undefined;
const ROUNDS = Number(process.env['CHAOS_ROUNDS'] ?? 1);
const STREAMS = Number(process.env['CHAOS_STREAMS'] ?? 12);
const FIRST_BLOCKS = 40;
const BLOCKS_A_SECOND = 4;
const BLOCKS_A_ROUND = 120;
const REFUSED_WITHIN_MS = 2000;
const BACK_WITHIN_MS = 1000;
/** Longer than anybody should wait for an answer. */
const AWAY_MS = 4000;

test(
  'streams and answers stay true while PostgreSQL, gateway and writer are killed and frozen and networks fail',
  async () => {
    const random = chooseRandom('chaos');
    const blocks = FIRST_BLOCKS + BLOCKS_A_ROUND * ROUNDS;
    const network = await openNetwork({ seed: random.below(1000), blocks, parties: 60, markets: 3 });
    const folders = await EmbeddedFolders.create();
    const dataDir = folders.path('chaos');
    const opened: EmbeddedPostgres[] = [await openPostgres({ dataDir, settings: { fsync: 'off' } })];
    const newest = () => new URL((opened.at(-1) as EmbeddedPostgres).url);
    try {
      const { href: url } = newest();
      await migrate(url);
      await network.write(url, FIRST_BLOCKS, 'max');
      await using databaseNetwork = await FaultyProxy.start(() => ({
        path: join(newest().searchParams.get('host') ?? '', '.s.PGSQL.5432'),
      }));
      const throughProxy = `postgresql://periscope@127.0.0.1:${databaseNetwork.port}${newest().pathname}?sslmode=disable`;
      await using gateway = await GatewayProcess.start(throughProxy);
      await using clientNetwork = await FaultyProxy.start(() => ({
        host: '127.0.0.1',
        port: Number(new URL(gateway.url).port),
      }));
      const prober = new Prober(() => gateway.url, network.chain);
      await using writer = WriterProcess.simulating(url, network.options, BLOCKS_A_SECOND);
      const duration = (1000 * BLOCKS_A_ROUND * ROUNDS) / BLOCKS_A_SECOND;
      const following = followMany(STREAMS, random, network, () => ({
        url: () => `http://127.0.0.1:${clientNetwork.port}`,
        afterMs: random.below(duration / 2),
        chooseLength: () => random.pick([3, 20, Number.POSITIVE_INFINITY]),
        isExpected,
      }));
      // Nobody is to miss a failure that comes before the rounds are over.
      following.catch(() => {});

      const table: string[] = [];
      /** Takes the database away for a while, and says how the gateway took it. */
      const takeAway = async (
        what: string,
        away: () => Promise<void> | void,
        back: () => Promise<void> | void,
      ) => {
        const start = performance.now();
        await away();
        await sleep(AWAY_MS);
        await back();
        const returned = performance.now();
        const backMs = await prober.firstGoodAfter(returned);
        const { count, slowestMs, withoutRetryAfter } = prober.refusalsSince(start);
        table.push(
          `${what.padEnd(22)} ${String(count).padStart(4)} x 503, the slowest after ${Math.round(slowestMs)} ms, ` +
            `${withoutRetryAfter} without Retry-After; good again ${Math.round(backMs)} ms after the return`,
        );
        if (withoutRetryAfter > 0) prober.faults.push(`${what}: 503 without Retry-After`);
        if (IS_WHOLE && slowestMs > REFUSED_WITHIN_MS)
          prober.faults.push(`${what}: 503 after ${slowestMs} ms`);
        if (IS_WHOLE && backMs > BACK_WITHIN_MS) prober.faults.push(`${what}: good again after ${backMs} ms`);
      };
      const restart = async () =>
        void opened.push(await openPostgres({ dataDir, settings: { fsync: 'off' } }));
      const networkIs = (state: NetworkState) => () => databaseNetwork.set(state);
      const faults: readonly (() => Promise<void>)[] = [
        ...(['SIGKILL', 'SIGINT', 'SIGQUIT'] as const).map(
          (signal) => () =>
            takeAway(
              `PostgreSQL ${signal}`,
              () => void process.kill(serverPid(dataDir) as number, signal),
              restart,
            ),
        ),
        () =>
          takeAway(
            'PostgreSQL frozen',
            () => signalServer(dataDir, 'SIGSTOP'),
            () => signalServer(dataDir, 'SIGCONT'),
          ),
        ...(['stalls', 'half-open', 'refuses'] as const).map(
          (state) => () => takeAway(`its network ${state}`, networkIs(state), networkIs('passes')),
        ),
        async () => databaseNetwork.drop(),
        async () => clientNetwork.drop(),
        ...(['stalls', 'half-open', 'refuses'] as const).map((state) => async () => {
          clientNetwork.set(state);
          await sleep(1000);
          clientNetwork.set('passes');
        }),
        () => gateway.restart('SIGKILL'),
        () => gateway.restart('SIGTERM'),
        async () => {
          gateway.signal('SIGSTOP');
          await sleep(1500);
          gateway.signal('SIGCONT');
        },
        async () => writer.kill('SIGKILL'),
        async () => writer.kill('SIGTERM'),
      ];
      for (let round = 0; round < ROUNDS; round++) {
        for (const cause of shuffled(faults, (limit) => random.below(limit))) {
          await cause();
          await sleep(random.between(200, 1500));
        }
      }
      await writer.done;
      await prober.stop();
      await network.writeLast(newest().href);
      await following;
      console.info(
        [
          `chaos with SEED=${seed}: ${ROUNDS} rounds of ${faults.length} faults`,
          ...table,
          `${prober.probes.length} answers of REST were looked at; the writer was started ${writer.starts} times`,
        ].join('\n'),
      );
      expect(prober.faults).toEqual([]);
      expect(prober.probes.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    } finally {
      // A frozen server cannot be closed.
      signalServer(dataDir, 'SIGCONT');
      for (const postgres of opened.reverse()) await postgres.close();
      await folders.dispose();
    }
  },
  600_000 + ROUNDS * 300_000,
);

/** Whatever a bad network and a killed process do to a connection. */
function isExpected(error: unknown): boolean {
  if (error instanceof StreamError) return error.code === 14 || error.code === 'UNAVAILABLE';
  if (error instanceof RefusedError) return error.status === 503;
  // `fetch` says what happened to a connection by a TypeError with a cause.
  if (error instanceof TypeError) return error.cause !== undefined;
  return error instanceof Error && !FAULTS.includes(error.name);
}

/** What the oracle complains of, and what a message that came torn or a fault of the follower gives. */
const FAULTS = ['AssertionError', 'SyntaxError', 'RangeError', 'ReferenceError'];
