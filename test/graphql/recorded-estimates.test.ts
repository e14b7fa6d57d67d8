import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { marketStates } from '../../src/domain/enumerations.ts';
import {
  estimatePosition,
  type PositionEstimateInput,
} from '../../src/domain/estimates/estimate-position.ts';
import { estimateFee } from '../../src/domain/estimates/fees.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventRow, EventSource } from '../../src/ingest/events.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FEE, POSITION } from '../support/estimate-operations.ts';
import { hasVectors, positionVectors } from '../support/estimate-vectors.ts';
import { recordedNetwork } from '../support/events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

// The recorded network, replayed up to a height and asked there. What is expected comes from a reduction of the
// events that this test makes itself, and from the vectors, which name blocks of this network.
const LAST_BLOCK = 1087;

/** Where the replay stops: what the auctions of that moment would trade at, and the vector of that block. */
const stops = [
  { height: 518, what: 'an opening auction without a price yet', indicative: ['0'], vector: 'E-2512' },
  { height: 519, what: 'an opening auction with a price', indicative: ['100000000'] },
  { height: 606, what: "a second market's opening auction", indicative: ['97600000'] },
  { height: 608, what: 'continuous trading', indicative: [], vector: 'E-3308' },
  { height: 612, what: 'continuous trading', indicative: [], vector: 'E-3379' },
  { height: 953, what: 'an opening auction that was extended', indicative: ['97600000'] },
  { height: LAST_BLOCK, what: 'the state that the recording ends in', indicative: [] },
];

describe.skipIf(recordedNetwork === null)('estimates in the recorded network', () => {
  const signal = new AbortController().signal;
  let database: TestDatabase;
  let gateway: TestGateway;
  let source: EventSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    gateway = await startTestGateway(database.url);
    source = await openRecordedFile(recordedNetwork ?? '');
  });

  afterAll(async () => {
    await gateway?.close();
    await database?.[Symbol.asyncDispose]();
  });

  /** Brings the database to a height, and reduces the events up to there to the latest of each market. */
  async function replayTo(height: number): Promise<readonly ReplayedMarket[]> {
    const writer = await Writer.open(database.url);
    await applySource(until(source, height), writer, { pace: 'max', signal }).finally(() => writer.close());
    expect(writer.lastBlock?.height).toBe(BigInt(height));
    return reduceMarkets(until(source, height), signal);
  }

  test('cannot be made before the risk factors are known', async () => {
    const [market] = await replayTo(492);
    const id = market?.market.id ?? '';
    expect(market?.riskFactor).toBeUndefined();
    const { status, body } = await gateway.rest(`/api/v2/estimate/position?marketId=${id}&openVolume=1`);
    expect([status, body.message]).toEqual([404, `There are no risk factors of market "${id}" yet.`]);
  });

  test.each(stops)('are right at block $height, in $what', async ({ height, indicative, vector }) => {
    const markets = await replayTo(height);
    const auctions = markets.filter(({ marketData }) => (marketData?.auctionEnd ?? 0n) > 0n);
    expect(auctions.map(({ marketData }) => marketData?.indicativePrice)).toEqual(indicative);
    for (const market of markets) await expectSameEstimates(market);
    if (vector !== undefined && hasVectors) await expectVector(vector, markets);
  });

  test('are of all three markets at the end, the settled one too', async () => {
    const markets = await replayTo(LAST_BLOCK);
    expect(markets.map(({ market }) => marketStates.nameOf(market.state)).sort()).toEqual([
      'STATE_ACTIVE',
      'STATE_ACTIVE',
      'STATE_SETTLED',
    ]);
  });

  /** Over REST, over GraphQL, and by the functions from the events. */
  async function expectSameEstimates({ market, asset, riskFactor, marketData }: ReplayedMarket) {
    if (asset === undefined || riskFactor === undefined || marketData === undefined) fail(market.id);
    const { searchLevel, initialMargin, collateralRelease } = market;
    if (searchLevel === null || initialMargin === null || collateralRelease === null) fail(market.id);
    const scaling = { searchLevel, initialMargin, collateralRelease };
    const terms = {
      market: {
        ...market,
        ...scaling,
        product: { kind: 'future', cap: null } as const,
        treasuryFee: null,
        buyBackFee: null,
      },
      asset,
      riskFactor,
      marketData: { ...marketData, funding: null },
    };
    const collateralAvailable = '250000000000000000000.5';
    for (const openVolume of [0n, 100_000n, -700_001n]) {
      const { margin, liquidation } = estimatePosition({ ...terms, openVolume, collateralAvailable });
      const names = { partyId: '', marketId: market.id, asset: market.settlementAssetId, timestamp: '0' };
      const expected = {
        margin: {
          worstCase: { ...margin.worstCase, ...names },
          bestCase: { ...margin.bestCase, ...names },
        },
        liquidation,
      };
      const variables = { marketId: market.id, openVolume: String(openVolume), collateralAvailable };
      const rest = await gateway.rest(`/api/v2/estimate/position?${new URLSearchParams(variables)}`);
      const graphql = await gateway.graphql(POSITION, variables);
      expect(rest.body).toEqual(expected);
      expect(graphql.data.estimatePosition).toEqual(expected);
    }
    const fees = estimateFee({ ...terms, price: '90000001', size: 123_457n, discounts: null });
    const variables = { marketId: market.id, price: '90000001', size: '123457' };
    const rest = await gateway.rest(`/api/v2/estimate/fee?${new URLSearchParams(variables)}`);
    expect(rest.body).toEqual({ fee: fees });
    expect((await gateway.graphql(FEE, variables)).data.estimateFee).toEqual(fees);
  }

  /** What the reference makes of a position that the network charged margin for in that block. */
  async function expectVector(id: string, markets: readonly ReplayedMarket[]) {
    const { inputs, expected } = positionVectors.find((vector) => vector.id === id) ?? fail(id);
    const { market } =
      markets.find(
        ({ marketData }) =>
          marketData?.markPrice === inputs.markPrice && marketData.auctionEnd === BigInt(inputs.auctionEnd),
      ) ?? fail(id);
    const orders = inputs.orders.map(({ side, remaining, price }) => {
      return { side, type: 'TYPE_LIMIT', remaining, price };
    });
    const variables = { marketId: market.id, openVolume: inputs.openVolume, orders };
    const { data } = await gateway.graphql(POSITION, variables);
    expect(data.estimatePosition.margin).toMatchObject(expected.margin);
  }
});

