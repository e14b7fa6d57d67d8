import type { Signal } from '../../signal.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { AnyNoun, Noun, Positioned } from '../noun.ts';
import type { CountedFor, Counts } from '../queries/counts.ts';
import type { Owner } from '../queries/owners.ts';
import type { PageRequest } from '../queries/page-statements.ts';
import type { Page } from '../queries/pages.ts';
import { QuestionLoaders } from '../queries/question-loaders.ts';
import { Semaphore } from '../servers/semaphore.ts';
import {
  countModel,
  countModelByKey,
  type Including,
  readModelPage,
  readModelPages,
  readModelRows,
} from './pages.ts';

/** PostgreSQL takes no more than some 32 thousand values with a statement, and filters have some. */
const MOST_KEYS = 10_000;

/** What is asked of the models for one operation. What is asked in the same moment of many objects is one query. */
export class ModelLoaders {
  readonly #models: PrismaClient;
  readonly #counts: Counts;
  readonly #countedFor: CountedFor;
  readonly #signal: Signal | undefined;
  readonly #isPast: boolean;
  readonly #loaders = new QuestionLoaders(MOST_KEYS);
  /** An operation counts one list after the other, so that others have their turn between its many. */
  readonly #counting = new Semaphore(1);

  /** `signal` is of whoever asks: nothing more is counted when it is aborted. */
  constructor(
    models: PrismaClient,
    counts: Counts,
    countedFor: CountedFor,
    { signal, isPast }: { readonly signal?: Signal | undefined; readonly isPast: boolean },
  ) {
    this.#models = models;
    this.#counts = counts;
    this.#countedFor = countedFor;
    this.#signal = signal;
    this.#isPast = isPast;
  }

  /** The row of a noun with a key in a field that no two rows share; null where there is none. */
  async row<Row>(
    noun: Noun<Row, never>,
    key: string,
    including: Including = {},
    field: string = noun.namedBy,
  ): Promise<Row | null> {
    const found = this.#loaders
      .of(['row', field, noun.name, including], (keys) =>
        readModelRows(this.#models, noun, { field, keys }, including),
      )
      .load(key);
    return ((await found) ?? null) as Row | null;
  }

  /** A page of a list that hangs off no object. */
  page<Row extends Positioned, Filter>(
    noun: Noun<Row, Filter>,
    filter: Filter,
    request: PageRequest,
    including: Including,
  ): Promise<Page<Row>> {
    const page = readModelPage(this.#models, listOf(noun, filter), request, including);
    return page as Promise<Page<Row>>;
  }

  /** A page of a list that hangs off an object. */
  pageOf<Row extends Positioned, Filter>(
    { field, key }: Owner,
    noun: Noun<Row, Filter>,
    filter: Filter,
    request: PageRequest,
  ): Promise<Page<Row>> {
    const list = listOf(noun, filter);
    const page = this.#loaders
      .of(['page', field, noun.name, list.conditions, request], (keys) =>
        readModelPages(this.#models, list, { field, keys }, request),
      )
      .load(key);
    return page as Promise<Page<Row>>;
  }

  /** How many rows a list has. */
  count<Filter>(noun: Noun<unknown, Filter>, owner: Owner | null, filter: Filter): Promise<number> {
    const list = listOf(noun, filter);
    if (owner === null) return this.#inTurn(() => countModel(this.#models, list, this.#isPast), Number);
    return this.#loaders
      .of(['count', owner.field, noun.name, list.conditions], (keys) =>
        this.#inTurn(
          () => countModelByKey(this.#models, list, { field: owner.field, keys }),
          (counts) => [...counts.values()].reduce((sum, rows) => sum + rows, 0),
        ),
      )
      .load(owner.key);
  }

  async #inTurn<T>(count: () => Promise<T>, rowsOf: (counted: T) => number): Promise<T> {
    const { client, charge } = this.#countedFor;
    const counted = await this.#counting.run(() =>
      this.#counts.inTurn(client, () => {
        if (this.#signal?.aborted) throw this.#signal.reason;
        return count();
      }),
    );
    charge(rowsOf(counted));
    return counted;
  }
}

function listOf<Filter>(noun: Noun<unknown, Filter>, filter: Filter) {
  return { noun: noun as AnyNoun, conditions: noun.conditions(filter) };
}
