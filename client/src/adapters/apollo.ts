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
 * block. Queries that are named in `refetch` are asked again when a row comes that was not there: a list that it belongs into.
 * Throws for series.
 */
export function followInto<Arguments, Told extends object>(
  client: ApolloClient,
  subscription: Subscription<Arguments, Told>,
  { refetch = [], ...options }: FollowOptions<Arguments> & { readonly refetch?: readonly string[] },
): FollowedInto {
  const fields = fieldsForCache(subscription, (options as { readonly fields?: Fields }).fields);
  const following = follow(subscription, { ...options, fields } as unknown as FollowOptions<Arguments>);
  const write = writerOf(client, subscription, fields);
  let become = () => {};
  const first = new Promise<void>((resolve) => {
    become = resolve;
  });
  const run = async () => {
    for await (const { kind, rows, isReset } of following) {
      const hasNew = write(rows as Rows);
      become();
      if ((kind === 'changes' || isReset) && hasNew && refetch.length > 0)
        void client.refetchQueries({ include: [...refetch] }).catch(() => {});
    }
  };
  const done = run();
  const ready = Promise.race([first, done]);
  for (const one of [done, ready]) one.catch(() => {});
  return { ready, done, close: () => void following.return?.() };
}

/** Writes the rows of a block, which those who watch are told of once; says whether one was not known before. */
function writerOf(client: ApolloClient, { lists }: Pick<AnySubscription, 'lists'>, fields: Fields) {
  const known = new Set<string>();
  const fragments = Object.entries(lists).map(([list, { type, key }]) => {
    const asked = fields[list] ?? '';
    // Apollo wants one name for one fragment.
    const name = `Followed_${type}_${asked.replace(/\W+/g, '_')}`;
    const fragment = gql(`fragment ${name} on ${type} { ${asked} }`);
    return { list, type, key, fragment };
  });
  return (rows: Rows): boolean => {
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
            cache.writeFragment({ id, fragment, data } as never);
          }
      },
    });
    return known.size > before;
  };
}
