import { PassThrough } from 'node:stream';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { positionOf } from '../../src/domain/positions.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { NetworkEvent } from '../../src/ingest/events.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { runIngest } from '../../src/ingest/run.ts';
import { type BlockUnknowns, UnknownCounts } from '../../src/ingest/unknowns.ts';
import { createTestDatabase } from '../support/database.ts';
import {
  accountOf,
  beginBlock,
  createFolder,
  encodeEvent,
  encodeOther,
  endBlock,
  GOLD,
  recordingOf,
  sourceOf,
} from '../support/events.ts';
import { ask } from '../support/state.ts';

const { signal: never } = new AbortController();
const { ACCOUNT_TYPE_GENERAL: GENERAL } = accountTypes.numbers;

describe('a number that nobody knows is noted in the database', () => {
  const first = [account('a', GENERAL), account('b', 99), account('c', 99), account('d', 2 ** 31 - 1)];
  const again = [account('e', 99), account('b', 99), account('f', 100)];

  test.each([
    ['when its blocks come one by one', 1],
    ['when they come together', 3],
  ])('once, with the event that brought it first, %s', async (_, together) => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    const blocks = [block(1, first), block(2, again), block(3, again)];
    for (let done = 0; done < blocks.length; done += together) {
      const source = sourceOf(blocks.slice(0, done + together).flat());
      await applySource(source, writer, { pace: 'max', signal: never });
    }
    expect(await noted(database.url)).toEqual([
      { field: 'accounts.type', number: 99, position: `${positionOf(1, 2)}` },
      { field: 'accounts.type', number: 2 ** 31 - 1, position: `${positionOf(1, 4)}` },
      { field: 'accounts.type', number: 100, position: `${positionOf(2, 3)}` },
    ]);
  });

  test('and one that is known is not', async () => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    const known = Object.values(accountTypes.numbers).map((number) => account(`${number}`, number));
    await applySource(sourceOf(block(1, known)), writer, { pace: 'max', signal: never });
    expect(await noted(database.url)).toEqual([]);
  });

  test('and is lost with the block that cannot be written', async () => {
    await using database = await createTestDatabase();
    await using writer = await Writer.open(database.url);
    const impossible: NetworkEvent = { type: 'asset', row: { ...GOLD, decimals: 2 ** 40 } };
    const source = sourceOf(block(1, [account('a', 99), impossible]));
    const applying = applySource(source, writer, { pace: 'max', signal: never });
    await expect(applying).rejects.toThrow('out of range');
    expect(await noted(database.url)).toEqual([]);
  });
});

test('an ingest tells each number and field once, in sentences, and counts them all', async () => {
  const newType = encodeEvent({
    case: 'account',
    value: { owner: 'a', balance: '1', asset: 'gold', marketId: '!', type: 99 },
  });
  const payloads = [1, 2].flatMap((height) => [
    encodeEvent(beginBlock(height)),
    newType,
    withField(encodeEvent(accountOf('b', '2')), 99),
    encodeOther(),
    newType,
    encodeOther(),
    withField(encodeEvent(endBlock(height)), 98),
  ]);
  await using folder = await createFolder();
  await using database = await createTestDatabase();
  const output = new PassThrough();
  let said = '';
  output.on('data', (chunk) => {
    said += chunk;
  });
  const source = await openRecordedFile(await folder.write(recordingOf(payloads)));
  const summary = await runIngest({ source, databaseUrl: database.url, pace: 'max', signal: never, output });
  expect(summary).toMatchObject({ applied: 2, events: 14 });
  const sentences = said.split('\n').filter((line) => line.includes(' brings '));
  expect(sentences).toEqual([
    'Block 1 brings number 99 of accounts.type, which this version has no name for: it is kept, and served as ACCOUNT_TYPE_99.',
    'Block 1 brings the field BusEvent.99, which this version does not know: it is passed over.',
    'Block 1 brings the field BusEvent.98, which this version does not know: it is passed over.',
  ]);
});

test('blocks that are there already bring nothing anew', async () => {
  await using database = await createTestDatabase();
  const heard: BlockUnknowns[] = [];
  const apply = async (heights: readonly number[]) => {
    await using writer = await Writer.open(database.url);
    const source = sourceOf(heights.flatMap((height) => block(height, [account('a', 99), OTHER])));
    await applySource(source, writer, {
      pace: 'max',
      signal: never,
      onUnknowns: (unknowns) => heard.push(unknowns),
    });
  };
  await apply([1, 2]);
  await apply([1, 2, 3]);
  expect(heard.map(({ height }) => height)).toEqual([1, 2, 3]);
  expect(heard[2]).toEqual({
    height: 3,
    numbers: [{ field: 'accounts.type', number: 99, createdPosition: positionOf(3, 1) }],
    fields: [],
    passedOver: [7],
  });
});

describe('what is counted', () => {
  const unknowns = (some: Partial<BlockUnknowns>): BlockUnknowns => {
    return { height: 1, numbers: [], fields: [], passedOver: [], ...some };
  };

  test('is bounded: beyond five hundred of a sort the others are one', () => {
    const counts = new UnknownCounts();
    const fields = Array.from({ length: 600 }, (_, n) => `Market.${n + 100}`);
    const sentences = [
      ...counts.add(unknowns({ fields })),
      ...counts.add(unknowns({ fields: [...fields, 'Market.1'] })),
    ];
    const counted = [...counts.fields];
    expect(counted).toHaveLength(501);
    expect(counted.slice(0, 2)).toEqual([
      { thing: 'Market.100', count: 2 },
      { thing: 'Market.101', count: 2 },
    ]);
    expect(counted.at(-1)).toEqual({ thing: 'other', count: 201 });
    expect(sentences).toHaveLength(500);
  });

  test('is each thing as often as it came', () => {
    const counts = new UnknownCounts();
    const number = { field: 'accounts.type', number: 99, createdPosition: 5n };
    const other = { ...number, field: 'votes.value' };
    counts.add(unknowns({ numbers: [number, other, number], passedOver: [7, 8, 7] }));
    counts.add(unknowns({ numbers: [number], passedOver: [7] }));
    expect([...counts.numbers].map(({ thing, count }) => [thing, count])).toMatchObject([
      [{ field: 'accounts.type', number: 99 }, 3],
      [{ field: 'votes.value', number: 99 }, 1],
    ]);
    expect([...counts.passedOver]).toEqual([
      { thing: 7, count: 3 },
      { thing: 8, count: 1 },
    ]);
  });
});

const OTHER: NetworkEvent = { type: 'other', kind: 7 };

function account(owner: string, type: number): NetworkEvent {
  return { type: 'account', row: { owner, assetId: 'gold', marketId: '', type, balance: '1' } };
}

function block(height: number, events: readonly NetworkEvent[]): readonly NetworkEvent[] {
  const begin: NetworkEvent = { type: 'beginBlock', height, timestamp: BigInt(height), hash: `${height}` };
  return [begin, ...events, { type: 'endBlock', height }];
}

/** An event whose envelope has a field besides. */
function withField(event: Uint8Array, number: number): Uint8Array {
  return Buffer.concat([event, new BinaryWriter().tag(number, WireType.Varint).uint32(1).finish()]);
}

function noted(url: string) {
  return ask(
    url,
    'SELECT field, number, created_position AS position FROM unknown_numbers ORDER BY created_position',
  );
}
