import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { create, type DescMessage, ScalarType, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nouns } from '../../src/data/nouns/index.ts';
import { MAX_ENUMERATION_NUMBER } from '../../src/domain/enumeration.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { decodeEvent, readBusEvent } from '../../src/ingest/decode.ts';
import { readRecords } from '../../src/ingest/frames.ts';
import { BusEventSchema } from '../../src/ingest/protocol/generated/bus-event_pb.ts';
import { InstrumentMetadataSchema } from '../../src/ingest/protocol/generated/markets_pb.ts';
import { RiskFactorSchema } from '../../src/ingest/protocol/generated/risk-factors_pb.ts';
import { MAX_LIST_ITEMS, strictReader } from '../../src/ingest/protocol/strict.ts';
import {
  accountOf,
  encodeBusEvent,
  encodeEvent,
  recordedNetwork,
  type SentPayload,
} from '../support/events.ts';

const emptyDeposit = {
  id: '',
  status: 0,
  partyId: '',
  asset: '',
  amount: '',
  txHash: '',
  creditedTimestamp: 0n,
  createdTimestamp: 0n,
} as const;

const words = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
const int64s = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint64s = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
/** Of an enumeration: named or not, any that a release of the network may have. */
const numbers = fc.oneof(
  fc.nat({ max: 40 }),
  fc.nat({ max: MAX_ENUMERATION_NUMBER }),
  fc.constant(MAX_ENUMERATION_NUMBER),
);
/** A part that may be left out. */
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

const deposits = fc.record({
  case: fc.constant('deposit' as const),
  value: fc.record({
    id: words,
    status: numbers,
    partyId: words,
    asset: words,
    amount: words,
    txHash: words,
    creditedTimestamp: int64s,
    createdTimestamp: int64s,
  }),
});

const proposals = fc.record({
  case: fc.constant('proposal' as const),
  value: fc.record({
    id: words,
    reference: words,
    partyId: words,
    state: numbers,
    timestamp: int64s,
    reason: maybe(numbers),
    errorDetails: maybe(words),
    requiredParticipation: words,
    requiredMajority: words,
    requiredLiquidityProviderParticipation: maybe(words),
    requiredLiquidityProviderMajority: maybe(words),
  }),
});

const products = fc.oneof(
  fc.record({
    case: fc.constant('future' as const),
    value: fc.record({
      settlementAsset: words,
      quoteName: words,
      cap: maybe(fc.record({ maxPrice: words, binarySettlement: maybe(fc.boolean()) })),
    }),
  }),
  fc.record({
    case: fc.constant('spot' as const),
    value: fc.record({ baseAsset: words, quoteAsset: words }),
  }),
  fc.record({
    case: fc.constant('perpetual' as const),
    value: fc.record({
      settlementAsset: words,
      marginFundingFactor: words,
      fundingRateScalingFactor: maybe(words),
      internalCompositePriceConfiguration: maybe(
        fc.record({ sourceWeights: fc.array(words), decayPower: uint64s, compositePriceType: numbers }),
      ),
    }),
  }),
);

const doubles = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 });

const markets = fc.record({
  case: fc.constantFrom('marketCreated' as const, 'marketUpdated' as const),
  value: fc.record({
    id: words,
    tradableInstrument: maybe(
      fc.record({
        instrument: maybe(
          fc.record({
            id: words,
            code: words,
            name: words,
            metadata: maybe(fc.record({ tags: fc.array(words) })),
            product: maybe(products),
          }),
        ),
        marginCalculator: maybe(
          fc.record({
            scalingFactors: maybe(
              fc.record({ searchLevel: doubles, initialMargin: doubles, collateralRelease: doubles }),
            ),
          }),
        ),
      }),
    ),
    decimalPlaces: uint64s,
    tradingMode: numbers,
    state: numbers,
    marketTimestamps: maybe(fc.record({ proposed: int64s, pending: int64s, open: int64s, close: int64s })),
    positionDecimalPlaces: int64s,
    lpPriceRange: words,
    linearSlippageFactor: words,
    quadraticSlippageFactor: words,
  }),
}) as fc.Arbitrary<SentPayload>;

const payloads: fc.Arbitrary<SentPayload> = fc.oneof(deposits, proposals, markets);

