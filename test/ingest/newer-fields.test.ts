import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from 'vitest';
import { decodeEvent } from '../../src/ingest/decode.ts';
import type { KeptEvent } from '../../src/ingest/events.ts';
import { encodeEvent, type SentPayload } from '../support/events.ts';
import { BLOCK, NETWORK, readLines } from './ndjson-lines.ts';

const VOTE = { partyId: 'alice', proposalId: 'p1', timestamp: 9n, value: 2 };
const LEVELS = { partyId: 'alice', marketId: 'm1', asset: 'usd', timestamp: 9n };
const REWARD = {
  ...{ party: 'alice', asset: 'usd', epochSeq: '62', amount: '5', percentOfTotalReward: '50', timestamp: 9n },
  rewardType: 'ACCOUNT_TYPE_GLOBAL_REWARD',
};
const PERPETUAL = {
  ...{ fundingPayment: '-22', fundingRate: '-0.00225', internalTwap: '9792', externalTwap: '9770' },
  ...{ internalCompositePrice: '989', underlyingIndexPrice: '9770' },
};
const SOURCE = { priceSource: 'median', price: '400', lastUpdated: 1575072007000000000n };

describe('what newer releases tell, a line of JSON can tell as REST serves it', () => {
  test.each<[string, SentPayload, object]>([
    [
      'reward',
      {
        case: 'rewardPayout',
        value: {
          ...REWARD,
          market: '',
          lockedUntilEpoch: '65',
          quantumAmount: '571.40',
          gameId: 'AB'.repeat(32),
        },
      },
      {
        ...{ partyId: 'alice', assetId: 'usd', epoch: '62', amount: '5', percentageOfTotal: '50' },
        ...{ receivedAt: '9', rewardType: 'ACCOUNT_TYPE_GLOBAL_REWARD' },
        ...{ lockedUntilEpoch: '65', quantumAmount: '571.4', gameId: 'ab'.repeat(32) },
      },
    ],
    [
      'marginLevel',
      { case: 'marginLevels', value: { ...LEVELS, orderMargin: '600', marginMode: 2, marginFactor: '0.50' } },
      {
        ...{ partyId: 'alice', marketId: 'm1', asset: 'usd', timestamp: '9', maintenanceMargin: '0' },
        ...{ searchLevel: '0', initialMargin: '0', collateralReleaseLevel: '0' },
        ...{ orderMargin: '600', marginMode: 'MARGIN_MODE_ISOLATED_MARGIN', marginFactor: '0.5' },
      },
    ],
    [
      'vote',
      { case: 'vote', value: { ...VOTE, elsPerMarket: [share('m1', '0.50'), share('m2', '')] } },
      {
        ...{ partyId: 'alice', proposalId: 'p1', timestamp: '9', value: 'VALUE_YES' },
        elsPerMarket: [
          { marketId: 'm1', els: '0.5' },
          { marketId: 'm2', els: '0' },
        ],
      },
    ],
    [
      'proposal',
      {
        case: 'proposal',
        value: {
          id: 'p1',
          partyId: 'alice',
          state: 2,
          timestamp: 9n,
          batchId: 'b1',
          terms: { closingTimestamp: 1700000000n },
        },
      },
      {
        ...{ id: 'p1', partyId: 'alice', state: 'STATE_OPEN', timestamp: '9', batchId: 'b1' },
        terms: { closingTimestamp: '1700000000000000000' },
      },
    ],
    [
      'marketData',
      {
        case: 'marketData',
        value: {
          ...{ market: 'm1', markPrice: '5', timestamp: 9n, marketGrowth: '-0.250', markPriceType: 3 },
          ...{ marketState: 5, marketTradingMode: 1 },
          priceMonitoringBounds: [
            { minValidPrice: '1', maxValidPrice: '2', referencePrice: '1.5', active: true },
          ],
          liquidityProviderFeeShare: [{ party: 'lp', equityLikeShare: '1', virtualStake: '7.00' }],
          productData: {
            data: {
              case: 'perpetualData',
              value: {
                ...PERPETUAL,
                seqNum: 2n,
                internalCompositePriceType: 3,
                internalCompositePriceState: {},
              },
            },
          },
          liquidityProviderSla: [{ party: 'lp', hysteresisPeriodFeePenalties: ['1', ''] }],
          markPriceState: { priceSources: [SOURCE] },
          activeProtocolAutomatedPurchase: { id: '12345', orderId: 'o1' },
        },
      },
      {
        ...{ market: 'm1', markPrice: '5', timestamp: '9', marketGrowth: '-0.25', nextNetworkCloseout: '0' },
        markPriceType: 'COMPOSITE_PRICE_TYPE_LAST_TRADE',
        priceMonitoringBounds: [
          { minValidPrice: '1', maxValidPrice: '2', referencePrice: '1.5', trigger: null, active: true },
        ],
        liquidityProviderFeeShare: [
          {
            party: 'lp',
            equityLikeShare: '1',
            averageEntryValuation: '0',
            averageScore: '0',
            virtualStake: '7',
          },
        ],
        productData: {
          perpetualData: {
            ...PERPETUAL,
            ...{ seqNum: '2', startTime: '0', nextInternalCompositePriceCalc: '0' },
            internalCompositePriceType: 'COMPOSITE_PRICE_TYPE_LAST_TRADE',
            internalCompositePriceState: { priceSources: [] },
          },
        },
        liquidityProviderSla: [{ party: 'lp', hysteresisPeriodFeePenalties: ['1', '0'] }],
        markPriceState: { priceSources: [{ ...SOURCE, lastUpdated: '1575072007000000000' }] },
        activeProtocolAutomatedPurchase: { id: '12345', orderId: 'o1' },
      },
    ],
  ])('%s', async (type, payload, data) => {
    const { items, error } = await readLines([NETWORK, BLOCK, { type, data }]);
    expect(error).toBeNull();
    expect(rowOf(payload)).toEqual(items[0]?.events[0]?.event.row);
  });
});

