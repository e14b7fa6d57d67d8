import { addressesOf } from './addresses.ts';
import { type Environment, system } from './environment.ts';
import { Follower } from './follower.ts';
import type { Asked, FollowedBlock } from './messages.ts';
import { OBSERVABLE, type Observable, observe } from './observable.ts';
import {
  type AnySubscription,
  type Fields,
  fieldsOf,
  listsOf,
  type Subscription,
  writeQuery,
} from './subscription.ts';
import { jsonLines } from './transports/json-lines.ts';
import { serverSentEvents } from './transports/server-sent-events.ts';
import type { Transport } from './transports/transport.ts';
import { webSocket } from './transports/web-socket.ts';

export type FollowOptions<Arguments> = Arguments & {
  /** The addresses of gateways of one network: `https://gateway.example`. Another is tried where one fails. */
  readonly url: string | readonly string[];
  /** The fields of each list, as GraphQL, with what rows are told apart by among them. Without it, all that a row has by itself. */
  readonly fields?: Fields;
  /** The cursor to go on after; without it a snapshot comes first. */
  readonly after?: string | null;
  readonly signal?: AbortSignal;
  /** How long a connection may say nothing, in milliseconds; longer than the gateway's STREAM_HEARTBEAT_MS. */
  readonly silenceMs?: number;
  /** How many blocks may wait to be taken, 100 if nothing is said: a slow reader has no more in memory, and misses nothing. */
  readonly mostWaiting?: number;
  readonly environment?: Environment;
};

/** Makes a transport; null where the environment has no means for it. */
export type MakeTransport = (environment: Environment) => Transport | null;

/** Follows, and says how that goes. */
export interface Following<Rows> extends AsyncIterableIterator<FollowedBlock<Rows>, undefined> {
  readonly state: Follower['state'];
  /** How old the newest block is that was told; null before the first. */
  readonly behindMs: number | null;
  readonly asked: Asked;
  /** Goes on after a cursor; to be called before the first block is asked for. */
  goOnAfter(cursor: string): void;
  /** As `from` of RxJS takes it; who leaves it ends it. */
  [OBSERVABLE](): Observable<FollowedBlock<Rows>>;
}

/**
 * Follows what is subscribed to: first a snapshot, then every block that changes something of it, once each and in order, over whatever
 * happens to connections and gateways. Ends when the signal is aborted or the loop is left. Throws a `RefusedError` for what cannot
 * be asked.
 */
export function follow<Arguments, Rows>(
  subscription: Subscription<Arguments, Rows>,
  options: FollowOptions<Arguments>,
): Following<Rows> {
  return followOver([webSocket, serverSentEvents, jsonLines], subscription, options);
}

/** The same over transports of one's choice, the best first: a program carries no others. */
export function followOver<Arguments, Rows>(
  transports: readonly MakeTransport[],
  subscription: Subscription<Arguments, Rows>,
  options: FollowOptions<Arguments>,
): Following<Rows> {
  const {
    url,
    fields,
    signal,
    after = null,
    environment = system,
    silenceMs = 40_000,
    mostWaiting = 100,
    ...variables
  } = options as FollowOptions<{ readonly nouns?: readonly string[] }>;
  const made = transports.flatMap((make) => make(environment) ?? []);
  // What is no JSON, a bigint, would be a loss each time.
  JSON.stringify(variables);
  // As a WebSocket on Node 20.
  if (made.length === 0) throw new TypeError('No transport is here.');
  const leave = () => void follower.return();
  const lists = listsOf(subscription as AnySubscription, variables.nouns);
  const follower = new Follower({
    isSeries: subscription.isSeries,
    rowsOf: subscription.rowsOf,
    asked: {
      query: writeQuery(subscription as AnySubscription, lists, fields),
      field: subscription.name,
      args: subscription.args,
      lists: Object.fromEntries(lists.map((list) => [list, fieldsOf(subscription, list, fields)])),
      variables,
      urls: addressesOf(url),
      environment,
      signal,
    },
    after,
    silenceMs,
    // One that is not to wait at all could never be taken.
    mostWaiting: Math.max(1, mostWaiting),
    transports: made,
    onEnd: () => signal?.removeEventListener('abort', leave),
  });
  signal?.addEventListener('abort', leave);
  if (signal?.aborted) leave();
  const following = follower as unknown as Following<Rows>;
  return Object.assign(following, { [OBSERVABLE]: () => observe(following) });
}
