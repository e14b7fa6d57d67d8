import type { Positioned } from '../data/noun.ts';
import { GatewayError } from '../errors.ts';
import { nextOf, type Readable, ReadableIterator, type Reader } from '../readable.ts';
import { Bite } from './bite.ts';
import type { FeedBlock, Reached, StreamEvent, Updates } from './events.ts';
import type { Membership } from './hub.ts';
import { CHANGES_PAGE, catchUp, findReached, type Read, readSnapshot, type StreamSource } from './past.ts';
import { readInBites } from './retry.ts';

/**
 * A snapshot of the rows that pass a filter, as they were at the end of one block, then every later change of them
 * once, in order, whole blocks at a time:
 *
 *   snapshot    pages of the state at one position, from the history of changes
 *   catching up the changes since, from the history, page by page, until the feed's own block is reached; the mailbox
 *               was opened at that block before, so nothing falls between
 *   live        what the feed puts into the mailbox; what was sent already is left out by its position
 *
 * A mailbox that overflows while catching up is thrown away, and catching up goes on: the history has it all. So it
 * does when the feed itself lost its place. Once live an overflow means that the reader is too slow, and the stream
 * ends with RESOURCE_EXHAUSTED. One that stands before the history's beginning ends with OUT_OF_RANGE. A database that
 * is away is waited for, for a minute.
 *
 * It is read as it comes, and a live one that is quiet holds its place in the feed and nothing else. One whose reader wants
 * to know says how far it has come when all that was missed is told, and when it had nothing else to say for a while.
 */
