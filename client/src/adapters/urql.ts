import { type Client, type Exchange, gql, subscriptionExchange } from '@urql/core';
import { type Following, type FollowOptions, follow } from '../follow.ts';
import { observe } from '../observable.ts';
import {
  type AnySubscription,
  type Fields,
  fieldsForCache,
  listsOf,
  type Subscription,
} from '../subscription.ts';

/** The key of an operation's context under which the rows stand that it tells of. */
const FOLLOWING = '@periscope/client';

/** Gives each document a name of its own: urql takes one that it has already for the same, whatever is followed by it. */
let begun = 0;

/** Lets `followInto` bring rows into the cache of the exchange before it: graphcache, which goes by ids. */
export const followExchange: Exchange = subscriptionExchange({
  isSubscriptionOperation: ({ kind, context }) => kind === 'subscription' && FOLLOWING in context,
  forwardSubscription(_, { context }) {
    const followed = context[FOLLOWING] as Followed;
    const messages = observe(messagesOf(followed));
    return {
      subscribe(observer) {
        const { unsubscribe } = messages.subscribe(observer);
        return {
          unsubscribe() {
            unsubscribe();
            // A generator hears of its end at its next message, which may never come.
            void followed.following.return?.();
          },
        };
      },
    };
  },
});

interface Followed {
  readonly following: Following<Readonly<Record<string, readonly object[]>>>;
  readonly subscription: AnySubscription;
}

/** None of what graphcache has no key for. */
type Keyed<Rows> =
  Extract<Rows[keyof Rows], readonly { readonly id: string }[]> extends never ? never : unknown;

/** Graphcache says nothing of rows that it does not know again, and changes nothing by them. */
function refuseUnkeyed(subscription: AnySubscription, nouns: readonly string[] | undefined): void {
  const { name, lists } = subscription;
  const asked = listsOf(subscription, nouns);
  const unkeyed = asked.filter((list) => lists[list]?.key !== 'id');
  if (unkeyed.length === 0) return;
  const others = asked.length > 1 ? `, and name the \`nouns\` of ${name} that are to be followed` : '';
  throw new TypeError(
    `urql's cache has ${unkeyed.join(' and ')} as a part of what they belong to: keep them with rows()${others}.`,
  );
}

/**
 * Keeps what urql's cache has of these rows as they are: every query that shows one of them shows what it is at the end of a block.
 * Gives what ends it; what the gateway refuses is told to `onError`. Throws for series, and for
 * rows without an `id`.
 */
export function followInto<Arguments, Rows extends object>(
  client: Client,
  subscription: Subscription<Arguments, Rows> & Keyed<Rows>,
  options: FollowOptions<Arguments>,
  onError: (error: Error) => void,
): () => void {
  const { name, lists } = subscription;
  const { fields: given, nouns } = options as {
    readonly fields?: Fields;
    readonly nouns?: readonly string[];
  };
  const fields = fieldsForCache(subscription, given);
  refuseUnkeyed(subscription as AnySubscription, nouns);
  const following = follow(subscription, { ...options, fields });
  // The cache takes in what the document names. It is asked of nobody: what is followed tells it.
  const rows = Object.keys(lists).map((list) => `${list} { __typename ${fields[list]} }`);
  const document = gql(
    `subscription Followed${++begun} { ${name} { __typename updates { __typename ${rows.join(' ')} } } }`,
  );
  const context = { [FOLLOWING]: { following, subscription } };
  const { unsubscribe } = client.subscription(document, {}, context).subscribe(({ error }) => {
    if (error) onError(error);
  });
  return unsubscribe;
}

/** Whole rows in the form in which the document asks for them. */
async function* messagesOf({ following, subscription }: Followed) {
  const { name, types, lists } = subscription;
  try {
    for await (const { kind, rows } of following) {
      if (kind === 'reached') continue;
      const typed = Object.entries(lists).map(([list, { type }]) => [
        list,
        (rows[list] ?? []).map((row) => ({ __typename: type, ...row })),
      ]);
      const updates = { __typename: types.updates, ...Object.fromEntries(typed) };
      yield { data: { [name]: { __typename: types.message, updates } } };
    }
  } finally {
    await following.return?.();
  }
}
