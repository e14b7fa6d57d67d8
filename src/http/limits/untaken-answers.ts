import type { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { Rejection } from '../../errors.ts';

/** Answers of up to so many bytes are always sent: errors and health checks are, and hold next to nothing. */
const SHORT = 1024;

/** What answers that are made and not taken may hold of the heap: those of all clients a quarter, those of one an eighth of that. */
const OF_HEAP = 1 / 4;
const OF_CLIENT = 1 / 8;

/** One for all, as admission has it. */
const TAKE_FIRST = new Rejection(
  'RESOURCE_EXHAUSTED',
  'The answers that this address has asked for and does not read hold as much memory as they may. Read those first.',
  [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }],
);

/** For those who hold nothing themselves: slow readers elsewhere hold what there is. */
const ALL_HELD = new Rejection(
  'UNAVAILABLE',
  'The answers that slow readers have not taken yet hold as much memory as they may. Try again shortly, or ask for less at once.',
  [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }],
);

export interface UntakenLimits {
  readonly ofClient: number;
  readonly ofAll: number;
}

/**
 * Counts the bytes of whole answers that wait for their readers. Each connection may be as slow as it likes, so that of
 * many nobody could say otherwise what they hold.
 */
export class UntakenAnswers {
  readonly #limits: UntakenLimits;
  readonly #byClient = new Map<string, number>();
  #sum = 0;

  constructor(limits: UntakenLimits = limitsOfHeap()) {
    this.#limits = limits;
  }

  /**
   * The refusal of an answer of so many bytes; null where it may be sent, as one alone always may. A client of which nothing
   * waits may have one as large as there is room for: clients may be as many as there are addresses. `client` is called
   * where it matters alone: this is asked for every answer.
   */
  rejectionFor(bytes: number, client: () => string): Rejection | null {
    const { ofClient, ofAll } = this.#limits;
    if (bytes <= SHORT || this.#sum === 0 || this.#sum + bytes <= ofClient) return null;
    const own = this.#byClient.get(client()) ?? 0;
    const hasRoom = this.#sum + bytes <= ofAll;
    if (own === 0) return hasRoom ? null : ALL_HELD;
    return hasRoom && own + bytes <= ofClient ? null : TAKE_FIRST;
  }

  /** Counts an answer that is handed over and waits for its reader, until it is out or the reader is gone. */
  hold(response: ServerResponse, bytes: number, client: string): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    this.#add(client, bytes);
    const letGo = () => {
      response.off('close', letGo);
      socket.off('close', letGo);
      this.#add(client, -bytes);
    };
    response.on('close', letGo);
    // Node closes no answer that still waits for its turn on a connection that is gone.
    socket.on('close', letGo);
  }

  #add(client: string, bytes: number): void {
    const own = (this.#byClient.get(client) ?? 0) + bytes;
    if (own > 0) this.#byClient.set(client, own);
    else this.#byClient.delete(client);
    this.#sum += bytes;
  }
}

function limitsOfHeap(): UntakenLimits {
  const ofAll = getHeapStatistics().heap_size_limit * OF_HEAP;
  return { ofAll, ofClient: ofAll * OF_CLIENT };
}
