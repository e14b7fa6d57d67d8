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

/** What waits of a client: its answers, the oldest first. */
interface Share {
  readonly held: HeldBytes;
  readonly waiting: Set<Untaken>;
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
  readonly #all = new HeldBytes();

  constructor(limits: UntakenLimits = limitsOfHeap()) {
    this.#limits = limits;
  }

  /**
   * The refusal of an answer; null where it may be sent. A client may have what it may hold, and always one answer: where all hold what
   * they may, whoever holds most loses what has waited longest. `client` is called where it matters alone: this is asked for every answer.
   */
  rejectionFor(answer: Outgoing, client: () => string): Rejection | null {
    const { ofClient } = this.#limits;
    if (answer.bytes <= SHORT || this.#all.bytes + answer.bytes <= ofClient) return null;
    const own = this.#byClient.get(client())?.held;
    if (own !== undefined && !own.has(answer.body) && own.bytes + answer.bytes > ofClient) return TAKE_FIRST;
    while (!this.#isRoomFor(answer)) this.#cutOldest();
    return null;
  }

  /** Counts an answer that is handed over and waits for its reader, until it is out or the reader is gone. */
  hold(response: ServerResponse, answer: Outgoing, client: string): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const share = this.#byClient.get(client) ?? { held: new HeldBytes(), waiting: new Set() };
    this.#byClient.set(client, share);
    const one: Untaken = {
      letGo: () => {
        response.off('close', one.letGo);
        socket.off('close', one.letGo);
        share.waiting.delete(one);
        for (const held of [share.held, this.#all]) held.count(answer, -1);
        if (share.waiting.size === 0) this.#byClient.delete(client);
      },
      cut: () => socket.destroy(),
    };
    share.waiting.add(one);
    for (const held of [share.held, this.#all]) held.count(answer, 1);
    response.on('close', one.letGo);
    // Node closes no answer that still waits for its turn on a connection that is gone.
    socket.on('close', one.letGo);
  }

  /** For an answer that is longer than all may hold nobody could make room: it goes out beside what waits, and is the first to be cut. */
  #isRoomFor({ body, bytes }: Outgoing): boolean {
    const { ofAll } = this.#limits;
    const isCounted = this.#all.has(body) || bytes > ofAll;
    return this.#all.bytes + (isCounted ? 0 : bytes) <= ofAll;
  }

  #cutOldest(): void {
    let [most, oldest]: [number, Untaken | undefined] = [-1, undefined];
    for (const { held, waiting } of this.#byClient.values()) {
      const bytes = held.bytesAlone(this.#all);
      if (bytes > most) [most, [oldest]] = [bytes, waiting];
    }
    oldest?.letGo();
    oldest?.cut();
  }
}

/** Adds up what is held. A body that is kept as bytes is in memory once, however many answers have it. */
class HeldBytes {
  bytes = 0;
  /** How many answers have each such body. */
  readonly #bodies = new Map<Outgoing['body'], number>();

  has(body: Outgoing['body']): boolean {
    return this.#bodies.has(body);
  }

  count({ body, bytes }: Outgoing, by: 1 | -1): void {
    if (body instanceof Buffer) {
      const before = this.#bodies.get(body) ?? 0;
      if (before + by > 0) this.#bodies.set(body, before + by);
      else this.#bodies.delete(body);
      if (before > 0 && before + by > 0) return;
    }
    this.bytes += by * bytes;
  }

  /** What of it would be free without it: not the bodies that others among all have as well. */
  bytesAlone(all: HeldBytes): number {
    let { bytes } = this;
    for (const [body, answers] of this.#bodies)
      if (body instanceof Buffer && all.#bodies.get(body) !== answers) bytes -= body.length;
    return bytes;
  }
}

function limitsOfHeap(): UntakenLimits {
  const ofAll = getHeapStatistics().heap_size_limit * OF_HEAP;
  return { ofAll, ofClient: ofAll * OF_CLIENT };
}
