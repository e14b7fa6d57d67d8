import type { MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { decodeEvent } from '../../src/ingest/decode.ts';
import type { MarketSchema } from '../../src/ingest/protocol/generated/markets_pb.ts';
import { encodeEvent } from '../support/events.ts';
import { BLOCK, NETWORK, readLines } from './ndjson-lines.ts';

type MarketMessage = Omit<MessageInitShape<typeof MarketSchema>, '$typeName'>;

const FUTURE = { product: { case: 'future', value: { settlementAsset: 'usd' } } } as const;
const TRIGGER = { horizon: 43200n, probability: '0.9999990', auctionExtension: 600n };
const NOTHING = {
  openingAuction: null,
  priceMonitoringTriggers: null,
  liquidityMonitoring: null,
  logNormalRiskModel: null,
  simpleRiskModel: null,
};

describe('a market of the network', () => {
  test('has its auctions, its monitoring and its risk model', () => {
    const params = { mu: 0, r: 0.016, sigma: 1.25 };
    const logNormal = { riskAversionParameter: 1e-6, tau: 0.00011407711613050422, params };
    const market = {
      openingAuction: { duration: 60n, volume: 2n ** 64n - 1n },
      priceMonitoringSettings: { parameters: { triggers: [TRIGGER, {}] } },
      liquidityMonitoringParameters: {
        targetStakeParameters: { timeWindow: 3600n, scalingFactor: 0.1 + 0.2 },
        triggeringRatio: '0.70',
        auctionExtension: 1n,
      },
    };
    expect(decode(market, { case: 'logNormalRiskModel', value: logNormal })).toMatchObject({
      openingAuction: { duration: '60', volume: '18446744073709551615' },
      priceMonitoringTriggers: [
        { horizon: '43200', probability: '0.999999', auctionExtension: '600' },
        { horizon: '0', probability: '0', auctionExtension: '0' },
      ],
      liquidityMonitoring: {
        targetStakeParameters: { timeWindow: '3600', scalingFactor: '0.30000000000000004' },
        triggeringRatio: '0.7',
        auctionExtension: '1',
      },
      logNormalRiskModel: {
        riskAversionParameter: '0.000001',
        tau: '0.00011407711613050422',
        mu: '0',
        r: '0.016',
        sigma: '1.25',
      },
      simpleRiskModel: null,
    });
  });

  test('has the other risk model, and releases from 0.73 on tell less of liquidity', () => {
    const params = { factorLong: 0.1, factorShort: 0.12, maxMoveUp: 10, minMoveDown: -5 };
    const market = { priceMonitoringSettings: { parameters: {} }, liquidityMonitoringParameters: {} };
    expect(decode(market, { case: 'simpleRiskModel', value: { params } })).toMatchObject({
      priceMonitoringTriggers: [],
      liquidityMonitoring: { targetStakeParameters: null, triggeringRatio: null, auctionExtension: '0' },
      logNormalRiskModel: null,
      simpleRiskModel: {
        factorLong: '0.1',
        factorShort: '0.12',
        maxMoveUp: '10',
        minMoveDown: '-5',
        probabilityOfTrading: '0',
      },
    });
  });

  test('has none of it where nothing was sent', () => {
    expect(decode({})).toMatchObject(NOTHING);
  });

  test('with a number that is none is damaged, and the field is named', () => {
    const params = { mu: 0, r: 0, sigma: Number.NaN };
    expect(() => decode({}, { case: 'logNormalRiskModel', value: { params } })).toThrow(
      'logNormalRiskModel.sigma',
    );
  });
});

describe('a market in a line of JSON', () => {
  test('has the same, as exact decimals', async () => {
    const parts = {
      openingAuction: { duration: '60', volume: '0' },
      priceMonitoringTriggers: [{ horizon: '43200', probability: '0.999999', auctionExtension: '600' }],
      liquidityMonitoring: {
        targetStakeParameters: { timeWindow: '3600', scalingFactor: '10' },
        triggeringRatio: null,
        auctionExtension: '0',
      },
      logNormalRiskModel: {
        ...{ riskAversionParameter: '0.000001', tau: '0.00012345678901234567890123', mu: '0', r: '0' },
        sigma: '1.5',
      },
      simpleRiskModel: null,
    };
    expect(await readMarket(parts)).toMatchObject(parts);
    expect(await readMarket({ openingAuction: { duration: '1' }, liquidityMonitoring: {} })).toMatchObject({
      ...NOTHING,
      openingAuction: { duration: '1', volume: '0' },
      liquidityMonitoring: { targetStakeParameters: null, triggeringRatio: null, auctionExtension: '0' },
    });
  });
});

function decode(
  market: MarketMessage,
  riskModel: NonNullable<MarketMessage['tradableInstrument']>['riskModel'] = { case: undefined },
) {
  const value = { id: 'm', ...market, tradableInstrument: { instrument: FUTURE, riskModel } };
  const { event } = decodeEvent(encodeEvent({ case: 'marketCreated', value }));
  return event.type === 'market' ? event.row : null;
}

async function readMarket(parts: object): Promise<unknown> {
  const data = { id: 'm', decimalPlaces: 0, positionDecimalPlaces: 0, settlementAssetId: 'usd', ...parts };
  const { items, error } = await readLines([NETWORK, BLOCK, { type: 'market', data }]);
  expect(error).toBeNull();
  expect(items).toHaveLength(1);
  return Object(items[0]).events[0].event.row;
}
