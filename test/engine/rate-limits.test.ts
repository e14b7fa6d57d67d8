import { expect, test } from 'vitest';
import { createDisposableDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';

const database = await forAllTests(createDisposableDatabase());
// 10 a second: nothing comes back while a test runs that could matter.
const gateway = await forAllTests(
  startTestGateway(database.url, { TRUSTED_PROXIES: 'loopback', RATE_LIMIT: '1000' }),
);

test('whoever asks for too much is told when to ask again, and others are not', async () => {
  const first = await get('/api/v2/deposits?pagination.first=400', '192.0.2.1');
  expect(first.status).toBe(200);
  expect(first.headers.get('ratelimit-limit')).toBe('10000');
  expect(first.headers.get('ratelimit-policy')).toBe('10000;w=10');
  expect(Number(first.headers.get('ratelimit-remaining'))).toBeLessThan(6000);
  const again = () => get(`/api/v2/deposits?pagination.first=${401 + number++}`, '192.0.2.1');
  const refused = await until(again, ({ status }) => status !== 200);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    code: 8,
    message: expect.stringContaining('has asked for more than it may'),
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo' }],
  });
  expect((await get('/api/v2/deposits?pagination.first=400', '192.0.2.2')).status).toBe(200);
});

test('what is kept, what is unknown and what is wrong counts too', async () => {
  for (const [path, client] of [
    ['/api/v2/rewards', '192.0.2.3'],
    ['/nothing', '192.0.2.4'],
    ['/api/v2/rewards?pagination.first=x', '192.0.2.5'],
  ] as const) {
    const answer = await until(
      () => get(path, client),
      ({ status }) => status === 429,
    );
    expect(answer.headers.get('ratelimit-remaining')).not.toBeNull();
  }
  // Whoever asks whether all is well is always answered.
  expect((await get('/health/live', '192.0.2.3')).status).toBe(200);
});

test('a GraphQL operation is refused by its cost, and so is a stream', async () => {
  const ask = () =>
    fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.6' },
      body: JSON.stringify({ query: `{ rewards(first: ${500 + number++}) { edges { node { amount } } } }` }),
    });
  const refused = await until(ask, ({ status }) => status !== 200);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({
    code: 8,
    errors: [{ extensions: { code: 'RESOURCE_EXHAUSTED' } }],
  });
  const open = async () => {
    const stream = await get('/api/v2/stream/accounts', '192.0.2.7');
    await stream.body?.cancel();
    return stream;
  };
  expect((await until(open, ({ status }) => status !== 200)).status).toBe(429);
});

test('GraphQL in an unusual form costs more, whatever comes of it', async () => {
  let asked = 0;
  const ask = () => {
    asked += 1;
    return get('/graphql?query=%7B', '192.0.2.8');
  };
  const refused = await until(ask, ({ status }) => status === 429);
  expect(refused.status).toBe(429);
  expect(asked).toBeLessThan(25);
});

test('who is refused in an unusual form is told when to ask again, too', async () => {
  const query = encodeURIComponent('{ rewards(first: 800) { edges { node { amount } } } }');
  const ask = () => get(`/graphql?query=${query}`, '192.0.2.9');
  expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('there is none on this machine alone unless it is set', async () => {
  await using unlimited = await startTestGateway(database.url);
  const { headers } = await fetch(`${unlimited.url}/api/v2/rewards`);
  expect(headers.get('ratelimit-limit')).toBeNull();
  await using open = await startTestGateway(database.url, { HOST: '0.0.0.0' });
  const answer = await fetch(`${open.url}/api/v2/rewards`);
  expect(answer.headers.get('ratelimit-limit')).toBe('2000000');
});

let number = 0;

function get(path: string, client: string): Promise<Response> {
  return fetch(`${gateway.url}${path}`, { headers: { 'X-Forwarded-For': client } });
}

/** The first answer that is as wanted, of no more than would have to do. */
async function until(
  ask: () => Promise<Response>,
  isWanted: (response: Response) => boolean,
): Promise<Response> {
  for (let times = 0; times < 1000; times += 1) {
    const response = await ask();
    if (isWanted(response)) return response;
    await response.arrayBuffer().catch(() => undefined);
  }
  throw new Error('it never came');
}