interface ReplayedMarket {
  readonly market: EventRow<'market'>;
  readonly asset: EventRow<'asset'> | undefined;
  readonly riskFactor: PositionEstimateInput['riskFactor'] | undefined;
  readonly marketData: EventRow<'marketData'> | undefined;
}

/** A source that ends with the block of a height. */
function until(source: EventSource, height: number): EventSource {
  return {
    chainId: source.chainId,
    name: source.name,
    progress: () => source.progress(),
    async *events(signal) {
      for await (const given of source.events(signal)) {
        if (given.event.type === 'beginBlock' && given.event.height > height) return;
        yield given;
      }
    },
  };
}

/** The last event of each kind for each market, in the order in which markets came. */
async function reduceMarkets(source: EventSource, signal: AbortSignal): Promise<readonly ReplayedMarket[]> {
  const markets = new Map<string, EventRow<'market'>>();
  const assets = new Map<string, EventRow<'asset'>>();
  const riskFactors = new Map<string, EventRow<'riskFactor'>>();
  const marketData = new Map<string, EventRow<'marketData'>>();
  for await (const { event } of source.events(signal)) {
    if (event.type === 'market') markets.set(event.row.id, event.row);
    if (event.type === 'asset') assets.set(event.row.id, event.row);
    if (event.type === 'riskFactor') riskFactors.set(event.row.marketId, event.row);
    if (event.type === 'marketData') marketData.set(event.row.marketId, event.row);
  }
  return [...markets.values()].map((market) => ({
    market,
    asset: assets.get(market.settlementAssetId ?? fail(market.id)),
    riskFactor: riskFactors.get(market.id),
    marketData: marketData.get(market.id),
  }));
}

function fail(what: string): never {
  throw new Error(`Not as the test expects: ${what}`);
}
