import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeIntegers, encodeTexts, storable } from '../../src/data/writing/binary-arrays.ts';
import { createTestDatabase } from '../support/database.ts';
import { withClient } from '../support/state.ts';

describe('an array in binary form is read by PostgreSQL', () => {
  test('with every text as it is, but for what text cannot hold', async () => {
    await using database = await createTestDatabase();
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme-ascii', minLength: 90, maxLength: 110 }),
      fc.constantFrom('', '\0', '\ud800', 'é', '"{}\\,NULL', 'NULL'),
      fc.constant(null),
    );
    await withClient(database.url, async (client) => {
      const read = async (values: readonly (string | null)[]) => {
        const { rows } = await client.query('SELECT unnest($1::text[]) AS value', [encodeTexts(values)]);
        return rows.map(({ value }) => value);
      };
      await fc.assert(
        fc.asyncProperty(fc.array(text, { maxLength: 50 }), async (values) => {
          expect(await read(values)).toEqual(values.map((value) => value && storable(value)));
        }),
      );
      const many = Array.from({ length: 10_000 }, (_, index) => 'ü'.repeat(index % 200));
      expect(await read(many)).toEqual(many);
    });
  });

  test('with every number of 64 bits as it is', async () => {
    await using database = await createTestDatabase();
    const number = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.maxSafeInteger(),
      fc.constant(null),
    );
    await withClient(database.url, async (client) => {
      await fc.assert(
        fc.asyncProperty(fc.array(number, { maxLength: 50 }), async (values) => {
          const { rows } = await client.query('SELECT unnest($1::bigint[])::text AS value', [
            encodeIntegers(values),
          ]);
          expect(rows.map(({ value }) => value)).toEqual(
            values.map((value) => (value === null ? null : `${value}`)),
          );
        }),
      );
    });
  });

  test('and a number that does not fit is refused, as PostgreSQL refuses it', () => {
    const refusal = expect.objectContaining({
      code: '22003',
      message: expect.stringContaining(`${2n ** 63n}`),
    });
    expect(() => encodeIntegers([2n ** 63n])).toThrow(refusal);
    expect(() => encodeIntegers([-(2n ** 63n) - 1n])).toThrow('is out of range');
  });
});