test.each<[SentPayload, object]>([
  [
    { case: 'rewardPayout', value: REWARD },
    { lockedUntilEpoch: null, quantumAmount: null, gameId: null },
  ],
  [
    { case: 'marginLevels', value: LEVELS },
    { orderMargin: null, marginMode: null, marginFactor: null },
  ],
  [{ case: 'vote', value: VOTE }, { elsPerMarket: null }],
  [
    { case: 'proposal', value: { id: 'p', partyId: 'a' } },
    { terms: null, batchTerms: null, batchId: null },
  ],
  [
    {
      case: 'marketData',
      value: { market: 'm', liquidityProviderFeeShare: [{ party: 'lp' }], priceMonitoringBounds: [{}] },
    },
    {
      ...{ marketGrowth: null, productData: null, liquidityProviderSla: null, nextNetworkCloseout: null },
      ...{ markPriceType: null, markPriceState: null, activeProtocolAutomatedPurchase: null },
      liquidityProviderFeeShare: [expect.objectContaining({ virtualStake: null })],
      priceMonitoringBounds: [expect.objectContaining({ active: null })],
    },
  ],
])('$case: what release 0.71 does not tell is null, and no 0 or empty text', (payload, fields) => {
  expect(rowOf(payload)).toMatchObject(fields);
});

test('of a perpetual release 0.73 tells four numbers; what it does not have is null', () => {
  const { internalCompositePrice: _, underlyingIndexPrice: __, ...value } = PERPETUAL;
  const productData = { data: { case: 'perpetualData' as const, value } };
  expect(rowOf({ case: 'marketData', value: { market: 'm', productData } })).toMatchObject({
    productData: { perpetualData: { ...value, seqNum: null, startTime: null, underlyingIndexPrice: null } },
  });
});

describe('the eighth field of a vote', () => {
  const kept = (...sent: readonly Uint8Array[]) =>
    rowOf({ case: 'vote', value: { ...VOTE, elsPerMarket: [...sent] } }) as {
      readonly elsPerMarket: unknown;
    };

  test.each(['0.25', '', 'm1:0.25', 'é'.repeat(300)])(
    'is passed over as the text of releases 0.74.0 to 0.74.4: %j',
    (text) => {
      expect(kept(Buffer.from(text)).elsPerMarket).toBeNull();
    },
  );

  test('is read as the messages of later ones, in any order of their fields', () => {
    const turned = new BinaryWriter();
    turned.tag(2, WireType.LengthDelimited).string('0.5').tag(1, WireType.LengthDelimited).string('m2');
    expect(kept(share('m1', '1'), turned.finish()).elsPerMarket).toEqual([
      { marketId: 'm1', els: '1' },
      { marketId: 'm2', els: '0.5' },
    ]);
  });

  test('is an error where such a message is damaged', () => {
    expect(() => kept(share('m1', '1').subarray(0, -1))).toThrow(/EquityLikeShare|premature EOF/);
    expect(() => kept(share('m1', 'x'))).toThrow('els "x"');
    expect(() => kept(share('', '1'))).toThrow('elsPerMarket.marketId "" must not be empty');
  });
});

