import type { Environment } from '../environment.ts';
import { streamBody } from './body.ts';
import type { Transport } from './transport.ts';

/** A subscription as lines of JSON, on a request of its own: for what lies in between and holds events back. */
export function jsonLines(environment: Environment): Transport {
  return streamBody(environment, {
    name: 'lines of JSON',
    type: 'application/x-ndjson',
    dataOf: (line) => line,
  });
}