test('reads back what it writes', () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      expect(readBusEvent(encodeEvent(payload)).message.event).toEqual(
        create(BusEventSchema, { event: payload }).event,
      );
    }),
  );
});

test('any part of an event reads as an event or throws an error, and nothing else', () => {
  fc.assert(
    fc.property(payloads, fc.nat(), (payload, at) => {
      const bytes = encodeEvent(payload);
      const part = bytes.subarray(0, at % bytes.length);
      try {
        readBusEvent(part);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect((error as Error).message).not.toBe('');
      }
    }),
  );
});

describe.skipIf(recordedNetwork === null)('on the recorded network (../shared/data)', () => {
  test('writes the very bytes that the network sent, for every message whose fields are all declared', async () => {
    const whole = [
      'account',
      'party',
      'marginLevels',
      'vote',
      'marketData',
      'deposit',
      'riskFactor',
      'rewardPayout',
    ];
    let count = 0;
    for await (const bytes of recordedPayloads()) {
      const event = readBusEvent(bytes).message;
      if (!whole.includes(event.event.case ?? '')) continue;
      expect(Buffer.from(toBinary(BusEventSchema, event)).equals(bytes)).toBe(true);
      count += 1;
    }
    expect(count).toBe(233 + 52 + 34 + 20 + 867 + 72 + 4 + 2);
  });
});

test('a field that was not sent has its default', () => {
  const { event } = readBusEvent(encodeEvent({ case: 'deposit', value: emptyDeposit })).message;
  expect(event.value).toEqual({ $typeName: 'network.Deposit', ...emptyDeposit });
});

test('a field that is not declared is passed over, whatever its type, and told', () => {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).string('before');
  writer.tag(9, WireType.Varint).uint64(2n ** 64n - 1n);
  writer.tag(10, WireType.Bit64).double(1.5);
  writer.tag(11, WireType.Bit32).fixed32(7);
  writer.tag(12, WireType.StartGroup).tag(1, WireType.Varint).uint32(5).tag(12, WireType.EndGroup);
  writer.tag(13, WireType.LengthDelimited).bytes(new Uint8Array(300));
  writer.tag(2, WireType.LengthDelimited).string('after');
  const read = strictReader(RiskFactorSchema);
  expect(read(writer.finish())).toEqual({
    message: create(RiskFactorSchema, { market: 'before', short: 'after' }),
    unknownFields: [9, 10, 11, 12, 13].map((number) => `RiskFactor.${number}`),
  });
});

test('unknown fields are told as the message and the number, as often as they come, wherever they are', () => {
  const bytes = encodeAccount(
    (account) =>
      account
        .tag(2, WireType.LengthDelimited)
        .string('owner')
        .tag(25, WireType.Varint)
        .uint32(1)
        .tag(25, WireType.Varint)
        .uint32(2),
    (event) => event.tag(99, WireType.LengthDelimited).string('new'),
  );
  const { message, unknownFields } = readBusEvent(bytes);
  expect(message.event).toMatchObject({ case: 'account', value: { owner: 'owner' } });
  expect(unknownFields).toEqual(['Account.25', 'Account.25', 'BusEvent.99']);
});

test('a field that known releases have and nobody reads is passed over, and not told', () => {
  const { reservedRange } = BusEventSchema.proto;
  expect(reservedRange.length).toBeGreaterThan(5);
  for (const { start, end } of reservedRange)
    for (const number of [start, end - 1]) {
      const { message, unknownFields } = readBusEvent(
        new BinaryWriter()
          .tag(number, WireType.LengthDelimited)
          .string('of a kind that is not kept')
          .finish(),
      );
      expect([message.event.case, unknownFields]).toEqual([undefined, undefined]);
    }
});

test('an event of known fields alone tells of none', () => {
  expect(readBusEvent(encodeEvent(accountOf('a', '1'))).unknownFields).toBeUndefined();
});

/** Every field that is the number of an enumeration, by its message. */
const enumerated = [...new Set(messagesIn(BusEventSchema))].flatMap((schema) =>
  schema.fields
    .filter(({ scalar }) => scalar === ScalarType.INT32)
    .map((field) => [`${schema.name}.${field.localName}`, schema, field] as const),
);

