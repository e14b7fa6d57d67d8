import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startMeasuredGateway } from '../support/measured-gateway.ts';
import { openGraphqlSocket } from '../support/socket-clients.ts';

/** Kinds of documents, each as long as it is told to be, and different from others of its kind by its number. */
const KINDS: readonly ((n: number, length: number) => string)[] = [
  (n, length) => `{ a${n}: __typename ${fill(length, () => '#\n')} }`,
  (n, length) => `{ a${n}: __typename ${fill(length, () => ',')} }`,
  (n, length) => `{ a${n}: __typename ${fields(length, '__typename')} }`,
  (n, length) => `{ deposit(id: "${n}${fill(length, () => '\\t')}") { id } }`,
  (n, length) => `subscription { blocks { a${n}: cursor ${fields(length, 'cursor')} } }`,
  // What is refused: for its syntax, its tokens, its fields, its comparisons, its operations, its cost, its length.
  (n, length) => `{ a${n} ) ${fill(length, () => '#\n')} }`,
  (n, length) => `{ a${n} ${fill(length, () => 'a ')} }`,
  (n, length) => `{ a${n} ${fields(length, 'a')} }`,
  (n, length) => `{ a${n}: __typename ${fill(Math.min(length, 10_000), () => '__typename ')} }`,
  (n, length) => `fragment F${n} on Query { ${fields(length, '__typename')} }`,
  (n, length) => `{ accounts(first: 5000) { edges { a${n}: node { ${fields(length, 'balance')} } } } }`,
  (n, length) => `{ a${n}: __typename ${fill(2 * length, () => ' ')} }`,
];

function fill(length: number, text: (n: number) => string): string {
  const parts: string[] = [];
  for (let sum = 0; sum < length; sum += parts.at(-1)?.length ?? 0) parts.push(text(parts.length));
  return parts.join('');
}

/** Fields of their own, as many as the limit of tokens lets through at most. */
function fields(length: number, name: string): string {
  return fill(Math.min(length, 315 * 18), (n) => `f${n}: ${name} `.padEnd(18));
}

const database = await forAllTests(createTestDatabase());

/** How often each kind is sent, and how long it is: together they would hold far more, were each kept. */
test.each([
  ['POST', post, 30, 32_000],
  ['GET', get, 80, 2400],
  ['a WebSocket', overWebSocket, 30, 30_000],
] as const)(
  'different documents over %s leave the heap as it was',
  {
    timeout: 240_000,
  },
  async (_, sendAll, times, length) => {
    await using gateway = await startMeasuredGateway(database.url);
    await sendAll(gateway.url, documents(0, 4, length));
    const before = await gateway.heapUsed();
    await sendAll(gateway.url, documents(4, times, length));
    expect((await gateway.heapUsed()) - before).toBeLessThan(40_000_000);
  },
);

test('a stream that is open holds none of the comments that it was asked with', async () => {
  await using gateway = await startMeasuredGateway(database.url);
  await using socket = await openGraphqlSocket(gateway.url);
  socket.send({ type: 'connection_init' });
  await socket.next();
  const before = await gateway.heapUsed();
  for (let n = 0; n < 60; n++) {
    const query = `subscription { blocks { a${n}: cursor } } ${fill(30_000, () => '#\n')}`;
    socket.send({ type: 'subscribe', id: `${n}`, payload: { query } });
    expect(await socket.next()).toMatchObject({ type: 'next', id: `${n}` });
  }
  expect((await gateway.heapUsed()) - before).toBeLessThan(20_000_000);
});

test('a stream that is open, and an answer that is kept, hold no variables that nothing declares', async () => {
  await using gateway = await startMeasuredGateway(database.url, { RATE_LIMIT: '0' });
  await using socket = await openGraphqlSocket(gateway.url);
  socket.send({ type: 'connection_init' });
  await socket.next();
  const variablesOf = (n: number) =>
    Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`v${n}_${at}`, {}]));
  const before = await gateway.heapUsed();
  for (let n = 0; n < 40; n++) {
    const variables = variablesOf(n);
    const query = `subscription { blocks { a${n}: cursor } }`;
    socket.send({ type: 'subscribe', id: `${n}`, payload: { query, variables } });
    expect(await socket.next()).toMatchObject({ type: 'next', id: `${n}` });
    const body = JSON.stringify({ query: '{ block { height } }', variables });
    for (let times = 0; times < 2; times++)
      await readAnswer(await fetch(`${gateway.url}/graphql`, { method: 'POST', headers: HEADERS, body }));
  }
  // Keys of what is kept are counted.
  expect((await gateway.heapUsed()) - before).toBeLessThan(12_000_000);
});

function documents(from: number, times: number, length: number): readonly string[] {
  const numbers = Array.from({ length: times }, (_, n) => from + n);
  return numbers.flatMap((n) => KINDS.map((documentOf) => documentOf(n, length)));
}

const ACCEPT = 'application/graphql-response+json, text/event-stream';
const HEADERS = { 'Content-Type': 'application/json', Accept: ACCEPT };

async function post(url: string, queries: readonly string[]): Promise<void> {
  for (const query of queries) {
    const body = JSON.stringify({ query });
    await readAnswer(await fetch(`${url}/graphql`, { method: 'POST', headers: HEADERS, body }));
  }
}

async function get(url: string, queries: readonly string[]): Promise<void> {
  for (const query of queries) {
    const parameters = new URLSearchParams({ query });
    await readAnswer(await fetch(`${url}/graphql?${parameters}`, { headers: { Accept: ACCEPT } }));
  }
}

async function readAnswer(response: Response): Promise<void> {
  expect([200, 400]).toContain(response.status);
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.arrayBuffer();
    return;
  }
  // A stream would not end by itself.
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
}

async function overWebSocket(url: string, queries: readonly string[]): Promise<void> {
  await using socket = await openGraphqlSocket(url);
  socket.send({ type: 'connection_init' });
  await socket.next();
  for (const [n, query] of queries.entries()) {
    const id = `${n}`;
    socket.send({ type: 'subscribe', id, payload: { query } });
    for (let message = await socket.next(); message.id !== id; ) message = await socket.next();
    // A stream would not end by itself.
    socket.send({ type: 'complete', id });
  }
}
