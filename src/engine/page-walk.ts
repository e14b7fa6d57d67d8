import { unavailable } from '../errors.ts';
import type { RequestScope } from '../http/request-scope.ts';
import type { Engine } from './engine.ts';
import { Patience } from './patience.ts';
import type { Operation, QueryOutcome } from './question.ts';

/** The rows of the first page, so that a short list costs little, and of each that follows: some milliseconds' work. */
const FIRST_PAGE = 200;
const PAGE = 2000;

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor that the list goes on after; null at its end. */
  readonly next: string | null;
}

/** A list that is read page by page, so that one page at a time is held. */
export interface PagedList<Row> {
  /** What is asked for the page after a cursor, or the first, of so many rows, where the list has pages of any size. */
  ask(after: string | undefined, size: number, asOf: Operation['asOf']): Operation;
  /** Throws what the operation failed with. */
  read(outcome: QueryOutcome): Page<Row>;
  /** How many rows are wanted at most; null for all. */
  readonly most: number | null;
  /** As how many each counts, where that is not one: the last that is wanted is whole. */
  readonly countOf?: ((row: Row) => number) | undefined;
  /** The most rows that a page has. */
  readonly largest?: number | undefined;
}

/** The pages of a whole list: each is a question of its own as of the block of the first, charged, admitted and cancelled as any. */
export class PageWalk<Row> {
  readonly #list: PagedList<Row>;
  readonly #engine: Engine;
  readonly #scope: RequestScope;
  readonly #patience: Patience;
  #first: Page<Row> = { rows: [], next: null };
  #block: QueryOutcome['asOf'] = null;

  constructor(list: PagedList<Row>, engine: Engine, scope: RequestScope) {
    this.#list = list;
    this.#engine = engine;
    this.#scope = scope;
    this.#patience = new Patience(scope);
  }

  /** Settles the block. Rejects as the question does. */
  async readFirst(asOf: Operation['asOf']): Promise<QueryOutcome> {
    const list = this.#list;
    const outcome = await this.#run(list.ask(undefined, this.#sizeOf(FIRST_PAGE, list.most), asOf));
    this.#first = list.read(outcome);
    this.#block = outcome.asOf;
    return outcome;
  }

  /** All rows, the first page's first. While one page is taken the next is read, and no more. */
  async *walk(): AsyncGenerator<readonly Row[]> {
    let left = this.#list.most;
    let page = this.#first;
    for (;;) {
      const rows: readonly Row[] = left === null ? page.rows : this.#take(page.rows, left);
      if (left !== null) left -= this.#count(rows);
      const isFull = left !== null && left <= 0;
      const next = page.next === null || isFull ? null : this.#read(page.next, left);
      // Nobody may be left who would wait for it.
      next?.catch(() => {});
      yield rows;
      if (next === null) return;
      page = await next;
    }
  }

  /**
   * Asks something else as of the same block. Waits where the client has asked for more than it may, or others for more than can
   * be done: the rate paces an export.
   */
  askPatiently(question: (asOf: Operation['asOf']) => Operation): Promise<QueryOutcome> {
    return this.#patience.ask(() => this.#run(question(this.#block && { height: this.#block.height })));
  }

  /** Charges for what a page comes to besides its price, once the client may have as much. */
  chargePatiently(cost: number): Promise<void> {
    return this.#patience.ask(async () => this.#engine.charge(this.#scope.client, cost));
  }

  async #read(after: string, left: number | null): Promise<Page<Row>> {
    const list = this.#list;
    return list.read(await this.askPatiently((asOf) => list.ask(after, this.#sizeOf(PAGE, left), asOf)));
  }

  #take(rows: readonly Row[], most: number): readonly Row[] {
    let left = most;
    return rows.filter((row) => {
      const isWanted = left > 0;
      left -= this.#count([row]);
      return isWanted;
    });
  }

  #count(rows: readonly Row[]): number {
    const { countOf = () => 1 } = this.#list;
    return rows.reduce((sum, row) => sum + countOf(row), 0);
  }

  #sizeOf(usual: number, left: number | null): number {
    return Math.min(usual, this.#list.largest ?? PAGE, left ?? usual);
  }

  async #run(operation: Operation): Promise<QueryOutcome> {
    const outcome = await this.#engine.run(operation, this.#scope);
    // A block whose height has gone on is another one.
    if (this.#block !== null && outcome.asOf?.lastPosition !== this.#block.lastPosition) throw unavailable();
    return outcome;
  }
}
