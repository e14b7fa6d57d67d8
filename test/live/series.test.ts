import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openGraphqlSse } from '../support/http-clients.ts';
import { chooseRandom } from '../support/seed.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';
import { ask } from '../support/state.ts';
import { countStatements } from '../support/statements.ts';
import { openNetwork } from './live-network.ts';
import { WriterProcess } from './restarted-processes.ts';

const OPTIONS = { seed: 7, blocks: 90, parties: 40, markets: 3 };
const FIRST_BLOCKS = 30;
const BLOCKS_A_SECOND = 8;
const BUCKET = 'start end open high low close isComplete';

interface Bucket {
  readonly start: string;
  readonly isComplete: boolean;
}

/** A series that is followed, and how the same is asked for. */
interface Followed {
  readonly field: string;
  readonly args: string;
  readonly selection: string;
  /** The buckets of a message, or of an answer, by the name of the sum that each series is of. */
  readonly read: (value: never) => ReadonlyMap<string, readonly Bucket[]>;
  readonly asked: (args: string) => string;
}

const ofMarket = (marketId: string, of: string, fields: string): Followed => ({
  field: 'marketSeries',
  args: `marketId: "${marketId}", of: ${of}, `,
  selection: `buckets { ${fields} }`,
  read: ({ buckets, market }: { buckets?: readonly Bucket[]; market?: { series: readonly Bucket[] } }) =>
    new Map([['', buckets ?? market?.series ?? []]]),
  asked: (args) => `market(id: "${marketId}") { series(${args}, of: ${of}) { ${fields} } }`,
});

type Sum = { readonly key: object; readonly buckets: readonly Bucket[] };

const ofBalances = (by: string, fields: string): Followed => ({
  field: 'balanceSeries',
  args: `by: [${by}], `,
  selection: `sums { key { asset type } buckets { ${fields} } }`,
  read: ({ sums, accounts }: { sums?: readonly Sum[]; accounts?: { series: readonly Sum[] } }) =>
    new Map((sums ?? accounts?.series ?? []).map(({ key, buckets }) => [JSON.stringify(key), buckets])),
  asked: (args) => `accounts { series(${args}, by: [${by}]) { key { asset type } buckets { ${fields} } } }`,
});

async function openMarkets(url: string): Promise<readonly string[]> {
  const rows = await ask<{ id: string }>(
    url,
    'SELECT market_id AS id FROM market_data ORDER BY created_position',
  );
  return rows.map(({ id }) => id);
}

test('a series folds to the one that is asked for, and closes each bucket once, through cuts and a writer that is killed', async () => {
  const network = await openNetwork(OPTIONS);
  await using database = await createTestDatabase();
  await network.write(database.url, FIRST_BLOCKS, 'max');
  await using gateway = await startTestGateway(database.url);
  const [market = '', other = ''] = await openMarkets(database.url);
  const all = [
    ofMarket(market, 'MARK_PRICE', BUCKET),
    ofMarket(market, 'TRADE_PRICE', `${BUCKET} volume notional trades`),
    ofMarket(other, 'OPEN_INTEREST', `${BUCKET} trades`),
    ofBalances('ASSET', BUCKET),
    ofBalances('ASSET, TYPE', 'start end open close isComplete'),
  ];
  await using writer = WriterProcess.simulating(database.url, OPTIONS, BLOCKS_A_SECOND);
  const killing = (async () => {
    for (let kills = 0; kills < 3; kills += 1) {
      await sleep(2_000);
      writer.kill();
    }
  })();
  const told = await Promise.all(all.map((one) => follow(gateway, one)));
  await Promise.all([killing, writer.done]);
  expect(writer.starts).toBeGreaterThan(1);
  for (const { closed, messages } of told) {
    expect(closed).toBeGreaterThan(3);
    expect(messages).toBeGreaterThan(5);
  }
});

