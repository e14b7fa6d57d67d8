import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccountNetwork, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { within } from '../support/message-queue.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';
import { countStatements, settled } from '../support/statements.ts';
import type { StreamClient } from '../support/stream-client.ts';
import { collectWarnings } from '../support/warnings.ts';

const PATH = '/api/v2/stream/accounts?cursors=true';
const ALIASES = Array.from({ length: 6 }, (_, n) => `o${n}: owner a${n}: asset m${n}: marketId`).join(' ');
const SUBSCRIPTION = `subscription {
  accounts { block { height } snapshot { lastPage } updates { accounts { ${ALIASES} } } }
}`;

/** Each is written with six characters where it stands for one. */
const TAIL = '<'.repeat(500);
const ROWS = 60;
/** Together more than the buffers of a connection can hold, on both of its ends. */
const BLOCKS = 40;

const openers: readonly (readonly [string, (url: string) => Promise<StreamClient>])[] = [
  ['lines', (url) => openNdjson(url, PATH)],
  ['events', (url) => openSse(url, PATH)],
  ['frames', (url) => openDocumentedWebSocket(url, PATH)],
  ['GraphQL over WebSocket', (url) => openGraphqlWs(url, SUBSCRIPTION)],
  ['GraphQL over SSE', (url) => openGraphqlSse(url, SUBSCRIPTION)],
];

