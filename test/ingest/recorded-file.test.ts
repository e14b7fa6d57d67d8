import { readFileSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBlocks, type SourceBlock } from '../../src/ingest/blocks.ts';
import { readBusEvent } from '../../src/ingest/decode.ts';
import { IngestError } from '../../src/ingest/events.ts';
import { frameRecord, MAX_RECORD_SIZE, readRecords } from '../../src/ingest/frames.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import {
  accountOf,
  beginBlock,
  CHAIN,
  collect,
  createFolder,
  encodeBlocks,
  encodeEvent,
  encodeOther,
  endBlock,
  recordedNetwork,
  recordingOf,
} from '../support/events.ts';

let folder: Awaited<ReturnType<typeof createFolder>>;
beforeAll(async () => {
  folder = await createFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const BLOCKS = 5;
const payloads = encodeBlocks(BLOCKS);
const whole = recordingOf(payloads);

describe.skipIf(recordedNetwork === null)('the recorded network (../shared/data)', () => {
  const packed = () => readFileSync(recordedNetwork ?? '');

  test('holds as many events of each type as it is known to hold', async () => {
    const counts: Record<number, number> = {};
    for await (const { payload } of readRecords(chunksOf(gunzipSync(packed()), 1000))) {
      const { type } = readBusEvent(payload).message;
      counts[type] = (counts[type] ?? 0) + 1;
    }
    expect(counts).toMatchObject({ 49: 1088, 2: 1088, 50: 1088, 12: 867, 19: 761, 6: 233, 24: 233, 41: 222 });
    expect(counts).toMatchObject({ 31: 221, 30: 220, 29: 200, 3: 80, 21: 72, 35: 69, 7: 52, 53: 52, 5: 52 });
    expect(counts).toMatchObject({ 54: 50, 38: 36, 10: 34, 9: 34, 33: 32, 26: 26, 46: 24, 11: 20, 18: 14 });
    expect(counts).toMatchObject({ 15: 14, 13: 12, 27: 12, 20: 10, 25: 8, 22: 7, 39: 5, 23: 4, 8: 4, 42: 4 });
    expect(counts).toMatchObject({ 17: 3, 48: 3, 34: 2, 32: 2, 28: 2, 43: 2, 52: 1, 201: 1 });
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(6964);
  });

  test('has its 1087 blocks, the first of which begins twice and continues its indexes', async () => {
    const { items, error } = await collect(
      readBlocks(await openRecordedFile(recordedNetwork ?? ''), never()),
    );
    expect(error).toBeNull();
    expect(items).toHaveLength(1088);
    expect(items.slice(0, 3)).toMatchObject([
      { height: 1, firstIndex: 0, lastIndex: 254, timestamp: items[1]?.timestamp },
      { height: 1, firstIndex: 255 },
      { height: 2, firstIndex: 0 },
    ]);
    expect(items.at(-1)?.height).toBe(1087);
    const events = items.reduce((sum, block) => sum + block.lastIndex - block.firstIndex + 1, 0);
    expect(events).toBe(6964);
  });

  test('is the same plain and gzip, with and without sequence numbers', async () => {
    const plain = gunzipSync(packed());
    const bare: Uint8Array[] = [];
    for await (const { payload } of readRecords(chunksOf(plain, 4096))) bare.push(frameRecord(payload));
    const expected = await readAll(packed());
    expect(expected.chainId).toBe('testnet-001');
    expect(await readAll(plain)).toEqual(expected);
    expect(await readAll(Buffer.concat(bare))).toEqual(expected);
    expect(await readAll(gzipSync(Buffer.concat(bare)))).toEqual(expected);
  });
});

test('both framings, plain and gzip, give the same blocks', async () => {
  const expected = await readAll(whole);
  expect(expected.blocks).toHaveLength(BLOCKS);
  const bare = recordingOf(payloads, false);
  for (const bytes of [gzipSync(whole), bare, gzipSync(bare)]) expect(await readAll(bytes)).toEqual(expected);
});

test('records are found however the chunks are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400 }), fc.boolean(), async (size, sequenced) => {
      const bytes = recordingOf(payloads, sequenced);
      const { items, error } = await collect(readRecords(chunksOf(bytes, size)));
      expect(error).toBeNull();
      expect(items.map(({ payload }) => Buffer.from(payload))).toEqual(
        payloads.map((each) => Buffer.from(each)),
      );
    }),
    { numRuns: 40 },
  );
});

