import DataLoader from 'dataloader';
import type { PrismaClient } from '../data/generated/prisma/client.ts';
import {
  countRows,
  countRowsByKey,
  type List,
  type Page,
  type PageRequest,
  readPages,
} from '../data/pages.ts';

/** The column whose values the pages are of, as in the deposits of several parties. */
export interface Scope {
  readonly column: string;
  readonly type: string;
}

/**
 * Pages of lists that hang off many objects at once: one statement for all objects of an operation, not one each.
 * Equal counts of an operation are one statement too.
 */
export interface PageLoaders {
  load<Row extends { readonly createdPosition: bigint }, Filter>(
    list: List<Row, Filter>,
    scope: Scope,
    key: string,
    filter: Filter,
    request: PageRequest,
  ): Promise<Page<Row>>;
  countAll<Row extends { readonly createdPosition: bigint }, Filter>(
    list: List<Row, Filter>,
    filter: Filter,
  ): Promise<number>;
  count<Row extends { readonly createdPosition: bigint }, Filter>(
    list: List<Row, Filter>,
    scope: Scope,
    key: string,
    filter: Filter,
  ): Promise<number>;
}

export function createPageLoaders(prisma: PrismaClient): PageLoaders {
  const loaders = new Map<string, DataLoader<string, unknown>>();

  /** One loader per question; the keys asked for in the same moment are answered together. */
  function loaderFor<Value>(
    question: unknown,
    answer: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): DataLoader<string, Value> {
    const name = JSON.stringify(question, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    let loader = loaders.get(name) as DataLoader<string, Value> | undefined;
    if (loader === undefined) {
      loader = new DataLoader<string, Value>(async (keys) => {
        const values = await answer(keys);
        return keys.map((key) => values.get(key) as Value);
      });
      loaders.set(name, loader);
    }
    return loader;
  }

  return {
    load: (list, scope, key, filter, request) =>
      loaderFor(['page', list.name, scope, list.conditions(filter), request], (keys) =>
        readPages(prisma, list, { ...scope, keys }, filter, request),
      ).load(key),
    countAll: (list, filter) =>
      loaderFor(['count', list.name, list.conditions(filter)], async () => {
        return new Map([[WHOLE, await countRows(prisma, list, filter)]]);
      }).load(WHOLE),
    count: (list, scope, key, filter) =>
      loaderFor(['count', list.name, scope, list.conditions(filter)], (keys) =>
        countRowsByKey(prisma, list, { ...scope, keys }, filter),
      ).load(key),
  };
}

/** The one key of a list that hangs off no object. */
const WHOLE = '';
