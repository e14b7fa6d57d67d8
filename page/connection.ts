import { signal } from '@preact/signals';
import { createClient } from 'graphql-ws';
import { type Operation, textOf } from './graphql.ts';

/** How the page stands with the gateway; `lost` until a connection is there again. */
export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

const PING_MS = 10_000;
const PONG_WITHIN_MS = 5_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
const ANSWER_WITHIN_MS = 10_000;

let pongTimer: number | undefined;

/** One WebSocket for all streams: open while there are any. Who follows a stream comes back for it, below. */
const client = createClient({
  url: new URL('/graphql', location.href.replace(/^http/, 'ws')).href,
  retryAttempts: 0,
  keepAlive: PING_MS,
  onNonLazyError: () => {},
  on: {
    connected: () => {
      connection.value = 'live';
    },
    closed: () => {
      clearTimeout(pongTimer);
      connection.value = 'lost';
    },
    // A network that is gone closes no socket: one that does not answer is given up.
    ping: (received) => {
      if (!received) pongTimer = window.setTimeout(() => client.terminate(), PONG_WITHIN_MS);
    },
    pong: (received) => {
      if (received) clearTimeout(pongTimer);
    },
  },
});

/** A message of any stream of the gateway: under the stream's name, with the cursor to go on from. */
type Messages = Readonly<Record<string, { readonly cursor: string }>>;

/**
 * Follows a stream until it is told to stop: every message once, in order. A stream that ends, for whatever reason, goes
 * on after the last cursor, so that nothing is missed; only where the gateway cannot go on from there (its history does
 * not reach so far back) does it begin again, with a snapshot.
 */
export function follow<Data extends Messages, Variables extends { after?: string | null }>(
  operation: Operation<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  onMessage: (data: Data) => void,
): () => void {
  const stopping = new AbortController();
  void (async () => {
    let after: string | null = null;
    let wait = FIRST_WAIT_MS;
    while (!stopping.signal.aborted) {
      const query = textOf(operation);
      const messages: AsyncIterableIterator<{ data?: Data | null | undefined }> = client.iterate<Data>({
        query,
        variables: { ...variables, after },
      });
      const stop = () => void messages.return?.();
      stopping.signal.addEventListener('abort', stop, { once: true });
      try {
        for await (const { data } of messages) {
          if (!data || stopping.signal.aborted) continue;
          onMessage(data);
          after = Object.values<Messages[string]>(data)[0]?.cursor ?? after;
          wait = FIRST_WAIT_MS;
        }
      } catch (error) {
        if (isRefused(error)) after = null;
      }
      stopping.signal.removeEventListener('abort', stop);
      await pause(wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  })();
  return () => stopping.abort();
}

/** Asks once, over HTTP. Throws what the gateway answers that it cannot do. */
export async function ask<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: textOf(operation), variables }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const { data, errors } = (await response.json()) as { data?: Data; errors?: { message: string }[] };
  if (errors?.[0]) throw new Error(errors[0].message);
  if (!data) throw new Error(`The gateway answered with status ${response.status}.`);
  return data;
}

/** Whether a stream ended because of what was asked, not because the gateway is stopping, busy or gone. */
function isRefused(error: unknown): boolean {
  const code = Array.isArray(error) ? error[0]?.extensions?.code : undefined;
  return ['INVALID_ARGUMENT', 'OUT_OF_RANGE', 'FAILED_PRECONDITION'].includes(code);
}

function pause(ms: number): Promise<void> {
  // Not all at the same moment, when a gateway comes back to many pages.
  return new Promise((resolve) => setTimeout(resolve, ms * (0.75 + Math.random() / 2)));
}
