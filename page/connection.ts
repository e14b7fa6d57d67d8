import { signal } from '@preact/signals';
import { query, RefusedError, type State, webSocket } from '../client/src/index.ts';
import type { Operation } from './graphql.ts';

/** How the page stands with the gateway; `lost` until a connection is there again. */
export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

/** Where the gateway is. A network that is gone closes no socket: one that says nothing for so long is given up. */
export const GATEWAY = { url: location.origin, silenceMs: 15_000 } as const;

/** Streams that are requests would take the few connections that browsers have to a gateway. */
export const TRANSPORTS = [webSocket];

const LOOK_MS = 200;
const ANSWER_WITHIN_MS = 10_000;

/** Shows how something that is followed stands, as all that is followed does. */
export function watchConnection(followed: { readonly state: State }): void {
  setInterval(() => {
    if (followed.state === 'live') connection.value = 'live';
    else if (connection.value === 'live') connection.value = 'lost';
  }, LOOK_MS);
}

/** Asks once. Throws what the gateway answers that it cannot do. */
export function ask<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const options = { url: GATEWAY.url, variables, attempts: 1, timeoutMs: ANSWER_WITHIN_MS };
  return query<Data, Variables>(operation, options as never);
}

/**
 * The block that the gateway names in place of one that is not there, not there yet or not kept any more: the newest, or the first
 * that can be asked about. Null for other errors.
 */
export function blockNamedBy(error: unknown): string | null {
  if (!(error instanceof RefusedError)) return null;
  for (const { extensions } of error.errors)
    for (const { metadata } of extensions?.details ?? []) {
      const height = metadata?.['newestHeight'] ?? metadata?.['firstHeight'];
      if (height !== undefined) return height;
    }
  return null;
}
