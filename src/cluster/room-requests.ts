import type { Socket } from 'node:net';
import type { ToWorker } from './messages.ts';

/** A worker that takes connections. */
export interface Taker {
  readonly id: number;
  send(message: ToWorker, socket?: Socket): void;
}

/** A connection of a client that has as many as it may. */
export interface Newcomer {
  readonly socket: Socket;
  readonly client: string;
}

export interface RoomRequestsOptions {
  /** The workers that have connections of a client, in the order in which they are to be asked. */
  readonly takersOf: (client: string) => readonly Taker[];
  readonly admit: (newcomer: Newcomer) => void;
  readonly refuse: (newcomer: Newcomer) => void;
}

/** How long a connection waits for an idle one of the same client to be closed. */
const LIMIT_MS = 1000;
/** How many of a client's may wait for that. */
const MOST = 64;

/**
 * Connections that wait until a worker has closed an idle one of the same client. The workers are asked one after the
 * other, so that no more is closed than is needed.
 */
export class RoomRequests {
  readonly #options: RoomRequestsOptions;
  readonly #byClient = new Map<string, Waiting>();
  #size = 0;

  constructor(options: RoomRequestsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#size;
  }

  ask(newcomer: Newcomer): void {
    const { client } = newcomer;
    const waiting = this.#byClient.get(client) ?? { newcomers: [], left: [], asked: null };
    if (waiting.newcomers.length >= MOST) {
      this.#options.refuse(newcomer);
      return;
    }
    const timer = setTimeout(() => this.#refuseAll(client), LIMIT_MS).unref();
    waiting.newcomers.push({ ...newcomer, timer });
    this.#size += 1;
    if (waiting.newcomers.length > 1) return;
    this.#byClient.set(client, waiting);
    this.#begin(client, waiting);
  }

  /** A client has one connection less. */
  tellRoom(client: string): void {
    const waiting = this.#byClient.get(client);
    const first = waiting?.newcomers.shift();
    if (waiting === undefined || first === undefined) return;
    clearTimeout(first.timer);
    this.#size -= 1;
    if (waiting.newcomers.length === 0) this.#byClient.delete(client);
    this.#options.admit(first);
    if (waiting.newcomers.length > 0) this.#begin(client, waiting);
  }

  tellNone(taker: number, client: string): void {
    const waiting = this.#byClient.get(client);
    if (waiting?.asked === taker) this.#askNext(client, waiting);
  }

  /** A worker is gone, and will say nothing. */
  forget(taker: number): void {
    for (const [client, waiting] of this.#byClient)
      if (waiting.asked === taker) this.#askNext(client, waiting);
  }

  close(): void {
    for (const client of [...this.#byClient.keys()]) this.#refuseAll(client);
  }

  #begin(client: string, waiting: Waiting): void {
    waiting.left = [...this.#options.takersOf(client)];
    this.#askNext(client, waiting);
  }

  #askNext(client: string, waiting: Waiting): void {
    const next = waiting.left.shift();
    waiting.asked = next?.id ?? null;
    if (next === undefined) this.#refuseAll(client);
    else next.send({ kind: 'makeRoom', client });
  }

  #refuseAll(client: string): void {
    const newcomers = this.#byClient.get(client)?.newcomers ?? [];
    this.#byClient.delete(client);
    this.#size -= newcomers.length;
    for (const newcomer of newcomers) {
      clearTimeout(newcomer.timer);
      this.#options.refuse(newcomer);
    }
  }
}

interface Waiting {
  readonly newcomers: (Newcomer & { readonly timer: NodeJS.Timeout })[];
  /** Who may be asked yet, and who was asked last. */
  left: Taker[];
  asked: number | null;
}
