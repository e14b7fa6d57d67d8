import { expect, test } from 'vitest';
import { Semaphore } from '../../src/data/servers/semaphore.ts';
import { GatewayError, Rejection } from '../../src/errors.ts';
import type { FeedBlock } from '../../src/feed/events.ts';
import type { Followed } from '../../src/feed/followed.ts';
import { ReadingStream } from '../../src/feed/readings.ts';
import { SharedReadings } from '../../src/feed/shared-readings.ts';
import type { Readable, Reader } from '../../src/readable.ts';

const CHANGED = 1;

/** The blocks of a feed, and a stream of them. */
class Blocks implements Readable<{ readonly block: FeedBlock }> {
  readonly #tags = new Map<FeedBlock, readonly number[]>();
  readonly #waiting: FeedBlock[] = [];
  #failure: Error | null = null;
  latest = blockAt(1n);
  reader: Reader | null = null;
  isOver = false;

  tagsOf = (block: FeedBlock) => this.#tags.get(block);

  add(tags: readonly number[]): void {
    this.latest = blockAt(this.latest.height + 1n);
    this.#tags.set(this.latest, tags);
    this.#waiting.push(this.latest);
    this.reader?.onReadable();
  }

  fail(error: Error): void {
    this.#failure = error;
    this.reader?.onReadable();
  }