/** Follows a series on one connection after another, up to the last block. */
async function follow(gateway: TestGateway, { field, args, selection, read, asked }: Followed) {
  const random = chooseRandom(`${field} ${args}`);
  const width = random.pick(['PT5S', 'PT11S', 'PT1M']) === 'PT1M' ? 'PT7S' : 'PT5S';
  const words = `every: "${width}", zone: "Asia/Kathmandu"`;
  const query = `subscription($after: String) { ${field}(${args}${words}, after: $after) { block { height } cursor ${selection} } }`;
  const folded = new Map<string, Map<string, Bucket>>();
  const closed = new Set<string>();
  let [height, messages, after, begin] = [0, 0, null as string | null, null as string | null];
  while (height < OPTIONS.blocks) {
    const open = random.pick([openGraphqlWs, openGraphqlSse]);
    await using client = await open(gateway.url, query, { after });
    for (let left = random.between(1, 9); left > 0 && height < OPTIONS.blocks; left -= 1) {
      const { data, errors } = await client.next();
      expect(errors).toBeUndefined();
      const message = data[field];
      expect(Number(message.block.height)).toBeGreaterThanOrEqual(height);
      [height, after, messages] = [Number(message.block.height), message.cursor, messages + 1];
      for (const [key, buckets] of read(message as never)) {
        const series = folded.get(key) ?? new Map<string, Bucket>();
        folded.set(key, series);
        for (const bucket of buckets) {
          const name = `${key} ${bucket.start}`;
          expect(closed.has(name), `${name} is told again after its end`).toBe(false);
          if (bucket.isComplete) closed.add(name);
          series.set(bucket.start, bucket);
          begin ??= bucket.start;
        }
      }
      if (random.oneIn(4) || height === OPTIONS.blocks) await compare();
    }
  }
  return { closed: closed.size / folded.size, messages };

  async function compare(): Promise<void> {
    const answer = await gateway.graphql(
      `{ asOf(height: "${height}") { ${asked(`from: "${begin}", ${words}`)} } }`,
    );
    expect(answer.errors).toBeUndefined();
    for (const [key, buckets] of read(answer.data.asOf as never)) {
      const series = [...(folded.get(key) ?? new Map<string, Bucket>()).values()];
      // A sum that begins later is told from then on.
      expect(series, `${field} ${args} ${key} at ${height}`).toEqual(buckets.slice(-series.length));
    }
  }
}

test('equal subscriptions are read once, and a block that changes nothing of it is not read for', async () => {
  const network = await openNetwork(OPTIONS);
  await using database = await createTestDatabase();
  await network.write(database.url, FIRST_BLOCKS, 'max');
  await using gateway = await startTestGateway(database.url);
  const [market = ''] = await openMarkets(database.url);
  const query = (every: string, id: string) =>
    `subscription { marketSeries(marketId: "${id}", every: "${every}") { block { height } buckets { ${BUCKET} } } }`;
  const clients = await Promise.all(
    Array.from({ length: 12 }, () => openGraphqlWs(gateway.url, query('PT1S', market))),
  );
  const unknown = await openGraphqlWs(gateway.url, query('P1D', 'no such market'));
  try {
    expect((await unknown.next()).data.marketSeries.buckets).toEqual([]);
    for (const client of clients) await client.next();
    const counting = countStatements();
    await network.write(database.url, FIRST_BLOCKS + 1, 'max');
    const told = await Promise.all(clients.map((client) => client.next()));
    await sleep(300);
    counting.stop();
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(Number(told[0]?.data.marketSeries.block.height)).toBe(FIRST_BLOCKS + 1);
    expect(counting.texts.filter((text) => text.includes('AS bounds ORDER BY time'))).toHaveLength(1);
  } finally {
    for (const client of [...clients, unknown]) await client[Symbol.asyncDispose]();
  }
});

test.each([
  ['every: "5m"', 'every takes an ISO 8601 duration', 400],
  ['every: "PT5M", after: "x"', 'after takes a cursor that a stream of marketSeries gave, not "x".', 400],
  ['every: "PT5M", zone: "Mars/Base"', 'zone takes the name of an IANA time zone', 400],
  [
    'every: "PT5M", from: "1767225600"',
    'from is 1767225600, which looks like seconds: 1767225600000000000',
    400,
  ],
  ['every: "PT1S", from: "100000000000000000"', 'every of PT1S makes about', 200],
])('%s is refused', async (args, message, status) => {
  const network = await openNetwork(OPTIONS);
  await using database = await createTestDatabase();
  await network.write(database.url, 3, 'max');
  await using gateway = await startTestGateway(database.url);
  const query = `subscription { marketSeries(marketId: "m", ${args}) { cursor } }`;
  const answer = await fetch(`${gateway.url}/graphql?${new URLSearchParams({ query })}`, {
    headers: { Accept: 'text/event-stream' },
  });
  // What is found out when it is read for the first time is told in the stream.
  expect([answer.status, await answer.text()]).toEqual([
    status,
    expect.stringContaining(JSON.stringify(message).slice(1, -1)),
  ]);
});

