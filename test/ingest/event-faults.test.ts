import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from 'vitest';
import { readBlocks } from '../../src/ingest/blocks.ts';
import { decodeEvent, eventTypes } from '../../src/ingest/decode.ts';
import { EventError } from '../../src/ingest/event-faults.ts';
import { FaultError } from '../../src/ingest/events.ts';
import { openNdjson } from '../../src/ingest/ndjson.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { skippingDamaged } from '../../src/ingest/skip-damaged.ts';
import {
  accountOf,
  beginBlock,
  CHAIN,
  collect,
  createFolder,
  encodeBlocks,
  encodeEvent,
  endBlock,
  recordingOf,
  type SentPayload,
} from '../support/events.ts';
import { encodeAt, encodeNewerAccount } from './network-blocks.ts';

const { signal } = new AbortController();
const skipping = skippingDamaged(decodeEvent);

/** An event whose envelope is as it is given, and holds these bytes. */
function envelope(
  fields: {
    readonly id?: string;
    readonly type?: number;
    readonly version?: number;
    readonly chain?: string;
  },
  held: readonly (readonly [number: number, bytes: Uint8Array])[],
): Uint8Array {
  const { id = '7-3', type = eventTypes.account, version = 1, chain = CHAIN } = fields;
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).string(id);
  writer.tag(3, WireType.Varint).uint32(type);
  writer.tag(4, WireType.Varint).uint32(version);
  writer.tag(5, WireType.LengthDelimited).string(chain);
  for (const [number, bytes] of held) writer.tag(number, WireType.LengthDelimited).bytes(bytes);
  return writer.finish();
}

const broken = new BinaryWriter().tag(3, WireType.Varint).uint32(5).finish();
const utf8 = new BinaryWriter().tag(3, WireType.LengthDelimited).bytes(Uint8Array.of(0xc3, 0x28)).finish();
const asset: SentPayload = { case: 'asset', value: { id: '' } };
const vote: SentPayload = {
  case: 'vote',
  value: { partyId: 'a', proposalId: 'b', value: 2, totalGovernanceTokenBalance: '10.5' },
};

test.each<[string, Uint8Array, object, RegExp]>([
  [
    'a field of another wire type',
    encodeNewerAccount(7, 3, 5),
    { kind: 'account', title: 'event account (type 6, id 7-3)', field: 'Account.balance' },
    /^Account.balance has wire type 0 instead of 2$/,
  ],
  [
    'text that is none',
    envelope({}, [[105, utf8]]),
    { kind: 'account', field: 'Account.balance', value: null },
    /^Account.balance: .*(not valid|encoded data)/,
  ],
  [
    'a value that cannot be kept',
    encodeAt(accountOf('a', 'much'), 7, 3),
    { title: 'event account (type 6, id 7-3)', field: 'balance', value: 'much' },
    /^balance .*much/,
  ],
  [
    'a fraction of a token',
    encodeAt(vote, 12, 4),
    { kind: 'vote', field: 'totalGovernanceTokenBalance', value: '10.5' },
    /^totalGovernanceTokenBalance "10.5" is not a whole number/,
  ],
  [
    'an id that is not there',
    encodeAt(asset, 12, 4),
    { kind: 'asset', title: 'event asset (type 18, id 12-4)', field: 'id', value: '' },
    /^id "" must not be empty$/,
  ],
])(
  '%s is an error that names the event, its kind and the field, and can be passed over',
  (_, bytes, fault, words) => {
    const error = errorOf(bytes);
    expect(error.fault).toMatchObject({ ...fault, isContained: true });
    expect(error.message).toMatch(words);
    expect(skipping(bytes)).toEqual({
      chainId: CHAIN,
      event: { type: 'skipped', kind: error.fault.kind, reason: error.message },
    });
  },
);

test.each<[string, Uint8Array, string]>([
  ['bytes that are no event', Buffer.from('not an event'), 'event of an unknown kind'],
  [
    'another version of the envelope',
    envelope({ version: 2 }, [[105, broken]]),
    'event account (type 6, id 7-3)',
  ],
  ['no chain', envelope({ chain: '' }, [[105, broken]]), 'event account (type 6, id 7-3)'],
  [
    'a chain that cannot be',
    envelope({ chain: 'x'.repeat(300) }, [[105, broken]]),
    'event account (type 6, id 7-3)',
  ],
  [
    'another kind than is announced',
    envelope({}, [[106, Buffer.alloc(0)]]),
    'event account (type 6, id 7-3)',
  ],
  [
    'two kinds at once',
    envelope({}, [
      [106, broken],
      [105, broken],
    ]),
    'event account (type 6, id 7-3)',
  ],
  ['a kind that nobody announced', envelope({ type: 4711 }, [[105, broken]]), 'event type 4711 (id 7-3)'],
  [
    'the begin of a block',
    envelope({ type: 49 }, [[148, Uint8Array.of(0x0a)]]),
    'event begin block (type 49, id 7-3)',
  ],
  [
    'the end of a block',
    envelope({ type: 50 }, [[149, Uint8Array.of(0x0a)]]),
    'event end block (type 50, id 7-3)',
  ],
  ['an id that is no id', envelope({ id: 'a b' }, [[106, broken]]), 'event account (type 6)'],
])('%s is an error that is never passed over', (_, bytes, title) => {
  const error = errorOf(bytes);
  expect([error.fault.title, error.fault.isContained]).toEqual([title, false]);
  expect(() => skipping(bytes)).toThrow(EventError);
});

