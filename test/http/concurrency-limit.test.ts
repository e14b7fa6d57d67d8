import { expect, test } from 'vitest';
import { ConcurrencyLimit } from '../../src/http/limits/concurrency-limit.ts';

/** A limit beside an event loop that is as busy as it is told to have been. */
function limitOf(most: number) {
  let [active, idle] = [5_000, 5_000];
  const limit = new ConcurrencyLimit(most, () => ({ active, idle }));
  return {
    after(times: { readonly active: number; readonly idle: number }): number {
      active += times.active;
      idle += times.idle;
      limit.adjust();
      return limit.current;
    },
  };
}

test('while the event loop is busy, fewer and fewer are under way at once, and never less than four', () => {
  const limit = limitOf(10);
  const busy = Array.from({ length: 9 }, () => limit.after({ active: 29, idle: 1 }));
  expect(busy).toEqual([9, 8, 7, 6, 5, 4, 4, 4, 4]);
});

test('while it is idle, since the database is waited for, more and more are, up to all that may be', () => {
  const limit = limitOf(6);
  for (let look = 0; look < 9; look += 1) limit.after({ active: 30, idle: 0 });
  const idle = Array.from({ length: 4 }, () => limit.after({ active: 28, idle: 2 }));
  expect(idle).toEqual([5, 6, 6, 6]);
});

test('it is as long between two changes as a few turns of the loop take', () => {
  const limit = limitOf(10);
  expect([1, 2, 3, 4].map(() => limit.after({ active: 5, idle: 0 }))).toEqual([10, 10, 10, 9]);
});

test('where fewer than four may be under way at all, it stays with these', () => {
  const limit = limitOf(3);
  expect([limit.after({ active: 30, idle: 0 }), limit.after({ active: 0, idle: 30 })]).toEqual([3, 3]);
});
