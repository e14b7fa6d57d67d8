import { LRUCache } from 'lru-cache';
import { type DependsOn, SharedValue } from '../../cache/cache-tags.ts';
import { writeBigint } from '../../domain/bigints.ts';
import type { Noun, Positioned } from '../noun.ts';
import { dependsOnList } from '../noun-tags.ts';
import { FairSemaphore } from '../servers/fair-semaphore.ts';
import type { Statements } from '../servers/statements.ts';
import {
  type Count,
  type CountedList,
  countAll,
  countByKey,
  countedOf,
  countSince,
  isCountedByWriter,
  neverChanges,
  readWrittenCount,
  readWrittenCounts,
  type WrittenCount,
  withValue,
} from './count-statements.ts';
import type { Owners } from './owners.ts';

/** Whom a list is counted for. */
export interface CountedFor {
  readonly client: string;
  /** Is told how many rows were counted, or as many as took the same time. */
  charge(rows: number): void;
}

/** For whoever is no client. */
export const FOR_NOBODY: CountedFor = { client: '', charge() {} };

/** Exact counts of lists. They live as long as the process. */
export interface Counts {
  /** Does what reads whole lists when it is its turn: few do at once. */
  inTurn<T>(client: string, count: () => Promise<T>): Promise<T>;
  /** Counts the rows that a filter lets through. */
  count<Row extends Positioned, Filter>(
    list: Noun<Row, Filter>,
    filter: Filter,
    countedFor?: CountedFor,
  ): Promise<SharedValue<number>>;
  /** Counts them for each key of a field, by statements that end with whoever asks. A key that has none may be missing. */
  countByKey<Row extends Positioned, Filter>(
    statements: Statements,
    list: Noun<Row, Filter>,
    owners: Owners,
    filter: Filter,
    countedFor?: CountedFor,
  ): Promise<SharedValue<ReadonlyMap<string, number>>>;
}

/** How many characters the filters may have whose counts are kept; one of a few ids has about 300. */
const MOST_CHARACTERS = 4_000_000;
/** To add up a count of the writer takes as long as to count so many rows. */
const ROWS_OF_A_COUNT = 5;
/** How many lists are counted at once that the writer does not: each keeps a processor of PostgreSQL busy. */
const MOST_AT_ONCE = 2;

export interface CountsOptions {
  /** How long a count may wait for its turn. */
  readonly waitMs: number;
  /** Is told once of each noun whose rows somebody has written without counting them. */
  readonly onWrongCount?: ((noun: string) => void) | undefined;
}

/**
 * Counts as the writer keeps them, of whole lists and of the values that a noun is counted by. Of any other list every row
 * is counted the first time, and then only those that were created since, where a row that passes the filter always did
 * and always will.
 */
export function createCounts(statements: Statements, options: CountsOptions): Counts {
  const lists = new ListCounts(statements, options);
  return {
    inTurn: (client, count) => lists.counting.run(client, count),
    async count(list, filter, countedFor = FOR_NOBODY) {
      const counted = countedOf(list, filter);
      return new SharedValue(await lists.count(counted, countedFor), dependsOf(counted));
    },
    async countByKey(statements, list, owners, filter, countedFor = FOR_NOBODY) {
      const counted = countedOf(list, filter);
      const [key = '', ...others] = owners.keys;
      // Of one object the count is kept.
      const ofOne = others.length === 0 ? withValue(counted, owners.field, key) : null;
      if (ofOne !== null && (neverChanges(ofOne) || isCountedByWriter(ofOne)))
        return new SharedValue(new Map([[key, await lists.count(ofOne, countedFor)]]), dependsOf(ofOne));
      const counts = await lists.countKeys(statements, counted, owners, countedFor);
      return new SharedValue(counts, dependsOf(counted, owners));
    },
  };
}

class ListCounts {
  readonly counting: FairSemaphore;
  readonly #statements: Statements;
  readonly #onWrongCount: CountsOptions['onWrongCount'];
  /** By noun and filter. Only a first count is put here before it is there: whoever asks meanwhile goes on from it. */
  readonly #known = new LRUCache<string, Promise<Count>>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_, key) => key.length,
  });
  /** The nouns whose counts were not right. */
  readonly #wrong = new Set<string>();

  constructor(statements: Statements, { waitMs, onWrongCount }: CountsOptions) {
    this.#statements = statements;
    this.#onWrongCount = onWrongCount;
    this.counting = new FairSemaphore(MOST_AT_ONCE, waitMs);
  }

  async count(counted: CountedList, countedFor: CountedFor): Promise<number> {
    if (isCountedByWriter(counted)) {
      const written = await readWrittenCount(this.#statements, counted);
      if (!written.hasDropped && this.#isRight(written, counted, countedFor))
        return written.byKey.get('') ?? 0;
    }
    const count = neverChanges(counted)
      ? this.#countKept(counted, countedFor)
      : this.#countFirst(counted, countedFor);
    return (await count).rows;
  }

  async countKeys(
    statements: Statements,
    counted: CountedList,
    owners: Owners,
    countedFor: CountedFor,
  ): Promise<ReadonlyMap<string, number>> {
    if (isCountedByWriter(counted, owners.field)) {
      const written = await readWrittenCounts(statements, counted, owners);
      if (!written.hasDropped && this.#isRight(written, counted, countedFor)) return written.byKey;
    }
    const { client, charge } = countedFor;
    const counts = await this.counting.run(client, () => countByKey(statements, counted, owners));
    charge([...counts.values()].reduce((sum, rows) => sum + rows, 0));
    return counts;
  }

  #isRight({ isRight, read }: WrittenCount, { list }: CountedList, { charge }: CountedFor): boolean {
    charge(read * ROWS_OF_A_COUNT);
    if (!isRight && !this.#wrong.has(list.name)) {
      this.#wrong.add(list.name);
      this.#onWrongCount?.(list.name);
    }
    return isRight;
  }

  async #countKept(counted: CountedList, countedFor: CountedFor): Promise<Count> {
    const key = JSON.stringify([counted.list.name, counted.conditions], writeBigint);
    const base = await this.#known.get(key);
    if (base === undefined) return this.#keepFirst(key, counted, countedFor);
    const since = await countSince(this.#statements, counted, base.position);
    // Another database stands at this address now, or rows were dropped.
    if (since.position < base.position || since.keptFrom !== base.keptFrom)
      return this.#keepFirst(key, counted, countedFor);
    countedFor.charge(since.rows);
    const latest = { ...since, rows: base.rows + since.rows };
    if (since.position > base.position) this.#known.set(key, Promise.resolve(latest));
    return latest;
  }

  async #keepFirst(key: string, counted: CountedList, countedFor: CountedFor): Promise<Count> {
    const first = this.#countFirst(counted, countedFor);
    this.#known.set(key, first);
    try {
      return await first;
    } catch (error) {
      if (this.#known.peek(key) === first) this.#known.delete(key);
      throw error;
    }
  }

  async #countFirst(counted: CountedList, { client, charge }: CountedFor): Promise<Count> {
    const first = await this.counting.run(client, () => countAll(this.#statements, counted));
    charge(first.rows);
    return first;
  }
}

/** Counts the rows that a filter lets through. It reads them all: ask only where the number is wanted. */
export async function countRows<Row extends Positioned, Filter>(
  statements: Statements,
  list: Noun<Row, Filter>,
  filter: Filter,
): Promise<number> {
  return (await countAll(statements, countedOf(list, filter))).rows;
}

function dependsOf({ list, conditions }: CountedList, owners?: Owners): DependsOn {
  return dependsOnList(list, conditions, owners);
}
