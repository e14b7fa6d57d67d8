import { describe, expect, test } from 'vitest';
import { chooseRows, readVersions } from '../../src/data/history/versions.ts';
import { accounts } from '../../src/data/nouns/accounts.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import type { EventSource } from '../../src/ingest/events.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { recordedNetwork } from '../support/events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createPackedNetwork } from '../support/packed-network.ts';
import { chooseRandom, seed } from '../support/seed.ts';
import { interrupted } from '../support/statements.ts';

const random = chooseRandom('archived histories');

interface Edge {
  readonly cursor: string;
  readonly block: { readonly height: string };
  readonly node: object;
}

interface Walk {
  readonly size: number;
  readonly end: 'first' | 'last';
  readonly newestFirst: boolean;
  /** What happens between two pages. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** A history by how it is asked for: `HISTORY` stands for its page. */
type Asked = readonly [type: keyof typeof OBJECTS, operation: string];

const WALKS: readonly Walk[] = [1, 7, 50, 500].flatMap((size) =>
  (['first', 'last'] as const).flatMap((end) =>
    [true, false].map((newestFirst) => ({ size, end, newestFirst })),
  ),
);

/** All versions as a walk tells them, oldest first. */
async function walk(gateway: TestGateway, [type, operation]: Asked, one: Walk): Promise<readonly Edge[]> {
  const { size, end, newestFirst, meanwhile } = one;
  const edges: Edge[] = [];
  const isForward = end === 'first';
  for (let from: string | null = null; ; ) {
    const args = `${end}: ${size}, ${isForward ? 'after' : 'before'}: ${JSON.stringify(from)}, newestFirst: ${newestFirst}`;
    const page = `pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;
    const { data } = await ask(
      gateway,
      `{ ${operation.replace('ARGS', args).replace('PAGE', `edges { cursor block { height } node { nodeId ${OBJECTS[type][0]} } } ${page}`)} }`,
    );
    const found: { edges: Edge[]; pageInfo: Record<string, unknown> } = data.found.history ?? data.found;
    edges.push(...(isForward ? found.edges : [...found.edges].reverse()));
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = found.pageInfo;
    expect(isForward ? hasPreviousPage : hasNextPage, 'the other side').toBe(from !== null);
    if (!(isForward ? hasNextPage : hasPreviousPage)) break;
    expect(found.edges).toHaveLength(size);
    from = String(isForward ? endCursor : startCursor);
    await meanwhile?.();
  }
  return newestFirst === isForward ? edges.reverse() : edges;
}

/** Types with histories, and where some of their objects are. */
const OBJECTS = {
  Account: ['balance', 'accounts(first: 500) { edges { node { nodeId } } }'],
  Asset: ['status quantum', 'assets(first: 500) { edges { node { nodeId } } }'],
  Deposit: ['status creditedTimestamp', 'deposits(first: 500) { edges { node { nodeId } } }'],
  MarginLevel: [
    'maintenanceMargin timestamp',
    'parties(first: 50) { edges { node { marginLevels(first: 50) { edges { node { nodeId } } } } } }',
  ],
  Market: ['state tradingMode', 'markets(first: 500) { edges { node { nodeId } } }'],
  MarketData: [
    'markPrice openInterest priceMonitoringBounds { minValidPrice }',
    'markets(first: 500) { edges { node { marketData { nodeId } } } }',
  ],
  Proposal: ['state', 'proposals(first: 500) { edges { node { nodeId } } }'],
  Vote: ['value timestamp', 'votes(first: 500) { edges { node { nodeId } } }'],
} as const;

/** Histories of every kind: of all accounts, of those of a filter, and of some objects of each noun. */
async function findHistories(gateway: TestGateway): Promise<readonly Asked[]> {
  const objects: Asked[] = [];
  for (const [name, [, list]] of Object.entries(OBJECTS)) {
    const type = name as keyof typeof OBJECTS;
    const { text } = await ask(gateway, `{ ${list} }`);
    const ids = [...text.matchAll(/"nodeId":"([^"]+)"/g)].map(([, id]) => id);
    for (let count = 0; count < 3 && ids.length > 0; count++)
      objects.push([
        type,
        `found: node(nodeId: "${random.pick(ids)}") { ... on ${type} { history(ARGS) { PAGE } } }`,
      ]);
  }
  const { data } = await ask(
    gateway,
    '{ accounts(first: 500) { edges { node { owner asset } } } markets { edges { node { id } } } }',
  );
  const { owner, asset } = random.pick(data.accounts.edges as { node: Record<string, string> }[]).node;
  const market = random.pick(data.markets.edges as { node: { id: string } }[]).node.id;
  return [
    ['Account', 'found: balanceChanges(ARGS) { PAGE }'],
    ['Account', `found: balanceChanges(filter: { partyIds: ["${owner}"] }, ARGS) { PAGE }`],
    ['Account', `found: balanceChanges(filter: { assetId: "${asset}" }, ARGS) { PAGE }`],
    ['MarketData', `found: marketDataHistory(marketId: "${market}", ARGS) { PAGE }`],
    ...objects,
  ];
}

async function ask(gateway: TestGateway, operation: string) {
  const { data, errors } = await gateway.graphql(operation);
  expect(errors).toBeUndefined();
  return { data, text: JSON.stringify(data) };
}

/** A whole network beside one of which all is packed but the newest blocks. */
async function openBoth(open: () => EventSource | Promise<EventSource>, newest: number, atOnce: number) {
  const whole = await createPackedNetwork(await open());
  const packed = await createPackedNetwork(await open());
  const gateways = { whole: await startTestGateway(whole.url), packed: await startTestGateway(packed.url) };
  const pack = async () => {
    while (await packed.packSome(newest - 50, atOnce)) await packed.forgetBefore(0);
  };
  return {
    ...gateways,
    database: packed,
    pack,
    async [Symbol.asyncDispose]() {
      for (const one of [gateways.whole, gateways.packed]) await one.close();
      for (const one of [whole, packed]) await one[Symbol.asyncDispose]();
    },
  };
}

async function expectEqualWalks(both: Awaited<ReturnType<typeof openBoth>>): Promise<number> {
  let versions = 0;
  for (const asked of await findHistories(both.whole)) {
    const all = await walk(both.whole, asked, { size: 5000, end: 'first', newestFirst: false });
    versions += all.length;
    // One by one takes long.
    const walks = WALKS.filter(({ size }) => all.length <= 20 * size && random.below(3) === 0);
    for (const one of walks)
      expect([asked, one, await walk(both.packed, asked, one)]).toEqual([asked, one, all]);
  }
  return versions;
}

describe.skipIf(recordedNetwork === null)('of the recorded network (../shared/data)', () => {
  test('every history out of the archive is what it is among the changes', async () => {
    const source = () => openRecordedFile(recordedNetwork as string);
    await using both = await openBoth(source, 100_000, 37);
    await both.pack();
    expect(await expectEqualWalks(both)).toBeGreaterThan(100);
  });
});

describe.each([
  ['0.79', 120, 400],
  ['0.71', 150, 90],
] as const)('of a simulated network of %s', (release, blocks, atOnce) => {
  const open = () => openSimulation({ seed: seed + blocks, parties: 20, markets: 3, release, blocks });

  test('every history out of the archive is what it is among the changes', async () => {
    await using both = await openBoth(open, blocks, atOnce);
    await both.pack();
    expect(await expectEqualWalks(both)).toBeGreaterThan(500);
  });

  test('rows that are chosen by what they meet are found among all, part by part', async () => {
    await using both = await openBoth(open, blocks, atOnce);
    await both.pack();
    const database = openDatabase({ url: both.database.url, readOnly: true });
    try {
      const range = { least: 0n, most: 2n ** 52n };
      const checks = accounts.conditions({
        accountTypes: [String(accountTypes.numbers.ACCOUNT_TYPE_GENERAL)],
      });
      const { keys } = (await chooseRows(database.statements, accounts as never, checks)) as {
        keys: bigint[];
      };
      for (const newestFirst of [true, false]) {
        const request = { limit: 37, backward: false, newestFirst };
        let count = 0;
        for (let cursor: bigint | null = null, isMore = true; isMore; ) {
          const [byKey, byPart] = await Promise.all(
            [{ keys }, { checks }].map((chosen) =>
              readVersions(database.statements, accounts as never, chosen, range, { ...request, cursor }),
            ),
          );
          expect(byPart).toEqual(byKey);
          count += byKey?.rows.length ?? 0;
          cursor = byKey?.rows.at(-1)?.changePosition ?? null;
          isMore = byKey?.hasNextPage ?? false;
        }
        expect(count).toBeGreaterThan(100);
      }
    } finally {
      await database.close();
    }
  });

  test('a walk beside the packing has every version once', async () => {
    await using both = await openBoth(open, blocks, atOnce);
    const asked = await findHistories(both.whole);
    for (let height = 60; height < blocks; height += 25) {
      const pack = async () => {
        if (await both.database.packSome(height, 40)) await both.database.forgetBefore(0);
      };
      const one = random.pick(asked.slice(0, 6));
      const all = await walk(both.whole, one, { size: 5000, end: 'first', newestFirst: false });
      const beside = { ...random.pick(WALKS.filter(({ size }) => size > 1)), meanwhile: pack };
      expect([one, beside, await walk(both.packed, one, beside)]).toEqual([one, beside, all]);
    }
  });

  test('what is forgotten is in no history, and what was before it is no version of its own', async () => {
    await using both = await openBoth(open, blocks, atOnce);
    await both.pack();
    // The first of a partition, which has what rows were before.
    const first = 64;
    await both.database.forgetBefore(first);
    for (const asked of (await findHistories(both.whole)).slice(0, 7)) {
      const all = await walk(both.whole, asked, { size: 5000, end: 'first', newestFirst: false });
      const kept = all.filter(({ block }) => Number(block.height) >= first);
      for (const one of WALKS.filter(({ size }) => size === 50))
        expect([asked, await walk(both.packed, asked, one)]).toEqual([asked, kept]);
    }
  });
});

describe('while a page is read', () => {
  const [BLOCKS, PACKED] = [300, 190];
  const network = () => openSimulation({ seed: seed + 5, blocks: BLOCKS, parties: 8, markets: 3 });
  const page = (newestFirst: boolean) =>
    `{ balanceChanges(first: 5000, newestFirst: ${newestFirst}) { edges { block { height } node { balance } } } }`;

  test.each([true, false])('its oldest blocks may be forgotten, newest first: %s', async (newestFirst) => {
    await using packed = await createPackedNetwork(network());
    while (await packed.packSome(PACKED, 2_000));
    await using database = openDatabase({ url: packed.url, readOnly: true });
    const { answer, context } = await runBy(database, { text: page(newestFirst), variables: {} }, true);
    const { data, errors } = JSON.parse(bytesOf(answer));
    expect(errors).toBeUndefined();
    const heights: number[] = data.balanceChanges.edges.map((edge: Edge) => Number(edge.block.height));
    await packed.forgetBefore(PACKED - 20);
    expect(Math.min(...heights)).toBeLessThan(PACKED - 20);
    expect((await context.confirmPasts()).length).toBe(new Set(heights).size);
  });

  test('none between two statements is left out without a word', async () => {
    await using packed = await createPackedNetwork(network());
    while (await packed.packSome(PACKED, 2_000));
    await using database = openDatabase({ url: packed.url, readOnly: true });
    let parts = 0;
    const statements = interrupted(database.statements, {
      async before(text) {
        if (!text.includes('balance_changes')) return;
        parts += 1;
        if (parts !== 2) return;
        while (await packed.packSome(BLOCKS - 20, 2_000));
        await packed.forgetBefore(BLOCKS - 30);
      },
    });
    const asked = { text: page(false), variables: {} };
    const { answer } = await runBy({ ...database, statements }, asked, true);
    const { errors } = JSON.parse(bytesOf(answer));
    expect(parts).toBeGreaterThan(1);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('BLOCK_NOT_KEPT');
  });
});
