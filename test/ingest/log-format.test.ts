import { headers, type MsgHdrs } from '@nats-io/transport-node';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { positionOf } from '../../src/domain/positions.ts';
import { readBlocks } from '../../src/ingest/blocks.ts';
import { FaultError } from '../../src/ingest/events.ts';
import { BlockAssembler, type ReadBlock } from '../../src/ingest/log/assemble.ts';
import {
  type ChunkHead,
  digestOf,
  readChunkHead,
  writeChunkHead,
} from '../../src/ingest/log/block-message.ts';
import { openFileFeed } from '../../src/ingest/log/file-feed.ts';
import { SentBlockBuilder } from '../../src/ingest/log/sent-blocks.ts';
import { standingBehind, standingBehindBlock } from '../../src/ingest/log/standing.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { collect, createFolder, recordingOf } from '../support/events.ts';
import { eventsOf, network } from './core-network.ts';
import { makeBlocks, type SentBlock } from './network-blocks.ts';

const CHUNK = {
  chainId: 'a chain/ü',
  format: 'events',
  relay: 'r',
  chunk: 1,
  chunks: 3,
  first: 1_048_576n,
  last: 1_048_580n,
  digest: 'ab'.repeat(32),
} as const satisfies ChunkHead;

describe('the headers of a message', () => {
  test('are read as they were written', () => {
    expect(readChunkHead(writeChunkHead(CHUNK, 7).headers)).toEqual(CHUNK);
  });

  test('come with an id that names the position, the chunk, the bytes and the place', () => {
    expect(writeChunkHead(CHUNK, 7).id).toBe(`a%20chain%2F%C3%BC/1048576/1/3/${'ab'.repeat(8)}/7`);
  });

  test.each([
    ['Periscope-Log', '2', /version 2 of the form of blocks; only 1 is known/],
    ['Periscope-Log', '', /no header Periscope-Log/],
    ['Periscope-Format', 'pictures', /Periscope-Format is "pictures"/],
    ['Periscope-Positions', '5-5', /Periscope-Positions/],
    ['Periscope-Positions', '-1-5', /Periscope-Positions/],
    ['Periscope-Chunk', '3/3', /Periscope-Chunk/],
    ['Periscope-Digest', 'AB', /Periscope-Digest/],
    ['Periscope-Chain', '%', /Periscope-Chain/],
  ])('with %s "%s" are none of a block', (name, value, complaint) => {
    const { headers: fields } = writeChunkHead(CHUNK, 0);
    fields.set(name, value);
    expect(readChunkHead(fields)).toMatch(complaint);
  });

  test('whatever they are, are taken or refused with a reason', () => {
    const field = fc.constantFrom('Log', 'Chain', 'Format', 'Positions', 'Chunk', 'Digest', 'Relay');
    const text = fc.oneof(
      fc.string({ unit: 'grapheme-ascii' }),
      fc.constantFrom('1', 'events', '1-2', '0/1', 'ab'.repeat(32)),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(field, text)), (pairs) => {
        const fields: MsgHdrs = headers();
        for (const [name, value] of pairs) fields.set(`Periscope-${name}`, value);
        const read = readChunkHead(fields);
        expect(typeof read === 'string' ? read : read.first < read.last).toBeTruthy();
      }),
    );
  });
});

test('chunks come to the blocks that they were cut from, whatever was begun and not ended between', () => {
  const block = fc.record({
    payload: fc.uint8Array({ minLength: 1, maxLength: 40 }),
    size: fc.integer({ min: 1, max: 50 }),
  });
  /** How many chunks of the block are sent before it is sent anew, in chunks of another size. */
  const begun = fc.array(fc.record({ chunks: fc.nat(5), size: fc.integer({ min: 1, max: 50 }) }), {
    maxLength: 2,
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(block, begun), { maxLength: 8 }), (sent) => {
      const assembler = new BlockAssembler();
      const read: ReadBlock[] = [];
      const send = (payload: Uint8Array, height: number, size: number, most = Number.POSITIVE_INFINITY) => {
        const chunks = Math.ceil(payload.length / size);
        for (let chunk = 0; chunk < Math.min(chunks, most); chunk++) {
          const [first, last] = [positionOf(height, 0), positionOf(height, 3)];
          const head = { ...CHUNK, first, last, digest: digestOf(payload), chunk, chunks };
          const taken = assembler.take(head, payload.subarray(chunk * size, (chunk + 1) * size), chunk);
          expect(taken).not.toBeTypeOf('string');
          if (taken !== null && typeof taken === 'object') read.push(taken);
        }
        return Math.min(chunks, most) === chunks;
      };
      const wanted: Uint8Array[] = [];
      for (const [height, [{ payload, size }, parts]] of sent.entries()) {
        for (const part of parts) if (send(payload, height, part.size, part.chunks)) wanted.push(payload);
        send(payload, height, size);
        wanted.push(payload);
      }
      expect(read.map(({ payload }) => Buffer.from(payload))).toEqual(wanted.map((one) => Buffer.from(one)));
    }),
  );
});

