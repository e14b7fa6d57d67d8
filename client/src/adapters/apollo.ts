import { type ApolloClient, gql } from '@apollo/client';
import { type FollowOptions, follow } from '../follow.ts';
import { type AnySubscription, type Fields, fieldsForCache, type Subscription } from '../subscription.ts';

export interface FollowedInto {
  /** Resolves with the first snapshot in the cache. */
  readonly ready: Promise<void>;
  /** Resolves at the end. Rejects with a `RefusedError` where the gateway refuses. */
  readonly done: Promise<void>;
  close(): void;
}

type Rows = Readonly<Record<string, readonly object[]>>;

/**
 * Keeps what Apollo Client's cache has of these rows as they are: every query that shows one of them shows what it is at the end of a
 * block. Queries that are named in `refetch` are asked again when a row comes that was not there, the first ones too, which may be newer
 * than a query's answer: a list that it belongs into.
 * Throws for series.
 */
export function followInto<Arguments, Told extends object>(
  client: ApolloClient,
  subscription: Subscription<Arguments, Told>,
  { refetch = [], ...options }: FollowOptions<Arguments> & { readonly refetch?: readonly string[] },
): FollowedInto {
  const fields = fieldsForCache(subscription, (options as { readonly fields?: Fields }).fields);
  const following = follow(subscription, { ...options, fields } as unknown as FollowOptions<Arguments>);
  const { write, during } = writerOf(client, subscription, fields);
  let become = () => {};
  const first = new Promise<void>((resolve) => {
    become = resolve;
  });
  const run = async () => {
    for await (const { rows } of following) {
      const hasNew = write(rows as Rows);
      become();
      if (hasNew && refetch.length > 0)
        void during(() => client.refetchQueries({ include: [...refetch] }).catch(() => {}));
    }
  };
  const done = run();
  const ready = Promise.race([first, done]);
  for (const one of [done, ready]) one.catch(() => {});
  return { ready, done, close: () => void following.return?.() };
}

/**
 * `write` writes the rows of a block, which those who watch are told of once; says whether one was not known before. `during` writes
 * those that come meanwhile once more after it: what is asked may be answered as of a block before theirs.
 */
function writerOf(client: ApolloClient, { lists }: Pick<AnySubscription, 'lists'>, fields: Fields) {
  const known = new Set<string>();
  const told = new Map<string, object>();
  let asked = 0;
  const fragments = Object.entries(lists).map(([list, { type, key }]) => {
    const wanted = fields[list] ?? '';
    // Apollo wants one name for one fragment.
    const name = `Followed_${type}_${wanted.replace(/\W+/g, '_')}`;
    const fragment = gql(`fragment ${name} on ${type} { ${wanted} }`);
    return { list, type, key, fragment };
  });
  const write = (rows: Rows): boolean => {
    const before = known.size;
    client.cache.batch({
      update(cache) {
        for (const { list, type, key, fragment } of fragments)
          for (const row of rows[list] ?? []) {
            const data = { __typename: type, ...row };
            known.add(`${type} ${row[key as keyof typeof row]}`);
            const id = cache.identify(data);
            // Apollo says nothing of a row without an id, or has it where no query looks.
            if (id === undefined)
              throw new TypeError(
                key === 'id'
                  ? `Apollo's cache tells ${type} apart by its id, or its nodeId: have both in \`fields\`.`
                  : `Apollo's cache tells ${type} apart by keyFields: ['${key}'] in its typePolicies.`,
              );
            const written = { id, fragment, data };
            if (asked > 0) told.set(id, written);
            cache.writeFragment(written as never);
          }
      },
    });
    return known.size > before;
  };
  const during = async (ask: () => PromiseLike<unknown>): Promise<void> => {
    asked += 1;
    await ask();
    asked -= 1;
    client.cache.batch({
      update(cache) {
        for (const written of told.values()) cache.writeFragment(written as never);
      },
    });
    if (asked === 0) told.clear();
  };
  return { write, during };
}