describe.each(enumerated)('%s', (name, schema, { number, localName }) => {
  const read = strictReader(schema);
  const encode = (value: Uint8Array) => new BinaryWriter().tag(number, WireType.Varint).raw(value).finish();

  test('keeps any number from 0 to 2^31 - 1, named or not, in any length that it can be written in', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 10 }), (value, length) => {
        const { message } = read(encode(varint(BigInt(value), length)));
        expect((message as unknown as Record<string, unknown>)[localName]).toBe(value);
      }),
    );
  });

  test('takes a negative number, and one of more bits, for damage that it names', () => {
    const outside = fc.oneof(
      fc.bigInt({ min: 2n ** 31n, max: 2n ** 70n - 1n }),
      fc.integer({ min: 31, max: 69 }).map((bit) => 2n ** BigInt(bit)),
      fc.integer({ min: 32, max: 69 }).map((bit) => 2n ** BigInt(bit) + 4n),
      fc.bigInt({ min: -(2n ** 31n), max: -1n }).map((negative) => BigInt.asUintN(64, negative)),
    );
    fc.assert(
      fc.property(outside, fc.integer({ min: 1, max: 10 }), (bits, length) => {
        const sent = bits < 2n ** 64n ? BigInt.asIntN(64, bits) : bits;
        expect(() => read(encode(varint(bits, length)))).toThrow(
          `${name} is ${sent}, which no enumeration has`,
        );
      }),
    );
  });
});

test('the fields of enumerations are those that rows have', () => {
  const ofRows = Object.values(nouns)
    .flatMap((noun) => Object.keys(noun.enumerations))
    // The change of a proposal is the number of a field, and no enumeration of the protocol.
    .filter((field) => !field.endsWith('.change'));
  expect(new Set(enumerated.map(([, , { localName }]) => localName))).toEqual(
    new Set(ofRows.map((field) => field.split('.').at(-1))),
  );
});

test('a field of another wire type is an error that names the field', () => {
  const bytes = encodeAccount((writer) => writer.tag(3, WireType.Varint).int32(8));
  expect(() => readBusEvent(bytes)).toThrow('Account.balance has wire type 0 instead of 2');
});

test('a field that an older release has as another type is read as what it is now', () => {
  const within = (number: number, write: (writer: BinaryWriter) => BinaryWriter) => (writer: BinaryWriter) =>
    write(writer.tag(number, WireType.LengthDelimited).fork()).join();
  const settlementDecimals = (writer: BinaryWriter) => writer.tag(6, WireType.Varint).uint32(18);
  const market = (ratio: number) => {
    const instrument = within(2, within(1, within(100, settlementDecimals)));
    const monitoring = within(7, (writer) => writer.tag(2, WireType.Bit64).double(ratio));
    const older = within(116, (writer) => monitoring(instrument(writer)))(new BinaryWriter()).finish();
    const value = { id: 'm', tradableInstrument: { instrument: futureOf('a') } };
    const { event } = decodeEvent(Buffer.concat([encodeEvent({ case: 'marketCreated', value }), older]));
    return event.type === 'market' ? event.row : null;
  };
  expect(market(0.1 + 0.2)).toMatchObject({
    settlementAssetId: 'a',
    cap: null,
    liquidityMonitoring: { triggeringRatio: '0.30000000000000004' },
  });
  expect(market(1e-7)).toMatchObject({ liquidityMonitoring: { triggeringRatio: '0.0000001' } });
  expect(() => market(Number.NaN)).toThrow('LiquidityMonitoringParameters.triggeringRatio');
});

test('a message within another whose fields pass its end is an error that names it', () => {
  const account = new BinaryWriter().tag(2, WireType.LengthDelimited).string('owner').finish();
  const writer = new BinaryWriter().tag(105, WireType.LengthDelimited).uint32(account.length - 1);
  const bytes = Buffer.concat([writer.finish(), account]);
  expect(() => readBusEvent(bytes)).toThrow('Account is cut off within a field');
});

test('text that is not UTF-8 is an error', () => {
  const broken = encodeAccount((writer) =>
    writer.tag(2, WireType.LengthDelimited).bytes(Uint8Array.of(0xc3, 0x28)),
  );
  expect(() => readBusEvent(broken)).toThrow(Error);
});

