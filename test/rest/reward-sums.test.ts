import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { reduceRecording } from '../ingest/recorded-state.ts';
import { createTestDatabase } from '../support/database.ts';
import { recordedNetwork, sourceOf } from '../support/events.ts';
import { startOwnGateway, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { newerRecordings } from '../support/newer-networks.ts';
import { runProgram } from '../support/program.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask } from '../support/state.ts';

/** Of a reward, what it is summed by. */
interface Paid {
  readonly assetId: string;
  readonly partyId: string;
  readonly marketId: string;
  readonly epoch: string;
  readonly rewardType: string;
  readonly amount: string;
}

const [WHOLE, EPOCHS] = ['/api/v2/rewards/summaries', '/api/v2/rewards/epoch/summaries'] as const;

test('on a simulated network both paths give what the rewards come to, whatever is asked and walked', async () => {
  await using simulated = await createSimulatedDatabase({ seed: 31, blocks: 90, parties: 12, markets: 3 });
  const gateway = await startTestGateway(simulated.url);
  try {
    const rewards = (await simulated.readTable('rewards')).map((row) => ({
      ...{ assetId: row['asset_id'] ?? '', partyId: row['party_id'] ?? '', marketId: row['market_id'] ?? '' },
      ...{ epoch: row['epoch'] ?? '', rewardType: row['reward_type'] ?? '', amount: row['amount'] ?? '' },
    }));
    expect(rewards.length).toBeGreaterThan(100);
    await hold(gateway, rewards);
    const all = sumBy(rewards, 'epoch', 'marketId', 'assetId', 'rewardType');
    for (const newestFirst of [true, false]) {
      const wanted = newestFirst ? all.toReversed() : all;
      expect(await walk(gateway, newestFirst, 'first', 'after')).toEqual(wanted);
      expect((await walk(gateway, newestFirst, 'last', 'before')).reverse()).toEqual(wanted);
    }
    await holdSides(gateway, rewards);
    const { body } = await gateway.rest(`${EPOCHS}?asOf=80`);
    for (const name of ['pagination.after', 'pagination.before']) {
      const refused = await gateway.rest(`${EPOCHS}?${name}=${body.summaries.pageInfo.endCursor}`);
      expect([refused.status, refused.body.details[0].fieldViolations]).toEqual([
        400,
        [{ field: name, description: expect.stringMatching(`^Parameter ${name} takes a cursor of a page`) }],
      ]);
    }
  } finally {
    await gateway.close();
  }
});

test('so they do where types, markets and assets are any text, and none', async () => {
  const types = ['', 'A', 'A\u0001', 'a b', 'é-', '\ue000', '🙂'];
  const rewards = [1n, 2n].flatMap((epoch) =>
    ['', 'a.b'].flatMap((marketId) =>
      ['', 'x'].flatMap((assetId) =>
        types.map((rewardType) => ({ epoch, marketId, assetId, rewardType, partyId: 'p', amount: '1' })),
      ),
    ),
  );
  await using gateway = await startOwnGateway(async (url) => {
    await using writer = await Writer.open(url);
    const newer = { lockedUntilEpoch: null, quantumAmount: null, gameId: null };
    const source = sourceOf([
      { type: 'beginBlock', height: 1, timestamp: 1n, hash: 'hash' },
      ...rewards.map((row) => ({
        type: 'reward' as const,
        row: { ...row, percentageOfTotal: '1', receivedAt: 1n, ...newer },
      })),
      { type: 'endBlock', height: 1 },
    ]);
    await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  });
  const paid = rewards.map((row) => ({ ...row, epoch: `${row.epoch}` }));
  expect(await walk(gateway, false, 'first', 'after')).toEqual(
    sumBy(paid, 'epoch', 'marketId', 'assetId', 'rewardType'),
  );
  expect(await walk(gateway, true, 'first', 'after')).toHaveLength(rewards.length);
  await holdSides(gateway, paid, 5);
});

const BY = ['EPOCH', 'MARKET', 'ASSET', 'TYPE'];
const WITH_NUL = Buffer.from(
  JSON.stringify(['sums1', 'rewards.sums', BY, '1', ['1', 'm\0', 'a', 't']]),
).toString('base64url');

test('a cursor of others, and a page of too many, are refused by name', async () => {
  await using database = await createTestDatabase();
  const gateway = await startTestGateway(database.url);
  try {
    for (const [query, name] of [
      ['pagination.first=1001', 'pagination.first'],
      ['pagination.after=MS5yZXdhcmRzLjE', 'pagination.after'],
      [`pagination.after=${WITH_NUL}`, 'pagination.after'],
      [`pagination.before=${WITH_NUL}`, 'pagination.before'],
      ['filter.fromEpoch=-1', 'filter.fromEpoch'],
    ]) {
      const { status, body } = await gateway.rest(`${EPOCHS}?${query}`);
      expect([status, body.code, body.details[0].fieldViolations[0].field]).toEqual([400, 3, name]);
    }
    expect((await gateway.rest(WHOLE)).text).toBe('{"summaries":[]}');
  } finally {
    await gateway.close();
  }
});

test('sums of more rewards than are read are refused in the words of the path', async () => {
  await using simulated = await createSimulatedDatabase({ seed: 31, blocks: 60, parties: 4, markets: 1 });
  const gateway = await startTestGateway(simulated.url);
  try {
    const [{ asset = '' } = {}] = await ask<{ asset: string }>(
      simulated.url,
      'UPDATE reward_sums SET rows = rows + 1000000 RETURNING asset_id AS asset',
    );
    for (const query of ['', `?assetId=${asset}`]) {
      const { status, body } = await gateway.rest(`${WHOLE}${query}`);
      expect([status, body.code, body.message]).toEqual([
        ...[400, 9],
        'The answer would be made of more than 1000000 rows of rewards, which is the most: ask for fewer, by the parameters.',
      ]);
    }
  } finally {
    await gateway.close();
  }
});

test.skipIf(recordedNetwork === null)(
  'of the recorded network both give what its rewards come to',
  async () => {
    const rows = reduceRecording(gunzipSync(readFileSync(recordedNetwork as string)))['rewards'];
    expect(rows?.size).toBe(2);
    const rewards = [...(rows?.values() ?? [])].map((row) => ({
      ...{ assetId: row['asset_id'], partyId: row['party_id'], marketId: row['market_id'] },
      ...{ epoch: row['epoch'], rewardType: row['reward_type'], amount: row['amount'] },
    }));
    await holdRecording(recordedNetwork as string, async () => rewards as unknown as readonly Paid[]);
  },
);

// An independent decoding says how many they are; that the list has them all as they came, other tests say.
const rewarding = newerRecordings.filter(({ expected }) => expected.rewards > 0);
describe.skipIf(rewarding.length === 0)('of networks of release 0.79 (../shared/data)', () => {
  test.each(rewarding)('both give what the list of rewards of $name comes to', async ({ path, expected }) => {
    await holdRecording(path, async ({ rest }) => {
      const { edges } = (await rest('/api/v2/rewards?pagination.first=5000')).body.rewards;
      expect(edges).toHaveLength(expected.rewards);
      return edges.map(({ node }: { readonly node: Paid }) => node);
    });
  });
});

async function holdRecording(
  path: string,
  find: (gateway: TestGateway) => Promise<readonly Paid[]>,
): Promise<void> {
  await using database = await createTestDatabase();
  expect(await runProgram(['ingest', 'file', path], { DATABASE_URL: database.url })).toMatchObject({
    code: 0,
  });
  const gateway = await startTestGateway(database.url);
  try {
    await hold(gateway, await find(gateway));
  } finally {
    await gateway.close();
  }
}

/** Holds the answers to all questions by one asset, one party, one market and one epoch to the rewards. */
async function hold({ rest }: Pick<TestGateway, 'rest'>, rewards: readonly Paid[]): Promise<void> {
  const wholes = async (query: string, passes: (reward: Paid) => boolean) =>
    expect([query, (await rest(`${WHOLE}?${query}`)).body.summaries]).toEqual([
      query,
      sumBy(rewards.filter(passes), 'assetId', 'partyId'),
    ]);
  const epochs = async (query: string, passes: (reward: Paid) => boolean) => {
    const { edges } = (await rest(`${EPOCHS}?pagination.newestFirst=false&${query}`)).body.summaries;
    expect([query, edges.map(({ node }: { readonly node: object }) => node)]).toEqual([
      query,
      sumBy(rewards.filter(passes), 'epoch', 'marketId', 'assetId', 'rewardType'),
    ]);
  };
  await wholes('', () => true);
  await epochs('', () => true);
  for (const { assetId, partyId, marketId, epoch } of rewards.filter((_, index) => index % 37 === 0)) {
    await wholes(`partyId=${partyId}`, (one) => one.partyId === partyId);
    await wholes(`assetId=${assetId}`, (one) => one.assetId === assetId);
    await epochs(`filter.assetIds=${assetId}`, (one) => one.assetId === assetId);
    if (marketId !== '') await epochs(`filter.marketIds=${marketId}`, (one) => one.marketId === marketId);
    await epochs(`filter.fromEpoch=${epoch}`, (one) => BigInt(one.epoch) >= BigInt(epoch));
    await epochs(`filter.toEpoch=${epoch}`, (one) => BigInt(one.epoch) <= BigInt(epoch));
  }
}

/** What rewards come to, in the order of their keys. */
function sumBy(rewards: readonly Paid[], ...keys: readonly (keyof Paid)[]): readonly object[] {
  const sums = new Map<string, { readonly of: Paid; amount: bigint }>();
  for (const reward of rewards) {
    const key = JSON.stringify(keys.map((name) => String(reward[name])));
    const sum = sums.get(key) ?? { of: reward, amount: 0n };
    sum.amount += BigInt(reward.amount);
    sums.set(key, sum);
  }
  const sortable = (reward: Paid, name: keyof Paid) =>
    name === 'epoch' ? BigInt(reward.epoch) : Buffer.from(reward[name]).toString('hex');
  return [...sums.values()]
    .sort(({ of: one }, { of: other }) => {
      const name = keys.find((name) => String(one[name]) !== String(other[name])) ?? 'epoch';
      return sortable(one, name) < sortable(other, name) ? -1 : 1;
    })
    .map(({ of, amount }) => ({
      ...Object.fromEntries(keys.map((name) => [name, String(of[name])])),
      amount: `${amount}`,
    }));
}

/** Holds what pages from any cursor on, of other filters too, say of both of their sides. */
async function holdSides(
  { rest }: Pick<TestGateway, 'rest'>,
  rewards: readonly Paid[],
  step = 11,
): Promise<void> {
  const all = sumBy(rewards, 'epoch', 'marketId', 'assetId', 'rewardType') as readonly Paid[];
  const { edges } = (await rest(`${EPOCHS}?pagination.newestFirst=false`)).body.summaries;
  const epochs = [...new Set(all.map(({ epoch }) => BigInt(epoch)))];
  for (const [place, { cursor }] of edges.entries()) {
    if (place % step !== 0 && place < edges.length - 1) continue;
    for (const bound of [epochs[0], epochs[Math.floor(epochs.length / 2)], epochs.at(-1)] as const)
      for (const [name, passes] of [
        ['filter.toEpoch', (one: Paid) => BigInt(one.epoch) <= (bound ?? 0n)],
        ['filter.fromEpoch', (one: Paid) => BigInt(one.epoch) >= (bound ?? 0n)],
      ] as const)
        for (const newestFirst of [true, false])
          for (const [size, from] of [
            ['first', 'after'],
            ['last', 'before'],
          ] as const) {
            const query = `${name}=${bound}&pagination.newestFirst=${newestFirst}&pagination.${size}=2&pagination.${from}=${cursor}`;
            const { pageInfo } = (await rest(`${EPOCHS}?${query}`)).body.summaries;
            const [older, newer] = [all.slice(0, place), all.slice(place + 1)].map(
              (some) => some.filter(passes).length,
            );
            const own = passes(all[place] as Paid) ? 1 : 0;
            const isNewer = newestFirst === (size === 'last');
            const [before, beyond] = isNewer ? [older, newer] : [newer, older];
            const [behind, goesOn] = [(before ?? 0) + own > 0, (beyond ?? 0) > 2];
            expect([query, pageInfo.hasPreviousPage, pageInfo.hasNextPage]).toEqual([
              query,
              ...(size === 'first' ? [behind, goesOn] : [goesOn, behind]),
            ]);
          }
  }
}

/** All rows, page after page from one of the ends. */
async function walk(
  { rest }: TestGateway,
  newestFirst: boolean,
  size: string,
  cursor: string,
): Promise<object[]> {
  const found: object[] = [];
  let from = '';
  for (;;) {
    const query = `pagination.newestFirst=${newestFirst}&pagination.${size}=7${from}`;
    const { edges, pageInfo } = (await rest(`${EPOCHS}?${query}`)).body.summaries;
    const nodes = edges.map(({ node }: { readonly node: object }) => node);
    const isBackward = size === 'last';
    found.push(...(isBackward ? nodes.toReversed() : nodes));
    expect(isBackward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage).toBe(from !== '');
    if (!(isBackward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return found;
    from = `&pagination.${cursor}=${isBackward ? pageInfo.startCursor : pageInfo.endCursor}`;
  }
}
