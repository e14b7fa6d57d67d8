/**
 * The contexts of what graphql-js resolves as of blocks, by the places in the answer that these begin at. An execution has one of
 * them: the contexts that it gives note the places below in it as well, and plugins keep by them what they read in it.
 */
export class PastPlaces<Context extends object> {
  readonly #contexts = new Map<string, Context>();
  readonly #own = new Map<Context, Context>();

  get isEmpty(): boolean {
    return this.#contexts.size === 0;
  }

  at(place: string): Context | undefined {
    return this.#contexts.get(place);
  }

  begin(place: string, past: Context): void {
    const own = this.#own.get(past) ?? { ...past, pastAt: this };
    this.#own.set(past, own);
    this.#contexts.set(place, own);
  }
}