describe('the terms of proposals', () => {
  test('have times in nanoseconds, and the number of the field that has the change', () => {
    const terms = message((writer) => {
      writer.tag(1, WireType.Varint).int64(1_700_000_000n).tag(2, WireType.Varint).int64(1_700_000_100n);
      writer.tag(3, WireType.Varint).int64(1_699_999_999n);
      change(writer, 104);
    });
    expect(proposalOf(6, terms)).toMatchObject({
      terms: {
        closingTimestamp: '1700000000000000000',
        enactmentTimestamp: '1700000100000000000',
        validationTimestamp: '1699999999000000000',
        change: 104,
      },
      batchTerms: null,
    });
  });

  test('have a change that no known release has by its number, and no time is too far away', () => {
    const terms = message((writer) => {
      change(writer, 101);
      change(writer, 4242);
      writer.tag(1, WireType.Varint).int64(2n ** 63n - 1n);
    });
    const { event, unknownFields } = decodeEvent(encodeProposal(6, terms));
    expect(event).toMatchObject({
      row: { terms: { closingTimestamp: '9223372036854775807000000000', change: 4242 } },
    });
    // It is told as a number, and not besides as a field.
    expect(unknownFields).toBeUndefined();
  });

  test('of a batch are a list, with the numbers that changes have there', () => {
    const batch = message((writer) => {
      writer.tag(1, WireType.Varint).int64(5n);
      for (const number of [104, 113]) {
        const one = message((inner) => {
          inner.tag(1, WireType.Varint).int64(6n);
          change(inner, number);
        });
        writer.tag(3, WireType.LengthDelimited).bytes(one);
      }
    });
    const made = { enactmentTimestamp: '6000000000', validationTimestamp: '0' };
    expect(proposalOf(14, batch)).toMatchObject({
      terms: null,
      batchTerms: {
        closingTimestamp: '5000000000',
        changes: [
          { ...made, change: 104 },
          { ...made, change: 113 },
        ],
      },
    });
  });

  test('without a change have none', () => {
    expect(proposalOf(6, new Uint8Array())).toMatchObject({ terms: { closingTimestamp: '0', change: null } });
  });

  test('with ever so many changes take no longer than their bytes', () => {
    const terms = message((writer) => {
      for (let number = 0; number < 500_000; number += 1) change(writer, 101);
    });
    expect(proposalOf(6, terms)).toMatchObject({ terms: { change: 101 } });
  });
});

function rowOf(payload: SentPayload): KeptEvent['row'] | null {
  const { event } = decodeEvent(encodeEvent(payload));
  return 'row' in event ? event.row : null;
}

function share(marketId: string, els: string): Uint8Array {
  return message((writer) => {
    writer.tag(1, WireType.LengthDelimited).string(marketId).tag(2, WireType.LengthDelimited).string(els);
  });
}

function change(writer: BinaryWriter, number: number): void {
  writer.tag(number, WireType.LengthDelimited).bytes(new Uint8Array());
}

function message(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

/** An event with a proposal of which one field is these bytes. */
function encodeProposal(field: number, bytes: Uint8Array): Uint8Array {
  const plain = encodeEvent({ case: 'proposal', value: {} });
  const proposal = message((writer) => {
    writer.tag(1, WireType.LengthDelimited).string('p1').tag(3, WireType.LengthDelimited).string('alice');
    writer.tag(field, WireType.LengthDelimited).bytes(bytes);
  });
  const whole = message((writer) => {
    writer.tag(109, WireType.LengthDelimited).bytes(proposal);
  });
  return Buffer.concat([plain, whole]);
}

function proposalOf(field: number, bytes: Uint8Array) {
  const { event } = decodeEvent(encodeProposal(field, bytes));
  return 'row' in event ? event.row : null;
}
