import { describe, expect, test } from 'vitest';
import { OPERATION_LIMITS } from '../../src/graphql/costs.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway } from '../support/gateway.ts';
import { openGraphqlSocket } from '../support/socket-clients.ts';

const DEEP = 10_000;
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const QUERY = '"query":"{ block { height } }"';
const TOO_DEEP: readonly (readonly [string, string, string])[] = [
  ['lists in variables', `{${QUERY},"variables":{"a":${lists(DEEP)}}}`, 'variables'],
  ['objects in variables', `{${QUERY},"variables":${objects(DEEP)}}`, 'variables'],
  [
    'one level more than there may be',
    `{${QUERY},"variables":${objects(OPERATION_LIMITS.levels + 1)}}`,
    'variables',
  ],
  ['lists in extensions', `{${QUERY},"extensions":{"a":[1,${lists(DEEP)}]}}`, 'extensions'],
  ['a parameter that is unknown', `{${QUERY},"other":${lists(DEEP)}}`, 'other'],
  ['a parameter named as the prototype', `{${QUERY},"__proto__":${lists(DEEP)}}`, '__proto__'],
];
/** What WebSockets close for instead: there it is no message at all. */
const NO_TEXT: typeof TOO_DEEP = [
  ['the query', `{"query":${lists(DEEP)}}`, 'query'],
  ['the name of the operation', `{${QUERY},"operationName":${lists(DEEP)}}`, 'operationName'],
];

const gateway = await forAllTests(startOwnGateway());

describe('values that are nested too deep are refused, whatever the client accepts:', () => {
  const ACCEPTED = ['application/json', 'application/graphql-response+json', 'text/event-stream'];

  test.each([...TOO_DEEP, ...NO_TEXT])('%s', async (_, body, name) => {
    for (const accept of ACCEPTED) expectRefusal(await post(body, accept), name);
  });

  test.each(['variables', 'extensions'])('%s in the URL', async (name) => {
    const value = `{"a":${lists(5000)}}`.replaceAll('"', '%22');
    for (const accept of ACCEPTED) {
      const url = `${gateway.url}/graphql?query={block{height}}&${name}=${value}`;
      expectRefusal(await readAnswer(await fetch(url, { headers: { accept } })), name);
    }
  });

  test('in a form', async () => {
    const form = new URLSearchParams({ query: '{ block { height } }', variables: objects(2000) });
    expectRefusal(
      await readAnswer(await fetch(`${gateway.url}/graphql`, { method: 'POST', body: form })),
      'variables',
    );
  });

  test.each(TOO_DEEP)('%s, over a WebSocket', async (_, payload, name) => {
    await using socket = await openGreeted();
    socket.send(`{"type":"subscribe","id":"1","payload":${payload}}`);
    const message = await socket.next();
    expect(message).toMatchObject({ type: 'error', id: '1' });
    expectRefusal({ status: 400, errors: message.payload }, name);
    // The socket goes on.
    socket.send({ type: 'subscribe', id: '2', payload: { query: '{ __typename }' } });
    expect(await socket.next()).toMatchObject({ type: 'next', id: '2' });
  });

  test.each(NO_TEXT)('%s, over a WebSocket, which it closes', async (_, payload) => {
    await using socket = await openGreeted();
    socket.send(`{"type":"subscribe","id":"1","payload":${payload}}`);
    expect(await socket.ended).toMatchObject({ code: 4400 });
  });

  test.each([objects(DEEP), `{"a":${lists(30_000)}}`])('what comes with a ping', async (payload) => {
    await using socket = await openGreeted();
    socket.send(`{"type":"ping","payload":${payload}}`);
    expect(await socket.ended).toEqual({ code: 4400, reason: 'The payload is nested too deep.' });
    expect((await gateway.graphql('{ __typename }')).status).toBe(200);
  });

  test.each(['connection_init', 'pong'])('but not what comes with %s, which nobody reads', async (type) => {
    await using socket = await openGraphqlSocket(gateway.url);
    if (type === 'pong') socket.send({ type: 'connection_init' });
    socket.send(`{"type":"${type}","payload":${objects(DEEP)}}`);
    expect(await socket.next()).toEqual({ type: 'connection_ack' });
    socket.send({ type: 'ping', payload: { a: [{}] } });
    expect(await socket.next()).toEqual({ type: 'pong', payload: { a: [{}] } });
  });
});

