import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalOfDouble } from '../../src/domain/decimals.ts';
import { depositStatuses, marketStates, marketTradingModes } from '../../src/domain/enumerations.ts';
import { decodeEvent } from '../../src/ingest/decode.ts';
import { readRecords } from '../../src/ingest/frames.ts';
import { proposalErrors } from '../../src/ingest/proposal-errors.ts';
import { type BusEventPayload, busEvent } from '../../src/ingest/protocol.ts';
import { double, field, MAX_LIST_ITEMS, message, repeated, text } from '../../src/ingest/wire.ts';
import { accountOf, encodeEvent, recordedNetwork } from '../support/events.ts';

const emptyDeposit = {
  id: '',
  status: 'STATUS_UNSPECIFIED',
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
const namesOf = <Name extends string>(names: Record<Name, number>) =>
  fc.constantFrom(...(Object.keys(names) as Name[]));

const deposits = fc.record({
  name: fc.constant('deposit' as const),
  value: fc.record({
    id: words,
    status: namesOf(depositStatuses),
    partyId: words,
    asset: words,
    amount: words,
    txHash: words,
    creditedTimestamp: int64s,
    createdTimestamp: int64s,
  }),
});

const proposals = fc.record({
  name: fc.constant('proposal' as const),
  value: fc.record({
    id: words,
    reference: words,
    partyId: words,
    state: fc.constantFrom('STATE_OPEN' as const, 'STATE_UNSPECIFIED' as const),
    timestamp: int64s,
    reason: fc.option(namesOf(proposalErrors)),
    errorDetails: fc.option(words),
    requiredParticipation: words,
    requiredMajority: words,
    requiredLiquidityProviderParticipation: fc.option(words),
    requiredLiquidityProviderMajority: fc.option(words),
  }),
});

const doubles = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
  .map(decimalOfDouble);

const markets = fc.record({
  name: fc.constantFrom('marketCreated' as const, 'marketUpdated' as const),
  value: fc.record({
    id: words,
    tradableInstrument: fc.option(
      fc.record({
        instrument: fc.option(
          fc.record({
            id: words,
            code: words,
            name: words,
            metadata: fc.option(fc.record({ tags: fc.array(words) })),
            future: fc.option(fc.record({ settlementAsset: words, quoteName: words })),
          }),
        ),
        marginCalculator: fc.option(
          fc.record({
            scalingFactors: fc.option(
              fc.record({ searchLevel: doubles, initialMargin: doubles, collateralRelease: doubles }),
            ),
          }),
        ),
      }),
    ),
    decimalPlaces: uint64s,
    fees: fc.constant(null),
    tradingMode: namesOf(marketTradingModes),
    state: namesOf(marketStates),
    marketTimestamps: fc.option(
      fc.record({ proposed: int64s, pending: int64s, open: int64s, close: int64s }),
    ),
    positionDecimalPlaces: int64s,
    lpPriceRange: words,
    linearSlippageFactor: words,
    quadraticSlippageFactor: words,
  }),
});

const payloads: fc.Arbitrary<BusEventPayload> = fc.oneof(deposits, proposals, markets);

test('reads back what it writes', () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      expect(busEvent.decode(encodeEvent(payload)).event).toEqual(payload);
    }),
  );
});

test('any part of an event reads as an event or throws an error, and nothing else', () => {
  fc.assert(
    fc.property(payloads, fc.nat(), (payload, at) => {
      const bytes = encodeEvent(payload);
      const part = bytes.subarray(0, at % bytes.length);
      try {
        busEvent.decode(part);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect((error as Error).message).not.toBe('');
      }
    }),
  );
});

describe.skipIf(recordedNetwork === null)('on the recorded network (../shared/data)', () => {
  test('writes the very bytes that the network sent, for every message whose fields are all told', async () => {
    const told = [
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
      const event = busEvent.decode(bytes);
      if (!told.includes(event.event?.name ?? '')) continue;
      expect(Buffer.from(busEvent.encode(event)).equals(bytes)).toBe(true);
      count += 1;
    }
    expect(count).toBe(233 + 52 + 34 + 20 + 867 + 72 + 4 + 2);
  });
});

test('a field that was not sent has its default', () => {
  const { event } = busEvent.decode(encodeEvent({ name: 'deposit', value: emptyDeposit }));
  expect(event?.value).toEqual(emptyDeposit);
});

test('a field that is not told is skipped, whatever its type', () => {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).string('before');
  writer.tag(9, WireType.Varint).uint64(2n ** 64n - 1n);
  writer.tag(10, WireType.Bit64).double(1.5);
  writer.tag(11, WireType.Bit32).fixed32(7);
  writer.tag(12, WireType.StartGroup).tag(1, WireType.Varint).uint32(5).tag(12, WireType.EndGroup);
  writer.tag(13, WireType.LengthDelimited).bytes(new Uint8Array(300));
  writer.tag(2, WireType.LengthDelimited).string('after');
  const pair = message('Pair', { one: field(1, text), two: field(2, text) });
  expect(pair.decode(writer.finish())).toEqual({ one: 'before', two: 'after' });
});

test('an enumeration number without a name is an error that tells the enumeration and the number', () => {
  const bytes = encodeAccount((writer) => writer.tag(6, WireType.Varint).int32(8));
  expect(() => busEvent.decode(bytes)).toThrow('AccountType has no number 8');
});

test('a field of another wire type is an error that tells the field', () => {
  const bytes = encodeAccount((writer) => writer.tag(3, WireType.Varint).int32(8));
  expect(() => busEvent.decode(bytes)).toThrow('Account.balance has wire type 0 instead of 2');
});

