/** A queue in which clients take turns: each gives one of its items, in their order, then the next client does. */
export class FairQueue<Item> {
  readonly #most: number;
  /** By client; the client whose turn it is comes first. */
  readonly #byClient = new Map<string, Item[]>();
  #length = 0;

  constructor(most: number) {
    this.#most = most;
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
   * Adds an item at the end of its client's own. Where the queue is full then, the newest item of the client that has
   * most of them is taken out and given back; it can be this one.
   */
  add(client: string, item: Item): Item | undefined {
    const items = this.#byClient.get(client) ?? [];
    items.push(item);
    this.#byClient.set(client, items);
    this.#length += 1;
    if (this.#length <= this.#most) return undefined;
    const [greediest, theirs] = [...this.#byClient].reduce((most, one) =>
      one[1].length > most[1].length ? one : most,
    );
    const last = theirs.at(-1);
    if (last !== undefined) this.remove(greediest, last);
    return last;
  }

  /** Takes out the item whose turn it is; its client comes last then. */
  shift(): Item | undefined {
    for (const [client, items] of this.#byClient) {
      const item = items.shift();
      this.#length -= 1;
      this.#byClient.delete(client);
      if (items.length > 0) this.#byClient.set(client, items);
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
    this.#length -= 1;
    if (items.length === 0) this.#byClient.delete(client);
  }
}
