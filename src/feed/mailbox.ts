import type { Reader } from '../readable.ts';

/** How much may wait for one reader. */
export interface MailboxLimits {
  readonly maxMessages: number;
  /** The sum of the messages' weights. */
  readonly maxWeight: number;
}

/** What waits for one reader, within limits. */
export class Mailbox<Message> {
  readonly #limits: MailboxLimits;
  readonly #messages: { readonly message: Message; readonly weight: number }[] = [];
  #weight = 0;
  #isFull = false;
  #isInterrupted = false;
  /** Who is told when there is something new to know. */
  reader: Reader | null = null;

  constructor(limits: MailboxLimits) {
    this.#limits = limits;
  }

  /** Says that what comes next is not all there is. What waits is dropped, and so is everything from then on. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#drop();
    this.reader?.onReadable();
  }

  /** Whether more came than the limits allow. From then on everything is dropped, also what was waiting. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  push(message: Message, weight: number): void {
    if (this.#isFull || this.#isInterrupted) return;
    this.#messages.push({ message, weight });
    this.#weight += weight;
    // One message of any weight is taken: it cannot be made smaller.
    const isTooHeavy = this.#weight > this.#limits.maxWeight && this.#messages.length > 1;
    if (isTooHeavy || this.#messages.length > this.#limits.maxMessages) {
      this.#isFull = true;
      this.#drop();
    }
    this.reader?.onReadable();
  }

  /** The next message; null where none waits. */
  take(): Message | null {
    const next = this.#messages.shift();
    if (next === undefined) return null;
    this.#weight -= next.weight;
    return next.message;
  }

  #drop(): void {
    this.#messages.length = 0;
    this.#weight = 0;
  }
}
