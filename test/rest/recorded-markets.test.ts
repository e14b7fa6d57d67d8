import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { describeRest } from '../../src/reference/openapi.ts';
import { readEvents, reduceRecording } from '../ingest/recorded-state.ts';
import type { Walked } from '../ingest/wire-walker.ts';
import { createValidator } from '../reference/json-schemas.ts';
import { createTestDatabase } from '../support/database.ts';
import { recordedNetwork } from '../support/events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { newerRecordings } from '../support/newer-networks.ts';
import { runProgram } from '../support/program.ts';
import type { TableRow } from '../support/simulated.ts';
import { assetOf, marketOf } from './further-lists.ts';

const document = describeRest();
const validate = createValidator(document);

describe.skipIf(recordedNetwork === null)('of the recorded network (../shared/data)', () => {
  test('assets, markets and parties are what an independent reading gives', async () => {
    const path = recordedNetwork as string;
    const expected = reduceRecording(gunzipSync(readFileSync(path)));
    const rows = (table: string) => [...(expected[table]?.values() ?? [])].map(inColumns);
    await using served = await serve(path);
    const { rest } = served.gateway;

    const assets = await readNodes(rest, 'assets', '/api/v2/assets');
    expect(byId(assets)).toEqual(byId(rows('assets').map(assetOf)));
    const markets = await readNodes(rest, 'markets', '/api/v2/markets');
    const shown = rows('markets').filter((row) => row['state'] !== 'STATE_REJECTED');
    expect(markets.length).toBeGreaterThan(1);
    expect(byId(markets)).toEqual(byId(shown.map((row) => marketOf({ ...OF_071, ...row }))));
    const parties = await readNodes(rest, 'parties', '/api/v2/parties');
    expect(byId(parties)).toEqual(byId(rows('parties').map(({ id }) => ({ id }))));

    const { body } = await rest('/api/v2/markets/data');
    for (const data of body.marketsData)
      expect({ marketData: data }).toEqual((await rest(`/api/v2/market/data/${data.market}/latest`)).body);
    expect(body.marketsData.length).toBe(rows('market_data').length);

    // As many as the reference keeps of the same network.
    expect(await readNodes(rest, 'balances', '/api/v2/balance/changes')).toHaveLength(151);
    let versions = 0;
    for (const { market } of body.marketsData) {
      const address = `/api/v2/market/data/${market}?endTimestamp=${2n ** 62n}`;
      versions += (await rest(address)).body.marketData.edges.length;
    }
    expect(versions).toBe(865);
  });
});

describe.skipIf(newerRecordings.length === 0)('of networks of release 0.79 (../shared/data)', () => {
  test.each(newerRecordings)(
    'markets of $name have what an independent reading gives, in the shape that OpenAPI tells',
    async ({ path, expected }) => {
      await using served = await serve(path);
      const { rest } = served.gateway;
      const nodes = await readNodes(rest, 'markets', '/api/v2/markets');
      const sent = readMarkets(gunzipSync(readFileSync(path)), expected.eventsOfWholeBlocks);
      for (const node of nodes) expect(partsOf(node), node.id).toEqual(sent.get(node.id));
      for (const { id, state, tradingMode, decimalPlaces, positionDecimalPlaces } of nodes)
        expect({ state, tradingMode, decimalPlaces, positionDecimalPlaces }, id).toEqual({
          state: expected.markets[id]?.state,
          tradingMode: expected.markets[id]?.tradingMode,
          decimalPlaces: expected.markets[id]?.decimalPlaces,
          positionDecimalPlaces: expected.markets[id]?.positionDecimalPlaces,
        });
      const rejected = Object.values(expected.markets).filter(({ state }) => state === 'STATE_REJECTED');
      expect(nodes.length).toBe(Object.keys(expected.markets).length - rejected.length);
      const { body } = await rest('/api/v2/markets/data');
      expect(validate(schemaOf('/api/v2/markets/data'), body)).toEqual([]);
      expect(body.marketsData.map(({ market }: { readonly market: string }) => market).sort()).toEqual(
        Object.keys(expected.marketData).sort(),
      );
    },
  );
});

type Node = Readonly<Record<string, unknown>> & { readonly id: string };

/** The rows of a list, which has the shape that the document tells. */
async function readNodes(rest: TestGateway['rest'], field: string, path: string): Promise<readonly Node[]> {
  const { status, body } = await rest(path);
  expect(status).toBe(200);
  expect(validate(schemaOf(path), body)).toEqual([]);
  return body[field].edges.map(({ node }: { readonly node: Node }) => node);
}

