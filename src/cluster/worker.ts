import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBirpc } from 'birpc';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config.ts';
import { gatewayErrorOf } from '../errors.ts';
import type { Quotas } from '../http/limits/quota.ts';
import { RateLimiter, readRateLimits } from '../http/limits/rate-limiter.ts';
import type { Listener } from '../http/server/connections.ts';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import type { Beginning, Handover, PrimaryCalls, PrimaryChannel, WorkerCalls } from './messages.ts';
import { createSharedQuotas, LeasedBudget } from './shared-limits.ts';

/** What a gateway that is one of several workers has in common with the others. */
export interface WorkerMembership {
  readonly quotas: Quotas;
  readonly limiter: RateLimiter | null;
  readonly listener: Listener;
  /** Has the others told what is measured here. */
  tellMetrics(read: () => Promise<MetricsSnapshot>): void;
  /** Reads what is measured in all processes. */
  readMetrics(): Promise<readonly MetricsSnapshot[]>;
  /** How many workers there should be, and how many are ready. */
  readonly workers: { readonly wanted: number; readonly running: number };
}

interface WorkerOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Starts the gateway. */
  readonly start: (serving: {
    readonly config: Config;
    readonly databaseUrl: string;
    readonly logger: Logger;
    readonly membership: WorkerMembership;
  }) => Promise<{ close(): Promise<void> }>;
  /** What a person is told of an error. */
  readonly explain: (error: Error) => string;
}

/** The primary does nothing but answer, so that this is long. */
const ANSWER_LIMIT_MS = 2000;
/** How often the primary is asked how to begin: it may be busy then. */
const BEGIN_TRIES = 5;
/** How many signs of life a worker gives in the time in which it must show one. */
const SIGNS = 8;

/** Serves as one of several until the primary has all of them stop. What hinders it is told to the primary, which says so. */
export async function runWorker({ start, explain, ...options }: WorkerOptions): Promise<void> {
  const drained = createEvent();
  const channel = openChannel(drained.note);
  const { primary } = channel;
  const { databaseUrl, place, poolSize, workers } = await askHowToBegin(primary);
  const config = { ...options.config, database: { ...options.config.database, poolSize } };
  const logger = options.logger.child({ worker: place });
  setInterval(() => void primary.alive.asEvent(), config.workers.stallMs / SIGNS).unref();
  try {
    const membership = createMembership(config, channel, workers);
    const gateway = await start({ config, databaseUrl, logger, membership });
    await drained.happened;
    await gateway.close();
  } catch (error) {
    const message = explain(error as Error);
    const isMistake = error instanceof ConfigError;
    const isPassing = gatewayErrorOf(error)?.code === 'UNAVAILABLE';
    await primary.fail({ message, isMistake, isPassing }).catch(() => {});
    process.exit(1);
  }
  // Node's cluster ends the process with that.
  process.disconnect();
}

async function askHowToBegin(primary: PrimaryChannel, tries = BEGIN_TRIES): Promise<Beginning> {
  try {
    return await primary.begin();
  } catch (error) {
    if (tries === 1) throw error;
    return askHowToBegin(primary, tries - 1);
  }
}

type Channel = ReturnType<typeof openChannel>;

/** The channel to the primary, and who answers it; `onDrain` is called when all are to stop. */
function openChannel(onDrain: () => void) {
  const ended = createEvent();
  const answers = {
    accept: null as ((socket: Socket) => void) | null,
    makeRoom: (_client: string): boolean => false,
    readMetrics: async (): Promise<MetricsSnapshot> => [],
    running: 0,
  };
  const calls: WorkerCalls = {
    makeRoom: (client) => answers.makeRoom(client),
    readMetrics: () => answers.readMetrics(),
    setRunning(workers) {
      answers.running = workers;
    },
    drain: onDrain,
    endConnections: ended.note,
  };
  const take = (connection: number, socket: Socket | undefined) => {
    const close = () => void primary.closed.asEvent(connection);
    void primary.taken.asEvent(connection);
    // It may have been closed on its way.
    if (socket === undefined || answers.accept === null) return close();
    socket.once('close', close);
    answers.accept(socket);
  };
  const primary: PrimaryChannel = createBirpc<PrimaryCalls, WorkerCalls>(calls, {
    timeout: ANSWER_LIMIT_MS,
    // Where the primary is gone, Node's cluster ends this process.
    post: (message) => process.connected && process.send?.(message, undefined, {}, () => {}),
    on: (receive) =>
      void process.on('message', (message: Handover | object, socket?: Socket) => {
        if ('connection' in message) take(message.connection, socket);
        else receive(message);
      }),
  });
  return { primary, answers, ended: ended.happened };
}

function createMembership(
  config: Config,
  { primary, answers, ended }: Channel,
  wanted: number,
): WorkerMembership {
  const limits = readRateLimits(config.http);
  const budget = limits && new LeasedBudget({ limits, workers: wanted, primary });
  return {
    quotas: createSharedQuotas(primary),
    limiter: limits && budget && new RateLimiter(limits, budget),
    tellMetrics(read) {
      answers.readMetrics = read;
    },
    readMetrics: () => primary.readMetrics(),
    get workers() {
      return { wanted, running: answers.running };
    },
    listener: {
      start(accept, makeRoom) {
        Object.assign(answers, { accept, makeRoom });
        void primary.ready.asEvent();
      },
      async end(limitMs) {
        await Promise.race([ended, sleep(limitMs, undefined, { ref: false })]);
        budget?.close();
      },
    },
  };
}

function createEvent(): { readonly happened: Promise<void>; readonly note: () => void } {
  let note = () => {};
  const happened = new Promise<void>((resolve) => {
    note = resolve;
  });
  return { happened, note };
}
