import type { Environment } from '../environment.ts';
import { streamBody } from './body.ts';
import type { Transport } from './transport.ts';

/** A subscription as server-sent events, on a request of its own: `fetch` and nothing else. */
export function serverSentEvents(environment: Environment): Transport {
  return streamBody(environment, {
    name: 'server-sent events',
    type: 'text/event-stream',
    // The gateway writes a result in one line; other events have no data.
    dataOf: (line) => (line.startsWith('data:') ? line.slice(5) : ''),
  });
}
