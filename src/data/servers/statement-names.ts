import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/** How many texts have a name: all that the documented paths send, and as many of GraphQL's. A plan takes 20 to 50 kB. */
export const MOST_NAMES = 200;
/** How many texts without one are counted. */
const MOST_CANDIDATES = 1000;
/** A longer one belongs to a dear operation, of which its parsing is a small part. */
const LONGEST_TEXT = 8192;
/** After so many statements what was asked before counts half. */
const HALVED_AFTER = 10_000;
/** So many names are lost before a connection is looked through for them. */
const LOST_AT_ONCE = 50;

interface Counted {
  uses: number;
}

interface Named extends Counted {
  readonly name: string;
}

/**
 * The names that texts are prepared under, so that PostgreSQL parses and plans them once on each connection. They are few,
 * and belong to the texts that come most often: one that comes more than twice as often as the rarest takes its place. So
 * nobody takes them from others by asking many things a few times, and what is asked no more does not keep them.
 */
export class StatementNames {
  readonly #named = new Map<string, Named>();
  readonly #candidates = new LRUCache<string, Counted>({ max: MOST_CANDIDATES });
  readonly #looked = new WeakMap<object, number>();
  #asked = 0;
  #given = 0;

  /** The name of a text that comes again; empty for one without. */
  nameOf(text: string): string {
    this.#asked += 1;
    if (this.#asked % HALVED_AFTER === 0) this.#halve();
    const known = this.#named.get(text);
    if (known !== undefined) {
      known.uses += 1;
      return known.name;
    }
    if (text.length > LONGEST_TEXT) return '';
    const candidate = this.#candidates.get(text) ?? { uses: 0 };
    candidate.uses += 1;
    if (candidate.uses === 1) this.#candidates.set(text, candidate);
    return this.#makeRoom(candidate) ? this.#give(text, candidate) : '';
  }

  /** Has PostgreSQL let go of the plans on a connection whose names are lost. To be called where something is sent over it. */
  closeLost(client: pg.ClientBase): void {
    const lost = this.#given - this.#named.size;
    if (lost - (this.#looked.get(client) ?? 0) < LOST_AT_ONCE) return;
    this.#looked.set(client, lost);
    const { connection } = client as pg.ClientBase & Prepared;
    const names = new Set([...this.#named.values()].map(({ name }) => name));
    for (const name of Object.keys(connection.parsedStatements)) {
      if (names.has(name)) continue;
      delete connection.parsedStatements[name];
      connection.close({ type: 'S', name });
    }
  }

  #makeRoom({ uses }: Counted): boolean {
    if (uses < 2) return false;
    if (this.#named.size < MOST_NAMES) return true;
    // Only as its uses double: it is not worth a look each time.
    if ((uses & (uses - 1)) !== 0) return false;
    let rarest: readonly [text: string, named: Counted] = ['', { uses: Number.POSITIVE_INFINITY }];
    for (const one of this.#named) if (one[1].uses < rarest[1].uses) rarest = one;
    if (uses <= 2 * rarest[1].uses) return false;
    this.#named.delete(rarest[0]);
    return true;
  }

  #give(text: string, { uses }: Counted): string {
    const name = `periscope ${this.#given}`;
    this.#given += 1;
    this.#candidates.delete(text);
    this.#named.set(text, { name, uses });
    return name;
  }

  #halve(): void {
    for (const one of [...this.#named.values(), ...this.#candidates.values()])
      one.uses = Math.floor(one.uses / 2);
  }
}

/** What the driver has of a connection, and its types do not know: the texts by the names that they are prepared under. */
interface Prepared {
  readonly connection: {
    readonly parsedStatements: Record<string, string>;
    close(what: { readonly type: 'S'; readonly name: string }): void;
  };
}
