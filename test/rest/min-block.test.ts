import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openNdjson, openSse } from '../support/http-clients.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';
import { RefusedError } from '../support/stream-client.ts';

const LIST = '/api/v2/accounts';
const STREAM = '/api/v2/stream/accounts?cursors=true';
const QUERY = '{ block { height } }';

/** Every way to ask for an answer at once: what it sends, and the height that it read. */
const WAYS = {
  'a path': ask(LIST),
  'a list that is streamed': ask('/votes'),
  'GraphQL by POST': ask('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: QUERY }),
  }),
  'GraphQL by GET': ask(`/graphql?query=${encodeURIComponent(QUERY)}`),
  'a batch': ask('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify([{ query: QUERY }]),
  }),
};

function ask(path: string, init: RequestInit = {}) {
  return (url: string, height: string) =>
    fetch(`${url}${path}`, { ...init, headers: { ...init.headers, 'X-Min-Block-Height': height } });
}

describe('an answer that is to be at least of a block', () => {
  test.each(Object.entries(WAYS))('waits for it: %s', async (_, send) => {
    await using network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '1' });
    await using gateway = await startTestGateway(network.url, { MIN_BLOCK_WAIT_MS: '60000' });
    // One that is kept is not given to who asks for a newer one.
    for (let times = 0; times < 3; times++) expect((await send(gateway.url, '1')).status).toBe(200);
    const asking = send(gateway.url, '3');
    let isAnswered = false;
    void asking.then(() => {
      isAnswered = true;
    });
    await network.block({ owner: party(1), balance: '2' });
    await sleep(200);
    expect(isAnswered).toBe(false);
    await network.block({ owner: party(1), balance: '3' });
    const answer = await asking;
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(answer.headers.get('x-block-height') ?? text).toContain('3');
    if (text.includes('balance')) expect(text).toContain('"balance":"3"');
  });

  test.each(Object.entries(WAYS))('is refused where it does not come in time: %s', async (_, send) => {
    await using network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '1' });
    await using gateway = await startTestGateway(network.url, { MIN_BLOCK_WAIT_MS: '50' });
    const refused = await send(gateway.url, '2');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    const message =
      'Block 2, which X-Min-Block-Height asks for, is not here yet; the newest is 1. Try again soon.';
    expect(await refused.json()).toMatchObject({ code: 14, message });
    const bad = await send(gateway.url, 'two');
    expect([bad.status, bad.headers.get('retry-after')]).toEqual([400, null]);
    expect(await bad.json()).toMatchObject({
      code: 3,
      message:
        'The header X-Min-Block-Height is "two"; it takes the height of a block, a whole number from 0 to 18446744073709551615.',
      details: [{ fieldViolations: [{ field: 'X-Min-Block-Height' }] }],
    });
  });

  test.each(['-1', '1.5', '0x1', '1, 2', '18446744073709551616', '٣'])('is of no block %s', async (text) => {
    await using network = await startAccountNetwork();
    await using gateway = await startTestGateway(network.url);
    const { status } = await fetch(`${gateway.url}${LIST}`, {
      headers: { 'X-Min-Block-Height': Buffer.from(text).toString('latin1') },
    });
    expect(status).toBe(400);
  });

  test('is any where the header is blank, and of probes', async () => {
    await using network = await startAccountNetwork();
    await using gateway = await startTestGateway(network.url, { MIN_BLOCK_WAIT_MS: '0' });
    expect((await ask(LIST)(gateway.url, '')).status).toBe(200);
    expect((await ask('/health/ready')(gateway.url, '99')).status).toBe(200);
  });

  test('may be asked for by pages of other origins, and is kept apart by caches', async () => {
    await using network = await startAccountNetwork();
    await using gateway = await startTestGateway(network.url);
    const preflight = await fetch(`${gateway.url}${LIST}`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-min-block-height',
      },
    });
    // Without credentials `*` stands for all of them but Authorization.
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*, Authorization');
    for (const path of [LIST, '/votes', `/graphql?query=${encodeURIComponent(QUERY)}`]) {
      const { headers } = await fetch(`${gateway.url}${path}`);
      expect(headers.get('vary')?.toLowerCase(), path).toContain('x-min-block-height');
      expect(headers.get('cache-control'), path).toBe(
        'public, max-age=0, s-maxage=1, stale-while-revalidate=1',
      );
      const again = await fetch(`${gateway.url}${path}`, {
        headers: { 'If-None-Match': headers.get('etag') ?? '' },
      });
      expect(again.status, path).toBe(304);
    }
    const failed = await fetch(`${gateway.url}/graphql?query={nothing}`);
    expect(failed.headers.get('cache-control')).toBe('no-store');
  });
});

const SUBSCRIPTION = 'subscription { accounts { block { height } } }';

/** Every way to open a stream. */
const OPENERS = {
  'lines of JSON': (url: string, headers: Record<string, string>) => openNdjson(url, STREAM, headers),
  'server-sent events': (url: string, headers: Record<string, string>) =>
    openSse(url, STREAM, undefined, headers),
  WebSocket: (url: string, headers: Record<string, string>) =>
    openDocumentedWebSocket(url, STREAM, { headers }),
  'GraphQL over WebSocket': (url: string, headers: Record<string, string>) =>
    openGraphqlWs(url, SUBSCRIPTION, {}, { headers }),
};

test.each(Object.entries(OPENERS))('a snapshot is at least of the block asked for: %s', async (_, open) => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  await using gateway = await startTestGateway(network.url, { MIN_BLOCK_WAIT_MS: '60000' });
  const opening = open(gateway.url, { 'X-Min-Block-Height': '2' });
  await sleep(100);
  await network.block({ owner: party(1), balance: '2' });
  await using stream = await opening;
  expect(await stream.nextText()).toContain('"height":"2"');
  await using impatient = await startTestGateway(network.url, { MIN_BLOCK_WAIT_MS: '10' });
  const refused = await open(impatient.url, { 'X-Min-Block-Height': '9' }).catch((error: unknown) => error);
  if (refused instanceof RefusedError) expect(refused.status).toBe(503);
  else expect(String(refused)).toContain('503');
});
