import { expect, test } from 'vitest';
import { openNetwork } from '../live/live-network.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';

const NOBODY = `${'ab'.repeat(32)}`;
const PATH = `/api/v2/stream/accounts?partyId=${NOBODY}`;
const QUERY = `subscription($filter: AccountFilter, $progress: Boolean) {
  accounts(filter: $filter, progress: $progress) {
    block { height } cursor snapshot { accounts { owner } } updates { accounts { owner } } } }`;
const BLOCKS = 60;

/** A server-sent event has its message as data. */
// biome-ignore lint/suspicious/noExplicitAny: a test says of each message what it must be.
function bodyOf(message: any): any {
  return message.data ?? message;
}

test('a quiet stream says how far it has come, on every transport, to those alone who ask for it', async () => {
  const network = await openNetwork({ seed: 3, blocks: BLOCKS, parties: 20, markets: 2 });
  await using database = await createTestDatabase();
  await network.write(database.url, 10, 'max');
  await using gateway = await startTestGateway(database.url, { STREAM_HEARTBEAT_MS: '100' });
  const variables = { filter: { partyIds: [NOBODY] }, progress: true };
  await using lines = await openNdjson(gateway.url, `${PATH}&progress=true`);
  await using events = await openSse(gateway.url, `${PATH}&progress=true`);
  await using socket = await openDocumentedWebSocket(gateway.url, `${PATH}&progress=true&cursors=true`);
  await using graphqlSocket = await openGraphqlWs(gateway.url, QUERY, variables);
  await using graphqlEvents = await openGraphqlSse(gateway.url, QUERY, variables);
  await using silent = await openNdjson(gateway.url, PATH);
  const all = [lines, events, socket, graphqlSocket, graphqlEvents, silent];
  for (const client of all) await client.next();
  const writing = network.write(database.url, BLOCKS, 10);
  for (const client of [lines, events, socket]) {
    const [first, second] = [bodyOf(await client.next()), bodyOf(await client.next())];
    expect(Object.keys(first)).toEqual(['reached']);
    expect(Object.keys(first.reached)).toEqual(['block', 'cursor']);
    expect(Number(second.reached.block.height)).toBeGreaterThan(Number(first.reached.block.height));
    // Whoever goes on from there has missed nothing, and is told so.
    await using next = await openNdjson(gateway.url, `${PATH}&progress=true&after=${first.reached.cursor}`);
    const { reached } = await next.next();
    expect(Number(reached.block.height)).toBeGreaterThanOrEqual(Number(first.reached.block.height));
  }
  for (const client of [graphqlSocket, graphqlEvents]) {
    const { data } = await client.next();
    expect(data.accounts).toMatchObject({ snapshot: null, updates: null, cursor: expect.any(String) });
    expect(Number(data.accounts.block.height)).toBeGreaterThan(10);
  }
  await writing;
  // All that it has said until the last block, which nobody's account is in.
  const told = silent.next().then(() => 'a message');
  await network.writeLast(database.url);
  await lines.next();
  expect(await Promise.race([told, Promise.resolve('nothing')])).toBe('nothing');
  told.catch(() => {});
});

test('a stream says how far it has come also when the network stops just after it has said something', async () => {
  const network = await openNetwork({ seed: 3, blocks: 30, parties: 20, markets: 2 });
  await using database = await createTestDatabase();
  await network.write(database.url, 20, 'max');
  await using gateway = await startTestGateway(database.url, { STREAM_HEARTBEAT_MS: '1000' });
  const variables = { filter: { partyIds: [NOBODY] }, progress: true };
  const series = `subscription { marketSeries(marketId: "${'cd'.repeat(32)}", every: "P1D", progress: true) {
    block { height } } }`;
  const clients = [
    await openNdjson(gateway.url, `${PATH}&progress=true`),
    await openGraphqlWs(gateway.url, QUERY, variables),
    await openGraphqlSse(gateway.url, QUERY, variables),
    await openGraphqlWs(gateway.url, series),
  ];
  for (const client of clients) await client.next();
  // All of them come within the second in which the streams have told of their beginning.
  await network.write(database.url, 30, 'max');
  for (const client of clients) {
    let height = '';
    // On a slow machine some tell of a block before the last.
    while (height !== '30') {
      const message = bodyOf(await client.next());
      height = (message.reached ?? message.accounts ?? message.marketSeries).block.height;
    }
    client.close();
  }
});

test('a stream that goes on after a cursor says when it has told all that was missed, be that nothing', async () => {
  const network = await openNetwork({ seed: 3, blocks: 30, parties: 20, markets: 2 });
  await using database = await createTestDatabase();
  await network.write(database.url, 30, 'max');
  // Later than any test waits.
  await using gateway = await startTestGateway(database.url, { STREAM_HEARTBEAT_MS: '600000' });
  const { data } = await gateway.graphql(
    '{ asOf(height: "10") { block { cursor } } block { cursor height } }',
  );
  const query = QUERY.replace('$progress: Boolean', '$progress: Boolean, $after: String').replace(
    'progress: $progress',
    'progress: $progress, after: $after',
  );
  for (const { cursor } of [data.asOf.block, data.block]) {
    await using stream = await openGraphqlWs(gateway.url, query, { progress: true, after: cursor });
    const heights: number[] = [];
    for (let isTold = false; !isTold; ) {
      const message = await stream.next();
      const { block, updates } = message.data.accounts;
      heights.push(Number(block.height));
      isTold = updates === null;
    }
    expect(heights.at(-1)).toBe(Number(data.block.height));
    expect(heights.length > 1).toBe(cursor !== data.block.cursor);
  }
});
