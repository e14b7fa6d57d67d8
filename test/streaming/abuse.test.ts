import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type AccountNetwork, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { countMemberships } from '../support/memberships.ts';
import { within } from '../support/message-queue.ts';
import { openDocumentedWebSocket, openGraphqlSocket, openGraphqlWs } from '../support/socket-clients.ts';
import { collectWarnings } from '../support/warnings.ts';

const PATH = '/api/v2/stream/accounts';
const SUBSCRIPTION = 'subscription { accounts { cursor } }';
const HANDSHAKE =
  'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n';

describe('a client that means ill', () => {
  let network: AccountNetwork;
  let gateway: TestGateway;

  beforeAll(async () => {
    network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '10' });
    // No ping is due that would cut a silent one.
    const settings = {
      STREAM_HEARTBEAT_MS: '600000',
      MAX_STREAMS_PER_CLIENT: '40',
      MAX_SOCKETS_PER_CLIENT: '40',
    };
    gateway = await startTestGateway(network.url, settings);
  });

  afterAll(async () => {
    await gateway.close();
    await network[Symbol.asyncDispose]();
  });

  /** A connection of bytes that does not close its half because the other side does. */
  async function connectRaw(): Promise<Socket> {
    const port = Number(new URL(gateway.url).port);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }

  /** Frames as they are written on the wire, with a mask of zeros. */
  const frame = (hex: string, payload = Buffer.alloc(0)) => Buffer.concat([Buffer.from(hex, 'hex'), payload]);
  const repeat = (bytes: Buffer, times: number) => Buffer.concat(Array<Buffer>(times).fill(bytes));
  /** A text in so many pieces, the last of them empty. */
  const fragments = (count: number, text = '') =>
    Buffer.concat([
      frame(`01${masked(Buffer.from(text))}`, Buffer.from(text)),
      repeat(frame('008000000000'), count - 2),
      frame('808000000000'),
    ]);
  const ping = frame('89fd00000000', Buffer.alloc(125));

  test.each([
    ['a message of ten megabytes', 1009, (socket) => socket.send('x'.repeat(10e6))],
    ['a message of 200,000 fragments', 1008, sendFragments],
    ['a message of 33 fragments', 1008, (_, wire) => wire.write(fragments(33))],
    ['pongs that nobody asked for', 1008, (_, wire) => wire.write(repeat(frame('8a8000000000'), 1000))],
    ['pings again and again', 1008, pingOnAndOn],
    ['a compressed frame', 1002, (_, wire) => wire.write(frame('c1810000000061'))],
    ['a frame without a mask', 1002, (_, wire) => wire.write(frame('810161'))],
    ['text that is none', 1007, (_, wire) => wire.write(frame('818200000000c328'))],
    ['half a frame, and its end', 1006, (_, wire) => wire.end(frame('81fe'))],
  ] satisfies [string, number, (socket: WebSocket, wire: Socket) => unknown][])(
    'is cut after %s, and its stream is freed',
    async (_, expected, send) => {
      const socket = new WebSocket(gateway.url.replace('http', 'ws') + PATH).on('error', () => {});
      const [{ socket: wire }] = (await once(socket, 'upgrade')) as [{ socket: Socket }];
      const closed = once(socket, 'close');
      send(socket, wire);
      const [code] = await within(closed, 'the close');
      expect(code).toBe(expected);
      await expect.poll(() => gateway.openStreams).toBe(0);
    },
  );

  test.each([PATH, '/graphql'])(
    'is heard with a few pings, and a message of a few pieces: %s',
    async (path) => {
      const socket = new WebSocket(gateway.url.replace('http', 'ws') + path, ['graphql-transport-ws']);
      const [{ socket: wire }] = (await once(socket, 'upgrade')) as [{ socket: Socket }];
      wire.write(repeat(frame('8a8000000000'), 40));
      wire.write(fragments(32, '{"type":"ping"}'));
      wire.write(frame('898100000000', Buffer.from('x')));
      const [told] = await within(once(socket, 'pong'), 'the pong');
      expect([String(told), socket.readyState]).toEqual(['x', WebSocket.OPEN]);
      socket.terminate();
      await expect.poll(() => gateway.openStreams).toBe(0);
    },
  );

  test.each([PATH, '/graphql'])('is cut when it pings and does not read: %s', async (path) => {
    const socket = await connectRaw();
    socket.pause().write(`GET ${path} HTTP/1.1\r\n${HANDSHAKE}`);
    const pings = Buffer.concat(Array<Buffer>(500).fill(ping));
    while (!socket.destroyed) {
      if (socket.write(pings)) continue;
      await Promise.race(['drain', 'close', 'error'].map((event) => once(socket, event))).catch(() => {});
    }
    await expect.poll(() => gateway.openStreams).toBe(0);
  });

  test('frees its streams when it says goodbye and keeps the connection', async () => {
    using memberships = countMemberships();
    const stream = await connectRaw();
    stream.write(`GET ${PATH} HTTP/1.1\r\n${HANDSHAKE}`);
    const graphql = await connectRaw();
    graphql.write(`GET /graphql HTTP/1.1\r\n${HANDSHAKE}`);
    await once(graphql, 'data');
    const greeting = Buffer.from('{"type":"connection_init"}');
    const operation = Buffer.from(
      JSON.stringify({ id: 'a', type: 'subscribe', payload: { query: SUBSCRIPTION } }),
    );
    graphql.write(
      Buffer.concat([frame('819a00000000', greeting), frame(`81${masked(operation)}`, operation)]),
    );
    await expect.poll(() => memberships.open).toBe(2);
    for (const socket of [stream, graphql]) socket.resume().write(frame('888000000000'));
    // Half a minute later they would be cut.
    await expect.poll(() => [gateway.openStreams, memberships.open], { timeout: 25_000 }).toEqual([0, 0]);
    for (const socket of [stream, graphql]) socket.destroy();
  });

  test('frees its stream when it closes its half of a connection of lines', async () => {
    const socket = await connectRaw();
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'data');
    expect(gateway.openStreams).toBe(1);
    socket.end();
    await expect.poll(() => gateway.openStreams).toBe(0);
    socket.destroy();
  });

  test('leaves nothing behind when it opens and closes streams again and again', async () => {
    using memberships = countMemberships();
    using warnings = collectWarnings();
    const openers = [
      () => openNdjson(gateway.url, PATH),
      () => openSse(gateway.url, PATH),
      () => openDocumentedWebSocket(gateway.url, PATH),
      () => openGraphqlWs(gateway.url, SUBSCRIPTION),
      () => openGraphqlSse(gateway.url, SUBSCRIPTION),
    ];
    // Five times as many as may be open at once.
    for (let round = 0; round < 20; round++) {
      const clients = await Promise.all([...openers, ...openers].map((open) => open()));
      if (round % 2 === 0) for (const client of clients) await client.nextText();
      for (const client of clients) client.close();
      await expect.poll(() => gateway.openStreams, { interval: 5 }).toBe(0);
    }
    await using socket = await openGraphqlSocket(gateway.url);
    socket.send({ type: 'connection_init' });
    for (let round = 0; round < 200; round++) {
      socket.send({ id: 'a', type: 'subscribe', payload: { query: SUBSCRIPTION } });
      socket.send({ id: 'a', type: 'complete' });
    }
    await expect.poll(() => [gateway.openStreams, memberships.open]).toEqual([0, 0]);
    expect(warnings.told).toEqual([]);
  });
});

/** Fifty at a time, each time when those before are answered: ws itself cuts who has more under way. */
function pingOnAndOn(socket: WebSocket): void {
  const few = 50;
  let answers = 0;
  const pingFew = () => {
    for (let n = 0; n < few; n++) socket.ping('', true, () => {});
  };
  socket.on('pong', () => {
    answers += 1;
    if (answers % few === 0 && socket.readyState === WebSocket.OPEN) pingFew();
  });
  pingFew();
}

function sendFragments(socket: WebSocket): void {
  for (let n = 0; n < 200_000; n++) socket.send('', { fin: false });
}

/** The length of a client's frame of at most 125 bytes or of at most 64 KiB, and its mask. */
function masked({ length }: Buffer): string {
  const [short, long] = [(0x80 + length).toString(16), length.toString(16).padStart(4, '0')];
  return `${length < 126 ? short : `fe${long}`}00000000`;
}
