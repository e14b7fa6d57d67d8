import { GatewayError } from '../errors.ts';

/** A thing that there is a limited number of, for all clients together and for each. */
export class Quota {
  readonly #noun: string;
  readonly #total: number;
  readonly #perClient: number;
  readonly #taken = new Map<string, number>();
  #sum = 0;

  /** `noun` is what an error calls several of them: `streams`. */
  constructor(noun: string, limits: { readonly total: number; readonly perClient: number }) {
    this.#noun = noun;
    this.#total = limits.total;
    this.#perClient = limits.perClient;
  }

  /** Takes one; gives back the function that returns it, which may be called twice. Throws RESOURCE_EXHAUSTED. */
  take(client: string): () => void {
    const own = this.#taken.get(client) ?? 0;
    if (own >= this.#perClient) {
      throw new GatewayError(
        'RESOURCE_EXHAUSTED',
        `This address has ${own} ${this.#noun} open, and may have ${this.#perClient}. Close one before opening another.`,
      );
    }
    if (this.#sum >= this.#total) {
      throw new GatewayError(
        'RESOURCE_EXHAUSTED',
        `The gateway has ${this.#sum} ${this.#noun} open, as many as it takes. Try again later, or elsewhere.`,
      );
    }
    this.#taken.set(client, own + 1);
    this.#sum += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#sum -= 1;
      const left = (this.#taken.get(client) ?? 0) - 1;
      if (left > 0) this.#taken.set(client, left);
      else this.#taken.delete(client);
    };
  }
}
