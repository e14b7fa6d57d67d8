import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStreamCursor, writeStreamCursor } from '../../src/domain/cursors.ts';

const position = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n });
const cursor = fc.record({
  stream: fc.constantFrom('accounts', 'deposits', 'marketData'),
  position,
  row: fc.option(position),
});

test('a cursor reads back as it was written, for its own stream only', () => {
  fc.assert(
    fc.property(cursor, (written) => {
      const text = writeStreamCursor(written);
      expect(text).toMatch(/^[\w-]+$/);
      expect(readStreamCursor(written.stream, text)).toEqual(written);
      expect(readStreamCursor('rewards', text)).toBeNull();
    }),
  );
});

test('any other text is refused, or is a cursor that was never changed', () => {
  fc.assert(
    fc.property(cursor, fc.nat(), fc.string({ maxLength: 3 }), (written, at, junk) => {
      const text = writeStreamCursor(written);
      const place = at % (text.length + 1);
      const forged = text.slice(0, place) + junk + text.slice(place + 1);
      const read = readStreamCursor(written.stream, forged);
      if (read !== null) expect(writeStreamCursor(read)).toBe(forged);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(readStreamCursor('accounts', text)).toBeNull();
    }),
  );
});
