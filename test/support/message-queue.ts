import { HANG_MS } from './limits.ts';

/** What arrives, for a test that asks for one after the other. Asking has a time limit, so that no test hangs. */
export class MessageQueue<Message> {
  readonly #messages: Message[] = [];
  readonly #askers: ((result: Message | null) => void)[] = [];
  #isOver = false;

  push(message: Message): void {
    const asker = this.#askers.shift();
    if (asker === undefined) this.#messages.push(message);
    else asker(message);
  }

  /** No more will come. */
  end(): void {
    this.#isOver = true;
    for (const asker of this.#askers.splice(0)) asker(null);
  }

  /** How many have arrived and were not asked for. */
  get waiting(): number {
    return this.#messages.length;
  }

  /** The next message; null when there will be none. */
  next(limitMs = HANG_MS): Promise<Message | null> {
    const ready = this.#messages.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    if (this.#isOver) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const asker = (result: Message | null) => {
        clearTimeout(timer);
        resolve(result);
      };
      const timer = setTimeout(() => {
        this.#askers.splice(this.#askers.indexOf(asker), 1);
        reject(new Error(`no message arrived within ${limitMs} ms`));
      }, limitMs);
      this.#askers.push(asker);
    });
  }
}

/** A promise that is late is a failure, and says of what. */
export async function within<T>(promise: Promise<T>, what: string, limitMs = HANG_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${limitMs} ms`)), limitMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