function schemaOf(path: string): unknown {
  const paths: Readonly<Record<string, Described>> = Object(document.paths);
  return paths[path]?.get.responses[200].content['application/json'].schema;
}

interface Described {
  readonly get: {
    readonly responses: {
      readonly 200: { readonly content: { readonly 'application/json': { readonly schema: unknown } } };
    };
  };
}

/** A gateway over a recording that was taken in. */
async function serve(path: string) {
  const database = await createTestDatabase();
  const { code, stderr } = await runProgram(['ingest', 'file', path], { DATABASE_URL: database.url });
  expect(code, stderr).toBe(0);
  const gateway = await startTestGateway(database.url);
  return {
    gateway,
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

function byId(nodes: readonly object[]): ReadonlyMap<unknown, object> {
  return new Map(nodes.map((node) => [Object(node).id, node]));
}

/** What no market of the recording has. */
const OF_071: TableRow = {
  ...{ product: 'FUTURE', cap: null, tick_size: null, treasury_fee: null, buy_back_fee: null },
  ...{ liquidity_fee_settings: null, fully_collateralised: null, risk_factor_override: null },
  ...{ liquidity_sla: null, liquidation_strategy: null, mark_price_configuration: null },
  ...{ parent_market_id: null, insurance_pool_fraction: null },
};

/** A row as PostgreSQL's texts have it. */
function inColumns(row: Readonly<Record<string, unknown>>): TableRow {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (value === null || value === undefined) return [column, null];
      if (column === 'tags') return [column, `{${(value as readonly string[]).join(',')}}`];
      return [column, typeof value === 'object' ? JSON.stringify(value) : String(value)];
    }),
  );
}

/** Of a served market, what is new here: its auctions, its monitoring and its risk model. */
function partsOf(market: Node): object {
  const { tradableInstrument, openingAuction, priceMonitoringSettings, liquidityMonitoringParameters } =
    market;
  const { logNormalRiskModel, simpleRiskModel } = Object(tradableInstrument);
  const { riskFactorOverride, ...logNormal } = logNormalRiskModel ?? {};
  return {
    riskModel: logNormalRiskModel ? logNormal : simpleRiskModel,
    openingAuction,
    priceMonitoringSettings,
    liquidityMonitoringParameters,
  };
}

const [CREATED, UPDATED] = [116, 125];

/** The same of the markets of a recording, read the plain way from the last event of each within whole blocks. */
function readMarkets(recording: Uint8Array, events: number): ReadonlyMap<string, object> {
  const found = new Map<string, object>();
  let index = 0;
  for (const event of readEvents(recording)) {
    if (index++ >= events) break;
    const market = [CREATED, UPDATED].find((field) => event.has(field));
    if (market !== undefined) found.set(event.message(market).text(1), sentParts(event.message(market)));
  }
  return found;
}

function sentParts(market: Walked): object {
  const [auction, monitoring, tradable] = [market.message(5), market.message(7), market.message(2)];
  const triggers = market.message(6).message(1).messages(1);
  const stake = monitoring.message(1);
  return {
    riskModel: tradable.has(100) ? logNormalOf(tradable.message(100)) : { params: simpleOf(tradable) },
    openingAuction: { duration: `${auction.signed(1)}`, volume: `${auction.unsigned(2)}` },
    priceMonitoringSettings: {
      parameters: {
        triggers: triggers.map((one) => ({
          horizon: `${one.signed(1)}`,
          probability: one.text(2),
          auctionExtension: `${one.signed(3)}`,
        })),
      },
    },
    liquidityMonitoringParameters: {
      targetStakeParameters: { timeWindow: `${stake.signed(1)}`, scalingFactor: stake.double(2) },
      triggeringRatio: monitoring.text(2),
      auctionExtension: `${monitoring.signed(3)}`,
    },
  };
}

function logNormalOf(model: Walked): object {
  const params = model.message(3);
  return {
    riskAversionParameter: model.double(1),
    tau: model.double(2),
    params: { mu: params.double(1), r: params.double(2), sigma: params.double(3) },
  };
}

function simpleOf(tradable: Walked): object {
  const params = tradable.message(101).message(1);
  return {
    factorLong: params.double(1),
    factorShort: params.double(2),
    maxMoveUp: params.double(3),
    minMoveDown: params.double(4),
    probabilityOfTrading: params.double(5),
  };
}
