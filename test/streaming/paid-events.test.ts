import { expect, onTestFinished, test, vi } from 'vitest';
import { PaidEvents } from '../../src/engine/run/paid-events.ts';
import { toldBy } from '../../src/graphql/streams.ts';
import { RateLimiter } from '../../src/http/limits/rate-limiter.ts';
import { nextOf, ReadableIterator } from '../../src/readable.ts';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';

/** Numbered events, what they cost and what became of that. */
function follow(costs: readonly number[], waits: (cost: number) => Promise<void> | null) {
  const paid: number[] = [];
  const signals: AbortSignal[] = [];
  const inner = new ReadableIterator<object>(
    costs.map((cost, n) => ({ n, cost }))[Symbol.iterator]() as never,
  );
  const pay = (cost: number, signal: AbortSignal) => {
    paid.push(cost);
    signals.push(signal);
    return waits(cost);
  };
  const { signal: ending } = new AbortController();
  const costOf = (event: object) => (event as { readonly cost: number }).cost;
  const events = new PaidEvents(inner, costOf, { pay, ending });
  const next = async () => ((await nextOf(events)).value as { readonly n: number } | undefined)?.n;
  return { events, paid, signals, next };
}

test('events are charged together, as soon as they come to something', async () => {
  const { next, paid } = follow([400, 400, 400, 0, 3000, 1], () => null);
  const told = [];
  for (let n = await next(); n !== undefined; n = await next()) told.push(n);
  expect(told).toEqual([0, 1, 2, 3, 4, 5]);
  expect(paid).toEqual([1200, 3000]);
});

test('one that cannot be paid yet comes when it is, and the others behind it', async () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const { events, next, paid } = follow([2000, 10, 5000], (cost) => (cost === 2000 ? promise : null));
  const first = next();
  await new Promise(setImmediate);
  expect(events.read()).toBeNull();
  expect(events.isOver).toBe(false);
  resolve();
  expect([await first, await next(), await next(), await next()]).toEqual([0, 1, 2, undefined]);
  expect(events.isOver).toBe(true);
  expect(paid).toEqual([2000, 5010]);
});

test('one that is left waits no more', async () => {
  const { events, next, signals } = follow([2000, 1], () => new Promise(() => {}));
  void next();
  await new Promise(setImmediate);
  await events.return();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(events.isOver).toBe(true);
});

const database = await forAllTests(
  createSimulatedDatabase({ seed: 3, blocks: 30, parties: 100, markets: 2 }),
);
const gateway = await forAllTests(
  startTestGateway(database.url, { TRUSTED_PROXIES: 'loopback', RATE_LIMIT: '2000' }),
);

const BURST = 20_000;
const aliases = (count: number, field = 'balance') =>
  Array.from({ length: count }, (_, n) => `f${n}: ${field}`).join(' ');
const snapshotOf = (fields: number) =>
  `subscription { accounts { snapshot { lastPage accounts { id ${aliases(fields)} } } } }`;
const by = (client: string) => ({ headers: { 'X-Forwarded-For': client } });

test('what a stream tells is charged to its client, once for all that ask the same', async () => {
  const rows = await readSnapshot(snapshotOf(10), '192.0.2.1');
  expect(rows).toBeGreaterThan(100);
  expect(await remainingOf('192.0.2.1')).toBeLessThan(BURST - 1000 - 10 * rows);
  expect(await remainingOf('192.0.2.2')).toBeGreaterThan(BURST - 1000);
});

test('a stream whose client has no more waits for it, and is whole; others do not', async () => {
  const fields = 60;
  const own = [
    readSnapshot(snapshotOf(fields), '192.0.2.3'),
    readSnapshot(snapshotOf(fields + 1), '192.0.2.3'),
  ];
  const other = await readSnapshot(snapshotOf(9), '192.0.2.4');
  expect(await Promise.all(own)).toEqual([other, other]);
  expect(2 * fields * other).toBeGreaterThan(BURST);
});

