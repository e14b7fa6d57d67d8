import { type ApolloClient, gql, NetworkStatus } from '@apollo/client';
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
  const writer = writerOf(client, subscription, fields);
  const { look, stop } = askerOf(client, refetch, writer);
  let become = () => {};
  const first = new Promise<void>((resolve) => {
    become = resolve;
  });
  const run = async () => {
    try {
      for await (const { rows, isReset } of following) {
        // A connection goes on after the last block: what was told stays what is newest, but for a reset.
        if (isReset) writer.forgetAll();
        const hasNew = writer.write(rows as Rows);
        become();
        void look(hasNew);
      }
    } finally {
      stop();
    }
  };
  const done = run();
  const ready = Promise.race([first, done]);
  for (const one of [done, ready]) one.catch(() => {});
  const close = () => {
    // What is answered from now on is newer than what was told.
    stop();
    void following.return?.();
  };
  return { ready, done, close };
}

/** A request with the same variables shares the one that such a query has sent. */
const SHARED = [NetworkStatus.loading, NetworkStatus.setVariables, NetworkStatus.refetch, NetworkStatus.poll];

/**
 * Looks after queries of these names once a block is written: asks them where it has a new row, one round at a time, and has what was
 * written meanwhile written again. Apollo has a query in flight answer for one that is asked: its answer may be as of a block before.
 */
function askerOf(client: ApolloClient, names: readonly string[], writer: ReturnType<typeof writerOf>) {
  let isAsking = false;
  let isWanted = false;
  const isInFlight = () =>
    [...client.getObservableQueries()].some(
      (query) =>
        names.includes(query.queryName ?? '') && SHARED.includes(query.getCurrentResult().networkStatus),
    );
  const inFlight = new Map<object, { unsubscribe(): void }>();
  /** Any other query, or the next page of one, that is in flight may as well be answered as of a block before. */
  const awaitAnswers = () => {
    for (const query of client.getObservableQueries()) {
      if (inFlight.has(query) || !query.getCurrentResult().loading) continue;
      const writeAgain = writer.keep();
      const end = () => {
        if (inFlight.get(query) !== watching) return;
        watching.unsubscribe();
        inFlight.delete(query);
        writeAgain();
      };
      const next = ({ loading }: { readonly loading: boolean }) => loading || queueMicrotask(end);
      const watching = query.subscribe({ next, complete: () => queueMicrotask(end) });
      inFlight.set(query, watching);
    }
  };
  const look = async (hasNew: boolean): Promise<void> => {
    awaitAnswers();
    isWanted ||= hasNew && names.length > 0;
    if (isAsking) return;
    isAsking = true;
    try {
      let isShared = isInFlight();
      while (isWanted || isShared) {
        // What is in flight may not have the new row yet.
        isWanted &&= isShared;
        isShared = false;
        const writeAgain = writer.keep();
        await client.refetchQueries({ include: [...names] }).catch(() => {});
        writeAgain();
      }
    } finally {
      isAsking = false;
      writer.forget();
    }
  };
  /** Nothing is asked or written again after it. */
  const stop = () => {
    isWanted = false;
    for (const watching of inFlight.values()) watching.unsubscribe();
    inFlight.clear();
    writer.forgetAll();
  };
  return { look, stop };
}

/**
 * `write` writes the rows of a block, which those who watch are told of once; says whether one was not known before. `keep` gives what
 * writes those once more that came since then, with those of the newest block. `forget` drops what nobody keeps.
 */
function writerOf(client: ApolloClient, { lists }: Pick<AnySubscription, 'lists'>, fields: Fields) {
  const known = new Set<string>();
  /** By ids, with the number of the block that told it. */
  const told = new Map<string, { readonly block: number; readonly written: object }>();
  const kept = new Set<{ readonly since: number }>();
  let block = 0;
  const fragments = Object.entries(lists).map(([list, { type, key }]) => {
    const wanted = fields[list] ?? '';
    // Apollo wants one name for one fragment.
    const name = `Followed_${type}_${wanted.replace(/\W+/g, '_')}`;
    const fragment = gql(`fragment ${name} on ${type} { ${wanted} }`);
    return { list, type, key, fragment };
  });
  const write = (rows: Rows): boolean => {
    const before = known.size;
    block += 1;
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
            told.set(id, { block, written });
            cache.writeFragment(written as never);
          }
      },
    });
    return known.size > before;
  };
  const forget = () => {
    const oldest = Math.min(...[...kept].map(({ since }) => since));
    for (const [id, one] of told) if (one.block < oldest) told.delete(id);
  };
  const keep = () => {
    const own = { since: block };
    kept.add(own);
    return () => {
      client.cache.batch({
        update(cache) {
          for (const one of told.values())
            if (one.block >= own.since) cache.writeFragment(one.written as never);
        },
      });
      kept.delete(own);
      forget();
    };
  };
  return { write, keep, forget, forgetAll: () => told.clear() };
}