test('a double is the shortest decimal that reads back as it', () => {
  const instrument = futureOf('a');
  const market = (searchLevel: number) =>
    decode({
      case: 'marketCreated',
      value: {
        id: 'm',
        tradableInstrument: { instrument, marginCalculator: { scalingFactors: { searchLevel } } },
      },
    });
  expect(market(1.1)).toMatchObject({ searchLevel: '1.1' });
  expect(market(1e-7)).toMatchObject({ searchLevel: '0.0000001' });
  expect(() => market(Number.NaN)).toThrow('NaN');
});

describe('in our terms', () => {
  const upper = 'AB'.repeat(32);

  test('ids are in lower case, the star is the network, the exclamation mark is no market', () => {
    expect(decode(accountOf('*', '5'))).toEqual({
      owner: 'network',
      assetId: 'gold',
      marketId: '',
      type: accountTypes.numbers.ACCOUNT_TYPE_GENERAL,
      balance: '5',
    });
    expect(decode(accountOf(upper, '5'))).toMatchObject({ owner: upper.toLowerCase() });
    expect(decode(accountOf('XYZalpha', '5'))).toMatchObject({ owner: 'XYZalpha' });
  });

  test('a quantity is canonical, and 0 where none was sent', () => {
    expect(decode(accountOf('a', ''))).toMatchObject({ balance: '0' });
    expect(decode(accountOf('a', '-007'))).toMatchObject({ balance: '-7' });
    expect(decode(accountOf('a', `1${'0'.repeat(78)}`))).toMatchObject({ balance: `1${'0'.repeat(78)}` });
  });

  test('a slippage factor that was not sent is none, and 0 is one', () => {
    const instrument = futureOf('a');
    const market = (linearSlippageFactor: string, quadraticSlippageFactor: string) =>
      decode({
        case: 'marketCreated',
        value: { id: 'm', tradableInstrument: { instrument }, linearSlippageFactor, quadraticSlippageFactor },
      });
    expect(market('', '0')).toMatchObject({ linearSlippageFactor: null, quadraticSlippageFactor: '0' });
    expect(market('0.10', '')).toMatchObject({ linearSlippageFactor: '0.1', quadraticSlippageFactor: null });
    // The network takes a factor of any length.
    expect(market('1e-500', `0.${'9'.repeat(500)}`)).toMatchObject({
      linearSlippageFactor: '0',
      quadraticSlippageFactor: `0.${'9'.repeat(400)}`,
    });
  });

  test('a risk factor has 16 decimals, rounded half away from zero', () => {
    const value = { market: 'm', short: '0.05529953589167391', long: '-0.00000000000000005' };
    expect(decode({ case: 'riskFactor', value })).toMatchObject({
      short: '0.0552995358916739',
      long: '-0.0000000000000001',
    });
    const long = `0.5${'0'.repeat(500)}1`;
    expect(decode({ case: 'riskFactor', value: { ...value, long } })).toMatchObject({ long: '0.5' });
  });

  test('a percentage has the form of the reference', () => {
    const value = {
      party: 'p',
      epochSeq: '62',
      asset: 'gold',
      amount: '450',
      percentOfTotalReward: '0.000010',
      timestamp: 5n,
      rewardType: 'ACCOUNT_TYPE_GLOBAL_REWARD',
      market: '!',
    };
    expect(decode({ case: 'rewardPayout', value })).toMatchObject({ percentageOfTotal: '1e-05', epoch: 62n });
  });

  test.each([
    ['a quantity that is no number', accountOf('a', '1.5'), 'balance "1.5" is not a whole number'],
    ['an account of nobody', accountOf('', '1'), 'owner "" must not be empty'],
    [
      'an id that PostgreSQL cannot hold',
      accountOf('a\0b', '1'),
      'owner "a\\u0000b" holds the character U+0000',
    ],
    ['an id that no index can hold', accountOf('x'.repeat(257), '1'), 'owner "xxx'],
    ['a deposit without an id', { case: 'deposit', value: emptyDeposit } as const, 'id "" must not be empty'],
  ])('%s is an error that says so', (_, payload, complaint) => {
    expect(() => decode(payload)).toThrow(complaint);
  });

  test('an envelope of another version, without a chain or with another event than it says is an error', () => {
    const event = readBusEvent(encodeEvent(accountOf('a', '1'))).message;
    expect(() => decodeEvent(encodeBusEvent({ ...event, version: 2 }))).toThrow('version 2');
    expect(() => decodeEvent(encodeBusEvent({ ...event, chainId: '' }))).toThrow('no chain');
    expect(() => decodeEvent(encodeBusEvent({ ...event, type: 21 }))).toThrow(
      'announced as deposit but holds account',
    );
    expect(() => decodeEvent(encodeBusEvent({ ...event, event: { case: undefined } }))).toThrow(
      'announced as account but holds none',
    );
    expect(() => decodeEvent(encodeBusEvent({ ...event, chainId: 'a\0b' }))).toThrow(
      'chainId "a\\u0000b" holds the character U+0000',
    );
    expect(() => decodeEvent(encodeBusEvent({ ...event, chainId: 'x'.repeat(257) }))).toThrow(
      'has more than 256 characters',
    );
  });

  test('a hash that could not be compared later is an error', () => {
    const value = { height: 1n, timestamp: 1n, hash: 'a\0b' };
    expect(() => decode({ case: 'beginBlock', value })).toThrow(
      'hash "a\\u0000b" holds the character U+0000',
    );
  });
});

