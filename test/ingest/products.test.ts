import { Readable } from 'node:stream';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { compositePriceTypes, liquidityFeeMethods } from '../../src/domain/enumerations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { decodeEvent } from '../../src/ingest/decode.ts';
import { openNdjson } from '../../src/ingest/ndjson.ts';
import type { InstrumentSchema, MarketSchema } from '../../src/ingest/protocol/generated/markets_pb.ts';
import { createTestDatabase } from '../support/database.ts';
import { encodeEvent } from '../support/events.ts';
import { readTable } from '../support/state.ts';
import { BLOCK, NETWORK, never, readLines } from './ndjson-lines.ts';

type InstrumentMessage = MessageInitShape<typeof InstrumentSchema>;
type MarketMessage = Omit<MessageInitShape<typeof MarketSchema>, '$typeName'>;

const COMPOSITE = {
  decayWeight: '0.50',
  decayPower: 2n,
  cashAmount: '5000000',
  sourceWeights: ['1', '0.0'],
  sourceStalenessTolerance: ['1m0s', '0s'],
  compositePriceType: 1,
};

describe('a market in the network’s bytes', () => {
  test('that is a spot has two assets, and nothing of margin', () => {
    const row = decode({
      product: { case: 'spot', value: { baseAsset: 'AB'.repeat(32), quoteAsset: 'usd' } },
    });
    expect(row).toMatchObject({
      product: 'SPOT',
      settlementAssetId: null,
      baseAssetId: 'ab'.repeat(32),
      quoteAssetId: 'usd',
      quoteName: null,
      searchLevel: null,
      initialMargin: null,
      collateralRelease: null,
      cap: null,
      funding: null,
    });
  });

  test('that is a perpetual has what its funding is computed from', () => {
    const value = {
      settlementAsset: 'usd',
      quoteName: 'USD',
      marginFundingFactor: '0.10',
      interestRate: '0.1095',
      clampLowerBound: '-0.05',
      clampUpperBound: '0.05',
      fundingRateUpperBound: '0.001',
      internalCompositePriceConfiguration: COMPOSITE,
    };
    expect(decode({ product: { case: 'perpetual', value } })).toMatchObject({
      product: 'PERPETUAL',
      settlementAssetId: 'usd',
      quoteName: 'USD',
      funding: {
        marginFundingFactor: '0.1',
        interestRate: '0.1095',
        clampLowerBound: '-0.05',
        clampUpperBound: '0.05',
        fundingRateScalingFactor: null,
        fundingRateLowerBound: null,
        fundingRateUpperBound: '0.001',
      },
      internalCompositePrice: {
        compositePriceType: compositePriceTypes.numbers.COMPOSITE_PRICE_TYPE_WEIGHTED,
        decayWeight: '0.5',
        decayPower: '2',
        cashAmount: '5000000',
        sourceWeights: ['1', '0'],
        sourceStalenessTolerance: ['1m0s', '0s'],
      },
    });
  });

  test('that is a future may have a cap, and flags that were not sent are false', () => {
    const cap = { maxPrice: '1500', fullyCollateralised: true };
    const value = { settlementAsset: 'usd', quoteName: 'USD' };
    expect(decode({ product: { case: 'future', value: { ...value, cap } } })).toMatchObject({
      product: 'FUTURE',
      cap: { maxPrice: '1500', binarySettlement: false, fullyCollateralised: true },
    });
    expect(decode({ product: { case: 'future', value } })).toMatchObject({ cap: null, quoteName: 'USD' });
  });

  test('of a product that no release has yet is kept without one, and the product is told', () => {
    const product = new BinaryWriter().tag(1, WireType.LengthDelimited).string('usd').finish();
    const instrument = new BinaryWriter();
    instrument.tag(2, WireType.LengthDelimited).string('OPT');
    instrument.tag(103, WireType.LengthDelimited).bytes(product);
    const tradable = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(instrument.finish()).finish();
    const market = new BinaryWriter();
    market.tag(1, WireType.LengthDelimited).string('m');
    market.tag(2, WireType.LengthDelimited).bytes(tradable);
    const event = new BinaryWriter();
    event.tag(3, WireType.Varint).uint32(17).tag(4, WireType.Varint).uint32(1);
    event.tag(5, WireType.LengthDelimited).string('chain');
    event.tag(116, WireType.LengthDelimited).bytes(market.finish());
    const decoded = decodeEvent(event.finish());
    expect(decoded.unknownFields).toEqual(['Instrument.103']);
    expect(decoded.event).toMatchObject({
      row: { id: 'm', instrumentCode: 'OPT', product: null, settlementAssetId: null, quoteAssetId: null },
    });
  });

  test('without an instrument is damaged, and so is a product without its assets', () => {
    const decodeMarket = (value: MarketMessage) => decodeEvent(encodeEvent({ case: 'marketCreated', value }));
    expect(() => decodeMarket({ id: 'm' })).toThrow('tradableInstrument.instrument is missing');
    expect(() => decode({ product: { case: 'future', value: {} } })).toThrow('future.settlementAsset ""');
    expect(() => decode({ product: { case: 'perpetual', value: {} } })).toThrow(
      'perpetual.settlementAsset ""',
    );
    expect(() => decode({ product: { case: 'spot', value: { baseAsset: 'a' } } })).toThrow(
      'spot.quoteAsset ""',
    );
  });

  test('has what newer releases say of it, and null where they say nothing', () => {
    const { product } = { product: { case: 'future', value: { settlementAsset: 'usd' } } } as const;
    const market = {
      fees: {
        factors: { treasuryFee: '0.10', buyBackFee: '0' },
        liquidityFeeSettings: { method: 3, feeConstant: '0.05' },
      },
      parentMarketId: 'CD'.repeat(32),
      insurancePoolFraction: '0.50',
      liquiditySlaParams: { priceRange: '0.05', performanceHysteresisEpochs: 1n },
      liquidationStrategy: { disposalTimeStep: 5n, fullDisposalSize: 2n ** 64n - 1n },
      markPriceConfiguration: { compositePriceType: 9 },
      tickSize: '10',
      enableTransactionReordering: true,
      allowedEmptyAmmLevels: 100n,
      allowedSellers: ['alice', '*'],
    };
    expect(decode({ product }, market)).toMatchObject({
      treasuryFee: '0.1',
      buyBackFee: '0',
      liquidityFeeSettings: { method: liquidityFeeMethods.numbers.METHOD_CONSTANT, feeConstant: '0.05' },
      parentMarketId: 'cd'.repeat(32),
      insurancePoolFraction: '0.5',
      liquiditySla: { priceRange: '0.05', performanceHysteresisEpochs: '1' },
      liquidationStrategy: { fullDisposalSize: '18446744073709551615', disposalSlippageRange: null },
      markPriceConfiguration: { compositePriceType: 9, sourceWeights: [] },
      tickSize: '10',
      enableTransactionReordering: true,
      allowedEmptyAmmLevels: '100',
      allowedSellers: ['alice', 'network'],
    });
    expect(decode({ product })).toMatchObject({
      treasuryFee: null,
      liquidityFeeSettings: null,
      parentMarketId: null,
      liquiditySla: null,
      liquidationStrategy: null,
      markPriceConfiguration: null,
      tickSize: null,
      lpPriceRange: null,
      enableTransactionReordering: false,
      allowedSellers: [],
    });
  });
});

