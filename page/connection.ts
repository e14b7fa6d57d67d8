import { signal } from '@preact/signals';
import { query, RefusedError, type State, webSocket } from '../client/src/index.ts';
import type { Operation } from './graphql.ts';

/** How the page stands with the gateway; `lost` until all is followed again, and `refused` where it never will be. */
export const connection = signal<'connecting' | 'live' | 'lost' | 'refused'>('connecting');

/** Where the gateway is. A network that is gone closes no socket: one that says nothing for so long is given up. */
export const GATEWAY = { url: location.origin, silenceMs: 15_000 } as const;

/** Streams that are requests would take the few connections that browsers have to a gateway. */
export const TRANSPORTS = [webSocket];

const LOOK_MS = 200;
const ANSWER_WITHIN_MS = 10_000;

interface Followed {
  readonly state: State;
}

/** All that is followed, and what of it was live before. */
const watched = new Set<Followed>();
const begun = new WeakSet<Followed>();

/** Shows how all that is followed stands together. Gives what leaves this out of it. */
export function watchConnection(followed: Followed): () => void {
  if (watched.size === 0) setInterval(look, LOOK_MS);
  watched.add(followed);
  return () => watched.delete(followed);
}

function look(): void {
  const all = [...watched];
  // What begins while the rest is live is on its way, unless it is told to wait.
  const isLost = all.some((one) => (begun.has(one) ? one.state !== 'live' : one.state === 'waiting'));
  if (all.some(({ state }) => state === 'ended')) connection.value = 'refused';
  else if (all.every(({ state }) => state === 'live')) connection.value = 'live';
  else if (connection.value === 'live' && isLost) connection.value = 'lost';
  for (const one of all) if (one.state === 'live') begun.add(one);
}

/** Asks once. Throws what the gateway answers that it cannot do. */
export function ask<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const options = { url: GATEWAY.url, variables, attempts: 1, timeoutMs: ANSWER_WITHIN_MS };
  return query<Data, Variables>(operation, options as never);
}

/** What waiting does not mend. */
const FOR_GOOD: readonly string[] = ['INVALID_ARGUMENT', 'NOT_FOUND', 'FAILED_PRECONDITION', 'UNIMPLEMENTED'];

/** Whether the same question is refused ever after. */
export function isForGood(error: unknown): boolean {
  return error instanceof RefusedError && FOR_GOOD.includes(error.code);
}

/**
 * The block that the gateway names in place of one that is not there, not there yet or not kept any more: the newest, or the first
 * that can be asked about, where the one that was asked about is before it. Null for other errors.
 */
export function blockNamedBy(error: unknown, askedAt: string | null = null): string | null {
  if (!(error instanceof RefusedError)) return null;
  for (const { extensions } of error.errors)
    for (const { metadata } of extensions?.details ?? []) {
      const { firstHeight, newestHeight = firstHeight } = metadata ?? {};
      const isBefore = askedAt !== null && BigInt(askedAt) < BigInt(firstHeight ?? 0);
      const height = isBefore ? firstHeight : newestHeight;
      if (height !== undefined) return height;
    }
  return null;
}

/** Whether a block is before the first that can be asked about: it is forgotten, and none to come is that one. */
export function isForgotten(error: unknown, height: unknown): boolean {
  if (typeof height !== 'string') return false;
  return BigInt(blockNamedBy(error, height) ?? 0) > BigInt(height);
}
