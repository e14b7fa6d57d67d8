import { tookTooLong } from '../data/servers/unavailable.ts';

/** The least is so small a part of the most: what takes too long even then does so for another reason. */
const MOST_HALVINGS = 6;

/**
 * How much is asked of the database at once: half as much after a statement that took too long, since it would again, and
 * twice as much after one that did not.
 */
export class Bite {
  readonly #most: number;
  readonly #least: number;
  #size: number;

  constructor(most: number) {
    this.#most = most;
    this.#least = Math.max(1, most >> MOST_HALVINGS);
    this.#size = most;
  }

  get isLeast(): boolean {
    return this.#size === this.#least;
  }

  /** Reads so much. Throws what that throws: there is less to read the next time. */
  async take<T>(read: (size: number) => Promise<T>): Promise<T> {
    try {
      const found = await read(this.#size);
      this.#size = Math.min(this.#most, this.#size * 2);
      return found;
    } catch (error) {
      if (tookTooLong(error)) this.#size = Math.max(this.#least, this.#size >> 1);
      throw error;
    }
  }
}
