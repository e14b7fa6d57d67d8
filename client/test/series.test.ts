import { expect, test } from 'vitest';
import { FaultyProxy } from '../../test/support/faulty-proxy.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { ask } from '../../test/support/state.ts';
import {
  balanceSeries,
  follow,
  followOver,
  type LiveRows,
  type MarketBucket,
  marketSeries,
  query,
  type Receiver,
  type Result,
  rows,
  system,
} from '../src/index.ts';

const FIRST_BLOCK = 30;
const STEPS = 8;
const BLOCKS_A_STEP = 6;
const BUCKET = 'close end high isComplete lastUpdate low notional open start trades volume';

test('candles that are followed through cuts are those that are asked for', async () => {
  await using network = await createSimulatedDatabase({
    ...{ seed: 7, blocks: FIRST_BLOCK, parties: 40, markets: 2 },
  });
  await using gateway = await startTestGateway(network.url, { STREAM_HEARTBEAT_MS: '100' });
  await using proxy = await FaultyProxy.start(() => ({
    host: '127.0.0.1',
    port: Number(new URL(gateway.url).port),
  }));
  const { block, markets } = (
    await gateway.graphql('{ block { timestamp } markets(last: 1) { nodes { id } } }')
  ).data;
  const series = {
    marketId: markets.nodes[0].id as string,
    of: 'TRADE_PRICE',
    every: 'PT5S',
    from: `${BigInt(block.timestamp) - 20_000_000_000n}`,
  } as const;
  const live = rows(marketSeries, { url: `http://127.0.0.1:${proxy.port}`, ...series });
  await live.ready;
  let told = 0;
  live.subscribe(() => {
    told += 1;
  });
  for (let step = 1; step <= STEPS; step++) {
    if (step % 2 === 0) proxy.drop();
    const height = FIRST_BLOCK + step * BLOCKS_A_STEP;
    await network.advanceTo(height);
    await reach(live, height);
    const asked = await query<{ asOf: { market: { series: readonly MarketBucket[] } } }>(
      `query ($height: Uint64!, $marketId: ID!, $of: MarketValue, $every: String!, $from: Timestamp) {
        asOf(height: $height) { market(id: $marketId) { series(every: $every, from: $from, of: $of) { ${BUCKET} } } }
      }`,
      { url: gateway.url, variables: { height, ...series } as never },
    );
    expect([...live.values()]).toEqual(asked.asOf.market.series);
  }
  expect(told).toBeGreaterThanOrEqual(STEPS / 2);
  expect([...live.values()].filter(({ isComplete }) => isComplete).length).toBeGreaterThan(5);
  expect([...live.values()].some(({ trades }) => trades > 0)).toBe(true);
  live.close();
  await live.done;
});

test('balances by asset and type that are followed through cuts are those that are asked for', async () => {
  await using network = await createSimulatedDatabase({
    ...{ seed: 11, blocks: FIRST_BLOCK, parties: 12, markets: 2 },
  });
  await using gateway = await startTestGateway(network.url, { STREAM_HEARTBEAT_MS: '100' });
  await using proxy = await FaultyProxy.start(() => ({
    host: '127.0.0.1',
    port: Number(new URL(gateway.url).port),
  }));
  const { block } = (await gateway.graphql('{ block { timestamp } }')).data;
  const series = {
    by: ['ASSET', 'TYPE'],
    every: 'PT5S',
    from: `${BigInt(block.timestamp) - 20_000_000_000n}`,
  } as const;
  const live = rows(balanceSeries, { url: `http://127.0.0.1:${proxy.port}`, ...series });
  await live.ready;
  for (let step = 1; step <= STEPS; step++) {
    if (step % 2 === 0) proxy.drop();
    const height = FIRST_BLOCK + step * BLOCKS_A_STEP;
    await network.advanceTo(height);
    await reach(live, height);
    const asked = (await gateway.graphql(
      `query ($height: Uint64!, $by: [BalanceKey!], $every: String!, $from: Timestamp) {
        asOf(height: $height) { accounts { series(every: $every, from: $from, by: $by) {
          key { asset market party type } buckets { close end high isComplete low open start } } } } }`,
      { height: `${height}`, ...series },
    )) as { data: { asOf: { accounts: { series: readonly SumAsked[] } } } };
    const buckets = asked.data.asOf.accounts.series.flatMap(({ key, buckets: own }) =>
      own.map((bucket) => ({ ...key, ...bucket })),
    );
    expect([...live.values()].map(({ id: _, ...bucket }) => bucket).sort(byText)).toEqual(
      buckets.sort(byText),
    );
  }
  const held = [...live.values()];
  expect(new Set(held.map(({ asset, type }) => `${asset} ${type}`)).size).toBeGreaterThan(2);
  expect(live.where('asset', held[0]?.asset ?? '').length).toBeLessThan(held.length);
  live.close();
  await live.done;
});

