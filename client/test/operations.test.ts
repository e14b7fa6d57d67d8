import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { expect, onTestFinished, test } from 'vitest';
import { startTestGateway } from '../../test/support/gateway.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { followInto } from '../src/adapters/apollo.ts';
import {
  type Account,
  accounts,
  deposits,
  marginLevels,
  marketData,
  marketSeries,
  type OneKind,
  operationsOf,
  partyProfiles,
  rows,
  system,
  trades,
} from '../src/index.ts';
import { file } from '../src/storage/file.ts';

test('a gateway that takes listed operations alone has rows followed, kept and verified by those that are named for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-operations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fields = { accounts: 'id balance' };
  const followed = [
    [accounts, { fields }],
    ...[deposits, marginLevels, marketData, partyProfiles, trades].map((kind) => [kind, {}] as const),
  ] as unknown as readonly (readonly [OneKind<object, Account>, object])[];
  const listed = followed.flatMap(([kind, options]) => operationsOf(kind, options));
  const path = join(folder, 'list.json');
  writeFileSync(path, JSON.stringify(Object.fromEntries(listed.map((text, index) => [index, text]))));
  await using network = await createSimulatedDatabase({ seed: 7, blocks: 60, parties: 12, markets: 3 });
  await using gateway = await startTestGateway(network.url, { OPERATION_LIST: path });
  for (const [kind, options] of followed)
    for (const run of ['first', 'second']) {
      const storage = file(join(folder, `${kind.name}.jsonl`));
      const live = rows(kind, { url: gateway.url, storage, ...options });
      await live.ready;
      await expect.poll(() => live.isLive).toBe(true);
      expect([kind.name, run, (await live.verify()).outcome]).toEqual([kind.name, run, 'equal']);
      live.close();
      await live.done;
    }
});

test('what is followed into a cache is named as it is asked', async () => {
  const asked: string[] = [];
  const environment = {
    ...{ ...system, WebSocket: null },
    fetch: async (_: unknown, request?: RequestInit) => {
      asked.push(JSON.parse(String(request?.body)).query);
      return new Response(new ReadableStream());
    },
  };
  const client = new ApolloClient({ link: ApolloLink.empty(), cache: new InMemoryCache() });
  const followed = followInto(client, deposits, { url: 'http://one', environment });
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  followed.close();
  expect(operationsOf(deposits, { isForCache: true })).toContain(asked[0]);
});

test('of series, which no list has, what follows and keeps them is named', () => {
  const operations = operationsOf(marketSeries);
  expect(operations).toHaveLength(2);
  expect(operations[0]).toContain('marketSeries(after: $after');
});
