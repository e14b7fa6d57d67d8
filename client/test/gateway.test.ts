import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openNetwork } from '../../test/live/live-network.ts';
import { GatewayProcess, WriterProcess } from '../../test/live/restarted-processes.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import { FaultyProxy } from '../../test/support/faulty-proxy.ts';
import { forAllTests } from '../../test/support/for-all-tests.ts';
import { chooseRandom } from '../../test/support/seed.ts';
import {
  type Account,
  accounts,
  changes,
  type Environment,
  followOver,
  jsonLines,
  keep,
  type LiveRows,
  type MakeTransport,
  serverSentEvents,
  system,
  webSocket,
} from '../src/index.ts';

const BLOCKS = 100;
const FIRST_BLOCKS = 40;
const BLOCKS_A_SECOND = 8;
const CLIENTS = 12;

/** Node has a WebSocket of its own from release 22 on. */
const environment: Environment = { ...system, WebSocket: WebSocket as never };
const transports = [webSocket, serverSentEvents, jsonLines] as const;

const network = await openNetwork({ seed: 5, blocks: BLOCKS, parties: 60, markets: 3 });
const database = await forAllTests(createTestDatabase());
await network.write(database.url, FIRST_BLOCKS, 'max');

const ALL = { owners: [], markets: [], assets: [], types: [] };

const write = ({ owner, asset, marketId, type, balance }: Omit<Account, 'id'>) =>
  [owner, asset, marketId, type, balance].join(' ');

/** What the accounts of some owners are at the end of a block. */
function stateAt(height: number, owners: readonly string[]): readonly string[] {
  const state = new Map<string, string>();
  for (let block = 1; block <= height; block++)
    for (const [key, row] of network.chain.changesOf(block, { ...ALL, owners })) state.set(key, write(row));
  return [...state.values()].sort();
}

test('rows are what the network has at every block that they name, while everything between is killed and cut', async () => {
  const random = chooseRandom('client and gateway');
  await using gateway = await GatewayProcess.start(database.url);
  await using proxy = await FaultyProxy.start(() => ({
    host: '127.0.0.1',
    port: Number(new URL(gateway.url).port),
  }));
  const url = `http://127.0.0.1:${proxy.port}`;
  const faults: unknown[] = [];
  let blocks = 0;
  const stores = Array.from({ length: CLIENTS }, (_, n): LiveRows<Account> => {
    const owners = n % 4 === 0 ? [] : [random.pick(network.chain.accounts).owner];
    const transport = transports[n % transports.length] as MakeTransport;
    const options = { url, environment, silenceMs: 3_000, filter: { partyIds: owners } };
    const live = keep(accounts, followOver([transport], accounts, options));
    live.subscribe(() => {
      blocks += 1;
      const told = [...live.values()].map(write).sort();
      const expected = stateAt(Number(live.asOf?.height), owners);
      if (JSON.stringify(told) !== JSON.stringify(expected))
        faults.push([transport.name, live.asOf, told, expected]);
    });
    return live;
  });
  await Promise.all(stores.map(({ ready }) => ready));
  await using writer = WriterProcess.simulating(database.url, network.options, BLOCKS_A_SECOND);
  const causes = [
    () => gateway.restart('SIGKILL'),
    () => gateway.restart('SIGTERM'),
    async () => writer.kill('SIGKILL'),
    async () => proxy.drop(),
    ...(['stalls', 'half-open', 'refuses'] as const).map((state) => async () => {
      proxy.set(state);
      await sleep(800);
      proxy.set('passes');
    }),
  ];
  for (const cause of causes) {
    await cause();
    await sleep(random.between(100, 900));
  }
  await writer.done;
  await network.writeLast(database.url);
  const last = String(network.chain.height);
  await expect
    .poll(() => stores.map(({ asOf, isLive }) => [asOf?.height, isLive]))
    .toEqual(stores.map(() => [last, true]));
  expect(faults).toEqual([]);
  expect(blocks).toBeGreaterThan(CLIENTS * 20);
  for (const store of stores) store.close();
  await Promise.all(stores.map(({ done }) => done));
});

test('several kinds are followed together, and a wrong filter is refused in the words of the gateway', async () => {
  await using gateway = await GatewayProcess.start(database.url);
  for (const transport of transports) {
    const options = { url: gateway.url, environment };
    const following = followOver([transport], changes, { ...options, nouns: ['MARKETS', 'MARKET_DATA'] });
    const { value } = await following.next();
    expect(value).toMatchObject({ kind: 'snapshot', isReset: false });
    expect(value?.rows.markets.length).toBe(3);
    expect(Object.keys(value?.rows ?? {})).toEqual(['marketData', 'markets']);
    await following.return?.();
    const wrong = followOver([transport], changes, {
      ...options,
      nouns: ['ASSETS'],
      filter: { partyIds: ['a'] },
    });
    await expect(wrong.next()).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('cannot choose among assets'),
    });
  }
});
