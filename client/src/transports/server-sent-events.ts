import type { Environment } from '../environment.ts';
import { streamBody } from './body.ts';
import type { Transport } from './transport.ts';

/** A subscription as server-sent events, on a request of its own: `fetch` and nothing else. */
export function serverSentEvents(environment: Environment): Transport {
  return streamBody(environment, {
    name: 'server-sent events',
    type: 'text/event-stream',
    // Lines end with LF, as the gateway writes them, and not with U+2028, which texts may have; a proxy does not change bodies.
    separator: '\n\n',
    dataOf: (event) => (/^event: ?next$/m.test(event) ? event.match(/^data: ?([^\n]*)/m)?.[1] : undefined),
  });
}