test('events before the first block are skipped', async () => {
  const early = [encodeEvent(accountOf('early', '1')), encodeEvent(endBlock(7))];
  const { blocks } = await readAll(recordingOf([...early, ...payloads]));
  expect(blocks).toEqual((await readAll(whole)).blocks);
});

test('a file cut off anywhere gives its whole blocks, and within a record an error that names the byte', async () => {
  const expected = (await readAll(whole)).blocks;
  const ends = blockEnds();
  const wholeRecords = recordEnds();
  for (let length = 1; length < whole.length; length += 1) {
    const { blocks, error } = await readDamaged(whole.subarray(0, length));
    const complete = ends.filter((end) => end <= length).length;
    expect(blocks).toEqual(expected.slice(0, complete));
    if (wholeRecords.includes(length)) expect(error).toBeNull();
    else expectIngestError(error, /byte \d+/);
  }
});

test('a gzip file cut off anywhere gives whole blocks, then an error that names the unpacked byte', async () => {
  const packed = gzipSync(whole);
  const expected = (await readAll(whole)).blocks;
  for (let length = 1; length < packed.length; length += 13) {
    const { blocks, error } = await readDamaged(packed.subarray(0, length));
    expect(blocks).toEqual(expected.slice(0, blocks.length));
    expectIngestError(error, /byte \d+/);
  }
  // All data is there, only gzip's own check at the end is not.
  const { blocks, error } = await readDamaged(packed.subarray(0, -8));
  expect(blocks).toEqual(expected);
  expectIngestError(error, new RegExp(`after byte ${whole.length} \\(unpacked\\): unexpected end of file`));
});

test('a flipped bit gives the blocks before it unharmed, and no error but one that names the byte', async () => {
  const expected = (await readAll(whole)).blocks;
  const ends = blockEnds();
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 7 }), async (at, bit) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      const { blocks, error } = await readDamaged(bytes);
      const unharmed = ends.filter((end) => end <= at).length;
      if (error === null) expect(blocks).toHaveLength(expected.length);
      else expectIngestError(error, /byte \d+/);
      expect(blocks.length === 0 || blocks.length >= unharmed).toBe(true);
      if (blocks.length > 0) expect(blocks.slice(0, unharmed)).toEqual(expected.slice(0, unharmed));
    }),
    { numRuns: 150 },
  );
});

test('damage behind the data of a gzip file costs none of them', async () => {
  const { blocks, error } = await readDamaged(Buffer.concat([gzipSync(whole), Buffer.from('junk')]));
  expect(blocks).toEqual((await readAll(whole)).blocks);
  expectIngestError(error, new RegExp(`damaged after byte ${whole.length} \\(unpacked\\)`));
});