describe('a source', () => {
  const damaged = [
    ...encodeBlocks(2),
    encodeEvent(beginBlock(3)),
    encodeNewerAccount(3, 2, 5),
    encodeEvent(accountOf('a', '9')),
    encodeEvent(endBlock(3)),
  ];

  test('names the block as well, and gives all blocks before it', async () => {
    await using folder = await createFolder();
    const path = await folder.write(recordingOf(damaged));
    const { items, error } = await collect(readBlocks(await openRecordedFile(path), signal));
    expect(items).toHaveLength(2);
    expect(error).toBeInstanceOf(FaultError);
    const { message, fault } = error as FaultError;
    expect(message).toMatch(
      /, byte \d+: block 3, event account \(type 6, id 3-2\): Account.balance has wire type 0 instead of 2$/,
    );
    expect(fault).toMatchObject({ height: 3, event: { kind: 'account' } });
  });

  test('passes over it where that is asked for, and the event has taken its place', async () => {
    await using folder = await createFolder();
    const path = await folder.write(recordingOf(damaged));
    const { items, error } = await collect(readBlocks(await openRecordedFile(path, skipping), signal));
    expect(error).toBeNull();
    const last = items.at(-1);
    expect(last?.skipped).toEqual([
      { position: BigInt(3 * 2 ** 20 + 1), kind: 'account', reason: expect.stringContaining('wire type') },
    ]);
    expect(last?.events).toMatchObject([{ index: 2 }]);
    expect(last?.lastIndex).toBe(3);
  });

  test('that ends within a record or a packed byte is not held up there: nobody knows of more', async () => {
    await using folder = await createFolder();
    const path = await folder.write(recordingOf(damaged.slice(0, -3)).subarray(0, -1));
    const { error } = await collect(readBlocks(await openRecordedFile(path), signal));
    expect((error as Error).message).toContain('the record is cut off');
    expect(error).not.toBeInstanceOf(FaultError);
  });

  const LINES = [
    '{"type":"network","data":{"chainId":"c"}}',
    '{"type":"block","data":{"height":"8","timestamp":"1678443430000000000"}}',
    '{"type":"party","data":{"id":5}}',
    '{"type":"party","data":{"id":"bob"}}',
  ];

  test('of lines names the block of a line that cannot be taken, and passes over it', async () => {
    await using folder = await createFolder();
    const path = await folder.write(LINES.join('\n'));
    const strict = await collect(readBlocks(await openNdjson(path), signal));
    expect((strict.error as FaultError).fault).toEqual({
      place: `${path}, line 3`,
      height: 8,
      reason: 'party.id must be text, not 5',
      event: { kind: 'party', title: null, field: null, value: null, isContained: true },
    });
    const { items, error } = await collect(readBlocks(await openLenient(path), signal));
    expect(error).toBeNull();
    expect(items).toMatchObject([{ events: [{ index: 2 }], skipped: [{ kind: 'party' }], lastIndex: 3 }]);
  });

  test.each([
    ['that are no JSON', 'no JSON'],
    ['of no known type', '{"type":"invoice","data":{}}'],
    ['that are no event', '{"type":"party"}'],
    ['that begin a block', '{"type":"block","data":{"height":"x"}}'],
  ])('of lines never passes over those %s', async (_, line) => {
    await using folder = await createFolder();
    const path = await folder.write([...LINES.slice(0, 2), line].join('\n'));
    const { error } = await collect(readBlocks(await openLenient(path), signal));
    expect(error).toBeInstanceOf(FaultError);
  });

  const openLenient = (path: string) => openNdjson(path, process.stdin, signal, { skipsDamaged: true });
});

function errorOf(bytes: Uint8Array): EventError {
  try {
    decodeEvent(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(EventError);
    return error as EventError;
  }
  throw new Error('the event was read');
}
