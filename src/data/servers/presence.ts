import { setTimeout as sleep, setImmediate as takeTurn } from 'node:timers/promises';
import { createConnection } from './connect.ts';

/** How often one looks whether a lost server is back. */
const RETRY_MS = 250;
/** A server that is far away needs some time for its first word, however short others' patience is. With this a lost one is known within 2 s. */
const LEAST_SILENCE_MS = 600;
/** What the driver tells of a connection that comes along, each after a round trip or two. */
const SIGNS = ['connect', 'sslconnect', 'message'] as const;

/**
 * Whether the database server is there. A server that is frozen, or behind a network that is cut, says nothing, and a
 * statement would wait for as long as it might take. So whoever waits long makes us ask the server something that takes
 * no time; where that has no answer either, all who wait are let go and nobody is let wait, until it answers again.
 */
export class Presence {
  readonly #url: string;
  /** A statement older than this has the server asked, and a server that says nothing for as long is lost. */
  readonly #silenceMs: number;
  /** The oldest first; as many as there are connections at most. A map that entries come to and go from holds some of them for long. */
  readonly #waiting: { readonly onLost: () => void; readonly since: number }[] = [];
  readonly #onLost: () => void;
  readonly #closing = new AbortController();
  #isLost = false;
  #timer: NodeJS.Timeout | null = null;

  /** Within `limitMs` of a statement's start, or 1.8 s where that is longer, it is known that the server is silent; then `onLost` is called. */
  constructor(options: { readonly url: string; readonly limitMs: number; readonly onLost: () => void }) {
    this.#url = options.url;
    this.#silenceMs = Math.max(options.limitMs / 3, LEAST_SILENCE_MS);
    this.#onLost = options.onLost;
  }

  /** While the server is lost, throws what a lost connection throws. */
  check(): void {
    if (this.#isLost) throw new Error('Connection terminated: the server does not answer');
  }

  /** Calls back when the server is lost, unless the function that it gives was called before. */
  watch(onLost: () => void): () => void {
    const watch = { onLost, since: performance.now() };
    this.#waiting.push(watch);
    this.#timer ??= setTimeout(() => void this.#look(), this.#silenceMs).unref();
    return () => {
      const place = this.#waiting.indexOf(watch);
      if (place !== -1) this.#waiting.splice(place, 1);
    };
  }

  close(): void {
    this.#closing.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const since = this.#waiting[0]?.since;
    const left = since === undefined ? null : since + this.#silenceMs - performance.now();
    if (left !== null && left <= 0 && !(await this.#isAnswering())) await this.#lose();
    this.#timer = null;
    if (this.#waiting.length > 0 && !this.#closing.signal.aborted)
      this.#timer = setTimeout(() => void this.#look(), Math.max(left ?? 0, this.#silenceMs / 2)).unref();
  }

  async #lose(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#isLost = true;
    for (const { onLost } of this.#waiting.splice(0)) onLost();
    this.#onLost();
    while (this.#isLost && !this.#closing.signal.aborted) {
      await sleep(RETRY_MS, undefined, { ref: false });
      this.#isLost = !(await this.#isAnswering());
    }
  }

  /** Whether it answers on a connection of its own, however long that takes: to make one takes many round trips, and it is there at each. */
  async #isAnswering(): Promise<boolean> {
    const client = createConnection(this.#url, { purpose: 'presence', connectionTimeoutMillis: 0 });
    let heardAt = performance.now();
    for (const sign of SIGNS)
      client.connection.on(sign, () => {
        heardAt = performance.now();
      });
    const asked = client
      .connect()
      .then(() => client.query('SELECT 1'))
      .then(() => true, isFromServer);
    const silent = this.#fallenSilent(() => heardAt).then(() => null);
    const isThere = await Promise.race([asked, silent]);
    void client.end().catch(() => undefined);
    if (isThere === null) destroy(client);
    return isThere ?? false;
  }

  /** Resolves when nothing was heard for so long. */
  async #fallenSilent(heardAt: () => number): Promise<void> {
    for (;;) {
      const left = heardAt() + this.#silenceMs - performance.now();
      if (left <= 0) return;
      await sleep(left, undefined, { ref: false });
      // Where it was we who were late, what it has said is there by now.
      await takeTurn();
      await takeTurn();
    }
  }
}

/** Closes a connection at once, without a word to a server that may not be there. */
export function destroy(client: object): void {
  (
    client as { readonly connection?: { readonly stream?: { destroy(): void } } }
  ).connection?.stream?.destroy();
}

/** A server that refuses is there, but not one that is starting or stopping (57P0x). */
function isFromServer(error: Error & { readonly code?: unknown }): boolean {
  return 'severity' in error && !String(error.code).startsWith('57P0');
}
