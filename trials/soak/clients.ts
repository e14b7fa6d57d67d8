import { get } from 'node:http';
import { connect } from 'node:net';
import type { Random } from '../../src/simulation/random.ts';
import { openGraphqlSse, openNdjson, openSse } from '../../test/support/http-clients.ts';
import {
  openDocumentedWebSocket,
  openGraphqlSocket,
  openGraphqlWs,
} from '../../test/support/socket-clients.ts';
import type { StreamClient } from '../../test/support/stream-client.ts';

const STREAM = '/api/v2/stream/accounts';
const SUBSCRIPTION =
  'subscription { accounts { cursor snapshot { accounts { owner } } updates { accounts { balance } } } }';
const OPERATION =
  '{ block { height } accounts(first: 20) { edges { node { balance party { id } assetNode { symbol } } } } }';
const PATHS = [
  '/api/v2/accounts?pagination.first=20',
  '/api/v2/deposits?pagination.first=5',
  '/votes',
  '/api/v2/deposit/none',
  '/nothing',
  '/api/v2/rewards?pagination.first=x',
];

const OPEN: readonly ((url: string) => Promise<StreamClient>)[] = [
  (url) => openNdjson(url, STREAM),
  (url) => openSse(url, STREAM),
  (url) => openDocumentedWebSocket(url, STREAM),
  (url) => openGraphqlSse(url, SUBSCRIPTION),
  (url) => openGraphqlWs(url, SUBSCRIPTION),
];

/** Everything that clients do, well and badly. Each comes, is done, and is gone. */
const CLIENTS: readonly ((url: string, random: Random) => Promise<void>)[] = [
  async (url, random) => void (await (await fetch(`${url}${random.pick(PATHS)}`)).arrayBuffer()),
  async (url) => {
    const headers = { 'Content-Type': 'application/json' };
    const query = JSON.stringify({ query: OPERATION });
    await (await fetch(`${url}/graphql`, { method: 'POST', headers, body: query })).arrayBuffer();
  },
  // Leaves before its answer.
  async (url, random) => leaveEarly(`${url}${random.pick(PATHS)}`, random.below(5)),
  // Takes the snapshot, and leaves without a goodbye.
  async (url, random) => {
    await using stream = await random.pick(OPEN)(url);
    await stream.next();
  },
  // Leaves while it is let in.
  async (url, random) => {
    const opening = random.pick(OPEN)(url);
    (await opening).close();
  },
  // Reads nothing of what it asked for.
  async (url, random) => {
    await using stream = await random.pick(OPEN)(url);
    stream.pause();
    await stream.next(1).catch(() => {});
  },
  // Begins a request, or a WebSocket, and goes.
  async (url, random) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    socket.write(
      random.pick([
        'GET /votes HT',
        'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n\r\n{"',
        '\x16\x03\x01',
      ]),
    );
    await new Promise((resolve) => setTimeout(resolve, random.below(20)));
    socket.destroy();
  },
  // Several operations on one socket, of which some are ended, some are wrong, and some are left.
  async (url) => {
    await using socket = await openGraphqlSocket(url);
    socket.send({ type: 'connection_init' });
    for (const id of ['1', '2', '3'])
      socket.send({ type: 'subscribe', id, payload: { query: id === '2' ? '{ x' : SUBSCRIPTION } });
    socket.send({ type: 'complete', id: '1' });
    // Of them the ack and the complaint come for certain.
    for (let left = 2; left > 0; left--) await socket.next();
  },
];

/** As many clients as that, a few at once. */
export async function runClients(url: string, count: number, random: Random): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await random.pick(CLIENTS)(url, random);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

function leaveEarly(url: string, afterMs: number): Promise<void> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => response.resume());
    request.on('error', () => {}).once('close', resolve);
    setTimeout(() => request.destroy(), afterMs);
  });
}