test('messages that tell nothing cost next to nothing', async () => {
  const charging = vi.spyOn(RateLimiter.prototype, 'chargeInTime');
  onTestFinished(() => charging.mockRestore());
  const { data } = await gateway.graphql('{ asOf(height: "20") { block { cursor } } }');
  const after = `after: "${data.asOf.block.cursor}"`;
  const filter = 'filter: { partyIds: ["none"] }, progress: true';
  const rows = (fields: number) => `accounts { id ${aliases(fields)} }`;
  const asked = [
    `empty: accounts(${filter}) { cursor snapshot { ${rows(60)} } }`,
    `reached: accounts(${filter}, ${after}) { cursor updates { ${rows(60)} } }`,
    `reached: changes(nouns: [ACCOUNTS], ${filter}, ${after}) { cursor updates { ${rows(20)} } }`,
  ];
  for (const [at, field] of asked.entries()) {
    await using stream = await openGraphqlWs(
      gateway.url,
      `subscription { ${field} }`,
      {},
      by(`192.0.3.${at}`),
    );
    expect(Object.values((await stream.next()).data)).toEqual([
      at === 0
        ? { cursor: expect.any(String), snapshot: { accounts: [] } }
        : { cursor: expect.any(String), updates: null },
    ]);
  }
  expect(charging).toHaveBeenCalled();
  for (const [, cost] of charging.mock.calls) expect(cost).toBeLessThan(1000);
});

test('a message of what is followed costs what it has, be that less or more than its operation could', async () => {
  const charging = vi.spyOn(RateLimiter.prototype, 'chargeInTime');
  onTestFinished(() => charging.mockRestore());
  const [market] = await database.readTable('market_data');
  const [block] = await database.readTable('blocks');
  const from = `from: "${block?.['timestamp']}", every: "PT1S"`;
  const ofMarket = `marketId: "${market?.['market_id']}"`;
  const ofNobody = 'filter: { partyIds: ["none"] }';
  const close = `buckets { ${aliases(60, 'close')} }`;
  const tallies = Array.from({ length: 5 }, (_, n) => `tally${n}: tally { ...Fields }`).join(' ');
  const asked = {
    newestBucket: `marketSeries(${ofMarket}, every: "P1D") { ${close} }`,
    candles: `marketSeries(${ofMarket}, ${from}, of: TRADE_PRICE) { ${close} }`,
    marketSeries: `marketSeries(${ofMarket}, ${from}) { ${close} }`,
    seriesOfNone: `marketSeries(marketId: "none", every: "P1D") { ${close} }`,
    balanceSeries: `balanceSeries(by: [ASSET, TYPE], ${from}) { sums { ${close} } }`,
    balanceSeriesOfNone: `balanceSeries(${ofNobody}, every: "P1D") { sums { ${close} } }`,
    sums: `accountSums(by: [ASSET, PARTY]) { sums { ${aliases(60, 'amount')} } }`,
    sumsOfNone: `accountSums(${ofNobody}, by: [ASSET]) { sums { ${aliases(60, 'amount')} } }`,
    tallyOfNone: `proposalTally(proposalId: "none") { ${tallies} }`,
  };
  const fragment = `fragment Fields on ProposalTally { ${aliases(300, 'majority')} }`;
  const dear: string[] = [];
  for (const [name, field] of Object.entries(asked)) {
    const client = `192.0.4.${Object.keys(asked).indexOf(name)}`;
    const query = `subscription { ${field} } ${field.includes('...Fields') ? fragment : ''}`;
    await using stream = await openGraphqlWs(gateway.url, query, {}, by(client));
    const has = JSON.stringify((await stream.next()).data).match(/"f\d+":/g)?.length ?? 0;
    const costs = charging.mock.calls.filter(([one]) => one === client).map(([, cost]) => cost);
    const cost = costs.reduce((sum, one) => sum + one, 0);
    if (has > 1000) dear.push(name);
    // What is selected, and a little besides for each bucket or sum, and for the question.
    expect.soft(cost, name).toBeGreaterThan(has > 1000 ? has : 0);
    expect.soft(cost, name).toBeLessThan(1.2 * has + 1000);
  }
  expect(dear).toEqual(['candles', 'marketSeries', 'balanceSeries', 'sums']);
});

