import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Backoff } from '../backoff.ts';
import { ConfigError } from '../config.ts';
import { GatewayError } from '../errors.ts';
import type { Failure } from './messages.ts';
import { type Answers, type WorkerEnd, WorkerProcess } from './worker-process.ts';

interface SupervisorOptions {
  readonly count: number;
  /** How long a worker may show no sign of life. */
  readonly stallMs: number;
  readonly logger: Logger;
  /** Makes what a worker can ask for; its place is from 1 on. */
  readonly answer: (worker: WorkerProcess, place: number) => Omit<Answers, 'ready'>;
  readonly onReady: (worker: WorkerProcess) => void;
  /** Called when one is over, whether it was ready or not. */
  readonly onEnd: (worker: WorkerProcess) => void;
}

/** A worker that has been ready for so long does not end at once. */
const SOON_MS = 3000;
/** As often as this in a row, a worker ending at once ends all of it. */
const MOST_SOON = 5;
const WAIT = { firstMs: 100, limitMs: 2000 } as const;
/** How often in the time that a worker may show nothing it is looked at. */
const LOOKS = 4;

/** Keeps so many workers running: starts another where one ends or hangs, unless that is of no use. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #workers = new Set<WorkerProcess>();
  readonly #stopping = new AbortController();
  readonly #looking: NodeJS.Timeout;
  readonly #kept: readonly Promise<void>[];
  /** Resolves when all are ready for the first time. */
  readonly #started: Promise<void>;
  #noteStarted: () => void = () => {};
  #hasStarted = false;
  /** Rejects, with the reason for a person, when it is of no use to start another. */
  readonly failed: Promise<never>;
  #fail: (error: Error) => void = () => {};

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#started = new Promise((resolve) => {
      this.#noteStarted = () => {
        this.#hasStarted = true;
        resolve();
      };
    });
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => {});
    this.#looking = setInterval(() => this.#look(), options.stallMs / LOOKS).unref();
    this.#kept = Array.from({ length: options.count }, (_, index) => this.#keep(index + 1));
  }

  /** How many are ready. */
  get running(): number {
    return this.ready.length;
  }

  get ready(): readonly WorkerProcess[] {
    return [...this.#workers].filter(({ isReady }) => isReady);
  }

  /** Resolves when all are ready for the first time; rejects with the reason where they cannot be. */
  async start(): Promise<void> {
    await Promise.race([this.#started, this.failed]);
  }

  /** Starts no more; those that are not ready end at once. */
  stop(): void {
    this.#stopping.abort();
    for (const worker of this.#workers) if (!worker.isReady) worker.kill();
  }

  /** Resolves when all are over. What runs yet in so many milliseconds is killed; gives the number of these. */
  async ended(limitMs: number): Promise<number> {
    this.stop();
    const all = Promise.all(this.#kept);
    const late = new AbortController();
    await Promise.race([all, sleep(limitMs, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
    const killed = this.#workers.size;
    for (const worker of this.#workers) worker.kill();
    await all;
    clearInterval(this.#looking);
    return killed;
  }

  /** Has a worker in a place, again and again. */
  async #keep(place: number): Promise<void> {
    const { signal } = this.#stopping;
    const backoff = new Backoff({ ...WAIT, signal });
    for (let soon = 0; !signal.aborted; await backoff.wait()) {
      const { pid, end } = await this.#run(place);
      if (signal.aborted) return;
      const { code, signal: killedBy, readyMs, failure } = end;
      const isSoon = readyMs === null || readyMs < SOON_MS;
      // While the database is away, no worker can begin, and those that run wait for it, too.
      soon = isSoon && !failure?.isPassing ? soon + 1 : 0;
      if (!isSoon) backoff.reset();
      const reason = this.#hasStarted ? null : failure;
      if (reason !== null || soon >= MOST_SOON) return this.#fail(reason ? errorOf(reason) : endless(end));
      this.#options.logger.error(
        {
          ...{ worker: place, process: pid, code, signal: killedBy },
          ...(failure && { reason: failure.message }),
        },
        'a worker has ended; another takes its place',
      );
    }
  }

  async #run(place: number): Promise<{ readonly pid: number | undefined; readonly end: WorkerEnd }> {
    const { answer, onReady, onEnd, logger } = this.#options;
    const answers = (from: WorkerProcess): Answers => ({
      ...answer(from, place),
      ready: () => {
        logger.info({ worker: place, process: from.pid }, 'a worker is ready');
        onReady(from);
        if (this.running === this.#options.count) this.#noteStarted();
      },
    });
    let worker: WorkerProcess;
    try {
      worker = new WorkerProcess(answers);
    } catch (error) {
      // The machine has no room for another process now; the workers that run need none.
      const failure = { message: (error as Error).message, isMistake: false, isPassing: true };
      return { pid: undefined, end: { code: null, signal: null, readyMs: null, failure } };
    }
    this.#workers.add(worker);
    const end = await worker.ended;
    this.#workers.delete(worker);
    onEnd(worker);
    return { pid: worker.pid, end };
  }

  /** Counts looks and not time: where this process stood still itself, nobody was late. */
  #look(): void {
    for (const worker of this.#workers) {
      if (worker.isAlive(LOOKS)) continue;
      this.#options.logger.error({ process: worker.pid }, 'a worker shows no sign of life, and is ended');
      worker.kill();
    }
  }
}

function errorOf({ message, isMistake }: Failure): Error {
  return isMistake ? new ConfigError(message) : new GatewayError('UNAVAILABLE', message);
}

function endless({ code, signal, failure }: WorkerEnd): GatewayError {
  const why = failure?.message ?? (signal === null ? `exit code ${code}` : signal);
  return new GatewayError('UNAVAILABLE', `A worker has ended ${MOST_SOON} times in a row at once: ${why}`);
}
