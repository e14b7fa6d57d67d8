import { type IncomingMessage, Server } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const TEXT =
  'subscription ($after: String) { accounts(after: $after) { cursor snapshot { accounts { balance } } updates { accounts { balance } } } }';

const network = await forAllTests(startAccountNetwork());
await network.block({ owner: party(1), balance: '10' });

const ask = (gateway: TestGateway, query: string, accept = 'application/x-ndjson', variables = {}) =>
  fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: accept },
    body: JSON.stringify({ query, variables }),
  });

async function* linesOf(response: Response) {
  const input = Readable.fromWeb(response.body as never);
  for await (const line of createInterface({ input })) yield line;
}

test('a subscription is lines of JSON, with empty ones as heartbeats, that end with why they end and go on after a cursor', async () => {
  const gateway = await startTestGateway(network.url, { STREAM_HEARTBEAT_MS: '100' });
  const response = await ask(gateway, TEXT);
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect(response.headers.get('cache-control')).toContain('no-transform');
  const [results, beats] = [[] as unknown[], [] as string[]];
  const reading = (async () => {
    for await (const line of linesOf(response)) {
      if (line === '') beats.push(line);
      else results.push(JSON.parse(line));
    }
  })();
  await expect.poll(() => [results.length, beats.length > 2]).toEqual([1, true]);
  await network.block({ owner: party(1), balance: '11' });
  await expect.poll(() => results.length).toBe(2);
  expect(gateway.openStreams).toBe(1);
  await gateway.close();
  await reading;
  expect(results).toMatchObject([
    { data: { accounts: { snapshot: { accounts: [{ balance: '10' }] } } } },
    { data: { accounts: { updates: { accounts: [{ balance: '11' }] } } } },
    { errors: [{ extensions: { code: 'UNAVAILABLE' } }] },
  ]);
  await using other = await startTestGateway(network.url);
  const [{ data }] = results as [{ data: { accounts: { cursor: string } } }];
  const again = await ask(other, TEXT, 'application/jsonl', { after: data.accounts.cursor });
  const lines = linesOf(again);
  expect((await lines.next()).value).toBe('');
  expect(JSON.parse((await lines.next()).value ?? '')).toEqual(results[1]);
  await lines.return();
});

test('what cannot begin is refused as any operation, and a query is no stream', async () => {
  await using gateway = await startTestGateway(network.url);
  const refused = await ask(gateway, 'subscription { accounts(after: "x") { cursor } }');
  expect([refused.status, await refused.json()]).toMatchObject([400, { code: 3, errors: [{}] }]);
  const accept = 'application/x-ndjson, application/json;q=0.5';
  const answer = await ask(gateway, '{ accounts { totalCount } }', accept);
  expect([answer.status, await answer.json()]).toEqual([200, { data: { accounts: { totalCount: 1 } } }]);
});

test('a stream that began by a POST does not hold the body of its request', async () => {
  await using gateway = await startTestGateway(network.url);
  const asked: IncomingMessage[] = [];
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name: string, ...args: unknown[]) {
    if (name === 'request') asked.push(args[0] as IncomingMessage);
    return Reflect.apply(emit, this, [name, ...args]);
  };
  onTestFinished(() => {
    Reflect.deleteProperty(Server.prototype, 'emit');
  });
  const response = await ask(gateway, TEXT);
  const lines = linesOf(response);
  await lines.next();
  expect(asked).toMatchObject([{ method: 'POST' }]);
  expect(asked[0]).not.toMatchObject({ body: expect.anything() });
  await lines.return();
});