test.each([
  ['marketSeries', 'marketId: "MARKET", ', `buckets { ${BUCKET} }`],
  ['balanceSeries', '', 'sums { key { asset } buckets { start end open close isComplete } }'],
])('%s is empty before the first block, and goes on when blocks come', async (field, args, selection) => {
  const network = await openNetwork(OPTIONS);
  await using known = await createTestDatabase();
  await network.write(known.url, 12, 'max');
  const [market = ''] = await openMarkets(known.url);
  const words = `${args.replace('MARKET', market)}every: "PT1S"`;
  await using database = await createTestDatabase();
  await using gateway = await startTestGateway(database.url);
  const query = `subscription($after: String) { ${field}(${words}, after: $after) { block { height } cursor ${selection} } }`;
  await using client = await openGraphqlWs(gateway.url, query, { after: null });
  const { data } = await client.next();
  expect(data[field].block.height).toBe('0');
  expect(data[field].sums ?? data[field].buckets).toEqual([]);
  await network.write(database.url, 12, 'max');
  const [fromBegin, resumed] = [new Map<string, Bucket>(), new Map<string, Bucket>()];
  const fold = async (stream: Awaited<ReturnType<typeof openGraphqlWs>>, into: Map<string, Bucket>) => {
    for (;;) {
      const message = (await stream.next()).data[field];
      const buckets: readonly Bucket[] = message.buckets ?? message.sums[0]?.buckets ?? [];
      for (const bucket of buckets) into.set(bucket.start, bucket);
      if (message.block.height === '12') return;
    }
  };
  await fold(client, fromBegin);
  await using again = await openGraphqlWs(gateway.url, query, { after: data[field].cursor });
  await fold(again, resumed);
  const asked = field === 'marketSeries' ? `market(id: "${market}")` : 'accounts';
  const by = field === 'marketSeries' ? BUCKET : 'key { asset } buckets { start end open close isComplete }';
  const answer = await gateway.graphql(`{ of: ${asked} { series(every: "PT1S") { ${by} } } }`);
  const [first] = answer.data.of.series;
  const series = field === 'marketSeries' ? answer.data.of.series : first.buckets;
  expect(series.length).toBeGreaterThan(5);
  expect([...fromBegin.values()]).toEqual(series);
  expect([...resumed.values()]).toEqual(series);
});

test.each(['marketSeries(marketId: "m", ', 'balanceSeries('])(
  '%s with too many buckets since a cursor begins again without it, as where changes are forgotten',
  async (field) => {
    const network = await openNetwork(OPTIONS);
    await using database = await createTestDatabase();
    await network.write(database.url, 12, 'max');
    const earlier = 'UPDATE blocks SET timestamp = timestamp - 6000000000000 WHERE height <= 3';
    await ask(database.url, `SET periscope.migration = '9'; ${earlier}`);
    await using gateway = await startTestGateway(database.url);
    const { block } = (await gateway.graphql('{ block(height: 2) { cursor } }')).data;
    const first = async (args: string) => {
      await using stream = await openGraphqlWs(
        gateway.url,
        `subscription { told: ${field}${args}) { cursor } }`,
      );
      return await stream.next();
    };
    const { errors } = await first(`every: "PT1S", after: "${block.cursor}"`);
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(/^Since the cursor: every of PT1S makes about .* Begin again/),
        extensions: { code: 'OUT_OF_RANGE', details: [{ reason: 'BLOCK_NOT_KEPT' }] },
      },
    ]);
    expect((await first('every: "PT1S"')).data.told.cursor).toBeTruthy();
    const [began] = await ask<{ time: string }>(
      database.url,
      'SELECT timestamp::text AS time FROM blocks WHERE height = 1',
    );
    const since = await first(`every: "PT1S", from: "${began?.time}", after: "${block.cursor}"`);
    expect(since.errors).toMatchObject([
      { message: expect.stringMatching(/ Begin again without it, from a later time on\.$/) },
    ]);
    expect((await first(`every: "PT1M", after: "${block.cursor}"`)).data.told.cursor).toBeTruthy();
    // What is too much without it as well stays refused.
    if (!field.startsWith('balance')) return;
    const most = 'by: [ASSET, PARTY, MARKET, TYPE], every: "PT1M"';
    for (const args of [most, `${most}, after: "${block.cursor}"`])
      expect((await first(args)).errors).toMatchObject([{ extensions: { code: 'INVALID_ARGUMENT' } }]);
  },
);

test('a series that is followed refuses balances, which change, as every stream does', async () => {
  await using database = await createTestDatabase();
  await using gateway = await startTestGateway(database.url);
  const stream = await openGraphqlWs(
    gateway.url,
    'subscription { balanceSeries(filter: { balanceFrom: 5 }, every: "PT1M") { cursor } }',
  );
  const { errors } = await stream.next();
  expect(errors[0].message).toContain('filter.balanceFrom is 5: only lists choose by balances');
});