describe('a market in a line of JSON', () => {
  const MARKET = { id: 'm', decimalPlaces: 0, positionDecimalPlaces: 0 };
  const FUNDING = { marginFundingFactor: '0.1' };

  test.each([
    [{ settlementAssetId: 'usd' }, { product: 'FUTURE', settlementAssetId: 'usd', searchLevel: null }],
    [
      { settlementAssetId: 'usd', cap: { maxPrice: '100' } },
      { product: 'FUTURE', cap: { maxPrice: '100', binarySettlement: false, fullyCollateralised: false } },
    ],
    [
      { product: 'PERPETUAL', settlementAssetId: 'usd', funding: FUNDING },
      { product: 'PERPETUAL', funding: { marginFundingFactor: '0.1', fundingRateLowerBound: null } },
    ],
    [
      { product: 'SPOT', baseAssetId: 'btc', quoteAssetId: 'usd' },
      { product: 'SPOT', settlementAssetId: null, baseAssetId: 'btc', quoteAssetId: 'usd' },
    ],
    [{ product: null }, { product: null, settlementAssetId: null }],
  ])('%j is taken', async (given, row) => {
    const { items, error } = await readLines([
      NETWORK,
      BLOCK,
      { type: 'market', data: { ...MARKET, ...given } },
    ]);
    expect(error).toBeNull();
    expect(items[0]).toMatchObject({ events: [{ event: { type: 'market', row } }] });
  });

  test.each([
    [{}, 'market.settlementAssetId is missing'],
    [{ product: 'SPOT', baseAssetId: 'btc' }, 'market.quoteAssetId is missing'],
    [{ product: 'PERPETUAL', settlementAssetId: 'usd' }, 'market.funding is missing'],
    [
      { product: 'SPOT', baseAssetId: 'btc', quoteAssetId: 'usd', settlementAssetId: 'usd' },
      'market.settlementAssetId is nothing that a market has whose product is SPOT',
    ],
    [
      { product: 'PERPETUAL', settlementAssetId: 'usd', funding: FUNDING, cap: { maxPrice: '1' } },
      'market.cap is nothing that a market has whose product is PERPETUAL',
    ],
    [{ product: 'OPTION', settlementAssetId: 'usd' }, 'market.product "OPTION" is none of FUTURE'],
    [
      { settlementAssetId: 'usd', enableTransactionReordering: 'yes' },
      'market.enableTransactionReordering must be true or false, not "yes"',
    ],
  ])('%j is refused', async (given, complaint) => {
    const { error } = await readLines([NETWORK, BLOCK, { type: 'market', data: { ...MARKET, ...given } }]);
    expect((error as Error | null)?.message).toContain(complaint);
  });
});

