import cluster from 'node:cluster';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createClientAddresses } from '../http/limits/client-address.ts';
import { RateLimit } from '../http/limits/rate-limit.ts';
import { readRateLimits } from '../http/limits/rate-limiter.ts';
import { listen, urlOf } from '../http/server/listen.ts';
import type { RefusedCounts } from '../http/server/refused-connections.ts';
import { passGrace, stopListening } from '../http/server/stop-listening.ts';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import { Acceptor } from './acceptor.ts';
import type { Answers, Question, ToPrimary } from './messages.ts';
import { MetricsReading } from './metrics-reading.ts';
import { QuotaLedger } from './quota-ledger.ts';
import { Supervisor } from './supervisor.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Workers that serve on one port. Whoever starts them closes them. */
export interface Machine {
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

/**
 * Starts workers over a database, and accepts their connections. What is one for the machine is here: the port, what
 * clients may have and ask for, and the life of the workers. Throws a ConfigError where the port cannot be had.
 */
export async function startMachine(options: {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Reads what is measured in this process. */
  readonly readOwnMetrics: () => Promise<MetricsSnapshot>;
}): Promise<Machine> {
  const { config, databaseUrl, logger } = options;
  const count = countWorkers(config);
  const folder = await mkdtemp(join(tmpdir(), 'periscope-'));
  const clients = createClientAddresses(config.http.trustedProxies, logger);
  const acceptor = new Acceptor({ ...config.http, clients, logger });
  const metrics = new MetricsReading();
  const readMetrics = () => metrics.read(supervisor.ready);
  const readAllMetrics = async () => [await options.readOwnMetrics(), ...(await readMetrics())];
  const answers = createAnswers(config, readAllMetrics);
  cluster.setupPrimary({ exec: process.argv[1] ?? '', args: [WORKER_COMMAND] });
  const tellRunning = () => supervisor.tellAll({ kind: 'running', workers: supervisor.running });
  const supervisor = new Supervisor({
    count,
    stallMs: config.workers.stallMs,
    logger,
    onStart(worker, place) {
      const poolSize = shareOf(config.database.poolSize, place, count);
      worker.send({ kind: 'begin', databaseUrl, folder, place, workers: count, poolSize });
    },
    onReady(worker) {
      acceptor.add(worker);
      tellRunning();
    },
    onMessage(worker, message) {
      answers.take(worker, message);
      takeConnections(acceptor, worker, message);
      if (message.kind === 'metrics') metrics.take(worker.id, message.reading, message.snapshot);
    },
    onEnd({ id }) {
      acceptor.remove(id);
      answers.forget(id);
      tellRunning();
    },
  });
  const server = createServer({ pauseOnConnect: true }, (socket) => acceptor.accept(socket));
  const end = async (limitMs: number) => {
    const killed = await supervisor.ended(limitMs);
    acceptor.close();
    await rm(folder, { recursive: true, force: true });
    return killed;
  };
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
    workers: count,
    failed: supervisor.failed,
    readMetrics,
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
  supervisor.tellAll({ kind: 'drain' });
  await passGrace({
    graceMs: supervisor.running === 0 ? 0 : Math.min(http.shutdownGraceMs, http.shutdownDeadlineMs),
    usedAt: () => Math.min(start, acceptor.usedAt),
  });
  await stopListening(server, deadline);
  supervisor.tellAll({ kind: 'last' });
  return Math.max(0, deadline - performance.now());
}

/** The connections to the database that a worker may have, of those of all. */
function shareOf(poolSize: number, place: number, workers: number): number {
  return Math.floor(poolSize / workers) + (place <= poolSize % workers ? 1 : 0);
}

function takeConnections(acceptor: Acceptor, { id }: WorkerProcess, message: ToPrimary): void {
  if (message.kind === 'taken') acceptor.taken(message.connection);
  else if (message.kind === 'closed') acceptor.closed(message.connection);
  else if (message.kind === 'noRoom') acceptor.noRoom(id, message.client);
}

/** Answers what workers ask about quotas and rates. */
function createAnswers({ streams, http }: Config, readMetrics: () => Promise<readonly MetricsSnapshot[]>) {
  const ledger = new QuotaLedger(streams);
  const limits = readRateLimits(http);
  const rates = limits && new RateLimit(limits);
  const answer = (
    id: number,
    question: Question,
  ): Answers[Question['about']] | Promise<Answers['metrics']> => {
    if (question.about === 'metrics') return readMetrics();
    if (question.about === 'quota') return ledger.take(id, question.quota, question.client, question.grant);
    if (rates === null) throw new Error('A worker asks for what is not limited.');
    return rates.lend(question.client, id, question);
  };
  const reply = async (worker: WorkerProcess, message: Extract<ToPrimary, { readonly kind: 'ask' }>) => {
    const given = answer(worker.id, message);
    worker.send({
      kind: 'answer',
      call: message.call,
      value: given instanceof Promise ? await given : given,
    });
  };
  return {
    take(worker: WorkerProcess, message: ToPrimary): void {
      if (message.kind === 'ask') void reply(worker, message);
      else if (message.kind === 'giveBack') ledger.giveBack(worker.id, message.grant);
      else if (message.kind === 'leases')
        for (const [client, left] of message.left) rates?.takeBack(client, worker.id, left);
    },
    forget(id: number): void {
      ledger.forget(id);
      rates?.forget(id);
    },
  };
}