describe('a reader that does not read', () => {
  let network: AccountNetwork;
  let balance = 0;

  beforeAll(async () => {
    network = await startAccountNetwork();
    await network.block();
  });

  afterAll(() => network[Symbol.asyncDispose]());

  /** A block in which many accounts change, and all of them take much room. */
  function largeBlock(): Promise<number> {
    balance += 1;
    const changes = Array.from({ length: ROWS }, (_, n) => ({
      owner: `${n}${TAIL}`,
      assetId: TAIL,
      marketId: TAIL,
      balance: `${balance}`,
    }));
    return network.block(...changes);
  }

  test('that falls behind its buffer is told so when it reads again, and costs no memory till then', async () => {
    await using gateway = await startTestGateway(network.url, { STREAM_BUFFER_MESSAGES: '4' });
    const stalled = await Promise.all(openers.map(([, open]) => open(gateway.url)));
    await using healthy = await openNdjson(gateway.url, PATH);
    for (const client of [...stalled, healthy]) await client.next();
    for (const client of stalled) client.pause();

    const before = memoryInUse();
    let height = 0;
    for (let n = 0; n < BLOCKS; n += 1) {
      height = await largeBlock();
      expect((await healthy.next()).block.height).toBe(`${height}`);
    }
    // Each of the five would otherwise hold some twenty megabytes. Freed buffers are counted for a moment longer.
    await expect.poll(() => memoryInUse() - before).toBeLessThan(40e6);

    for (const client of stalled) client.resume();
    const first = height - BLOCKS + 1;
    for (const client of stalled) {
      const { heights, error } = await readToEnd(client);
      expect(heights).toEqual(heights.map((_, n) => `${first + n}`));
      expect(heights.length).toBeLessThan(BLOCKS);
      expect(error).toMatchObject({ code: 8, message: expect.stringContaining('too slowly') });
    }
    for (const [n, [name]] of openers.entries()) {
      // A WebSocket of GraphQL can have other operations.
      if (name === 'GraphQL over WebSocket') continue;
      expect(await stalled[n]?.ended).toMatchObject({ code: name === 'frames' ? 1013 : 1000 });
    }
    for (const client of stalled) client.close();
    await expect.poll(() => gateway.openStreams).toBe(1);
  });

  test.each(openers)('at all is cut with the reason, the others unaffected: %s', async (name, open) => {
    await using gateway = await startTestGateway(network.url, { STREAM_STALL_MS: '600' });
    await using stalled = await open(gateway.url);
    await using healthy = await openNdjson(gateway.url, PATH);
    for (const client of [stalled, healthy]) await client.next();
    stalled.pause();
    const written = await writeUntilFreed(gateway, healthy);

    stalled.resume();
    const { heights, error } = await readToEnd(stalled);
    expect(heights).toEqual(written.slice(0, heights.length));
    expect(heights.length).toBeLessThan(written.length);
    if (name === 'GraphQL over WebSocket')
      expect(await stalled.ended).toMatchObject({ code: 1013, reason: NOT_READ });
    else expect(error).toMatchObject({ code: 8, message: NOT_READ });
    expect((await healthy.next()).result.updates.accounts).toHaveLength(1);
  });

  test.each(openers)('and does not come back loses its connection: %s', async (_, open) => {
    // No ping is due that would cut it too.
    const settings = { STREAM_STALL_MS: '200', STREAM_HEARTBEAT_MS: '600000' };
    await using gateway = await startTestGateway(network.url, settings);
    const accepted = nextAccepted();
    await using stalled = await open(gateway.url);
    const closed = once(await accepted, 'close');
    await using healthy = await openNdjson(gateway.url, PATH);
    for (const client of [stalled, healthy]) await client.next();
    stalled.pause();
    await writeUntilFreed(gateway, healthy);
    // A WebSocket is also cut half a minute after it was closed, if nobody answers.
    await within(closed, 'the cut', 25_000);
    stalled.resume();
    await readToEnd(stalled);
    expect(await stalled.ended).toMatchObject({ code: 1006 });
  });

  test('loses its connection with plain answers on it too, also those behind the first', async () => {
    await using gateway = await startTestGateway(network.url, { STREAM_STALL_MS: '400' });
    await largeBlock();
    const { text } = await gateway.rest('/api/v2/accounts');
    using warnings = collectWarnings();
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').pause();
    socket.on('error', () => {});
    const statements = countStatements();
    socket.write('GET /api/v2/accounts HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(BLOCKS));
    // No more is asked for while nothing is read.
    await settled(statements.count);
    statements.stop();
    await sleep(1500);
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(BLOCKS * text.length);
    expect(warnings.told).toEqual([]);
  });

  const NOT_READ = expect.stringMatching(/^Nothing of the stream was read for/);

  /** Writes large blocks until only the healthy stream is left, and then a small one. Gives the heights. */
  async function writeUntilFreed(gateway: TestGateway, healthy: StreamClient): Promise<readonly string[]> {
    const written: string[] = [];
    while (gateway.openStreams > 1 && written.length < 2 * BLOCKS) {
      written.push(`${await largeBlock()}`);
      expect((await healthy.next()).block.height).toBe(written.at(-1));
    }
    await expect.poll(() => gateway.openStreams, { interval: 10 }).toBe(1);
    written.push(`${await network.block({ owner: party(1), balance: `${balance}` })}`);
    return written;
  }
});

/** The gateway's end of the next connection. */
async function nextAccepted(): Promise<Socket> {
  return new Promise((resolve) => {
    const onSocket = (message: unknown) => {
      unsubscribe('net.server.socket', onSocket);
      resolve((message as { readonly socket: Socket }).socket);
    };
    subscribe('net.server.socket', onSocket);
  });
}

/** The heights of the updates that still came, and the error after them if one did. */
async function readToEnd(client: StreamClient): Promise<{ heights: string[]; error: unknown }> {
  const heights: string[] = [];
  for (let message = await nextWhole(client); message !== null; message = await nextWhole(client)) {
    const told = message.data?.accounts ?? message.data ?? message;
    const [error] = message.errors ?? [told.error];
    if (error !== undefined)
      return { heights, error: { ...error, code: error.code ?? CODES[error.extensions.code] } };
    heights.push(told.block.height);
  }
  return { heights, error: null };
}

/** A connection that is cut can end in the middle of a message. */
function nextWhole(client: StreamClient) {
  return client.next().catch((error) => {
    if (error instanceof SyntaxError) return null;
    throw error;
  });
}

const CODES: Readonly<Record<string, number>> = { RESOURCE_EXHAUSTED: 8 };

function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
