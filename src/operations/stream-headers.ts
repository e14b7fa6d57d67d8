import type { Plugin } from 'graphql-yoga';
import { STREAM_HEADERS } from '../http/stream-headers.ts';

/**
 * Makes a proxy pass server-sent events on as they come. What Yoga says of them itself is of no use for it: `none` is no
 * content coding, and what becomes of the connection is for Node to say.
 */
export function useStreamHeaders(): Plugin {
  return {
    onResponse({ response: { headers } }) {
      if (!headers.get('content-type')?.startsWith('text/event-stream')) return;
      headers.delete('content-encoding');
      headers.delete('connection');
      for (const [name, value] of Object.entries(STREAM_HEADERS)) headers.set(name, value);
    },
  };
}
