import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccountNetwork, ASSET, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson } from '../support/http-clients.ts';
import { type GraphqlSocket, openGraphqlSocket } from '../support/socket-clients.ts';
import { ask, withClient } from '../support/state.ts';

const BLOCKS = 'subscription { blocks { block { height } } }';
const ACCOUNTS =
  'subscription { accounts { snapshot { accounts { balance } } updates { accounts { balance } } } }';
const LINKED = 'subscription { accounts { updates { accounts { balance assetNode { symbol } } } } }';

describe('an operation that nobody waits for any more', () => {
  let network: AccountNetwork;
  let gateway: TestGateway;

  beforeAll(async () => {
    network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '10' });
    gateway = await startTestGateway(network.url);
  });

  afterAll(async () => {
    await gateway.close();
    await network[Symbol.asyncDispose]();
  });

  test.each([
    ['a query', '{ accounts(first: 1) { edges { node { balance } } } }'],
    ['the snapshot of a subscription', ACCOUNTS],
  ])('ends its statement on the server, and none of its neighbours: %s', async (_, query) => {
    await using socket = await connectAndGreet();
    socket.send(subscribe('live', BLOCKS));
    await socket.next();
    await whileLocked('accounts', async (unlock) => {
      socket.send(subscribe('left', query));
      await expect.poll(countLocked).toBe(1);
      socket.send(subscribe('stays', '{ accounts(first: 2) { edges { node { balance } } } }'));
      await expect.poll(countLocked).toBe(2);
      socket.send({ id: 'left', type: 'complete' });
      await expect.poll(countLocked).toBe(1);
      await unlock();
      expect(await socket.next()).toMatchObject({ id: 'stays', payload: { data: expect.anything() } });
      expect(await socket.next()).toEqual({ id: 'stays', type: 'complete' });
    });
    const height = await network.block();
    const told = { blocks: { block: { height: `${height}` } } };
    expect(await socket.next()).toMatchObject({ id: 'live', payload: { data: told } });
  });

  test('ends what a change of its subscription reads, once all have left who share it', async () => {
    await using socket = await connectAndGreet();
    await using other = await connectAndGreet();
    for (const [one, id] of [
      [socket, 'a'],
      [socket, 'b'],
      [other, 'c'],
    ] as const) {
      one.send(subscribe(id, LINKED));
      expect(await one.next()).toMatchObject({ id, type: 'next' });
    }
    await whileLocked('assets', async (unlock) => {
      await network.block({ owner: party(2), balance: '11', assetId: ASSET });
      await expect.poll(countLocked).toBe(1);
      socket.send({ id: 'a', type: 'complete' });
      other.close();
      await expect.poll(() => gateway.openStreams).toBe(1);
      expect(await countLocked()).toBe(1);
      socket.send({ id: 'b', type: 'complete' });
      await expect.poll(countLocked).toBe(0);
      // One who comes then has it read again.
      socket.send(subscribe('d', LINKED));
      expect(await socket.next()).toMatchObject({ id: 'd', type: 'next' });
      await network.block({ owner: party(2), balance: '12', assetId: ASSET });
      await expect.poll(countLocked).toBe(1);
      await unlock();
      const accounts = [{ balance: '12', assetNode: null }];
      expect(await socket.next()).toMatchObject({
        id: 'd',
        payload: { data: { accounts: { updates: { accounts } } } },
      });
    });
  });

  test.each([
    ['balanceSeries', 'every: "PT1S", ', 'sums { key { asset } }', 'accounts'],
    ['marketSeries', 'marketId: "m", of: MARK_PRICE, every: "PT1S", ', 'buckets { start }', 'market_data'],
    ['accountSums', 'by: [ASSET], ', 'sums { count }', 'accounts'],
    ['proposalTally', 'proposalId: "p", ', 'tally { majority }', 'proposals'],
  ])('ends what %s reads since a cursor, though another goes on', async (field, args, value, table) => {
    await using socket = await connectAndGreet();
    const height = await network.block({ owner: party(3), balance: '13' });
    await network.block({ owner: party(3), balance: '14' });
    const { block } = (await gateway.graphql(`{ block(height: ${height}) { cursor } }`)).data;
    const query = (after: string) => `subscription { ${field}(${args}${after}) { cursor ${value} } }`;
    socket.send(subscribe('stays', query('')));
    expect(await socket.next()).toMatchObject({ id: 'stays', type: 'next' });
    await whileLocked(table, async () => {
      socket.send(subscribe('left', query(`after: "${block.cursor}"`)));
      await expect.poll(countLocked).toBeGreaterThan(0);
      socket.send({ id: 'left', type: 'complete' });
      // After a minute the server ends it itself.
      await expect.poll(countLocked, { timeout: 10_000 }).toBe(0);
    });
  });

  test.each([
    ['lines of JSON', () => openNdjson(gateway.url, '/api/v2/stream/accounts')],
    ['GraphQL over SSE', () => openGraphqlSse(gateway.url, ACCOUNTS)],
  ])('ends its statement when its client leaves: %s', async (_, open) => {
    await whileLocked('accounts', async () => {
      // The head of the answer comes when a stream cannot begin for a while.
      const stream = await open();
      await expect.poll(countLocked).toBe(1);
      stream.close();
      await expect.poll(countLocked).toBe(0);
    });
    await expect.poll(() => gateway.openStreams).toBe(0);
  });

  async function connectAndGreet(): Promise<GraphqlSocket> {
    const socket = await openGraphqlSocket(gateway.url);
    socket.send({ type: 'connection_init' });
    expect(await socket.next()).toEqual({ type: 'connection_ack' });
    return socket;
  }

  const subscribe = (id: string, query: string) => ({ id, type: 'subscribe', payload: { query } });

  /** Nothing of a table can be read until it is over, or unlocked. */
  function whileLocked(table: string, use: (unlock: () => Promise<unknown>) => Promise<void>): Promise<void> {
    return withClient(network.url, async (client) => {
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      await use(() => client.query('ROLLBACK'));
    });
  }

  async function countLocked(): Promise<number> {
    const rows = await ask(
      network.url,
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows.length;
  }
});
