/** Something that waits. */
interface Costing {
  readonly cost: number;
}

/** What waits takes memory, whatever it costs. */
const LEAST_COST = 400;

/** A queue in which clients take turns: each gives one of its items, in their order, then the next client does. */
export class FairQueue<Item extends Costing> {
  readonly #mostCost: number;
  /** By client; the client whose turn it is comes first. */
  readonly #byClient = new Map<string, Item[]>();
  #length = 0;
  #cost = 0;

  constructor(mostCost: number) {
    this.#mostCost = mostCost;
  }

  get length(): number {
    return this.#length;
  }

  /** How many items have their turn before the next one of a client, at most. */
  aheadOf(client: string): number {
    const own = this.#byClient.get(client)?.length ?? 0;
    return Math.min(this.#length, own + (own + 1) * this.#byClient.size);
  }

  /** The item whose turn it is. */
  get first(): Item | undefined {
    const [items] = this.#byClient.values();
    return items?.[0];
  }

  /**
   * Where more waits than may: the newest item of the client whose items cost most, and of equals of
   * the one who came last. One item alone may cost more.
   */
  get excess(): Item | undefined {
    if (this.#cost <= this.#mostCost || this.#length === 1) return undefined;
    const greediest = [...this.#byClient.values()].reduce((most, items) =>
      costOfAll(items) >= costOfAll(most) ? items : most,
    );
    return greediest.at(-1);
  }

  /** Adds an item at the end of its client's own. */
  add(client: string, item: Item): void {
    const items = this.#byClient.get(client);
    if (items === undefined) this.#byClient.set(client, [item]);
    else items.push(item);
    this.#count(item, 1);
  }

  /** Takes out the item whose turn it is; its client comes last then. */
  shift(): Item | undefined {
    for (const [client, items] of this.#byClient) {
      const item = items.shift();
      this.#byClient.delete(client);
      if (items.length > 0) this.#byClient.set(client, items);
      if (item !== undefined) this.#count(item, -1);
      return item;
    }
    return undefined;
  }

  /** Takes out an item, wherever it stands. One that is not there is no matter. */
  remove(client: string, item: Item): void {
    const items = this.#byClient.get(client);
    const place = items?.indexOf(item) ?? -1;
    if (items === undefined || place === -1) return;
    items.splice(place, 1);
    if (items.length === 0) this.#byClient.delete(client);
    this.#count(item, -1);
  }

  #count(item: Item, by: 1 | -1): void {
    this.#length += by;
    this.#cost += by * costIn(item);
  }
}

function costOfAll(items: readonly Costing[]): number {
  return items.reduce((sum, item) => sum + costIn(item), 0);
}

function costIn({ cost }: Costing): number {
  return Math.max(cost, LEAST_COST);
}
