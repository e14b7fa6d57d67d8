import type { Readable, Reader } from '../../readable.ts';

/** Charges for what a stream tells: null where it may go on, else when it may. Never rejects; over, too, when the signal is aborted. */
export type Pay = (cost: number, signal: AbortSignal) => Promise<void> | null;

/** What is charged at once: to look at a client's rate for each event would take longer than most of them. */
const CHARGED_AT_ONCE = 1000;

/**
 * The events of a stream, as fast as its client may have their messages made. While it waits the events wait for it as for a slow
 * reader, within the same bounds. Where all streams end nothing is waited for any more: what is held is told unpaid, and behind it
 * why they end.
 */
export class PaidEvents implements Readable<object>, Reader {
  readonly #events: Readable<object>;
  readonly #costOf: (event: object) => number;
  readonly #pay: Pay;
  readonly #ending: AbortSignal;
  /** Aborted when nothing more is to be waited for. */
  readonly #left = new AbortController();
  #owed = 0;
  /** What was read, and is waited for. */
  #held: object | null = null;
  #isWaiting = false;
  reader: Reader | null = null;

  /** `ending` is aborted when all streams end. */
  constructor(
    events: Readable<object>,
    costOf: (event: object) => number,
    { pay, ending }: { readonly pay: Pay; readonly ending: AbortSignal },
  ) {
    this.#events = events;
    this.#costOf = costOf;
    this.#pay = pay;
    this.#ending = ending;
    events.reader = this;
  }

  get isOver(): boolean {
    return this.#held === null && this.#events.isOver;
  }

  read(): object | null {
    if (this.#isWaiting) return null;
    const event = this.#held ?? this.#events.read();
    const isPaid = this.#held !== null;
    this.#held = null;
    return event === null || isPaid || this.#isSettled(event) ? event : null;
  }

  onReadable(): void {
    if (!this.#isWaiting) this.reader?.onReadable();
  }

  return(): Promise<unknown> {
    this.#held = null;
    this.#left.abort();
    return this.#events.return();
  }

  #isSettled(event: object): boolean {
    this.#owed += this.#costOf(event);
    if (this.#owed < CHARGED_AT_ONCE) return true;
    const paying = this.#pay(this.#owed, this.#left.signal);
    this.#owed = 0;
    if (paying === null) return true;
    this.#held = event;
    this.#isWaiting = true;
    const leave = () => this.#left.abort();
    if (this.#ending.aborted) leave();
    this.#ending.addEventListener('abort', leave, { once: true });
    paying.then(() => {
      this.#ending.removeEventListener('abort', leave);
      this.#isWaiting = false;
      this.reader?.onReadable();
    });
    return false;
  }
}