describe('hostile bytes are an error, and take neither stack nor memory', () => {
  test('groups within groups', () => {
    const groups = new BinaryWriter();
    for (let depth = 0; depth < 1_000_000; depth += 1) groups.tag(1000, WireType.StartGroup);
    expect(() => decodeEvent(groups.finish())).toThrow('maximum recursion depth reached');
  });

  test.each([
    ['text', (writer: BinaryWriter) => writer.tag(5, WireType.LengthDelimited).uint32(2 ** 31 - 1)],
    ['a message', (writer: BinaryWriter) => writer.tag(105, WireType.LengthDelimited).uint32(2 ** 32 - 1)],
    [
      'an unknown field',
      (writer: BinaryWriter) => writer.tag(999, WireType.LengthDelimited).uint32(2 ** 32 - 1),
    ],
  ])('%s that announces more bytes than there are', (_, write) => {
    expect(() => decodeEvent(write(new BinaryWriter()).finish())).toThrow(/cut off|premature EOF/);
  });

  test('a list of more items than any of the network has', () => {
    const read = strictReader(InstrumentMetadataSchema);
    const bytes = (items: number) => Buffer.from('0a00'.repeat(items), 'hex');
    expect(read(bytes(MAX_LIST_ITEMS)).message.tags).toHaveLength(MAX_LIST_ITEMS);
    expect(() => read(bytes(MAX_LIST_ITEMS + 1))).toThrow('a list has more than 100000 items');
  });

  test('text that is no UTF-8, half a surrogate pair among it', () => {
    const bytes = Buffer.from([0x2a, 0x03, 0xed, 0xa0, 0x80]);
    expect(() => decodeEvent(bytes)).toThrow(/not valid|encoded data/);
  });
});

/** The row that an event becomes. */
function decode(payload: SentPayload) {
  const { event } = decodeEvent(encodeEvent(payload));
  return 'row' in event ? event.row : null;
}

/** The bytes of an account event with the fields that are written here, and those of the envelope. */
function encodeAccount(
  write: (account: BinaryWriter) => void,
  writeMore: (event: BinaryWriter) => void = () => {},
): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(105, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
  writeMore(writer);
  return writer.finish();
}

/** A number as a varint of at least so many bytes; ten hold 70 bits. */
function varint(bits: bigint, length: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = bits; rest > 0n || bytes.length < length; rest >>= 7n) bytes.push(Number(rest & 0x7fn));
  return Uint8Array.from(bytes, (byte, index) => (index < bytes.length - 1 ? byte | 0x80 : byte));
}

/** A message, and those within it. */
function messagesIn(schema: DescMessage): readonly DescMessage[] {
  return [schema, ...schema.fields.flatMap(({ message }) => (message ? messagesIn(message) : []))];
}

async function* recordedPayloads(): AsyncGenerator<Uint8Array, void> {
  const bytes = gunzipSync(readFileSync(recordedNetwork ?? ''));
  async function* whole() {
    yield bytes;
  }
  for await (const { payload } of readRecords(whole())) yield payload;
}

function futureOf(settlementAsset: string) {
  return { product: { case: 'future', value: { settlementAsset } } } as const;
}
