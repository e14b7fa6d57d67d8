/** Something that waits. */
interface Costing {
  readonly cost: number;
}

/** What waits takes memory, whatever it costs. */
const LEAST_COST = 400;

/** What waits of one client. */
interface Share<Item> {
  readonly items: Item[];
  cost: number;
}

/** A queue in which clients take turns: each gives one of its items, in their order, then the next client does. */
export class FairQueue<Item extends Costing> {
  readonly #mostCost: number;
  /** By client; the client whose turn it is comes first. */
  readonly #byClient = new Map<string, Share<Item>>();
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
    const own = this.#byClient.get(client)?.items.length ?? 0;
    return Math.min(this.#length, own + (own + 1) * this.#byClient.size);
  }

  /** The item whose turn it is. */
  get first(): Item | undefined {
    const [share] = this.#byClient.values();
    return share?.items[0];
  }

  /**
   * Where more waits than may: the newest item of the client whose items cost most, and of equals of
   * the one who came last. One item alone may cost more.
   */
  get excess(): Item | undefined {
    if (this.#cost <= this.#mostCost || this.#length === 1) return undefined;
    const shares = [...this.#byClient.values()];
    return shares.reduce((most, share) => (share.cost >= most.cost ? share : most)).items.at(-1);
  }

  /** Adds an item at the end of its client's own. */
  add(client: string, item: Item): void {
    let share = this.#byClient.get(client);
    if (share === undefined) {
      share = { items: [item], cost: 0 };
      this.#byClient.set(client, share);
    } else share.items.push(item);
    this.#count(share, item, 1);
  }

  /** Takes out the item whose turn it is; its client comes last then. */
  shift(): Item | undefined {
    for (const [client, share] of this.#byClient) {
      const item = share.items.shift();
      this.#byClient.delete(client);
      if (share.items.length > 0) this.#byClient.set(client, share);
      if (item !== undefined) this.#count(share, item, -1);
      return item;
    }
    return undefined;
  }

  /** Takes out an item, wherever it stands. One that is not there is no matter. */
  remove(client: string, item: Item): void {
    const share = this.#byClient.get(client);
    if (share === undefined) return;
    const { items } = share;
    // Those that are too much are the last, and those that waited too long the first.
    const place = items.at(-1) === item ? items.length - 1 : items.indexOf(item);
    if (place === -1) return;
    items.splice(place, 1);
    if (items.length === 0) this.#byClient.delete(client);
    this.#count(share, item, -1);
  }

  #count(share: Share<Item>, item: Item, by: 1 | -1): void {
    const cost = by * costIn(item);
    this.#length += by;
    this.#cost += cost;
    share.cost += cost;
  }
}

function costIn({ cost }: Costing): number {
  return Math.max(cost, LEAST_COST);
}