test('a series that began too long ago to be asked again goes on with the bucket that is under way, and says so', async () => {
  await using network = await createSimulatedDatabase({
    ...{ seed: 7, blocks: 12, parties: 40, markets: 2 },
  });
  const earlier = 'UPDATE blocks SET timestamp = timestamp - 6000000000000 WHERE height <= 3';
  await ask(network.url, `SET periscope.migration = '9'; ${earlier}`);
  await using gateway = await startTestGateway(network.url);
  const { block, markets } = (
    await gateway.graphql('{ block(height: 2) { cursor timestamp } markets(last: 1) { nodes { id } } }')
  ).data;
  const { cursor, timestamp } = block as { cursor: string; timestamp: string };
  const marketId = markets.nodes[0].id as string;
  const series = { url: gateway.url, marketId, every: 'PT1S', from: timestamp };
  // Who has been told nothing is told why.
  await expect(follow(marketSeries, series).next()).rejects.toMatchObject({
    ...{ code: 'INVALID_ARGUMENT', message: expect.stringContaining('every of PT1S makes about') },
  });
  const following = follow(marketSeries, { ...series, after: cursor });
  const { value } = await following.next();
  expect(value).toMatchObject({ kind: 'snapshot', isReset: true, block: { height: '12' } });
  expect(value?.rows.buckets).toHaveLength(1);
  await following.return?.();
});

test('a series whose cursor is forgotten begins anew where it began, as long as that can be asked', async () => {
  const refusal = (code: string) => ({ errors: [{ message: code, extensions: { code } }] });
  const block = { height: '9', timestamp: '9' };
  const snapshot = { data: { marketSeries: { block, cursor: '9', buckets: [{ start: '5' }] } } };
  const forgotten = refusal('OUT_OF_RANGE');
  const answers: Result[] = [forgotten, snapshot, forgotten, refusal('INVALID_ARGUMENT'), snapshot];
  const asked: unknown[] = [];
  const transport = () => ({
    name: 'played by the test',
    open: ({ variables }: { readonly variables: object }, { onResult, onEnd }: Receiver) => {
      asked.push(variables);
      queueMicrotask(() => {
        onResult(answers.shift() as Result);
        onEnd('cut');
      });
      return () => {};
    },
  });
  const series = { url: 'http://one', marketId: 'm', every: 'PT1S', from: '5' };
  const environment = { ...system, random: () => 0 };
  const following = followOver([transport], marketSeries, { ...series, after: '7', environment });
  for (let times = 0; times < 2; times++)
    expect((await following.next()).value).toMatchObject({ kind: 'snapshot', isReset: true });
  await following.return?.();
  expect(asked.slice(0, 5)).toMatchObject([
    { after: '7', from: '5' },
    { after: null, from: '5' },
    { after: '9', from: '5' },
    { after: null, from: '5' },
    { after: null, from: null },
  ]);
});

test('a series whose cursor is refused begins anew where it was asked to begin', async () => {
  await using network = await createSimulatedDatabase({
    ...{ seed: 7, blocks: 12, parties: 40, markets: 2 },
  });
  await using gateway = await startTestGateway(network.url);
  const { block, markets } = (
    await gateway.graphql('{ block(height: 2) { timestamp } markets(last: 1) { nodes { id } } }')
  ).data;
  const series = { marketId: markets.nodes[0].id as string, every: 'PT1S', from: block.timestamp as string };
  const following = follow(marketSeries, { url: gateway.url, ...series, after: 'no cursor' });
  const { value } = await following.next();
  expect(value).toMatchObject({ kind: 'snapshot', isReset: true });
  expect(BigInt(value?.rows.buckets[0]?.start ?? 0)).toBeLessThanOrEqual(BigInt(series.from));
  await following.return?.();
});

interface SumAsked {
  readonly key: object;
  readonly buckets: readonly object[];
}

const byText = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

/** A block that changes no bucket is told as reached, so that it is known how far they go. */
async function reach(live: Pick<LiveRows<unknown>, 'asOf' | 'isLive'>, height: number): Promise<void> {
  await expect.poll(() => [live.asOf?.height, live.isLive]).toEqual([`${height}`, true]);
}