test('a flipped bit in gzip gives no error but one that names the byte', async () => {
  const packed = gzipSync(whole);
  await fc.assert(
    fc.asyncProperty(fc.nat(packed.length - 1), fc.integer({ min: 0, max: 7 }), async (at, bit) => {
      const bytes = Buffer.from(packed);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      const { error } = await readDamaged(bytes);
      if (error !== null) expectIngestError(error, /byte \d+/);
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['an empty file', '', 'byte 0: the file is empty'],
  [
    'a picture',
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    'byte 0: a record of 2303741511 bytes',
  ],
  ['a text', 'Dear network, how are you?\n', 'byte 0: a record of'],
  ['zeros', Buffer.alloc(1000), 'byte 0: a record of 0 bytes'],
  ['one byte', 'x', 'byte 0: the record is cut off'],
  ['records of something else', frameRecord(Buffer.from('not an event')), 'byte 0: '],
  ['gzip of a text', gzipSync('Dear network, how are you?\n'), 'byte 0 (unpacked): a record of'],
  ['gzip of nothing', gzipSync(''), 'byte 0: the file is empty'],
  [
    'events without a block',
    recordingOf([encodeOther(), encodeOther()]),
    'the recording ends before any block',
  ],
])('%s is an error that names the byte', async (_, bytes, complaint) => {
  const { blocks, error } = await readDamaged(Buffer.from(bytes));
  expect(blocks).toEqual([]);
  expectIngestError(error, complaint);
});

test('a record of absurd length is an error, not memory', async () => {
  const bytes = Buffer.concat([whole, frameRecord(Buffer.alloc(0), 0n)]);
  bytes.writeUInt32BE(MAX_RECORD_SIZE + 1, whole.length);
  const { blocks, error } = await readDamaged(bytes);
  expect(blocks).toHaveLength(BLOCKS);
  expectIngestError(error, `byte ${whole.length}: a record of ${MAX_RECORD_SIZE + 1} bytes`);
});

test('a missing record is an error, by its sequence number', async () => {
  const first = frameRecord(payloads[0] ?? Buffer.alloc(0), 5n);
  const { error } = await readDamaged(Buffer.concat([first, frameRecord(encodeOther(), 7n)]));
  expectIngestError(error, `byte ${first.length}: record number 7 follows number 5`);
});

test('an event of another chain is an error', async () => {
  const foreign = encodeEvent(accountOf('a', '1'), 'other-chain');
  const { error } = await readDamaged(
    recordingOf([...payloads, encodeEvent(beginBlock(BLOCKS + 1)), foreign]),
  );
  expectIngestError(error, `an event of chain other-chain in a recording of chain ${CHAIN}`);
});

test('a path that is no file is an error that names it', async () => {
  await expect(openRecordedFile('/nowhere/at-all')).rejects.toThrow('/nowhere/at-all cannot be read: ENOENT');
  await expect(openRecordedFile('/')).rejects.toThrow('/ is not a regular file');
});

test('an abort ends the reading with the reason given, and closes the file', async () => {
  const path = await folder.write(recordingOf(encodeBlocks(5000)));
  const source = await openRecordedFile(path);
  const abort = new AbortController();
  let count = 0;
  const reading = (async () => {
    for await (const _ of readBlocks(source, abort.signal)) {
      count += 1;
      if (count === 10) abort.abort(new Error('enough'));
    }
  })();
  await expect(reading).rejects.toThrow('enough');
  expect(count).toBeLessThan(5000);
  expect(await openFilesNamed(path)).toBe(0);
});

test('tells how far it has come, in bytes of the file', async () => {
  const path = await folder.write(gzipSync(whole));
  const source = await openRecordedFile(path);
  const size = readFileSync(path).length;
  await collect(source.events(never()));
  expect(source.progress()).toEqual({ done: size, total: size, unit: 'bytes' });
});

async function readAll(bytes: Uint8Array): Promise<{ chainId: string; blocks: SourceBlock[] }> {
  const source = await openRecordedFile(await folder.write(bytes));
  const { items, error } = await collect(readBlocks(source, never()));
  expect(error).toBeNull();
  return { chainId: source.chainId, blocks: items };
}

async function readDamaged(bytes: Uint8Array): Promise<{ blocks: SourceBlock[]; error: unknown }> {
  const path = await folder.write(bytes);
  try {
    const { items, error } = await collect(readBlocks(await openRecordedFile(path), never()));
    return { blocks: items, error };
  } catch (error) {
    return { blocks: [], error };
  }
}

/** Where each block of the file ends. */
function blockEnds(): number[] {
  return recordEnds().filter((_, index) => {
    const payload = payloads[index];
    return payload && readBusEvent(payload).message.event.case === 'endBlock';
  });
}

/** Where each record of the file ends. */
function recordEnds(): number[] {
  let offset = 0;
  return payloads.map((payload) => {
    offset += frameRecord(payload, 0n).length;
    return offset;
  });
}

function expectIngestError(error: unknown, complaint: string | RegExp): void {
  expect(error).toBeInstanceOf(IngestError);
  expect((error as IngestError).message).toMatch(complaint);
}

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function openFilesNamed(path: string): Promise<number> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const targets = descriptors.map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target === path).length;
}

function never(): AbortSignal {
  return new AbortController().signal;
}
