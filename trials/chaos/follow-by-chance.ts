import { WebSocket } from 'ws';
import {
  type Account,
  accounts,
  type Environment,
  type Following,
  followOver,
  jsonLines,
  type MakeTransport,
  serverSentEvents,
  system,
  webSocket,
} from '../../client/src/index.ts';
import type { Random } from '../../src/simulation/random.ts';
import { variablesOf } from '../../test/live/live-transports.ts';
import type { OracleFilter } from '../../test/live/oracle.ts';

/** Node has a WebSocket of its own from release 22 on. */
const environment: Environment = { ...system, WebSocket: WebSocket as never };
const TRANSPORTS: readonly (readonly MakeTransport[])[] = [
  ...[webSocket, serverSentEvents, jsonLines].map((one) => [one]),
  [webSocket, serverSentEvents, jsonLines],
];

/** Follows accounts as a client of the package does, on a transport of chance, or on all of them in turn. */
export function followByChance(
  random: Random,
  options: {
    readonly urls: readonly string[];
    readonly filter: OracleFilter;
    readonly after: string | null;
    readonly silenceMs: number;
  },
): Following<{ readonly accounts: readonly Account[] }> {
  const { urls, filter, after, silenceMs } = options;
  return followOver(random.pick(TRANSPORTS), accounts, {
    url: urls,
    filter: variablesOf(filter, null).filter,
    ...{ environment, after, silenceMs, mostWaiting: random.pick([2, 100]) },
  });
}
