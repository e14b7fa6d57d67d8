import type { CollectionConfig } from '@tanstack/db';
import { type Following, type FollowOptions, follow } from '../follow.ts';
import type { OneKind } from '../rows.ts';

/** Options for `createCollection`: the rows of a subscription as they are, a block at a time. It follows while somebody looks. */
export function rowsCollection<Arguments, Row extends object>(
  subscription: OneKind<Arguments, Row>,
  options: FollowOptions<Arguments>,
): CollectionConfig<Row, string> {
  const [list = ''] = Object.keys(subscription.lists);
  const keyOf = (row: Row) => row[subscription.lists[list]?.key as keyof Row] as string;
  return {
    getKey: keyOf,
    sync: {
      // Rows are whole in each message.
      rowUpdateMode: 'full',
      sync(collection) {
        const following = follow(subscription, options);
        void fill(collection, following, list, keyOf).catch(collection.markError);
        return () => void following.return?.();
      },
    },
  };
}

type Sync<Row extends object> = Parameters<CollectionConfig<Row, string>['sync']['sync']>[0];

async function fill<Row extends object>(
  { begin, write, commit, truncate, markReady }: Sync<Row>,
  following: Following<{ readonly [list: string]: readonly Row[] }>,
  list: string,
  keyOf: (row: Row) => string,
): Promise<void> {
  const held = new Set<string>();
  for await (const { kind, rows } of following) {
    if (kind === 'reached') continue;
    begin();
    if (kind === 'snapshot') {
      truncate();
      held.clear();
    }
    for (const value of rows[list] ?? []) {
      const key = keyOf(value);
      write({ type: held.has(key) ? 'update' : 'insert', value });
      held.add(key);
    }
    commit();
    markReady();
  }
}
