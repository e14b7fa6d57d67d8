import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDisposableDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openGraphqlSocket } from '../support/socket-clients.ts';

const ALLOWED = 'query Allowed { deposits(first: 1) { totalCount } }';
const OTHER = 'query Other { accounts(first: 1) { totalCount } }';

const database = await forAllTests(createDisposableDatabase());
const gateway = await forAllTests(startTestGateway(database.url));

describe('an operation that is named by its hash', () => {
  test('is not found until it was sent with its text, and then is', async () => {
    const query = '{ rewards(first: 1) { totalCount } }';
    const unknown = await post({ extensions: named(query) });
    expect(unknown.body).toMatchObject({
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'NOT_FOUND' } }],
    });
    expect(unknown.headers.get('Cache-Control')).toBe('no-store');
    const sent = await post({ query, extensions: named(query) });
    expect(sent.body).toEqual({ data: { rewards: { totalCount: 0 } } });
    expect((await post({ extensions: named(query) })).body).toEqual(sent.body);
    const address = new URL('/graphql', gateway.url);
    address.searchParams.set('extensions', JSON.stringify(named(query)));
    expect(await (await fetch(address)).json()).toEqual(sent.body);
  });

  test('is the same in capital letters', async () => {
    const query = '{ rewards(first: 2) { totalCount } }';
    const inCapitals = { persistedQuery: { version: 1, sha256Hash: sha256(query).toUpperCase() } };
    const sent = await post({ query, extensions: inCapitals });
    expect(sent.body).toEqual({ data: { rewards: { totalCount: 0 } } });
    expect((await post({ extensions: inCapitals })).body).toEqual(sent.body);
    expect((await post({ extensions: named(query) })).body).toEqual(sent.body);
  });

  test('is refused where the text is another', async () => {
    const { status, body } = await post({ query: ALLOWED, extensions: named(OTHER) });
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({
      message: 'extensions.persistedQuery.sha256Hash is not the SHA-256 of query.',
      extensions: { code: 'INVALID_ARGUMENT' },
    });
    expect((await post({ extensions: named(OTHER) })).body.errors[0].message).toBe('PersistedQueryNotFound');
  });

  test.each([{ version: 2, sha256Hash: 'x' }, { version: 1 }, { version: 1, sha256Hash: 1 }, 'x'])(
    'takes no %j for a name',
    async (persistedQuery) => {
      const { status, body } = await post({ query: ALLOWED, extensions: { persistedQuery } });
      expect(status).toBe(400);
      expect(body.errors[0].message).toContain('extensions.persistedQuery takes version 1 and a sha256Hash');
    },
  );

  test('over a WebSocket', async () => {
    const query = '{ votes(first: 1) { totalCount } }';
    await post({ query, extensions: named(query) });
    await using socket = await openSocket(gateway.url);
    socket.send({ id: '1', type: 'subscribe', payload: { query: '', extensions: named(query) } });
    expect(await socket.next()).toMatchObject({
      type: 'next',
      payload: { data: { votes: { totalCount: 0 } } },
    });
  });
});

describe('a list of operations', () => {
  test.each([
    ['by hash', { [sha256(ALLOWED)]: ALLOWED }],
    [
      "as Apollo's tools write it",
      { format: 'apollo-persisted-query-manifest', operations: [{ body: ALLOWED }] },
    ],
  ])('%s is all that is taken, on every transport', async (_, list) => {
    await using listed = await startTestGateway(database.url, { OPERATION_LIST: fileOf(list) });
    const ask = (body: object) => post(body, listed.url);
    expect((await ask({ query: ALLOWED })).body).toEqual({ data: { deposits: { totalCount: 0 } } });
    expect((await ask({ extensions: named(ALLOWED) })).body).toEqual({
      data: { deposits: { totalCount: 0 } },
    });
    const refusal = expect.stringContaining('takes only the operations of its list');
    for (let time = 0; time < 3; time += 1) {
      const refused = await ask({ query: OTHER });
      expect([refused.status, refused.body.errors[0].message]).toEqual([400, refusal]);
    }
    expect((await ask({ extensions: named(OTHER) })).body.errors[0].message).toBe('PersistedQueryNotFound');
    const got = await fetch(`${listed.url}/graphql?query=${encodeURIComponent(OTHER)}`);
    expect(got.status).toBe(400);
    await using socket = await openSocket(listed.url);
    socket.send({ id: '1', type: 'subscribe', payload: { query: OTHER } });
    expect(await socket.next()).toMatchObject({ type: 'error', payload: [{ message: refusal }] });
    socket.send({ id: '2', type: 'subscribe', payload: { query: ALLOWED } });
    expect(await socket.next()).toMatchObject({ id: '2', type: 'next' });
    // The documented paths are not of it.
    expect((await listed.rest('/api/v2/accounts')).status).toBe(200);
  });

  test.each([['[]'], ['{}'], ['{"a":1}'], ['nothing']])(
    'that is %s is refused at the start',
    async (text) => {
      const path = fileOf(text);
      await expect(startTestGateway(database.url, { OPERATION_LIST: path })).rejects.toThrow(
        `OPERATION_LIST is ${JSON.stringify(path)}`,
      );
    },
  );
});

test('the schema is given unless that is turned off', async () => {
  const query = '{ __schema { queryType { name } } }';
  expect((await post({ query })).body).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
  await using closed = await startTestGateway(database.url, { INTROSPECTION: 'off' });
  for (let time = 0; time < 3; time += 1) {
    const { status, body } = await post({ query }, closed.url);
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
  }
  expect((await post({ query: '{ __typename }' }, closed.url)).body).toEqual({
    data: { __typename: 'Query' },
  });
});

async function post(body: object, url = gateway.url) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function openSocket(url: string) {
  const socket = await openGraphqlSocket(url);
  socket.send({ type: 'connection_init' });
  expect(await socket.next()).toMatchObject({ type: 'connection_ack' });
  return socket;
}

function named(query: string) {
  return { persistedQuery: { version: 1, sha256Hash: sha256(query) } };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function fileOf(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'operations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'list.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
