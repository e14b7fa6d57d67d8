import { expect, test } from 'vitest';
import { FaultyProxy } from '../../test/support/faulty-proxy.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import { balanceSeries, type LiveRows, type MarketBucket, marketSeries, query, rows } from '../src/index.ts';

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

interface SumAsked {
  readonly key: object;
  readonly buckets: readonly object[];
}

const byText = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

/** A block that changes no bucket is told as reached, so that it is known how far they go. */
async function reach(live: Pick<LiveRows<unknown>, 'asOf' | 'isLive'>, height: number): Promise<void> {
  await expect.poll(() => [live.asOf?.height, live.isLive]).toEqual([`${height}`, true]);
}
