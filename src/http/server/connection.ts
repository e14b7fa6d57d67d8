import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How many answers may be made at once of what one connection asks for: no browser or proxy asks ahead for as many. */
const MOST_BEGUN = 100;

/** An open connection, and the answers that are owed on it. */
export class Connection {
  /** Whom it counts for; null where it counts for nobody. */
  readonly client: string | null;
  readonly #socket: Socket;
  /** With when each was asked for. A list: it has one most of the time, and a Map that entries come to and go from holds some of them for long. */
  readonly #owed: { readonly response: ServerResponse; readonly since: number }[] = [];
  /** Begin the newest of what is owed, where more is asked for than may be begun. The connection is not read meanwhile. */
  readonly #waiting: (() => void)[] = [];
  #isUnread = false;
  #idleSince = performance.now();
  #bytesWhenIdle = 0;
  #last: ServerResponse | null = null;
  #isEnded = false;
  /** Waits until all that was wholly asked is answered. */
  #onAllAnswered: (() => void) | null = null;
  /**
   * Listens to the end of every answer: one function for all of a connection, as one each would cost each request more.
   * Null until the first answer, which a connection that becomes a WebSocket never has.
   */
  #settle: ((this: ServerResponse) => void) | null = null;
  readonly #onAnswered: (response: ServerResponse, ms: number) => void;

  /** `onAnswered` is called when an answer is out, or its client is gone, with how long that took. */
  constructor(
    socket: Socket,
    client: string | null,
    onAnswered: (response: ServerResponse, ms: number) => void,
  ) {
    this.#socket = socket;
    this.client = client;
    this.#onAnswered = onAnswered;
  }

  /** Since when nothing is owed and nothing has come; null where an answer is owed, or a part of a request is there. */
  get idleSince(): number | null {
    const isIdle =
      !this.#isEnded && this.#owed.length === 0 && this.#socket.bytesRead === this.#bytesWhenIdle;
    return isIdle ? this.#idleSince : null;
  }

  /** Whether the head of an answer is out and its end is not. */
  get isAnswering(): boolean {
    return this.#owed.some(({ response }) => response.headersSent);
  }

  /** Whether any answer is owed. */
  get isOwing(): boolean {
    return this.#owed.length > 0;
  }

  /** Whether an answer is owed to a request that came to its end. */
  get #owesWhole(): boolean {
    return this.#owed.some(({ response }) => response.req.complete);
  }

  /**
   * Resolves when all that was wholly asked is answered, or the connection is gone: what is written before that would be
   * read as the answer to something else. For whoever takes over a connection on which nothing more is asked; once.
   */
  answered(): Promise<void> {
    if (this.#socket.destroyed || !this.#owesWhole) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onAllAnswered = resolve;
      this.#socket.once('close', resolve);
      // Node lets go of a connection that is to become something else, and what is being answered on it would wait for ever.
      this.#socket.on('drain', () => {
        for (const { response } of this.#owed) if (response.socket !== null) response.emit('drain');
      });
    });
  }

  /** Whether our half has ended, so that no more requests can be answered. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Takes note of an answer that is owed from now on. */
  owe(response: ServerResponse): void {
    this.#owed.push({ response, since: performance.now() });
    this.#settle ??= this.#createSettle();
    response.on('close', this.#settle);
  }

  /** Begins the answer that is owed last: at once, or when enough of those before it are out. */
  begin(begin: () => void): void {
    if (this.#owed.length <= MOST_BEGUN) {
      begin();
      return;
    }
    // When all that has come is taken in: a request for another protocol may be the last of it, and who takes over reads.
    if (this.#waiting.push(begin) === 1) process.nextTick(this.#stopReading);
  }

  readonly #stopReading = (): void => {
    if (this.#waiting.length === 0 || this.#socket.listenerCount('data') === 0) return;
    this.#isUnread = true;
    // Whoever reads a body has its connection read on, too.
    this.#socket.on('resume', this.#pause);
    this.#pause();
  };

  readonly #pause = (): void => void this.#socket.pause();

  #beginNext(): void {
    const begin = this.#waiting.shift();
    if (begin === undefined || this.#socket.destroyed) return;
    if (this.#waiting.length === 0 && this.#isUnread) {
      this.#isUnread = false;
      this.#socket.off('resume', this.#pause);
      this.#socket.resume();
    }
    begin();
  }

  #createSettle(): (this: ServerResponse) => void {
    const settle = (response: ServerResponse) => this.#settled(response);
    return function () {
      settle(this);
    };
  }

  #settled(response: ServerResponse): void {
    const place = this.#owed.findIndex((owed) => owed.response === response);
    const [{ since } = { since: this.#idleSince }] = place === -1 ? [] : this.#owed.splice(place, 1);
    this.#idleSince = performance.now();
    this.#bytesWhenIdle = this.#socket.bytesRead;
    this.#onAnswered(response, this.#idleSince - since);
    if (this.#onAllAnswered !== null && !this.#owesWhole) this.#onAllAnswered();
    this.#beginNext();
  }

  /** Has the newest answer that is owed say that it is the last, so that answers to pipelined requests before it go out too. */
  announceClose(): void {
    // What Node calls when an answer was the last; its own would not wait for what may still be on its way here.
    this.#socket.destroySoon = () => this.end();
    const newest = this.#owed.at(-1)?.response;
    if (newest === undefined || newest.headersSent) return;
    if (this.#last !== null && this.#last !== newest) this.#last.shouldKeepAlive = true;
    newest.shouldKeepAlive = false;
    this.#last = newest;
  }

  /** Ends our half, with these last bytes; the other side ends its own, or is cut a little later. */
  end(last?: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting.length = 0;
    this.#socket.off('resume', this.#pause);
    endGently(this.#socket, last);
  }

  destroy(): void {
    this.#isEnded = true;
    this.#socket.destroy();
  }
}

const LINGER_MS = 1000;

/**
 * Ends our half of a connection and reads on until the other side has ended its own, for a bounded time. A connection
 * that is closed while bytes of the other side are unread, or still come, is reset, and a reset takes from the other
 * side the answer that it has not read yet. Node's `destroySoon` closes once our bytes are out, whatever still comes.
 */
export function endGently(socket: Duplex, last?: string): void {
  if (last === undefined) socket.end();
  else socket.end(last);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