test('how far followed sums have come is one message for all who follow them, and costs next to nothing', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  const settings = { STREAM_HEARTBEAT_MS: '100', RATE_LIMIT: '2000' };
  const counters = { executions: 0, serialisations: 0, encodings: 0 };
  await using quiet = await startTestGateway(network.url, settings, counters);
  const sums = `accountSums(filter: { partyIds: ["${party(2)}"] }, by: [ASSET], progress: true)`;
  const query = `subscription { ${sums} { block { height } sums { ${aliases(60, 'amount')} } } }`;
  const streams = await Promise.all(Array.from({ length: 5 }, () => openGraphqlWs(quiet.url, query)));
  const told = () => Promise.all(streams.map(async (stream) => (await stream.next()).data.accountSums));
  expect(await told()).toEqual(Array(5).fill({ block: { height: '1' }, sums: [] }));
  const before = counters.executions;
  const charging = vi.spyOn(RateLimiter.prototype, 'chargeInTime');
  onTestFinished(() => charging.mockRestore());
  await network.block({ owner: party(1), balance: '2' });
  expect(await told()).toEqual(Array(5).fill({ block: { height: '2' }, sums: null }));
  expect(counters.executions).toBe(before + 1);
  expect(charging).not.toHaveBeenCalled();
  for (const stream of streams) stream.close();
});

test('a message that says only how far its stream has come tells of no list at all, however it is named', () => {
  const { rows, lengths } = toldBy({ kind: 'reading', value: null, lengths: {} });
  expect([rows, lengths.get('sums'), lengths.get('a list of a later version')]).toEqual([0, 0, 0]);
});

test('streams that wait for the rate of their client are told that the gateway stops, and do not hold it up', async () => {
  const { chargeInTime } = RateLimiter.prototype;
  const charging = vi.spyOn(RateLimiter.prototype, 'chargeInTime');
  onTestFinished(() => charging.mockRestore());
  const waiting = new Promise<void>((bothWait) => {
    let streams = 0;
    // The rate of a client whose other streams take all of it.
    charging.mockImplementation(function (this: RateLimiter, client, cost, signal) {
      if (cost < 6000) return chargeInTime.call(this, client, cost, signal);
      streams += 1;
      if (streams === 2) bothWait();
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
  });
  const settings = { RATE_LIMIT: '2000', SHUTDOWN_DEADLINE_MS: '600000' };
  await using stopped = await startTestGateway(database.url, settings);
  const streams = await Promise.all([
    openGraphqlWs(stopped.url, snapshotOf(60)),
    openGraphqlWs(
      stopped.url,
      `subscription { accountSums(by: [ASSET, PARTY]) { sums { ${aliases(60, 'amount')} } } }`,
    ),
  ]);
  await waiting;
  await stopped.close();
  for (const stream of streams) {
    // What was held, and why it ends.
    expect(Object.keys(await stream.next())).toEqual(['data']);
    expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
    expect((await stream.ended).code).toBe(1001);
  }
});

/** The rows of a snapshot, read to its last page. */
async function readSnapshot(query: string, client: string): Promise<number> {
  await using stream = await openGraphqlWs(gateway.url, query, {}, by(client));
  for (let rows = 0; ; ) {
    const message = (await stream.next()) as {
      readonly data: { readonly accounts: { readonly snapshot: { lastPage: boolean; accounts: object[] } } };
    };
    const { snapshot } = message.data.accounts;
    rows += snapshot.accounts.length;
    if (snapshot.lastPage) return rows;
  }
}

async function remainingOf(client: string): Promise<number> {
  const answer = await fetch(`${gateway.url}/api/v2/votes?proposalId=none`, by(client));
  await answer.arrayBuffer();
  return Number(answer.headers.get('ratelimit-remaining'));
}
