import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameMessage, GREETING, PairError, PairReader } from '../../src/ingest/socket/pair-protocol.ts';

test('the messages are the same however the bytes are cut', () => {
  const messages = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 20 });
  const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(messages, cuts, (sent, sizes) => {
      const bytes = Buffer.concat([GREETING, ...sent.map(frameMessage)]);
      const reader = new PairReader();
      const read: string[] = [];
      for (let at = 0, n = 0; at < bytes.length; n++) {
        const size = sizes[n % sizes.length] ?? 1;
        read.push(...reader.read(bytes.subarray(at, at + size)).map((message) => hex(message)));
        at += size;
      }
      expect(read).toEqual(sent.map(hex));
      expect(reader.greeted).toBe(true);
      expect(reader.isWithinMessage).toBe(false);
    }),
  );
});

test('a greeting comes in pieces too, and until it is whole nobody was greeted', () => {
  const reader = new PairReader();
  reader.read(GREETING.subarray(0, 7));
  expect(reader.greeted).toBe(false);
  reader.read(GREETING.subarray(7));
  expect(reader.greeted).toBe(true);
});

test.each([
  ['0053500000110000', 'another protocol of the family (PAIR v1)'],
  ['0053500000200000', 'the protocol of publishers'],
  ['474554202f204854', 'HTTP'],
])('the greeting %s is refused: %s', (greeting) => {
  expect(() => new PairReader().read(Buffer.from(greeting, 'hex'))).toThrow(PairError);
});

test.each(['0000000000000000', '0000000001000000', '00000000ffffffff', 'ffffffffffffffff'])(
  'the length %s is refused before a byte of the message has come',
  (length) => {
    const reader = new PairReader();
    reader.read(GREETING);
    expect(() => reader.read(Buffer.from(length, 'hex'))).toThrow(PairError);
  },
);

test('what came before a length that is refused can still be had', () => {
  const reader = new PairReader();
  reader.read(GREETING);
  expect(reader.read(frameMessage(Uint8Array.of(1, 2)))).toHaveLength(1);
  expect(() => reader.read(Buffer.alloc(8))).toThrow(PairError);
});

test('a message that comes a byte at a time takes no more memory than its bytes', () => {
  const size = 2 ** 20;
  const reader = new PairReader();
  reader.read(GREETING);
  const before = process.memoryUsage();
  const bytes = frameMessage(new Uint8Array(size));
  // Each from a place of its own, as a socket has them.
  for (const byte of bytes.subarray(0, -1)) reader.read(Uint8Array.of(byte));
  globalThis.gc?.();
  const after = process.memoryUsage();
  expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(32 * size);
  expect(reader.read(Uint8Array.of(7)).map(({ length }) => length)).toEqual([size]);
});

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
