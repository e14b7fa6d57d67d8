import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FilterIndex, MAX_COMBINATIONS, type Wanted } from '../../src/feed/filter-index.ts';
import { usedHeap } from '../support/heap.ts';

// Few values, some of which would run together if they were joined without care.
const values = ['', 'a', 'b', 'a,b', '"a"'];
const value = fc.constantFrom(...values);
const wanted = fc.array(fc.option(fc.array(value, { minLength: 1, maxLength: 3 })), {
  minLength: 3,
  maxLength: 3,
});
const row = fc.array(value, { minLength: 3, maxLength: 3 });

test('finds exactly the subscribers whose filters a row passes, each once, whoever came and left', () => {
  const change = fc.record({ filter: wanted, leaves: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), fc.array(row, { maxLength: 10 }), (changes, rows) => {
      const index = new FilterIndex<number>();
      for (const [subscriber, { filter }] of changes.entries()) index.add(filter, subscriber);
      for (const [subscriber, { filter, leaves }] of changes.entries())
        if (leaves) index.remove(filter, subscriber);
      for (const values of rows) {
        const expected = [...changes.entries()].filter(
          ([, { filter, leaves }]) => !leaves && passes(filter, values),
        );
        expect([...index.match(values)].sort((a, b) => a - b)).toEqual(expected.map(([number]) => number));
      }
    }),
  );
});

test('refuses a filter of too many combinations, and takes the largest one that is not', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);
  const index = new FilterIndex<string>();
  expect(() => index.add([many(101), many(100), null], 'too many')).toThrow(
    new RangeError('the filter has 10100 combinations of values; a stream takes 10000 at most'),
  );
  index.add([many(100), many(MAX_COMBINATIONS / 100), null], 'many');
  expect([...index.match(['7', '99', 'x'])]).toEqual(['many']);
});

test('takes room for the values of a filter, and not for their combinations', () => {
  const types = Array.from({ length: 11 }, (_, n) => `type ${n}`);
  const filterOf = (subscriber: number) => [
    Array.from({ length: 900 }, (_, n) => `party ${n} of ${subscriber}`),
    types,
    null,
  ];
  const filters = Array.from({ length: 50 }, (_, subscriber) => filterOf(subscriber));
  const index = new FilterIndex<number>();
  const before = usedHeap();
  for (const [subscriber, filter] of filters.entries()) index.add(filter, subscriber);
  expect(usedHeap() - before).toBeLessThan(20e6);
  expect([...index.match(['party 899 of 7', 'type 10', ''])]).toEqual([7]);
  expect([...index.match(['party 899 of 7', 'type 11', ''])]).toEqual([]);
});

test('holds nothing of those who have left', () => {
  const index = new FilterIndex<number>();
  // One stays, so that the pattern does.
  index.add([['stays'], null, null], 0);
  const before = usedHeap();
  for (let n = 1; n <= 100_000; n++) {
    const filter = [[`somebody who comes and leaves ${n}`], null, null];
    index.add(filter, n);
    index.remove(filter, n);
  }
  expect(usedHeap() - before).toBeLessThan(2e6);
  expect([...index.match(['stays', '', ''])]).toEqual([0]);
});

function passes(filter: Wanted, values: readonly string[]): boolean {
  return filter.every((wanted, dimension) => wanted === null || wanted.includes(values[dimension] as string));
}
