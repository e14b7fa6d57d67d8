import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import { ConfigError } from '../config.ts';
import { GatewayError } from '../errors.ts';
import type { ToPrimary, ToWorker } from './messages.ts';

/** How a worker has ended. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** For how long it was ready, in milliseconds; null where it never was. */
  readonly readyMs: number | null;
  /** Why it could not begin, where it has said so. */
  readonly reason: Error | null;
  /** Whether that may be over soon: the database is out of reach. */
  readonly isPassing: boolean;
}

/** More than a worker takes to load and to reach the database; one that needs longer is ended. */
const START_LIMIT_MS = 60_000;

/** A process that serves, as the primary sees it. */
export class WorkerProcess {
  /** Never another's, also not of one that took its place. */
  readonly id: number;
  readonly pid: number | undefined;
  readonly #worker: Worker;
  #readyAt: number | null = null;
  #reason: Error | null = null;
  #isPassing = false;
  readonly #startLimit: NodeJS.Timeout;
  #unseen = 0;
  /** Resolves when the process is over. */
  readonly ended: Promise<WorkerEnd>;

  /** Starts one; `take` is called with what it says. */
  constructor(take: (worker: WorkerProcess, message: ToPrimary) => void) {
    this.#worker = cluster.fork();
    this.id = this.#worker.id;
    this.pid = this.#worker.process.pid;
    this.#worker.on('message', (message: ToPrimary) => {
      this.#note(message);
      take(this, message);
    });
    this.#startLimit = setTimeout(() => this.kill(), START_LIMIT_MS).unref();
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: string | null) => {
        clearTimeout(this.#startLimit);
        const readyMs = this.#readyAt === null ? null : performance.now() - this.#readyAt;
        resolve({ code, signal, readyMs, reason: this.#reason, isPassing: this.#isPassing });
      };
      this.#worker.once('exit', end);
      // One that could not be started never exits.
      this.#worker.on('error', (error) => {
        this.#reason ??= error;
        if (this.pid === undefined) end(null, null);
      });
    });
  }

  get isReady(): boolean {
    return this.#readyAt !== null;
  }

  /** Says something to it, with a socket that stays open here; nothing where it is gone. */
  send(message: ToWorker, socket?: Socket): void {
    if (!this.#worker.isConnected()) return;
    // It may be gone by the time that this is sent: then its end is told.
    if (socket === undefined) this.#worker.process.send(message, () => {});
    else this.#worker.process.send(message, socket, { keepOpen: true }, () => {});
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

  #note(message: ToPrimary): void {
    this.#unseen = 0;
    if (message.kind === 'ready') {
      clearTimeout(this.#startLimit);
      this.#readyAt = performance.now();
    }
    if (message.kind === 'failed') {
      this.#isPassing = message.isPassing;
      this.#reason = message.isMistake
        ? new ConfigError(message.message)
        : new GatewayError('UNAVAILABLE', message.message);
    }
  }
}
