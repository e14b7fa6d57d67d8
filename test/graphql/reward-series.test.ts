import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import type { SentPayload } from '../support/events.ts';
import { startTestGateway } from '../support/gateway.ts';
import { chooseRandom } from '../support/seed.ts';
import { ENDS, epoch, reward, STARTS, writeBlocks } from './epoch-blocks.ts';

const SERIES = 'key { assetId type partyId marketId } buckets { epoch amount count isComplete }';

interface Reward {
  readonly assetId: string;
  readonly rewardType: string;
  readonly partyId: string;
  readonly marketId: string;
  readonly epoch: string;
  readonly amount: string;
}

describe('of epochs that the network tells of', () => {
  /** Rewards before any epoch, of two assets, of one that is over, and one that goes on without any. */
  const BLOCKS: readonly (readonly SentPayload[])[] = [
    [reward(1n, 'gold', '7')],
    [epoch(2n, STARTS), reward(2n, 'gold', '1'), reward(2n, 'gold', '2')],
    [epoch(2n, ENDS)],
    [epoch(4n, STARTS), reward(4n, 'silver', '5')],
    [epoch(6n, STARTS)],
  ];
  let place: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    place = await createTestDatabase();
    await writeBlocks(place.url, BLOCKS);
    database = openDatabase({ url: place.url, readOnly: true });
  });

  afterAll(async () => {
    await database?.close();
    await place?.[Symbol.asyncDispose]();
  });

  const ask = async (text: string, asText = true) =>
    JSON.parse(bytesOf((await runBy(database, { text, variables: {} }, asText)).answer));

  /** As `epoch amount count isComplete`, of gold and of silver. */
  const AT: Readonly<Record<string, readonly (readonly string[])[]>> = {
    1: [['1 7 1 null']],
    2: [['1 7 1 true', '2 3 2 false']],
    3: [['1 7 1 true', '2 3 2 true']],
    5: [
      ['1 7 1 true', '2 3 2 true', '3 0 0 true', '4 0 0 true', '5 0 0 true', '6 0 0 false'],
      ['1 0 0 true', '2 0 0 true', '3 0 0 true', '4 5 1 true', '5 0 0 true', '6 0 0 false'],
    ],
  };

  test.each([true, false])('each has a bucket, also those without a reward, as text: %s', async (asText) => {
    for (const [height, expected] of Object.entries(AT)) {
      const { data } = await ask(
        `{ asOf(height: "${height}") { rewards { series { ${SERIES} } } } }`,
        asText,
      );
      expect(data.asOf.rewards.series.map(written), height).toEqual(expected);
    }
    const { data } = await ask(`{ rewards { series { ${SERIES} } } }`, asText);
    expect(data.rewards.series.map(written)).toEqual(AT[5]);
  });

  test('a range has its epochs, as far as they have begun', async () => {
    const series = async (list: string, args: string) =>
      (await ask(`{ rewards${list} { series(${args}) { ${SERIES} } } }`)).data.rewards.series.map(written);
    expect(await series('', 'fromEpoch: "0", toEpoch: "2"')).toEqual([
      ['0 0 0 true', '1 7 1 true', '2 3 2 true'],
    ]);
    expect(await series('(fromEpoch: "2")', 'toEpoch: "3"')).toEqual([['2 3 2 true', '3 0 0 true']]);
    expect(await series('', 'fromEpoch: "4", toEpoch: "99"')).toEqual([
      ['4 5 1 true', '5 0 0 true', '6 0 0 false'],
    ]);
    expect(await series('', 'fromEpoch: "7"')).toEqual([]);
    expect(await series('', 'by: null')).toEqual(AT[5]);
  });

  test.each([
    ['by: [ASSET, EPOCH]', 'by is [ASSET, EPOCH]: each series goes through the epochs. Leave EPOCH out.'],
    ['by: [TYPE]', 'by is [TYPE]: amounts of different assets are never summed.'],
    ['fromEpoch: "3", toEpoch: "2"', 'toEpoch takes an epoch from 3 on, which is fromEpoch, not 2.'],
  ])('%s is refused', async (args, message) => {
    await using gateway = await startTestGateway(place.url);
    const { errors } = await gateway.graphql(`{ rewards { series(${args}) { ${SERIES} } } }`);
    expect(errors?.[0]?.message).toContain(message);
  });

  test('is a table, too', async () => {
    const gateway = await startTestGateway(place.url);
    const query = '{ rewards { series { key { assetId } buckets { epoch amount count } } } }';
    const answer = await fetch(`${gateway.url}/graphql?${new URLSearchParams({ query, format: 'csv' })}`);
    const text = await answer.text();
    await gateway.close();
    expect([answer.status, text.split('\r\n').slice(0, 3)]).toEqual([
      200,
      [
        '"key.assetId","buckets.epoch","buckets.amount","buckets.count"',
        '"gold","1","7",1',
        '"gold","2","3",2',
      ],
    ]);
  });
});

