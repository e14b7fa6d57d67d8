import { expect, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

const NETWORK = { seed: 3, blocks: 5, parties: 4, markets: 1 } as const;
const ASKING = { 'X-Server-Timing': '1' };
const GRAPHQL = { 'Content-Type': 'application/json', ...ASKING };

async function timingOf(url: string, init: RequestInit = { headers: ASKING }) {
  const answer = await fetch(url, init);
  await answer.text();
  return answer.headers.get('server-timing');
}

/** The steps that a header tells, in their order, each with its milliseconds; NaN for one that has none. */
function read(header: string | null) {
  const steps = (header ?? '').split(', ').map((part) => {
    const [, name = '', ms] = /^(\w+)(?:;desc="\d+")?(?:;dur=([\d.]+))?$/.exec(part) ?? [];
    return [name, Number(ms)] as const;
  });
  return new Map(steps);
}

test('an answer says what took how long to who asks, and to nobody else', async () => {
  await using database = await createSimulatedDatabase(NETWORK);
  await using gateway = await startTestGateway(database.url);
  const url = `${gateway.url}/api/v2/deposits`;
  const steps = read(await timingOf(url));
  expect([...steps.keys()].sort()).toEqual(['database', 'execute', 'total', 'write']);
  const took = (name: string) => steps.get(name) ?? Number.NaN;
  expect(took('database')).toBeGreaterThan(0);
  expect(took('total')).toBeGreaterThanOrEqual(took('execute') + took('write'));
  expect(await timingOf(url, {})).toBeNull();
});

test('a kept answer says that it was kept', async () => {
  await using database = await createSimulatedDatabase(NETWORK);
  await using gateway = await startTestGateway(database.url);
  const url = `${gateway.url}/api/v2/deposits?pagination.first=2`;
  // The feed may not follow yet, and what is asked for once is not kept.
  const keysOf = (url: string) => async () => [...read(await timingOf(url)).keys()];
  await expect.poll(keysOf(url)).toEqual(['kept', 'total']);
  expect(await timingOf(url, {})).toBeNull();
  const body = JSON.stringify({ query: '{ block { height } }' });
  const post = () => timingOf(`${gateway.url}/graphql`, { method: 'POST', body, headers: GRAPHQL });
  await expect.poll(async () => [...read(await post()).keys()]).toEqual(['kept', 'total']);
});

test.each([
  [
    'an operation that Yoga answers',
    '/graphql?query={assets(first:1){edges{node{id}}}}',
    undefined,
    'database',
  ],
  ['a list that is streamed', '/votes', undefined, 'database'],
  ['a batch', '/graphql', [{ query: '{assets(first:1){edges{node{id}}}}' }], 'database'],
  ['what is refused', '/api/v2/deposits?pagination.first=x', undefined, 'total'],
  ['a path that nothing serves', '/nothing', undefined, 'total'],
  ['a document', '/openapi.json', undefined, 'total'],
])('%s says it too', async (_, path, body, step) => {
  await using database = await createSimulatedDatabase(NETWORK);
  await using gateway = await startTestGateway(database.url);
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: GRAPHQL };
  expect(read(await timingOf(`${gateway.url}${path}`, init)).get(step)).toBeGreaterThan(0);
});

test('SERVER_TIMING=off tells nobody', async () => {
  await using database = await createSimulatedDatabase(NETWORK);
  await using gateway = await startTestGateway(database.url, { SERVER_TIMING: 'off' });
  expect(await timingOf(`${gateway.url}/votes`)).toBeNull();
});
