import type { Plugin } from 'graphql-yoga';
import { STREAM_HEADERS } from '../http/write/stream-headers.ts';

/**
 * Lets a proxy pass server-sent events on as they come. Yoga's own headers do not: `none` is no content coding, and the
 * connection is Node's to keep or close.
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