test('whatever is asked of whatever block, they are what its rewards come to', async () => {
  await using place = await createTestDatabase();
  const writer = await Writer.open(place.url);
  const source = openSimulation({ seed: 5, blocks: 120, parties: 12, markets: 2 });
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  await writer.close();
  await using gateway = await startTestGateway(place.url);
  const all = 'assetId rewardType partyId marketId epoch amount';
  const random = chooseRandom('series of rewards');
  for (let question = 0; question < 60; question += 1) {
    const height = random.between(1, 120);
    const listed = `edges { node { ${all} } }`;
    const { data } = await gateway.graphql(
      `{ asOf(height: "${height}") { rewards(first: 5000) { ${listed} pageInfo { hasNextPage } } } }`,
    );
    expect(data.asOf.rewards.pageInfo.hasNextPage).toBe(false);
    const rows: readonly Reward[] = data.asOf.rewards.edges.map(({ node }: { node: Reward }) => node);
    const by = ['ASSET', ...['TYPE', 'PARTY', 'MARKET'].filter(() => random.oneIn(2))];
    const party = random.oneIn(2) && rows.length > 0 ? random.pick(rows).partyId : null;
    const filter = party === null ? '' : `(partyId: "${party}")`;
    const answer = await gateway.graphql(
      `{ asOf(height: "${height}") { rewards${filter} { series(by: [${by.join()}]) { ${SERIES} } } } }`,
    );
    expect(answer.errors).toBeUndefined();
    const wanted = rows.filter(({ partyId }) => party === null || partyId === party);
    expect(answer.data.asOf.rewards.series.map(flat), `${by} ${filter} at ${height}`).toEqual(
      reduced(wanted, by),
    );
  }
});

const FIELDS: Readonly<Record<string, keyof Reward>> = {
  ASSET: 'assetId',
  TYPE: 'rewardType',
  PARTY: 'partyId',
  MARKET: 'marketId',
};

/** An own reduction of the rows: of each key, and each epoch from the first to the last that has any. */
function reduced(rows: readonly Reward[], by: readonly string[]): readonly string[] {
  const keyOf = (row: Reward) => by.map((part) => row[FIELDS[part] as keyof Reward]);
  const keys = new Map(rows.map((row) => [JSON.stringify(keyOf(row)), keyOf(row)]));
  const epochs = rows.map(({ epoch }) => Number(epoch));
  const [first, last] = [Math.min(...epochs), Math.max(...epochs)];
  const ordered = [...keys].sort(([, one], [, other]) => {
    const place = one.findIndex((part, index) => part !== other[index]);
    return Buffer.compare(Buffer.from(one[place] ?? ''), Buffer.from(other[place] ?? ''));
  });
  return ordered.map(([name, key]) => {
    const buckets = Array.from({ length: last - first + 1 }, (_, index) => {
      const own = rows.filter(
        (row) => JSON.stringify(keyOf(row)) === name && Number(row.epoch) === first + index,
      );
      const amount = own.reduce((sum, row) => sum + BigInt(row.amount), 0n);
      return `${first + index} ${amount} ${own.length}`;
    });
    return `${key.join(' ')}: ${buckets.join(', ')}`;
  });
}

interface Told {
  readonly key: Readonly<Record<'assetId' | 'type' | 'partyId' | 'marketId', string | null>>;
  readonly buckets: readonly Readonly<Record<'epoch' | 'amount' | 'count' | 'isComplete', unknown>>[];
}

function flat({ key: { assetId, type, partyId, marketId }, buckets }: Told): string {
  const key = [assetId, type, partyId, marketId].filter((part) => part !== null);
  return `${key.join(' ')}: ${buckets.map(({ epoch, amount, count }) => `${epoch} ${amount} ${count}`).join(', ')}`;
}

function written({ buckets }: Told): readonly string[] {
  return buckets.map(({ epoch, amount, count, isComplete }) => `${epoch} ${amount} ${count} ${isComplete}`);
}
