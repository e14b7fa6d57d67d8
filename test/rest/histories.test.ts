import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { chooseRandom, seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';

const random = chooseRandom('REST histories');

interface Edge {
  readonly node: Readonly<Record<string, string>>;
  readonly cursor: string;
}

/** All rows of a list, in pages of random sizes. */
async function walk({ rest }: TestGateway, address: string, field: string): Promise<readonly Edge[]> {
  const edges: Edge[] = [];
  for (let after = ''; ; ) {
    const page = `pagination.first=${random.pick([1, 7, 50])}&pagination.newestFirst=false${after}`;
    const { status, body, text } = await rest(`${address}${address.includes('?') ? '&' : '?'}${page}`);
    expect([status, text]).toEqual([200, expect.any(String)]);
    edges.push(...body[field].edges);
    if (!body[field].pageInfo.hasNextPage) return edges;
    after = `&pagination.after=${body[field].pageInfo.endCursor}`;
  }
}

describe('of a simulated network', () => {
  let database: SimulatedDatabase;
  let gateway: TestGateway;
  let times: ReadonlyMap<bigint, string>;

  beforeAll(async () => {
    database = await createSimulatedDatabase({
      seed: seed + 4,
      parties: 20,
      markets: 3,
      blocks: 120,
      release: '0.71',
    });
    gateway = await startTestGateway(database.url);
    const blocks = await database.readTable('blocks');
    times = new Map(blocks.map((row) => [BigInt(row['height'] ?? 0), row['timestamp'] ?? '']));
  });

  afterAll(async () => {
    await gateway?.close();
    await database?.[Symbol.asyncDispose]();
  });

  const timeOf = (position: string | null | undefined) => times.get(BigInt(position ?? 0) >> 20n);

  test('balance changes have a row for each account and block, chosen by account and by time', async () => {
    const accounts = new Map(
      (await database.readTable('accounts')).map((row) => [row['created_position'], row]),
    );
    const expected = [...(await database.readTable('balance_changes'))]
      .sort((a, b) => Number(a['position']) - Number(b['position']))
      .map(({ position, account_position, balance }) => {
        const account = accounts.get(account_position ?? '');
        return {
          timestamp: timeOf(position),
          balance,
          partyId: account?.['owner'],
          assetId: account?.['asset_id'],
          marketId: account?.['market_id'],
          accountType: account?.['type'],
        };
      });
    const all = await walk(gateway, '/api/v2/balance/changes', 'balances');
    expect(all.map(({ node }) => node)).toEqual(expected);
    expect(new Set(all.map(({ cursor }) => cursor)).size).toBe(all.length);
    const { partyId, timestamp } = random.pick(expected);
    const ofParty = await walk(
      gateway,
      `/api/v2/balance/changes?filter.partyIds=${partyId}&dateRange.endTimestamp=${timestamp}`,
      'balances',
    );
    expect(ofParty.map(({ node }) => node)).toEqual(
      expected.filter(
        (row) => row.partyId === partyId && BigInt(row.timestamp ?? 0) < BigInt(timestamp ?? 0),
      ),
    );
  });

  test('market data have a version for each block that changed them; without a time, the latest alone', async () => {
    const { body } = await gateway.rest('/api/v2/markets/data');
    for (const latest of body.marketsData) {
      const address = `/api/v2/market/data/${latest.market}`;
      const one = await gateway.rest(address);
      expect(one.body.marketData.edges.map(({ node }: Edge) => node)).toEqual([latest]);
      expect(one.body.marketData.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
      const all = await walk(gateway, `${address}?endTimestamp=${times.get(120n)}`, 'marketData');
      expect(all.at(-1)?.node).toEqual(latest);
      expect(all.length).toBeGreaterThan(10);
      const { timestamp } = random.pick(all).node;
      const within = await walk(
        gateway,
        `${address}?startTimestamp=${timestamp}&endTimestamp=${timestamp}`,
        'marketData',
      );
      expect(within.map(({ node }) => node)).toEqual(
        all.map(({ node }) => node).filter((row) => row['timestamp'] === timestamp),
      );
    }
    const unknown = await gateway.rest('/api/v2/market/data/none');
    expect([unknown.status, unknown.body.marketData.edges]).toEqual([200, []]);
    expect(unknown.body.marketData.pageInfo).toMatchObject({ startCursor: '', endCursor: '' });
  });
});
