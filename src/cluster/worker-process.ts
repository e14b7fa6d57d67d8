import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import { createBirpc } from 'birpc';
import type { Failure, Handover, PrimaryCalls, WorkerCalls, WorkerChannel } from './messages.ts';

/** What a worker can ask for, but for what is noted of it here. */
export type Answers = Omit<PrimaryCalls, 'alive' | 'fail'>;

/** How a worker has ended. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** For how long it was ready, in milliseconds; null where it never was. */
  readonly readyMs: number | null;
  /** Why it could not begin, where it has said so. */
  readonly failure: Failure | null;
}

/** More than a worker takes to load and to reach the database; one that needs longer is ended. */
const START_LIMIT_MS = 60_000;
/**
 * Whoever asks for something of all workers is not to wait for one that does not answer. More than the second that metrics
 * wait for the database, and less than a worker waits for the primary.
 */
const ANSWER_LIMIT_MS = 1500;
/** So long what it said last may be under way once it has exited: a process of its own making may hold the channel open. */
const LAST_WORDS_MS = 1000;

/** A process that serves, as the primary sees it. */
export class WorkerProcess {
  /** Never another's, also not of one that took its place. */
  readonly id: number;
  readonly pid: number | undefined;
  readonly calls: WorkerChannel;
  readonly #worker: Worker;
  #readyAt: number | null = null;
  #failure: Failure | null = null;
  #unseen = 0;
  #isOver = false;
  /** Resolves when the process is over. */
  readonly ended: Promise<WorkerEnd>;

  /**
   * Starts one; `answer` makes what it can ask for. Where the machine has no room for it now, this throws (ENOMEM), or it has ended
   * at once (EAGAIN, EMFILE).
   */
  constructor(answer: (worker: WorkerProcess) => Answers) {
    const worker = cluster.fork();
    this.#worker = worker;
    this.id = worker.id;
    this.pid = worker.process.pid;
    const answers = answer(this);
    const startLimit = setTimeout(() => this.kill(), START_LIMIT_MS).unref();
    const ready = () => {
      clearTimeout(startLimit);
      this.#readyAt = performance.now();
      answers.ready();
    };
    this.calls = createBirpc<WorkerCalls, PrimaryCalls>(
      {
        ...answers,
        ready,
        alive() {},
        fail: (failure) => {
          this.#failure = failure;
        },
      },
      {
        timeout: ANSWER_LIMIT_MS,
        post: (message) => this.#send(message),
        on: (receive) =>
          void worker.on('message', (message) => {
            // What it asks for after its end nobody would give back.
            if (this.#isOver) return;
            this.#unseen = 0;
            receive(message);
          }),
      },
    );
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: string | null) => {
        clearTimeout(startLimit);
        this.#isOver = true;
        const readyMs = this.#readyAt === null ? null : performance.now() - this.#readyAt;
        resolve({ code, signal, readyMs, failure: this.#failure });
      };
      // Its end may be known before the last that it said was read: what it has taken nobody else is to have.
      worker.once('exit', (code, signal) => {
        if (!worker.isConnected()) return end(code, signal);
        worker.once('disconnect', () => end(code, signal));
        setTimeout(() => end(code, signal), LAST_WORDS_MS).unref();
      });
      worker.on('error', ({ message }) => {
        const hasNotStarted = this.pid === undefined;
        this.#failure ??= { message, isMistake: false, isPassing: hasNotStarted };
        if (!hasNotStarted) return;
        // It never exits, at which Node's cluster would forget it.
        delete cluster.workers?.[this.id];
        end(null, null);
      });
    });
  }

  get isReady(): boolean {
    return this.#readyAt !== null;
  }

  /** Hands a connection over, whose socket stays open here. */
  handOver(connection: number, socket: Socket): void {
    this.#send({ connection } satisfies Handover, socket);
  }

  /** Whether it has shown that it is alive since one of the last so many looks. To be called regularly. */
  isAlive(looks: number): boolean {
    if (!this.isReady) return true;
    this.#unseen += 1;
    return this.#unseen <= looks;
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  /** Nothing where it is gone, or will be by the time that this is sent: its end is told. */
  #send(message: object, socket?: Socket): void {
    if (this.#worker.isConnected()) this.#worker.process.send(message, socket, { keepOpen: true }, () => {});
  }
}
