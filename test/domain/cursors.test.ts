import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCursor, writeCursor, writeCursors } from '../../src/domain/cursors.ts';

const position = fc.bigInt({ min: 0n, max: 9_999_999_999_999_999n });

test('many cursors at once are those of each row, whatever their lengths', () => {
  fc.assert(
    fc.property(fc.constantFrom('votes', 'deposits', 'rewards'), fc.array(position), (list, positions) => {
      const written = writeCursors(list, positions.map(String));
      expect(written).toEqual(positions.map((one) => writeCursor({ list, position: one })));
      expect(written.map((cursor) => readCursor(list, cursor))).toEqual(
        positions.map((one) => ({ position: one, asOf: null })),
      );
    }),
  );
});
