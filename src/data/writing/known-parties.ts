import { LRUCache } from 'lru-cache';
import type { NounRow } from '../nouns/index.ts';

/** How many are remembered: at some 200 bytes each, those of a large network in 20 MB. */
const MOST_PARTIES = 100_000;

/** The parties that a database holds already, as far as its writer remembers: blocks name the same ones again and again. */
export class KnownParties {
  readonly #ids = new LRUCache<string, true>({ max: MOST_PARTIES });

  /** Those of a block's parties that the database may not hold yet. */
  unknownOf(parties: readonly NounRow<'party'>[]): readonly NounRow<'party'>[] {
    return parties.filter(({ id }) => this.#ids.get(id) === undefined);
  }

  /** To be called once the block is committed. */
  add(parties: readonly NounRow<'party'>[]): void {
    for (const { id } of parties) this.#ids.set(id, true);
  }
}
