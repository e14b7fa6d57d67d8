import { expect, test } from 'vitest';
import { readBlocks, type UnfinishedBlock } from '../../src/ingest/blocks.ts';
import { IngestError, type NetworkEvent } from '../../src/ingest/events.ts';
import { collect, sourceOf } from '../support/events.ts';

const other: NetworkEvent = { type: 'other', kind: 31 };

test('a block has its kept events, each with its index among all events of the block', async () => {
  const { items } = await read([begin(7), party('a'), other, party('b'), end(7)]);
  expect(items).toEqual([
    {
      height: 7,
      timestamp: 7_000n,
      hash: 'hash-7',
      firstIndex: 0,
      lastIndex: 4,
      events: [
        { index: 1, event: party('a') },
        { index: 3, event: party('b') },
      ],
      passedOver: [31],
      unknownFields: [],
      skipped: [],
    },
  ]);
});

test('an event may have any number of fields that no known release has', async () => {
  const unknownFields = Array.from({ length: 200_000 }, () => 'Party.9');
  const source = sourceOf([begin(7), party('a'), end(7)]);
  async function* events(signal: AbortSignal) {
    for await (const event of source.events(signal)) yield { ...event, unknownFields };
  }
  const { items, error } = await collect(readBlocks({ ...source, events }, new AbortController().signal));
  expect(error).toBeNull();
  expect(items[0]?.unknownFields).toHaveLength(600_000);
});

test('a height that begins again is a block of its own and continues the indexes', async () => {
  const { items, error } = await read([
    ...[begin(1), party('a'), end(1)],
    ...[begin(1), party('b'), end(1)],
    ...[begin(2), party('c'), end(2)],
  ]);
  expect(error).toBeNull();
  expect(items.map(({ height, firstIndex, lastIndex }) => [height, firstIndex, lastIndex])).toEqual([
    [1, 0, 2],
    [1, 3, 5],
    [2, 0, 2],
  ]);
  expect(items.flatMap(({ events }) => events.map(({ index }) => index))).toEqual([1, 4, 1]);
});

test('a block that the source ends within is left out, and reported', async () => {
  const unfinished: UnfinishedBlock[] = [];
  const source = sourceOf([begin(4), end(4), begin(5), party('b')]);
  const { items, error } = await collect(
    readBlocks(source, new AbortController().signal, (block) => unfinished.push(block)),
  );
  expect(error).toBeNull();
  expect(items.map(({ height }) => height)).toEqual([4]);
  expect(unfinished).toEqual([{ height: 5, at: 'line 3' }]);
});

test('an end without a height is that of the open block', async () => {
  const { items, error } = await read([begin(4), end(0), begin(5), party('b'), end(0)]);
  expect(error).toBeNull();
  expect(items.map(({ height }) => height)).toEqual([4, 5]);
});

test('a source may begin at any height', async () => {
  expect((await read([begin(500), end(500), begin(501), end(501)])).items).toHaveLength(2);
});

test('an upgrade between two blocks is no event of theirs', async () => {
  const { items, error } = await read([begin(1), end(1), { type: 'upgradeStarted' }, begin(2), end(2)]);
  expect(error).toBeNull();
  expect(items.map(({ lastIndex }) => lastIndex)).toEqual([1, 1]);
});

const whole = [begin(4), party('a'), end(4)];

test.each<[string, NetworkEvent[], string]>([
  [
    'an event between two blocks',
    [party('b'), begin(5)],
    'line 4: an event (party) stands outside any block',
  ],
  [
    'an event that is not kept between two blocks',
    [other],
    'line 4: an event (other) stands outside any block',
  ],
  ['a block that ends twice', [end(4)], 'line 4: an event (endBlock) stands outside any block'],
  ['the end of another block', [begin(5), end(6)], 'line 5: block 5 ends as block 6'],
  ['a block within a block', [begin(5), begin(6)], 'line 5: block 6 begins within block 5'],
  ['a height that falls', [begin(3), end(3)], 'line 4: block 3 follows block 4: heights must not fall'],
  ['a missing block', [begin(6), end(6)], 'line 4: block 6 follows block 4: blocks are missing'],
  [
    'an upgrade within a block',
    [begin(5), { type: 'upgradeStarted' }],
    'line 5: an upgrade starts within block 5',
  ],
])('%s is an error that names the place, after the whole blocks before it', async (_, events, complaint) => {
  const { items, error } = await read([...whole, ...events]);
  expect(items.map(({ height }) => height)).toEqual([4]);
  expect(error).toBeInstanceOf(IngestError);
  expect((error as IngestError).message).toContain('events');
  expect((error as IngestError).message).toContain(complaint);
});

test.each([2 ** 33, -1, 1.5, Number.NaN])(
  'a height that no position can hold (%d) is an error',
  async (height) => {
    const { error } = await read([begin(height)]);
    expect(error).toBeInstanceOf(IngestError);
    expect((error as IngestError).message).toContain(`line 1: block ${height}`);
  },
);

test('a block of more events than positions can hold is an error', async () => {
  const full = [begin(1), ...Array<NetworkEvent>(2 ** 20 - 2).fill(other), end(1)];
  const { items, error } = await read([...full, begin(1)]);
  expect(items.map(({ lastIndex }) => lastIndex)).toEqual([2 ** 20 - 1]);
  expect(error).toBeInstanceOf(IngestError);
  expect((error as IngestError).message).toContain(`block 1, event ${2 ** 20} is beyond`);
});

function read(events: readonly NetworkEvent[]) {
  return collect(readBlocks(sourceOf(events), new AbortController().signal));
}

function begin(height: number): NetworkEvent {
  return {
    type: 'beginBlock',
    height,
    timestamp: Number.isInteger(height) ? BigInt(height) * 1000n : 0n,
    hash: `hash-${height}`,
  };
}

function end(height: number): NetworkEvent {
  return { type: 'endBlock', height };
}

function party(id: string): NetworkEvent {
  return { type: 'party', row: { id } };
}
