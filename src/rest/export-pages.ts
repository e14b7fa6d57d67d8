import type { Engine } from '../engine/engine.ts';
import type { Operation, QueryOutcome } from '../engine/question.ts';
import { unavailable } from '../errors.ts';
import type { RequestScope } from '../http/request-scope.ts';
import { type Decimals, listDecimals } from './asset-units.ts';
import { Patience } from './patience.ts';
import { dataOf, type PageRequest, type Route, type RouteRequest } from './route.ts';

/** The rows of the first page, so that a short list costs little, and of each that follows: some milliseconds' work. */
const FIRST_PAGE = 200;
const PAGE = 2000;

/** The pages of an export: each is a question of its own as of the block of the first, charged, admitted and cancelled as any. */
export class ExportPages {
  readonly #operation: Route['operation'];
  readonly #pages: PageRequest;
  readonly #largest: number;
  readonly #engine: Engine;
  readonly #scope: RequestScope;
  readonly #patience: Patience;
  #first: ReturnType<PageRequest['read']> = { rows: [], next: null };
  #block: QueryOutcome['asOf'] = null;

  constructor(
    { operation, parameters }: Route,
    { pages }: RouteRequest,
    engine: Engine,
    scope: RequestScope,
  ) {
    if (pages === undefined) throw new TypeError('the route has no pages');
    this.#operation = operation;
    this.#pages = pages;
    this.#largest = parameters['pagination.first']?.type.schema.maximum ?? PAGE;
    this.#engine = engine;
    this.#scope = scope;
    this.#patience = new Patience(scope);
  }

  /** Settles the block. Rejects as the path does. */
  async readFirst(asOf: Operation['asOf']): Promise<QueryOutcome> {
    const size = this.#sizeOf(FIRST_PAGE, this.#pages.export.most);
    const outcome = await this.#run(this.#operation, this.#pages.variablesAfter(undefined, size), asOf);
    this.#first = this.#pages.read(outcome);
    this.#block = outcome.asOf;
    return outcome;
  }

  /** All rows, the first page's first. While one page is taken the next is read, and no more. */
  async *walk(): AsyncGenerator<readonly object[]> {
    let left = this.#pages.export.most;
    let page = this.#first;
    for (;;) {
      const rows = left === null ? page.rows : page.rows.slice(0, left);
      if (left !== null) left -= rows.length;
      const next = page.next === null || left === 0 ? null : this.#read(page.next, left);
      // Nobody may be left who would wait for it.
      next?.catch(() => {});
      yield rows;
      if (next === null) return;
      page = await next;
    }
  }

  async readDecimals(ids: readonly string[]): Promise<readonly Decimals[]> {
    const outcome = await this.#runPatiently(listDecimals, { ids, first: ids.length });
    return dataOf<{ readonly assets: { readonly edges: readonly { readonly node: Decimals }[] } }>(
      outcome,
    ).assets.edges.map(({ node }) => node);
  }

  async #read(after: string, left: number | null) {
    const variables = this.#pages.variablesAfter(after, this.#sizeOf(PAGE, left));
    return this.#pages.read(await this.#runPatiently(this.#operation, variables));
  }

  #sizeOf(usual: number, left: number | null): number {
    return Math.min(usual, this.#largest, left ?? usual);
  }

  /** Waits where the client has asked for more than it may, or others for more than can be done: the rate paces an export. */
  #runPatiently(operation: Route['operation'], variables: Operation['variables']): Promise<QueryOutcome> {
    return this.#patience.ask(() =>
      this.#run(operation, variables, this.#block && { height: this.#block.height }),
    );
  }

  async #run(
    operation: Route['operation'],
    variables: Operation['variables'],
    asOf: Operation['asOf'],
  ): Promise<QueryOutcome> {
    const asked = this.#engine.price(operation, variables, 'rest', { asOf });
    const outcome = await this.#engine.run(asked, this.#scope);
    // A block whose height has gone on is another one.
    if (this.#block !== null && outcome.asOf?.lastPosition !== this.#block.lastPosition) throw unavailable();
    return outcome;
  }
}
