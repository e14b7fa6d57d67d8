import type { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { Rejection } from '../../errors.ts';
import type { Outgoing } from '../write/ready-head.ts';

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

export interface UntakenLimits {
  readonly ofClient: number;
  readonly ofAll: number;
}

/** What waits of a client: its answers, the oldest first, and how many of them have a body that is kept as bytes, which is there once. */
interface Share {
  bytes: number;
  readonly waiting: Set<Untaken>;
  readonly bodies: Map<Outgoing['body'], number>;
}

/** An answer that waits for its reader. */
interface Untaken {
  /** Counts it no more. */
  letGo(): void;
  cut(): void;
}

/**
 * Counts the bytes of whole answers that wait for their readers. Each connection may be as slow as it likes, so that of
 * many nobody could say otherwise what they hold.
 */
export class UntakenAnswers {
  readonly #limits: UntakenLimits;
  readonly #byClient = new Map<string, Share>();
  #sum = 0;

  constructor(limits: UntakenLimits = limitsOfHeap()) {
    this.#limits = limits;
  }

  /**
   * The refusal of an answer; null where it may be sent. A client of which nothing waits may always have one: where all hold what
   * they may, whoever holds most loses what has waited longest. `client` is called where it matters alone: this is asked for every answer.
   */
  rejectionFor({ body, bytes }: Outgoing, client: () => string): Rejection | null {
    const { ofClient, ofAll } = this.#limits;
    if (bytes <= SHORT || this.#sum + bytes <= ofClient) return null;
    const own = this.#byClient.get(client());
    if (own === undefined) {
      while (this.#sum > 0 && this.#sum + bytes > ofAll) this.#cutOldest();
      return null;
    }
    const isThere = own.bodies.has(body);
    return isThere || (own.bytes + bytes <= ofClient && this.#sum + bytes <= ofAll) ? null : TAKE_FIRST;
  }

  /** Counts an answer that is handed over and waits for its reader, until it is out or the reader is gone. */
  hold(response: ServerResponse, { body, bytes }: Outgoing, client: string): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const share = this.#byClient.get(client) ?? { bytes: 0, waiting: new Set(), bodies: new Map() };
    this.#byClient.set(client, share);
    const one: Untaken = {
      letGo: () => {
        response.off('close', one.letGo);
        socket.off('close', one.letGo);
        share.waiting.delete(one);
        this.#count(share, body, bytes, -1);
        if (share.waiting.size === 0) this.#byClient.delete(client);
      },
      cut: () => socket.destroy(),
    };
    share.waiting.add(one);
    this.#count(share, body, bytes, 1);
    response.on('close', one.letGo);
    // Node closes no answer that still waits for its turn on a connection that is gone.
    socket.on('close', one.letGo);
  }

  #count(share: Share, body: Outgoing['body'], bytes: number, by: 1 | -1): void {
    if (typeof body !== 'string') {
      const before = share.bodies.get(body) ?? 0;
      if (before + by > 0) share.bodies.set(body, before + by);
      else share.bodies.delete(body);
      if (before > 0 && before + by > 0) return;
    }
    share.bytes += by * bytes;
    this.#sum += by * bytes;
  }

  #cutOldest(): void {
    const shares = [...this.#byClient.values()];
    const [oldest] = shares.reduce((most, share) => (share.bytes > most.bytes ? share : most)).waiting;
    oldest?.letGo();
    oldest?.cut();
  }
}

function limitsOfHeap(): UntakenLimits {
  const ofAll = getHeapStatistics().heap_size_limit * OF_HEAP;
  return { ofAll, ofClient: ofAll * OF_CLIENT };
}
