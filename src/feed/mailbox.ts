/** How much may wait for one reader. */
export interface MailboxLimits {
  readonly maxMessages: number;
  /** The sum of the messages' weights. */
  readonly maxWeight: number;
}

/** What waits for one reader, within limits. Takes never overlap: one reader takes one message after the other. */
export class Mailbox<Message> {
  readonly #limits: MailboxLimits;
  readonly #messages: { readonly message: Message; readonly weight: number }[] = [];
  #weight = 0;
  #isFull = false;
  #isInterrupted = false;
  #wake: (() => void) | null = null;

  constructor(limits: MailboxLimits) {
    this.#limits = limits;
  }

  /** Says that what comes next is not all there is. What waits is dropped, and so is everything from then on. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#drop();
  }

  /** Whether more came than the limits allow. From then on everything is dropped, also what was waiting. */
  get isFull(): boolean {
    return this.#isFull;
  }

  push(message: Message, weight: number): void {
    if (this.#isOver) return;
    this.#messages.push({ message, weight });
    this.#weight += weight;
    // One message of any weight is taken: it cannot be made smaller.
    const isTooHeavy = this.#weight > this.#limits.maxWeight && this.#messages.length > 1;
    if (isTooHeavy || this.#messages.length > this.#limits.maxMessages) {
      this.#isFull = true;
      this.#drop();
    }
    this.#wake?.();
  }

  /** The next message, when there is one; null when the mailbox was full or interrupted, or the signal is aborted. */
  async take(signal: AbortSignal): Promise<Message | null> {
    while (this.#messages.length === 0 && !this.#isOver && !signal.aborted) await this.#arrival(signal);
    const next = signal.aborted ? undefined : this.#messages.shift();
    if (next === undefined) return null;
    this.#weight -= next.weight;
    return next.message;
  }

  get #isOver(): boolean {
    return this.#isFull || this.#isInterrupted;
  }

  #drop(): void {
    this.#messages.length = 0;
    this.#weight = 0;
    this.#wake?.();
  }

  #arrival(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done);
        this.#wake = null;
        resolve();
      };
      signal.addEventListener('abort', done);
      this.#wake = done;
    });
  }
}
