import cluster from 'node:cluster';
import { createServer, type Server } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createClientAddresses } from '../http/limits/client-address.ts';
import { readRateLimits } from '../http/limits/rate-limiter.ts';
import { listen, urlOf } from '../http/server/port.ts';
import type { RefusedCounts } from '../http/server/refused-connections.ts';
import { passGrace, stopListening } from '../http/server/stop-listening.ts';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import { Acceptor } from './acceptor.ts';
import { SharedLimits } from './shared-limits.ts';
import { Supervisor } from './supervisor.ts';
import { type AddMetrics, WorkerMetrics } from './worker-metrics.ts';

/** Workers that serve on one port. Whoever starts them closes them. */
interface Cluster {
  /** Where a client on this machine reaches them, without a slash at the end. */
  readonly url: string;
  readonly workers: number;
  /** Rejects, with the reason for a person, when they cannot go on. */
  readonly failed: Promise<never>;
  /** Reads what is measured in the workers. */
  readMetrics(): Promise<readonly MetricsSnapshot[]>;
  /** How many connections were refused, by the limit. */
  readonly refused: RefusedCounts;
  /** Stops all of them in good order, as a gateway that is alone does. */
  close(): Promise<void>;
  /** Ends all of them at once. */
  kill(): Promise<void>;
}

/** The command of this program that a worker runs. */
const WORKER_COMMAND = 'worker';

/** What a stop may take beyond its deadline: the end of the processes. */
const END_MS = 3000;

/** How many workers are wanted: `auto` is as many as there are cores, as far as the connections to the database go. */
function countWorkers({ workers, database }: Config): number {
  return workers.count === 'auto' ? Math.min(availableParallelism(), database.poolSize) : workers.count;
}

interface ClusterOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Reads what is measured in this process. */
  readonly readOwnMetrics: () => Promise<MetricsSnapshot>;
  readonly addMetrics: AddMetrics;
}

/**
 * Starts workers over a database, and accepts their connections. What they have in common is here: the port, what
 * clients may have and ask for, and the life of the workers. Throws a ConfigError where the port cannot be had.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { config, logger } = options;
  const clients = createClientAddresses(config.http.trustedProxies, logger);
  const acceptor = new Acceptor({ ...config.http, clients, logger });
  const metrics = new WorkerMetrics(options.addMetrics);
  const supervisor = supervise(acceptor, metrics, options);
  const server = createServer({ pauseOnConnect: true }, (socket) => acceptor.accept(socket));
  const end = (limitMs: number) => supervisor.ended(limitMs).finally(() => acceptor.close());
  try {
    await supervisor.start();
    await listen(server, config.http);
  } catch (error) {
    await end(0);
    throw error;
  }

  let closed: Promise<void> | undefined;
  return {
    url: urlOf(server),
    workers: countWorkers(config),
    failed: supervisor.failed,
    readMetrics: () => metrics.read(supervisor.ready),
    get refused() {
      return acceptor.refused;
    },
    close() {
      closed ??= (async () => {
        const leftMs = await drain(server, acceptor, supervisor, config);
        const killed = await end(leftMs + END_MS);
        if (killed > 0) logger.warn({ workers: killed }, 'killed after the shutdown deadline');
      })();
      return closed;
    },
    async kill() {
      await end(0);
    },
  };
}

/** Keeps the workers running, and answers what they ask. */
function supervise(acceptor: Acceptor, metrics: WorkerMetrics, options: ClusterOptions): Supervisor {
  const { config, databaseUrl, logger } = options;
  const workers = countWorkers(config);
  const limits = new SharedLimits(config.streams, readRateLimits(config.http));
  const tellRunning = () => {
    for (const { calls } of supervisor.ready) void calls.setRunning.asEvent(supervisor.running);
  };
  cluster.setupPrimary({ exec: process.argv[1] ?? '', args: [WORKER_COMMAND] });
  const supervisor: Supervisor = new Supervisor({
    count: workers,
    stallMs: config.workers.stallMs,
    logger,
    answer: ({ id }, place) => ({
      begin() {
        const poolSize = shareOf(config.database.poolSize, place, workers);
        return { databaseUrl, place, workers, poolSize };
      },
      taken: (connection) => acceptor.noteTaken(connection),
      closed: (connection) => acceptor.noteClosed(connection),
      readMetrics: async () => [await options.readOwnMetrics(), ...(await metrics.read(supervisor.ready))],
      ...limits.answersFor(id),
    }),
    onReady(worker) {
      acceptor.addWorker(worker);
      tellRunning();
    },
    onEnd(worker) {
      acceptor.removeWorker(worker);
      limits.forget(worker.id);
      metrics.noteEnd(worker);
      tellRunning();
    },
  });
  return supervisor;
}

/** Has the workers stop, and takes connections for them until the grace is over; gives what is left of the deadline. */
async function drain(
  server: Server,
  acceptor: Acceptor,
  supervisor: Supervisor,
  { http }: Config,
): Promise<number> {
  const start = performance.now();
  const deadline = start + http.shutdownDeadlineMs;
  supervisor.stop();
  for (const { calls } of supervisor.ready) void calls.drain.asEvent();
  await passGrace({
    graceMs: supervisor.running === 0 ? 0 : Math.min(http.shutdownGraceMs, http.shutdownDeadlineMs),
    usedAt: () => Math.min(start, acceptor.usedAt),
  });
  await stopListening(server, deadline);
  for (const { calls } of supervisor.ready) void calls.endConnections.asEvent();
  return Math.max(0, deadline - performance.now());
}

/** The connections to the database that a worker may have, of those of all. */
function shareOf(poolSize: number, place: number, workers: number): number {
  return Math.floor(poolSize / workers) + (place <= poolSize % workers ? 1 : 0);
}