test('the profile of a party changes beside its row, which keeps the position of its first mention', async () => {
  const value = {
    updatedProfile: {
      partyId: 'alice',
      alias: 'Al',
      metadata: [{ key: 'site', value: 'https://a.example' }],
    },
  };
  expect(decodeEvent(encodeEvent({ case: 'partyProfileUpdated', value })).event).toEqual({
    type: 'partyProfile',
    row: { partyId: 'alice', alias: 'Al', metadata: [{ key: 'site', value: 'https://a.example' }] },
  });

  await using database = await createTestDatabase();
  await using writer = await Writer.open(database.url);
  const lines = [
    NETWORK,
    BLOCK,
    { type: 'party', data: { id: 'alice' } },
    { type: 'partyProfile', data: { partyId: 'alice', alias: 'Al', metadata: [{ key: 'a', value: 'b' }] } },
    { type: 'block', data: { height: 2, timestamp: '1678443431000000000' } },
    { type: 'partyProfile', data: { partyId: 'bob', alias: 'Bob' } },
    { type: 'partyProfile', data: { partyId: 'alice', alias: 'Alice' } },
  ];
  const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  await applySource(await openNdjson('-', Readable.from([bytes])), writer, { pace: 'max', signal: never() });
  expect(await readTable(database.url, 'parties')).toEqual([
    { id: 'alice', created_position: `${2 ** 20 + 1}` },
    { id: 'bob', created_position: `${2 * 2 ** 20 + 1}` },
  ]);
  expect(await readTable(database.url, 'party_profiles')).toEqual([
    {
      party_id: 'bob',
      created_position: `${2 * 2 ** 20 + 1}`,
      updated_position: `${2 * 2 ** 20 + 1}`,
      alias: 'Bob',
      metadata: [],
    },
    {
      party_id: 'alice',
      created_position: `${2 ** 20 + 2}`,
      updated_position: `${2 * 2 ** 20 + 2}`,
      alias: 'Alice',
      metadata: [],
    },
  ]);
});

function decode(instrument: InstrumentMessage, market: MarketMessage = {}) {
  const value = { id: 'm', tradableInstrument: { instrument }, ...market };
  const { event } = decodeEvent(encodeEvent({ case: 'marketCreated', value }));
  return event.type === 'market' ? event.row : null;
}