  read() {
    if (this.#failure !== null) throw this.#failure;
    const block = this.#waiting.shift();
    return block === undefined ? null : { block };
  }

  async return(): Promise<void> {
    this.isOver = true;
  }
}

function blockAt(height: bigint): FeedBlock {
  return { height, timestamp: height * 10n, hash: '', digest: null, position: height << 20n };
}

function follow(from: bigint | null = null) {
  const blocks = new Blocks();
  const reads: string[] = [];
  const failing = new Set<string>();
  const crowded = new Set<string>();
  const held = new Set<string>();
  let isOver = false;
  const followed: Followed<string> = {
    ...{ name: 'any', key: 'any', dependsOn: [CHANGED], from },
    read: async ({ height }, since, signal) => {
      const what = `${height} since ${since}`;
      reads.push(what);
      // Once.
      if (failing.delete(what)) throw new Error(what);
      if (crowded.delete(what)) throw new Rejection('UNAVAILABLE', what);
      // Until nobody waits for it.
      if (held.delete(what))
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      return what;
    },
    endOf: () => null,
    lengthsOf: () => ({}),
  };
  const shared = new SharedReadings<string>({
    ...{
      dependsOn: followed.dependsOn,
      tagsOf: blocks.tagsOf,
      blocks,
      reads: { all: new Semaphore(1), followed: new Semaphore(1) },
    },
    latest: () => blocks.latest,
    onOver: () => {
      isOver = true;
    },
  });
  const open = (progressMs: number | null = null, time: bigint | null = null) =>
    new ReadingStream({ followed, shared, after: time === null ? null : { position: 0n, time }, progressMs });
  return { blocks, reads, failing, crowded, held, shared, open, isOver: () => isOver };
}

async function take(stream: ReadingStream<string>): Promise<string | null | undefined> {
  const { value } = await stream[Symbol.asyncIterator]().next();
  return value?.value;
}

test('those who follow the same share a stream of blocks, and what is read as of each that changes it', async () => {
  const { blocks, reads, shared, open, isOver } = follow();
  const streams = [open(), open(), open()];
  const taken = () => Promise.all(streams.map(take));
  expect(shared.size).toBe(3);
  expect(await taken()).toEqual(Array(3).fill('1 since 10'));
  blocks.add([CHANGED]);
  expect(await taken()).toEqual(Array(3).fill('2 since 10'));
  blocks.add([]);
  blocks.add([CHANGED]);
  expect(await taken()).toEqual(Array(3).fill('4 since 20'));
  expect(reads).toEqual(['1 since 10', '2 since 10', '4 since 20']);
  for (const [index, stream] of streams.entries()) {
    expect(isOver()).toBe(false);
    await stream.return();
    expect(shared.size).toBe(2 - index);
  }
  expect([isOver(), blocks.isOver]).toEqual([true, true]);
});

test('the first has a block read, and the others are woken once when that is there, of the blocks in their order', async () => {
  const { blocks, reads, open } = follow();
  const streams = [open(), open(), open()];
  await Promise.all(streams.map(take));
  const woken: string[] = [];
  for (const [index, stream] of streams.entries())
    stream.reader = { onReadable: () => woken.push(`${index}: ${stream.read()?.value}`) };
  blocks.add([CHANGED]);
  await Promise.resolve();
  // It comes while the one before is read.
  blocks.add([CHANGED]);
  await new Promise(setImmediate);
  expect(woken).toEqual(
    [2, 3].flatMap((height) => [0, 1, 2].map((one) => `${one}: ${height} since ${height - 1}0`)),
  );
  expect(reads).toEqual(['1 since 10', '2 since 10', '3 since 20']);
});

test('a block is told to the others, too, where the first goes away or cannot have it read', async () => {
  const { blocks, failing, open } = follow();
  const [first, second, third] = [open(), open(), open()];
  await Promise.all([first, second, third].map(take));
  blocks.add([CHANGED]);
  await Promise.resolve();
  await first.return();
  expect(await take(second)).toBe('2 since 10');
  expect(await take(third)).toBe('2 since 10');
  failing.add('3 since 20');
  blocks.add([CHANGED]);
  await expect(take(second)).rejects.toThrow('3 since 20');
  expect(await take(third)).toBe('3 since 20');
});

test('what is read after a cursor ends with the last who waits for it, and is not begun for who has left', async () => {
  const { reads, held, open } = follow();
  held.add('1 since 5').add('1 since 7');
  const [first, second, other, stays] = [open(null, 5n), open(null, 5n), open(null, 6n), open()];
  for (const stream of [first, second, other]) expect(stream.read()).toBeNull();
  const taken = take(stays);
  await new Promise(setImmediate);
  for (const stream of [other, first]) await stream.return();
  await new Promise(setImmediate);
  expect(reads).toEqual(['1 since 5']);
  void second.return();
  // All who waited have left, which nobody was told of yet.
  expect(await take(open(null, 5n))).toBe('1 since 5');
  expect(await taken).toBe('1 since 10');
  expect(reads).toEqual(['1 since 5', '1 since 10', '1 since 5']);
});

test('what is read ends, too, where the blocks fail, which is what is told', async () => {
  const { blocks, held, open } = follow();
  held.add('1 since 10');
  const stream = open();
  expect(stream.read()).toBeNull();
  await new Promise(setImmediate);
  const error = new GatewayError('UNAVAILABLE', 'The gateway is stopping.');
  blocks.fail(error);
  await new Promise(setImmediate);
  expect(() => stream.read()).toThrow(error);
});

test('what too much waited for is read again, and ends nobody', async () => {
  const { reads, crowded, open } = follow();
  crowded.add('1 since 10');
  expect(await take(open())).toBe('1 since 10');
  expect(reads).toEqual(['1 since 10', '1 since 10']);
});

test('one that reads late is told at once of all that came meanwhile, and a block that changed nothing of it is not read for', async () => {
  const { blocks, reads, open } = follow();
  const [quick, late] = [open(), open()];
  expect(await take(quick)).toBe('1 since 10');
  expect(await take(late)).toBe('1 since 10');
  for (const tags of [[CHANGED], [], [CHANGED], []]) {
    blocks.add(tags);
    await new Promise(setImmediate);
    quick.read();
  }
  expect(late.read()?.value).toBe('2 since 10');
  expect(await take(late)).toBe('5 since 20');
  expect(late.read()).toBeNull();
  expect(reads).not.toContain('3 since 20');
});

test('what is wanted from a time to come on is never read from before, and is read once that is there', async () => {
  const { blocks, reads, open } = follow(45n);
  const stream = open();
  expect(await take(stream)).toBe('1 since 45');
  blocks.add([CHANGED]);
  expect(await take(stream)).toBe('2 since 45');
  for (const tags of [[], [], []]) {
    blocks.add(tags);
    await new Promise(setImmediate);
  }
  expect(await take(stream)).toBe('5 since 45');
  blocks.add([]);
  blocks.add([CHANGED]);
  expect(await take(stream)).toBe('7 since 50');
  expect(reads).toEqual(['1 since 45', '2 since 45', '5 since 45', '7 since 50']);
});

test('one that comes later begins with the newest block, though the shared stream of blocks is behind', async () => {
  const { blocks, open } = follow();
  await take(open());
  blocks.latest = blockAt(9n);
  expect(await take(open())).toBe('9 since 90');
});

test('says how far it has come where its reader wants to know', async () => {
  const { blocks, open } = follow();
  const stream = open(1);
  expect(await take(stream)).toBe('1 since 10');
  blocks.add([]);
  expect(await take(stream)).toBeNull();
});

test('ends for all of them where the blocks fail, and is over for who comes then', async () => {
  const { blocks, shared, open, isOver } = follow();
  const streams = [open(), open()];
  await Promise.all(streams.map(take));
  const taking = streams.map(take);
  const error = new GatewayError('UNAVAILABLE', 'The database is away.');
  blocks.fail(error);
  for (const one of taking) await expect(one).rejects.toBe(error);
  expect(isOver()).toBe(true);
  expect(shared.size).toBe(0);
});