export class ChangeStream<R extends Positioned, Filter>
  implements Readable<StreamEvent<R>>, AsyncIterableIterator<StreamEvent<R>>, Reader
{
  readonly #source: StreamSource<R, Filter>;
  readonly #onEnd: (stream: ChangeStream<R, Filter>) => void;
  /** Up to here everything was told. */
  #position: bigint;
  /** The reading of what was before; null while live. */
  #past: Past<R> | null;
  #live: Membership<R> | null = null;
  /** When it told something last, and how far it has come since; a reader that does not want to know is not told. */
  #toldAt = performance.now();
  #reached: Reached | null = null;
  /** Whether the feed has yet to come to where it stands, of which it is told then. */
  #isAhead = false;
  #failure: GatewayError | null = null;
  #isOver = false;
  reader: Reader | null = null;

  /** `onEnd` is called when it is over: read to its end, or let go. */
  constructor(source: StreamSource<R, Filter>, onEnd: (stream: ChangeStream<R, Filter>) => void) {
    const { after, feed } = source;
    this.#source = source;
    this.#onEnd = onEnd;
    this.#position = after?.position ?? feed.latest.position;
    const afterRow = after === null ? -1n : after.row;
    const opened = feed.latest;
    this.#past = openPast((signal) => this.#tellPast(afterRow, signal, opened), this);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  read(): StreamEvent<R> | null {
    if (this.#isOver) return null;
    try {
      if (this.#failure !== null) throw this.#failure;
      const event = this.#live === null ? this.#readPast() : this.#readLive(this.#live);
      if (event !== null) this.#toldAt = performance.now();
      return event;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  next(): Promise<IteratorResult<StreamEvent<R>, undefined>> {
    return nextOf(this);
  }

  async return(): Promise<IteratorResult<StreamEvent<R>, undefined>> {
    const past = this.#past;
    this.#end();
    this.reader?.onReadable();
    await past?.events.return().catch(() => undefined);
    return { done: true, value: undefined };
  }

  /** What the reader reads next is this error, and then the end. */
  fail(error: GatewayError): void {
    this.#failure = error;
    this.#letGo();
    this.reader?.onReadable();
  }

  onReadable(): void {
    this.reader?.onReadable();
  }

  /** A block is published that all others have been told of, and this one too if it concerns it. */
  onReached(reached: Reached): void {
    this.#reached = reached;
    this.tellReached();
  }

  /** Has its reader look, when it is time to say how far this has come. */
  tellReached(): void {
    if (this.#reached !== null && this.#isReachedDue) this.reader?.onReadable();
  }

  get #isReachedDue(): boolean {
    return this.#isQuiet || this.#isAhead;
  }

  /** Whether its reader wants to know how far it has come by now. */
  get #isQuiet(): boolean {
    const { progressMs = null } = this.#source;
    return progressMs !== null && performance.now() - this.#toldAt >= progressMs;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #readLive({ mailbox }: Membership<R>): StreamEvent<R> | null {
    for (let next = mailbox.take(); next !== null; next = mailbox.take()) {
      if (next.position <= this.#position) continue;
      this.#position = next.position;
      return next;
    }
    if (mailbox.isFull) throw tooSlow();
    if (!mailbox.isInterrupted) return this.#takeReached();
    this.#letGo();
    this.#past = openPast((signal) => this.#tellPast(null, signal, null), this);
    return this.#readPast();
  }

  #takeReached(): Reached | null {
    const reached = this.#reached;
    if (reached === null || !this.#isReachedDue) return null;
    this.#reached = null;
    if (reached.position < this.#position) return null;
    if (reached.position === this.#position && !this.#isAhead) return null;
    this.#isAhead = false;
    this.#position = reached.position;
    return reached;
  }

  #readPast(): StreamEvent<R> | null {
    const event = this.#past?.events.read() ?? null;
    if (event !== null || this.#past?.events.isOver === false) return event;
    this.#past = null;
    return this.#live && this.#readLive(this.#live);
  }

  /**
   * The snapshot, where rows after one are wanted, and what came since; with its end the stream is live. `opened` is the
   * feed's block of when it was opened.
   */
  async *#tellPast(
    afterRow: bigint | null,
    signal: AbortSignal,
    opened: FeedBlock | null,
  ): AsyncGenerator<StreamEvent<R>, void> {
    const { feed, hub, filter, statements } = this.#source;
    const source = { ...this.#source, statements: statements.until(signal) };
    if (afterRow !== null) yield* readSnapshot(source, this.#position, afterRow, signal, opened);
    while (this.#live === null && !signal.aborted) {
      const membership = hub.join(filter);
      try {
        // The feed's block of the very moment of joining: whatever comes after it comes into the mailbox.
        const joined = feed.latest;
        yield* this.#tellMissed(source, joined.position, signal);
        if (this.#position < joined.position) this.#position = joined.position;
        if (membership.mailbox.isFull || signal.aborted) continue;
        // Whoever goes on after a cursor knows by that that nothing is missing any more. After one of a gateway that is ahead of
        // this one it waits for the cursor's block: any before would be older than what was told.
        if (afterRow === null && this.#source.progressMs != null) {
          if (this.#position > joined.position) this.#isAhead = true;
          else yield { kind: 'reached', block: joined, position: this.#position, rows: [] };
        }
        membership.mailbox.reader = this;
        this.#live = membership;
        // All of it was taken: nothing is asked for before that.
        this.#past = null;
      } finally {
        if (this.#live !== membership) membership.leave();
      }
    }
  }

  /** What changed since, up to a position. */
  async *#tellMissed(
    source: StreamSource<R, Filter>,
    upTo: bigint,
    signal: AbortSignal,
  ): AsyncGenerator<Updates<R> | Reached, void> {
    const { reads } = source;
    const bite = new Bite(CHANGES_PAGE);
    const read: Read = (reading) => readInBites(bite, { reads, signal }, reading);
    for await (const event of catchUp({ ...source, read }, this.#position, upTo, signal)) {
      if (event.kind === 'updates') yield event;
      else if (this.#isQuiet) yield await findReached(source, event.position, signal);
      this.#position = event.position;
    }
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = null;
    this.#letGo();
    this.#onEnd(this);
  }

  #letGo(): void {
    this.#live?.leave();
    this.#live = null;
    this.#past?.stop.abort();
    // Where nobody waits for what it reads it would otherwise never leave the hub.
    this.#past?.events.return().catch(() => undefined);
    this.#past = null;
  }
}

/** What is told from the database, and what ends its reading. */
interface Past<R> {
  readonly events: ReadableIterator<StreamEvent<R>>;
  readonly stop: AbortController;
}

function openPast<R>(
  tell: (signal: AbortSignal) => AsyncGenerator<StreamEvent<R>, void>,
  reader: Reader,
): Past<R> {
  const stop = new AbortController();
  const events = new ReadableIterator(tell(stop.signal));
  events.reader = reader;
  return { events, stop };
}

function tooSlow(): GatewayError {
  return new GatewayError(
    'RESOURCE_EXHAUSTED',
    'The stream was read too slowly and has fallen too far behind. Go on from the last cursor, or begin again.',
  );
}