test('a chunk without the one before it, or with other bytes, is no part of a block', () => {
  const assembler = new BlockAssembler();
  const payload = Buffer.from('payload');
  const head = { ...CHUNK, digest: digestOf(payload) };
  expect(assembler.take({ ...head, chunk: 1, chunks: 2 }, payload, 1)).toMatch(
    /chunk 2 of 2 does not follow/,
  );
  expect(assembler.take({ ...head, chunk: 0, chunks: 2 }, payload.subarray(0, 3), 2)).toBeNull();
  expect(assembler.take({ ...head, chunk: 1, chunks: 3 }, payload.subarray(3), 3)).toMatch(/does not follow/);
  expect(assembler.take({ ...head, chunk: 0, chunks: 1 }, Buffer.from('spoiled'), 4)).toMatch(
    /its bytes are not those/,
  );
});

test('a block is held, the next, behind a gap, or of another life of the network', () => {
  const at = (height: number, from: number, to: number, digest = 'a') => ({
    ...{ first: positionOf(height, from), last: positionOf(height, to), digest },
  });
  const end = at(5, 0, 9);
  expect(standingBehindBlock(end, at(4, 0, 30))).toBe('held');
  expect(standingBehindBlock(end, at(5, 0, 9))).toBe('held');
  expect(standingBehindBlock(end, at(5, 0, 4))).toBe('held');
  expect(standingBehindBlock(end, at(5, 0, 9, 'b'))).toBe('conflict');
  expect(standingBehindBlock(end, at(5, 0, 12))).toBe('conflict');
  expect(standingBehindBlock(end, at(5, 10, 12))).toBe('next');
  expect(standingBehindBlock(end, at(5, 11, 12))).toBe('gap');
  expect(standingBehindBlock(end, at(6, 0, 2))).toBe('next');
  expect(standingBehindBlock(end, at(7, 0, 2))).toBe('gap');
  const begun = { ...CHUNK, ...at(6, 0, 9), chunk: 0, chunks: 2 };
  expect(standingBehind(begun, at(5, 0, 9))).toBe('held');
  expect(standingBehind(begun, at(6, 0, 9, 'b'))).toBe('next');
  expect(standingBehind(begun, at(7, 0, 9))).toBe('gap');
  expect(standingBehind(null, at(9, 0, 1))).toBe('next');
});

test.each([
  ['the recorded network', network],
  ['one of which a height begins twice, and begins in the middle', twice(makeBlocks(7, 5, { others: 3 }))],
])('a relay finds the positions that an ingest finds: %s', async (_, blocks) => {
  await using folder = await createFolder();
  const path = await folder.write(recordingOf(eventsOf(blocks)));
  const { signal } = new AbortController();
  const feed = await openFileFeed(path, {
    ...{ follows: false, standardInput: process.stdin, signal, onWaiting: () => undefined },
  });
  const sent = await collect(feed.blocks(signal));
  const read = await collect(readBlocks(await openRecordedFile(path), signal));
  expect([sent.error, read.error]).toEqual([null, null]);
  expect(sent.items.map(({ first, last }) => [first, last])).toEqual(
    read.items.map(({ height, firstIndex, lastIndex }) => [
      positionOf(height, firstIndex),
      positionOf(height, lastIndex),
    ]),
  );
  // Put together they are a recorded file of the same events.
  const again = await folder.write(Buffer.concat(sent.items.map(({ payload }) => payload)));
  const reread = await collect(readBlocks(await openRecordedFile(again), signal));
  expect(reread.items).toEqual(read.items);
});

test('a block that is beyond what positions can hold is a fault of its source, for a relay as well', () => {
  const builder = new SentBlockBuilder('the core node', 'a chain', 'events');
  builder.begin(2 ** 33, 'byte 7');
  builder.advance('byte 9');
  expect(() => builder.end('byte 9')).toThrow(
    new FaultError({
      ...{ place: 'the core node, byte 9', height: 2 ** 33, event: null },
      reason: `block ${2 ** 33}, event 1 is beyond what positions can hold`,
    }),
  );
});

function twice(blocks: readonly SentBlock[]): SentBlock[] {
  return blocks.flatMap((block) => (block.height % 2 === 0 ? [block, block] : [block]));
}