test('text that is not UTF-8 is an error', () => {
  const broken = encodeAccount((writer) =>
    writer.tag(2, WireType.LengthDelimited).bytes(Uint8Array.of(0xc3, 0x28)),
  );
  expect(() => busEvent.decode(broken)).toThrow(Error);
});

test('a double is the shortest decimal that reads back as it', () => {
  const codec = message('Factor', { factor: field(1, double) });
  const encode = (value: number) => new BinaryWriter().tag(1, WireType.Bit64).double(value).finish();
  expect(codec.decode(encode(1.1))).toEqual({ factor: '1.1' });
  expect(codec.decode(encode(1e-7))).toEqual({ factor: '0.0000001' });
  expect(() => codec.decode(encode(Number.NaN))).toThrow('NaN');
});

describe('in our terms', () => {
  const upper = 'AB'.repeat(32);

  test('ids are in lower case, the star is the network, the exclamation mark is no market', () => {
    expect(decode(accountOf('*', '5'))).toEqual({
      owner: 'network',
      assetId: 'gold',
      marketId: '',
      type: 'ACCOUNT_TYPE_GENERAL',
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
    const future = { settlementAsset: 'a', quoteName: '' };
    const instrument = { id: '', code: '', name: '', metadata: null, future };
    const market = (linearSlippageFactor: string, quadraticSlippageFactor: string) =>
      decode({
        name: 'marketCreated',
        value: {
          id: 'm',
          tradableInstrument: { instrument, marginCalculator: null },
          decimalPlaces: 0n,
          fees: null,
          tradingMode: 'TRADING_MODE_CONTINUOUS',
          state: 'STATE_ACTIVE',
          marketTimestamps: null,
          positionDecimalPlaces: 0n,
          lpPriceRange: '',
          linearSlippageFactor,
          quadraticSlippageFactor,
        },
      });
    expect(market('', '0')).toMatchObject({ linearSlippageFactor: null, quadraticSlippageFactor: '0' });
    expect(market('0.10', '')).toMatchObject({ linearSlippageFactor: '0.1', quadraticSlippageFactor: null });
  });

  test('a risk factor has 16 decimals, rounded half away from zero', () => {
    const value = { market: 'm', short: '0.05529953589167391', long: '-0.00000000000000005' };
    expect(decode({ name: 'riskFactor', value })).toMatchObject({
      short: '0.0552995358916739',
      long: '-0.0000000000000001',
    });
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
    expect(decode({ name: 'rewardPayout', value })).toMatchObject({ percentageOfTotal: '1e-05', epoch: 62n });
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
    ['a deposit without an id', { name: 'deposit', value: emptyDeposit } as const, 'id "" must not be empty'],
  ])('%s is an error that tells it', (_, payload, complaint) => {
    expect(() => decode(payload)).toThrow(complaint);
  });

  test('an envelope of another version, without a chain or with another event than it says is an error', () => {
    const event = busEvent.decode(encodeEvent(accountOf('a', '1')));
    expect(() => decodeEvent(busEvent.encode({ ...event, version: 2 }))).toThrow('version 2');
    expect(() => decodeEvent(busEvent.encode({ ...event, chainId: '' }))).toThrow('no chain');
    expect(() => decodeEvent(busEvent.encode({ ...event, type: 21 }))).toThrow(
      'announced as deposit but holds account',
    );
    expect(() => decodeEvent(busEvent.encode({ ...event, event: null }))).toThrow(
      'announced as account but holds none',
    );
    expect(() => decodeEvent(busEvent.encode({ ...event, chainId: 'a\0b' }))).toThrow(
      'chainId "a\\u0000b" holds the character U+0000',
    );
    expect(() => decodeEvent(busEvent.encode({ ...event, chainId: 'x'.repeat(257) }))).toThrow(
      'has more than 256 characters',
    );
  });

  test('a hash that could not be compared later is an error', () => {
    const value = { height: 1n, timestamp: 1n, hash: 'a\0b' };
    expect(() => decode({ name: 'beginBlock', value })).toThrow(
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
    const numbers = message('Numbers', { names: repeated(1, text) });
    const bytes = (items: number) => Buffer.from('0a00'.repeat(items), 'hex');
    expect(numbers.decode(bytes(MAX_LIST_ITEMS)).names).toHaveLength(MAX_LIST_ITEMS);
    expect(() => numbers.decode(bytes(MAX_LIST_ITEMS + 1))).toThrow('a list has more than 100000 items');
  });

  test('text that is no UTF-8, half a surrogate pair among it', () => {
    const bytes = Buffer.from([0x2a, 0x03, 0xed, 0xa0, 0x80]);
    expect(() => decodeEvent(bytes)).toThrow(/not valid|encoded data/);
  });
});

/** The row that an event becomes. */
function decode(payload: BusEventPayload) {
  const { event } = decodeEvent(encodeEvent(payload));
  return 'row' in event ? event.row : null;
}

/** The bytes of an account event with the fields that are written here. */
function encodeAccount(write: (account: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(105, WireType.LengthDelimited).fork();
  write(writer);
  return writer.join().finish();
}

async function* recordedPayloads(): AsyncGenerator<Uint8Array, void> {
  const bytes = gunzipSync(readFileSync(recordedNetwork ?? ''));
  async function* whole() {
    yield bytes;
  }
  for await (const { payload } of readRecords(whole())) yield payload;
}