test('values are taken as deep as the limit says', async () => {
  const nested = objects(OPERATION_LIMITS.levels);
  const { status, data } = await post(
    `{${QUERY},"variables":${nested},"extensions":${nested}}`,
    'application/json',
  );
  expect([status, data]).toEqual([200, { block: null }]);
});

test.each([
  ['a list', '[[["A"]]]'],
  ['an object', '{"name":"A"}'],
  ['a number', '7'],
])('the name of the operation is no %s', async (_, name) => {
  const { status, errors } = await post(`{${QUERY},"operationName":${name}}`, 'application/json');
  expect([status, errors?.[0]?.message]).toEqual([
    400,
    `operationName takes a string, not ${JSON.stringify(name)}.`,
  ]);
});

/** As deep as the limit of tokens lets documents be. */
test.each([
  ['selections', `{ ${'a{'.repeat(320)} b ${'}'.repeat(320)} }`, 'Cannot query field "a"'],
  [
    'inline fragments',
    `{ ${'...{'.repeat(320)} nothing ${'}'.repeat(320)} }`,
    'Cannot query field "nothing"',
  ],
  [
    'fragments',
    `{ ...f0 } ${Array.from({ length: 120 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} }`).join(' ')}
     fragment f120 on Query { nothing }`,
    'Cannot query field "nothing"',
  ],
  ['lists for text', `{ deposits(partyId: ${lists(480)}) { totalCount } }`, 'ID cannot represent'],
  ['lists for a scalar of ours', `{ block(height: ${lists(480)}) { height } }`, 'height takes an integer'],
  [
    'objects for a scalar of ours',
    `{ block(height: ${'{a:'.repeat(240)}1${'}'.repeat(240)}) { height } }`,
    'height takes an integer',
  ],
  [
    'objects for a filter',
    `{ accounts(filter: ${'{a:'.repeat(240)}1${'}'.repeat(240)}) { totalCount } }`,
    'a',
  ],
  [
    'the default of a variable',
    `query ($a: Timestamp = ${lists(480)}) { block { height } }`,
    'Timestamp takes an integer',
  ],
  [
    'the type of a variable',
    `query ($a: ${'['.repeat(480)}Int${']'.repeat(480)}) { block { height } }`,
    '$a',
  ],
])('a document of deep %s says what is wrong with it', async (_, query, told) => {
  const { status, errors } = await gateway.graphql(query);
  expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'INVALID_ARGUMENT']);
  expect(errors?.[0]?.message).toContain(told);
});

test.each([
  ['inline fragments', `{ ${'...{'.repeat(320)} __typename ${'}'.repeat(320)} }`],
  [
    'fragments',
    `{ ...f0 } ${Array.from({ length: 120 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} }`).join(' ')}
     fragment f120 on Query { __typename }`,
  ],
])('a document of deep %s is answered', async (_, query) => {
  expect((await gateway.graphql(query)).data).toEqual({ __typename: 'Query' });
});

async function openGreeted() {
  const socket = await openGraphqlSocket(gateway.url);
  socket.send({ type: 'connection_init' });
  await socket.next();
  return socket;
}

interface Answer {
  readonly status: number;
  readonly data?: unknown;
  readonly errors: readonly {
    readonly message: string;
    readonly extensions: { readonly code: string; readonly details?: unknown };
  }[];
}

async function post(body: string, accept: string): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json', Accept: accept };
  return readAnswer(await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body }));
}

async function readAnswer(response: Response): Promise<Answer> {
  return { status: response.status, ...(await response.json()) };
}

function expectRefusal({ status, errors }: Answer, name: string): void {
  const description = `${name} is nested too deep; the most is ${OPERATION_LIMITS.levels} levels of lists and objects.`;
  expect(status).toBe(400);
  expect(errors).toMatchObject([
    {
      message: description,
      extensions: {
        code: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: name, description }],
          },
        ],
      },
    },
  ]);
}
