import files, {
  appendFile,
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { readBlocks, type SourceBlock } from '../../src/ingest/blocks.ts';
import { frameRecord } from '../../src/ingest/frames.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { readHead } from '../../src/ingest/socket/envelope.ts';
import { Spool } from '../../src/ingest/socket/spool.ts';
import { readSessions, type SessionSource } from '../../src/ingest/socket/spool-source.ts';
import { beginBlock, collect, endBlock, recordingOf } from '../support/events.ts';
import { encodeAt, makeBlocks, type SentBlock } from './network-blocks.ts';

const logger = pino({ level: 'silent' });
const { signal } = new AbortController();
const MANY = 2 ** 30;

test('what was appended is read in its order, session after session', async () => {
  await using folder = await createSpoolFolder();
  await using spool = await folder.open();
  await append(spool, eventsOf(makeBlocks(1, 3)), true);
  await append(spool, eventsOf(makeBlocks(2, 4)), true);
  expect(await readHeights(spool, 2)).toEqual([
    [1, 2, 3],
    [2, 3, 4, 5],
  ]);
});

test('a reader that is ahead of the writer gets each block as it is written', async () => {
  await using folder = await createSpoolFolder();
  await using spool = await folder.open();
  const reading = readHeights(spool, 1, 3);
  for (const block of makeBlocks(1, 3)) await append(spool, block.events, block.height === 1);
  expect(await reading).toEqual([[1, 2, 3]]);
});

test('a block that the end of its session cuts off is left out, and comes whole from the next', async () => {
  await using folder = await createSpoolFolder();
  await using spool = await folder.open();
  const blocks = makeBlocks(1, 3);
  await append(spool, eventsOf(blocks).slice(0, -2), true);
  await append(spool, eventsOf(blocks.slice(1)), true);
  expect(await readHeights(spool, 2)).toEqual([
    [1, 2],
    [2, 3],
  ]);
});

test('what comes before the first begin of a block is left out', async () => {
  await using folder = await createSpoolFolder();
  await using spool = await folder.open();
  await append(spool, eventsOf(makeBlocks(7, 2)).slice(2), true);
  expect(await readHeights(spool, 1, 1)).toEqual([[8]]);
});

describe('a new connection', () => {
  test('goes on with the session where the ids prove that no event is missing', async () => {
    await using folder = await createSpoolFolder();
    const events = eventsOf(makeBlocks(1, 3));
    for (const [n, event] of events.entries()) {
      // The process is another one each time, too.
      await using spool = await folder.open();
      await append(spool, [event], true);
      expect(spool.lastSequence).toBe(n);
    }
    await using spool = await folder.open();
    const heights = await readHeights(spool, 3);
    expect(heights.flat()).toEqual([1, 2, 3]);
  });

  test('is a session of its own where an event is missing', async () => {
    await using folder = await createSpoolFolder();
    await using spool = await folder.open();
    const [block] = makeBlocks(1, 1);
    if (!block) throw new Error('no block was made');
    await append(spool, block.events.slice(0, 2), true);
    await append(spool, block.events.slice(3), true);
    await append(spool, block.events, true);
    expect(await readHeights(spool, 3)).toEqual([[], [], [1]]);
  });

  test('goes on within a height that begins twice, and tells that from a height that is sent again', async () => {
    await using folder = await createSpoolFolder();
    await using spool = await folder.open();
    const [first, second] = [twin('a'), twin('b')];
    for (const events of [first, second, first]) await append(spool, events, true);
    const blocks = await readSpool(spool, 2, 3);
    expect(blocks.map((session) => session.map(({ hash, firstIndex }) => [hash, firstIndex]))).toEqual([
      [
        ['a', 0],
        ['b', 2],
      ],
      [['a', 0]],
    ]);
  });
});

describe('segments', () => {
  test('begin with a new height, and each is a recorded file', async () => {
    await using folder = await createSpoolFolder();
    await using spool = await folder.open({ segmentSize: 300 });
    const events = [
      ...eventsOf(makeBlocks(1, 2)),
      ...twin('a', 3),
      ...twin('b', 3),
      ...eventsOf(makeBlocks(4, 9)),
    ];
    await append(spool, events, true);
    expect(spool.segments.length).toBeGreaterThan(2);
    const heights: number[] = [];
    for (const { path } of spool.segments) {
      const { items, error } = await collect(readBlocks(await openRecordedFile(path), signal));
      expect(error).toBeNull();
      expect(items[0]?.height).not.toBe(heights.at(-1));
      heights.push(...items.map(({ height }) => height));
    }
    expect(heights).toEqual([1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test('are removed up to the one that is named, and what follows can still be read', async () => {
    await using folder = await createSpoolFolder();
    await using spool = await folder.open({ segmentSize: 300 });
    await append(spool, eventsOf(makeBlocks(1, 20)), true);
    const before = spool.size;
    const last = spool.segments.at(-1);
    if (!last) throw new Error('the spool has no segment');
    const rest = spool.segments.slice(-2).map(({ path }) => path);
    spool.trimBefore(spool.segments.at(-2) ?? last);
    expect((await readdir(folder.path)).sort().map((name) => join(folder.path, name))).toEqual(rest);
    expect(spool.size).toBeLessThan(before / 2);
    const [heights] = await readHeights(spool, 1, 2);
    expect(heights?.at(0)).toBeGreaterThan(1);
  });
});

test('after a kill in the middle of a write, every whole record is there and the next one follows it', async () => {
  const events = eventsOf(makeBlocks(1, 4));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.nat({ max: events.length - 1 }),
      fc.uint8Array({ maxLength: 30 }),
      async (cut, kept, junk) => {
        await using folder = await createSpoolFolder();
        let path = '';
        let size = 0;
        {
          await using spool = await folder.open();
          await append(spool, events.slice(0, kept + 1), true);
          path = spool.segments[0]?.path ?? '';
          size = spool.size;
        }
        // Some bytes of the last record are missing, or some follow that are no record.
        const lastSize = (events[kept]?.length ?? 0) + 12;
        const missing = cut % lastSize;
        if (missing > 0) await truncate(path, size - missing);
        else await appendFile(path, Uint8Array.from([0xff, ...junk]));

        await using spool = await folder.open();
        const whole = missing > 0 ? kept : kept + 1;
        expect(spool.lastSequence).toBe(whole - 1);
        if (whole > 0) expect((await readFile(path)).length).toBe(spool.size);
        await append(spool, events.slice(whole), true);
        const bytes = await readFile(spool.segments.at(-1)?.path ?? '');
        expect(bytes.length).toBe(spool.segments.at(-1)?.size);
        expect((await readHeights(spool, whole === 0 ? 1 : 4, 4)).flat()).toEqual([1, 2, 3, 4]);
      },
    ),
    { numRuns: 25 },
  );
});

test.each<[string, number, (index: number) => bigint | undefined]>([
  ['from the third on', 2, (index) => BigInt(index === 2 ? 7 : index)],
  ['from the first on', 0, (index) => BigInt(index + 7)],
  ['where none has a number', 0, () => undefined],
])('records that do not have the next number are cut off: %s', async (_, whole, numberOf) => {
  await using folder = await createSpoolFolder();
  const events = eventsOf(makeBlocks(1, 3));
  let path = '';
  {
    await using spool = await folder.open();
    await append(spool, events, true);
    path = spool.segments[0]?.path ?? '';
  }
  const frames = events.map((event, index) => frameRecord(event, numberOf(index)));
  await writeFile(path, Buffer.concat(frames));
  await using spool = await folder.open();
  expect(spool.lastSequence).toBe(whole - 1);
  await append(spool, events.slice(whole), true);
  expect((await readHeights(spool, 1, 3)).flat()).toEqual([1, 2, 3]);
});

test('events of another network are refused, and those before them kept', async () => {
  await using folder = await createSpoolFolder();
  await using spool = await folder.open();
  const [own, foreign] = [eventsOf(makeBlocks(1, 1)), eventsOf(makeBlocks(2, 1, { chainId: 'elsewhere' }))];
  await expect(append(spool, [...own, ...foreign], true)).rejects.toThrow('chain elsewhere');
  expect(spool.lastSequence).toBe(own.length - 1);
});

describe('a segment that is not of this spool', () => {
  test.each<[string, (path: string, other: string) => Promise<void>, RegExp]>([
    [
      'of another network',
      async (path) => writeFile(path, recordingOf(eventsOf(makeBlocks(1, 1, { chainId: 'elsewhere' })))),
      /an event of chain elsewhere in a spool of chain test-chain/,
    ],
    ['with the records of another', (path, other) => copyFile(other, path), /record number \d+ stands where/],
    ['that is damaged', (path) => writeFile(path, Buffer.alloc(100)), /a record of 0 bytes/],
    [
      'that is no recording',
      (path) => writeFile(path, 'something else'),
      /a record of \d+ bytes is announced/,
    ],
  ])('%s ends its session with a reason, and the next one is read', async (_, replace, complaint) => {
    await using folder = await createSpoolFolder();
    {
      await using spool = await folder.open({ segmentSize: 300 });
      await append(spool, eventsOf(makeBlocks(1, 5)), true);
      await append(spool, eventsOf(makeBlocks(2, 5)), true);
      const [first, second] = spool.segments;
      if (!first || !second) throw new Error('the spool has too few segments');
      await replace(first.path, second.path);
    }
    await using spool = await folder.open({ segmentSize: 300 });
    const sessions = readSessions(spool, () => {}, signal);
    await expect(collectBlocks(await nextOf(sessions))).rejects.toThrow(complaint);
    const heights: number[] = [];
    for await (const { height } of readBlocks(await nextOf(sessions), signal)) {
      heights.push(height);
      if (height === 6) break;
    }
    expect(heights).toEqual([2, 3, 4, 5, 6]);
    await sessions.return();
  });

  test('is left alone where its name is none of a segment', async () => {
    await using folder = await createSpoolFolder();
    await writeFile(join(folder.path, 'notes.txt'), 'mine');
    await using spool = await folder.open();
    await append(spool, eventsOf(makeBlocks(1, 1)), true);
    expect(await readFile(join(folder.path, 'notes.txt'), 'utf8')).toBe('mine');
  });
});

async function nextOf(sessions: AsyncIterator<SessionSource, void>): Promise<SessionSource> {
  const { value } = await sessions.next();
  if (!value) throw new Error('there is no session');
  return value;
}

async function collectBlocks(source: SessionSource): Promise<void> {
  for await (const _block of readBlocks(source, signal));
}

test('appending waits while the spool is full, and goes on when it was trimmed', async () => {
  await using folder = await createSpoolFolder();
  await using spool = await folder.open({ segmentSize: 300, limit: 1000 });
  let done = false;
  for (const block of makeBlocks(1, 100)) {
    if (spool.size >= 1000) break;
    await append(spool, block.events, block.height === 1);
  }
  const waiting = append(spool, eventsOf(makeBlocks(50, 1)), false).then(() => {
    done = true;
  });
  const full = spool.lastSequence;
  // Long enough for an append that does not wait.
  for (let looks = 0; looks < 50; looks++) await readdir(folder.path);
  expect(spool.lastSequence).toBe(full);
  expect(done).toBe(false);
  const last = spool.segments.at(-1);
  if (last) spool.trimBefore(last);
  await waiting;
  expect(done).toBe(true);
});

test('a disk that has no room for what it has taken already ends the taking in by its own words', async () => {
  await using folder = await createSpoolFolder();
  await using spool = await folder.open({ segmentSize: 300 });
  const [first, second] = [makeBlocks(1, 1, { others: 5 }), makeBlocks(2, 1)];
  await append(spool, eventsOf(first), true);
  await using file = await files.open(spool.segments[0]?.path as string);
  const prototype = Object.getPrototypeOf(file) as typeof file;
  const full = Object.assign(new Error('ENOSPC: no space left on device, fdatasync'), { code: 'ENOSPC' });
  const fails = vi.spyOn(prototype, 'datasync').mockRejectedValueOnce(full);
  await expect(append(spool, eventsOf(second), false)).rejects.toBe(full);
  fails.mockRestore();
});

test('a block that alone is larger than the limit is taken in, once all before it are read', async () => {
  await using folder = await createSpoolFolder();
  await using spool = await folder.open({ limit: 1000 });
  const blocks = makeBlocks(1, 4, { others: 5 });
  const reading = readHeights(spool, 1, 4);
  for (const event of eventsOf(blocks)) await append(spool, [event], spool.lastSequence < 0);
  expect(await reading).toEqual([[1, 2, 3, 4]]);
});

test('a spool is used by one process at a time', async () => {
  await using folder = await createSpoolFolder();
  await using _spool = await folder.open();
  const second = folder.open();
  await expect(second).rejects.toThrow(GatewayError);
  await expect(second).rejects.toThrow('Another process uses the spool');
});

test('what a process adds until it lets go of a spool is there for the next, however shortly before', async () => {
  await using folder = await createSpoolFolder();
  const first = await folder.open();
  await append(first, eventsOf(makeBlocks(1, 2)), true);
  const { stat } = files;
  // The next asks for the folder's where it is about to take the lock, and for those of segments where it lists them.
  files.stat = (async (path: string) => {
    if (path !== folder.path) return stat(path);
    files.stat = stat;
    syncBuiltinESMExports();
    await append(first, eventsOf(makeBlocks(3, 2)), false);
    await first.close();
    return stat(path);
  }) as typeof stat;
  syncBuiltinESMExports();
  await using second = await folder.open();
  await append(second, eventsOf(makeBlocks(5, 1)), false);
  expect(await readHeights(second, 1, 5)).toEqual([[1, 2, 3, 4, 5]]);
});

async function append(
  spool: Spool,
  payloads: readonly Uint8Array[],
  opensConnection: boolean,
): Promise<void> {
  const events = payloads.map((payload) => ({ head: readHead(payload), payload }));
  await spool.append(events, { opensConnection, signal });
}

async function readHeights(spool: Spool, sessions: number, blocks?: number): Promise<number[][]> {
  return (await readSpool(spool, sessions, blocks)).map((session) => session.map(({ height }) => height));
}

/**
 * The blocks of so many sessions. Of the last one only as many as the whole should have, since it does not end; with
 * no number given, a session of nothing is appended to end it.
 */
async function readSpool(spool: Spool, sessions: number, count?: number): Promise<SourceBlock[][]> {
  if (count === undefined) await append(spool, eventsOf(makeBlocks(1_000_000, 1)), true);
  const read: SourceBlock[][] = [];
  let total = 0;
  for await (const source of readSessions(spool, () => {}, signal)) {
    const blocks: SourceBlock[] = [];
    read.push(blocks);
    for await (const block of readBlocks(source, signal)) {
      blocks.push(block);
      total += 1;
      if (total === count) return read;
    }
    if (count === undefined && read.length === sessions) return read;
  }
  return read;
}

function eventsOf(blocks: readonly SentBlock[]): Uint8Array[] {
  return blocks.flatMap(({ events }) => events);
}

/** A block of its begin and its end, under a hash of its own. */
function twin(hash: string, height = 1): Uint8Array[] {
  const events = [beginBlock(height, hash), endBlock(height)];
  return events.map((event, index) => encodeAt(event, height, index + 1));
}

interface SpoolFolder extends AsyncDisposable {
  readonly path: string;
  open(options?: { segmentSize?: number; limit?: number }): Promise<Spool>;
}

async function createSpoolFolder(): Promise<SpoolFolder> {
  const path = await mkdtemp(join(tmpdir(), 'periscope-spool-'));
  return {
    path,
    open: (options) => Spool.open({ folder: path, limit: MANY, logger, ...options }),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
