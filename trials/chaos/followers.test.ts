import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type EmbeddedPostgres, openPostgres } from '../../src/data/embedded/postgres.ts';
import { migrate } from '../../src/data/migrate.ts';
import { chooseFilter, openNetwork } from '../../test/live/live-network.ts';
import { GatewayProcess, WriterProcess } from '../../test/live/restarted-processes.ts';
import { EmbeddedFolders, serverPid } from '../../test/support/embedded-folders.ts';
import { FaultyProxy } from '../../test/support/faulty-proxy.ts';
import { childrenOf } from '../../test/support/program.ts';
import { chooseRandom, seed } from '../../test/support/seed.ts';
import { countEach, describeGateway } from './describe.ts';
import { followByChance } from './follow-by-chance.ts';
import { HeldClient } from './held-client.ts';
import { shuffled, signalIfThere, signalServer } from './processes.ts';

/** A round of a few clients in every run of the tests; `npm run followers` has more of both. */
const ROUNDS = Number(process.env['FOLLOWERS_ROUNDS'] ?? 1);
const CLIENTS = Number(process.env['FOLLOWERS_CLIENTS'] ?? 12);
const FIRST_BLOCKS = 40;
const BLOCKS_A_SECOND = 4;
const BLOCKS_A_ROUND = 140;
const AWAY_MS = 800;
const HEARTBEAT_MS = 1_000;
const SILENCE_MS = 4_000;
/** A laptop's sleep: longer than a connection may say nothing. */
const ASLEEP_MS = 5_000;

test(
  'clients hold what the network has at every block, while gateways, workers, PostgreSQL and networks fail and they sleep',
  async () => {
    const random = chooseRandom('followers');
    const blocks = FIRST_BLOCKS + BLOCKS_A_ROUND * ROUNDS;
    const network = await openNetwork({ seed: random.below(1000), blocks, parties: 60, markets: 3 });
    const folders = await EmbeddedFolders.create();
    const dataDir = folders.path('followers');
    const start = () => openPostgres({ dataDir, settings: { fsync: 'off' } });
    const opened: EmbeddedPostgres[] = [await start()];
    const newest = () => new URL((opened.at(-1) as EmbeddedPostgres).url);
    const clients: HeldClient[] = [];
    try {
      const { href } = newest();
      await migrate(href);
      await network.write(href, FIRST_BLOCKS, 'max');
      await using database = await FaultyProxy.start(() => ({
        path: join(newest().searchParams.get('host') ?? '', '.s.PGSQL.5432'),
      }));
      const url = `postgresql://periscope@127.0.0.1:${database.port}${newest().pathname}?sslmode=disable`;
      const settings = {
        ...{ WORKERS: '2', STREAM_HEARTBEAT_MS: `${HEARTBEAT_MS}`, MAX_CONNECTIONS_PER_CLIENT: '100000' },
        ...{ MAX_STREAMS_PER_CLIENT: '100000', MAX_SOCKETS_PER_CLIENT: '100000' },
      };
      await using one = await GatewayProcess.start(url, settings);
      await using other = await GatewayProcess.start(url, settings);
      const gateways = [one, other];
      // Behind either address stands, at each connection, either gateway.
      const toEither = () => ({ host: '127.0.0.1', port: Number(new URL(random.pick(gateways).url).port) });
      await using first = await FaultyProxy.start(toEither);
      await using second = await FaultyProxy.start(toEither);
      const proxies = [first, second];
      const follow = ({ filter }: Pick<HeldClient, 'filter'>, after: string | null) =>
        followByChance(random, {
          urls: shuffled(proxies, random.below).map(({ port }) => `http://127.0.0.1:${port}`),
          ...{ filter, after, silenceMs: SILENCE_MS },
        });
      for (let n = 0; n < CLIENTS; n++) {
        const filter = chooseFilter(random, network.chain);
        clients.push(new HeldClient(network.chain, filter, follow({ filter }, null)));
      }
      const twins: Promise<void>[] = [];
      /** Rejects with the first difference, and never resolves before all are closed. */
      const held = Promise.all(clients.map(({ live }) => live.done));
      held.catch(() => {});
      await Promise.race([held, Promise.all(clients.map(({ live }) => live.ready))]);
      await using writer = WriterProcess.simulating(href, network.options, BLOCKS_A_SECOND);

      const forAWhile = (away: () => unknown, back: () => unknown) => async () => {
        await away();
        await sleep(AWAY_MS);
        await back();
      };
      const restart = async () => void opened.push(await start());
      const faults: readonly (() => Promise<unknown>)[] = [
        ...(['SIGKILL', 'SIGINT', 'SIGQUIT'] as const).map((signal) =>
          forAWhile(() => process.kill(serverPid(dataDir) as number, signal), restart),
        ),
        forAWhile(
          () => signalServer(dataDir, 'SIGSTOP'),
          () => signalServer(dataDir, 'SIGCONT'),
        ),
        async () => database.drop(),
        ...[database, ...proxies].flatMap((proxy) =>
          (['delays', 'stalls', 'half-open', 'refuses'] as const).map((state) =>
            forAWhile(
              () => proxy.set(state),
              () => proxy.set('passes'),
            ),
          ),
        ),
        async () => first.drop(),
        async () => second.drop(),
        ...gateways.flatMap((gateway) => [
          () => gateway.restart('SIGKILL'),
          () => gateway.restart('SIGTERM'),
          forAWhile(
            () => gateway.signal('SIGSTOP'),
            () => gateway.signal('SIGCONT'),
          ),
          async () => signalIfThere(childrenOf(gateway.pid)[0] as number, 'SIGKILL'),
        ]),
        async () => writer.kill('SIGKILL'),
        async () => writer.kill('SIGTERM'),
        async () => freeze(ASLEEP_MS),
        async () => {
          for (let n = 0; n < 5; n++) {
            const client = random.pick(clients);
            twins.push(client.resumeTwice((after) => follow(client, after), 10));
          }
        },
      ];
      for (let round = 0; round < ROUNDS; round++) {
        for (const cause of shuffled(faults, random.below)) {
          await Promise.race([held, cause()]);
          await sleep(random.between(100, 800));
        }
        const told = clients.reduce((sum, client) => sum + client.blocks, 0);
        console.info(`round ${round + 1} of ${ROUNDS}: ${faults.length} faults, ${told} blocks told so far`);
      }
      await Promise.race([held, writer.done]);
      await network.writeLast(newest().href);
      const last = network.chain.height;
      const behind = () => clients.filter(({ height, live }) => height !== last || !live.isLive).length;
      await Promise.race([held, expect.poll(behind).toBe(0)]).catch(async (cause) => {
        const standings = countEach(clients.map(({ standing }) => standing));
        const servers = await Promise.all(gateways.map(({ url }) => describeGateway(url)));
        throw new Error([...servers, ...standings].join('\n'), { cause });
      });
      await Promise.all(twins);
      for (const { live } of clients) live.close();
      await held;
      console.info(
        `followers with SEED=${seed}: ${CLIENTS} clients, ${twins.length} resumed twice, none lost a row`,
      );
      expect(clients.every((client) => client.blocks > 1)).toBe(true);
    } finally {
      for (const { live } of clients) live.close();
      // A frozen server cannot be closed.
      signalServer(dataDir, 'SIGCONT');
      for (const postgres of opened.reverse()) await postgres.close();
      await folders.dispose();
    }
  },
  600_000 + ROUNDS * 300_000,
);

/** Puts this process to sleep with all its clients: timers and what came are late together, as after a laptop's. */
function freeze(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
