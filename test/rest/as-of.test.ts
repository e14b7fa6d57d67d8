import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/rest/index.ts';
import type { Tables } from '../graphql/simulated-lists.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { withoutBlock } from '../support/past-texts.ts';
import { chooseRandom, seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';

const BLOCKS = 160;
const CHANGED =
  'parties,assets,markets,riskFactors,marketData,accounts,deposits,trades,rewards,proposals,votes,marginLevels';
const QUESTIONS = 8;

describe.each(['0.71', '0.79'] as const)('of release %s,', (release) => {
  const options = { seed: seed + 5, parties: 25, markets: 4, release } as const;
  const random = chooseRandom(`REST as of blocks of ${release}`);
  let whole: SimulatedDatabase;
  let growing: SimulatedDatabase;
  let now: TestGateway;
  let then: TestGateway;
  let addresses: Readonly<Record<string, readonly string[]>>;

  beforeAll(async () => {
    whole = await createSimulatedDatabase({ ...options, blocks: BLOCKS });
    growing = await createSimulatedDatabase({ ...options, blocks: 1 });
    [now, then] = [await startTestGateway(whole.url), await startTestGateway(growing.url)];
    const tables: Record<string, Tables[string]> = {};
    for (const name of ['deposits', 'accounts', 'assets', 'rewards', 'trades', 'markets', 'votes', 'blocks'])
      tables[name] = await whole.readTable(name);
    addresses = addressesOf(tables);
  });

  afterAll(async () => {
    for (const one of [now, then]) await one?.close();
    for (const one of [whole, growing]) await one?.[Symbol.asyncDispose]();
  });

  test('there is a question to every path', () => {
    expect(Object.keys(addresses).sort()).toEqual(routes.map(({ path }) => path).sort());
    for (const all of Object.values(addresses)) expect(all.length).toBeGreaterThan(0);
  });

  test('an answer as of a block is what a gateway says that has come no further', async () => {
    const found = new Map<string, Set<number>>();
    for (let height = 1 + random.below(9); height < BLOCKS; height += 1 + random.below(30)) {
      await growing.advanceTo(height);
      const block = await untilNamed(then, height);
      for (const [path, all] of Object.entries(addresses)) {
        for (const address of Array.from({ length: QUESTIONS }, () => random.pick(all))) {
          const at = random.oneIn(2) ? `asOf=${height}` : `asOfTime=${block.time}`;
          const status = await compare(address, at, block);
          found.set(path, (found.get(path) ?? new Set()).add(status));
        }
      }
    }
    // Nothing of this is empty: each path has answered, and some of what was asked for was not there yet.
    for (const [path, statuses] of found) expect([path, statuses.has(200)]).toEqual([path, true]);
    expect(found.get('/api/v2/deposit/:id')).toContain(404);
  });

  /** Compares the answers of both, and of a page that goes on the next page too; gives the status. */
  async function compare(address: string, at: string, block: NamedBlock): Promise<number> {
    const past = await now.rest(add(address, at));
    const present = await then.rest(address);
    expect([address, at, past.status, withoutBlock(past.text)]).toEqual([
      ...[address, at, present.status, present.text],
    ]);
    expect([address, past.headers.get('x-block-height'), past.headers.get('x-block-timestamp')]).toEqual([
      ...[address, `${block.height}`, block.time],
    ]);
    const [pastPage, presentPage] = [past, present].map(({ body }) => pageInfoOf(body));
    if (pastPage?.hasNextPage) {
      const next = add(address, `pagination.after=${pastPage.endCursor}`);
      const onwards = await now.rest(add(next, at));
      const after = await then.rest(add(address, `pagination.after=${presentPage?.endCursor}`));
      expect([next, withoutBlock(onwards.text)]).toEqual([next, after.text]);
    }
    return past.status;
  }
});

interface NamedBlock {
  readonly height: number;
  readonly time: string;
}

/** Waits until a gateway names a block. */
async function untilNamed(gateway: TestGateway, height: number): Promise<NamedBlock> {
  let time: string | null = null;
  const named = async () => {
    const { headers } = await gateway.rest('/api/v2/accounts?pagination.first=1');
    time = headers.get('x-block-timestamp');
    return headers.get('x-block-height');
  };
  await expect.poll(named, { timeout: 15_000, interval: 10 }).toBe(`${height}`);
  return { height, time: `${time}` };
}

function add(address: string, parameter: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${parameter}`;
}

function pageInfoOf(body: Readonly<Record<string, { readonly pageInfo?: PageInfo }>>): PageInfo | undefined {
  return Object.values(body)[0]?.pageInfo;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string;
}

/** Questions to each path, of what there is at the end. */
function addressesOf(tables: Tables): Readonly<Record<string, readonly string[]>> {
  const some = (table: string, column: string) =>
    [...new Set((tables[table] ?? []).map((row) => row[column] ?? ''))].filter((value) => value !== '');
  const markets = some('markets', 'id');
  const times = some('blocks', 'timestamp');
  const deposits = '/api/v2/deposits?pagination.first=5';
  const estimate = (market: string) => `/api/v2/estimate/position?marketId=${market}&openVolume=7`;
  return {
    '/api/v2/deposits': [
      ...['/api/v2/deposits', deposits, '/api/v2/deposits?pagination.last=3'],
      ...some('deposits', 'party_id').map((party) => `${deposits}&partyId=${party}`),
      ...times.map((time) => `${deposits}&dateRange.startTimestamp=${time}&pagination.newestFirst=false`),
    ],
    '/api/v2/deposit/:id': some('deposits', 'id').map((id) => `/api/v2/deposit/${id}`),
    '/api/v2/accounts': [
      '/api/v2/accounts?pretty',
      '/api/v2/accounts?pagination.first=7',
      ...some('accounts', 'owner').map((owner) => `/api/v2/accounts?filter.partyIds=${owner}`),
      ...some('accounts', 'type').map((type) => `/api/v2/accounts?filter.accountTypes=${type}`),
    ],
    '/api/v2/rewards': [
      '/api/v2/rewards?pagination.first=9',
      ...some('rewards', 'party_id').map((party) => `/api/v2/rewards?partyId=${party}&pagination.first=4`),
      ...some('rewards', 'epoch').map((epoch) => `/api/v2/rewards?fromEpoch=${epoch}&pagination.first=4`),
    ],
    '/api/v2/market/data/:marketId/latest': markets.map((id) => `/api/v2/market/data/${id}/latest`),
    '/api/v2/estimate/position': markets.flatMap((id) => [
      estimate(id),
      `${estimate(id)}&collateralAvailable=1000000`,
    ]),
    '/api/v2/estimate/fee': markets.flatMap((id) =>
      [
        '',
        ...some('accounts', 'owner')
          .slice(0, 3)
          .map((party) => `&party=${party}`),
      ].map((more) => `/api/v2/estimate/fee?marketId=${id}&price=1000&size=20${more}`),
    ),
    '/api/v2/assets': ['/api/v2/assets', '/api/v2/assets?pagination.first=1&pagination.newestFirst=false'],
    '/api/v2/asset/:assetId': some('assets', 'id').map((id) => `/api/v2/asset/${id}`),
    '/api/v2/markets': ['/api/v2/markets', '/api/v2/markets?includeSettled=false&pagination.first=2'],
    '/api/v2/market/:marketId': markets.map((id) => `/api/v2/market/${id}`),
    '/api/v2/markets/data': ['/api/v2/markets/data'],
    '/api/v2/market/data/:marketId': markets.flatMap((id) =>
      [
        '',
        '?pagination.first=3',
        ...times.slice(0, 20).map((time) => `?startTimestamp=${time}&pagination.last=4`),
      ].map((query) => `/api/v2/market/data/${id}${query}`),
    ),
    '/api/v2/balance/changes': [
      '/api/v2/balance/changes?pagination.first=20',
      ...some('accounts', 'owner').map((party) => `/api/v2/balance/changes?filter.partyIds=${party}`),
      ...times.map((time) => `/api/v2/balance/changes?dateRange.startTimestamp=${time}&pagination.last=9`),
    ],
    '/api/v2/changes': [
      // The largest page of all there is costs no more than may be asked for.
      ...[
        `/api/v2/changes?nouns=${CHANGED}&pagination.first=700`,
        '/api/v2/changes?nouns=marketData,markets',
      ],
      ...[1, 40, 300].map((first) => `/api/v2/changes?nouns=${CHANGED}&pagination.first=${first}`),
      ...some('accounts', 'owner').map((party) => `/api/v2/changes?nouns=accounts&filter.partyIds=${party}`),
    ],
    '/api/v2/trades': [
      '/api/v2/trades?pagination.first=9',
      ...some('accounts', 'owner').map((party) => `/api/v2/trades?partyIds=${party}&pagination.last=5`),
      ...some('trades', 'buy_order')
        .slice(0, 5)
        .map((order) => `/api/v2/trades?orderIds=${order}`),
      ...times.map((time) => `/api/v2/trades?dateRange.endTimestamp=${time}&pagination.first=4`),
    ],
    '/api/v2/candle': markets.flatMap((id) => {
      const address = `/api/v2/candle?candleId=trades_candle_1_minute_${id}`;
      return [
        ...[address, `${address}&pagination.last=2`, `${address}&pagination.first=3`],
        ...times.map((time) => `${address}&toTimestamp=${time}&pagination.first=3`),
      ];
    }),
    '/api/v2/candle/intervals': markets.map((id) => `/api/v2/candle/intervals?marketId=${id}`),
    '/api/v2/search': [
      ...[...some('assets', 'symbol'), ...some('markets', 'id'), ...some('deposits', 'id')].map(
        (text) => `/api/v2/search?text=${encodeURIComponent(text.slice(0, 9))}&first=4`,
      ),
      ...some('blocks', 'height').map((height) => `/api/v2/search?text=${height}&kinds=BLOCK`),
    ],
    '/api/v2/rewards/summaries': [
      '/api/v2/rewards/summaries',
      ...some('rewards', 'party_id').map((party) => `/api/v2/rewards/summaries?partyId=${party}`),
      ...some('rewards', 'asset_id').map((asset) => `/api/v2/rewards/summaries?assetId=${asset}`),
    ],
    '/api/v2/rewards/epoch/summaries': [
      '/api/v2/rewards/epoch/summaries?pagination.first=3',
      ...some('rewards', 'asset_id').map(
        (asset) => `/api/v2/rewards/epoch/summaries?filter.assetIds=${asset}`,
      ),
      ...some('rewards', 'epoch').map(
        (epoch) => `/api/v2/rewards/epoch/summaries?filter.fromEpoch=${epoch}&pagination.last=2`,
      ),
    ],
    '/api/v2/parties': [
      '/api/v2/parties?pagination.first=6',
      ...some('accounts', 'owner').map((party) => `/api/v2/parties?partyId=${party}`),
    ],
    '/votes': ['/votes', ...some('votes', 'party_id').map((party) => `/votes?party=${party}`)],
  };
}
