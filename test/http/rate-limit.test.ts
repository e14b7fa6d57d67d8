import { expect, test } from 'vitest';
import { RateLimit } from '../../src/http/limits/rate-limit.ts';

let now = 0;
const limit = () => new RateLimit({ perSecond: 10, burst: 100 }, () => now);

test('a burst may be taken at once, and comes back with time', () => {
  const rate = limit();
  expect(rate.take('a', 70)).toMatchObject({ isAllowed: true, limit: 100, remaining: 30, resetSeconds: 7 });
  expect(rate.take('a', 70)).toMatchObject({ isAllowed: false, remaining: 30, retrySeconds: 4 });
  now += 3_999;
  expect(rate.take('a', 70).isAllowed).toBe(false);
  now += 1;
  expect(rate.take('a', 70)).toMatchObject({ isAllowed: true, remaining: 0, resetSeconds: 10 });
  now += 1e9;
  expect(rate.take('a', 0).remaining).toBe(100);
});

test('each client has its own', () => {
  const rate = limit();
  rate.take('a', 90);
  expect(rate.take('a', 11).isAllowed).toBe(false);
  expect(rate.take('b', 100).isAllowed).toBe(true);
});

test('what costs more than a burst needs nearly all of it', () => {
  const rate = limit();
  expect(rate.take('a', 5)).toMatchObject({ isAllowed: true, remaining: 95 });
  expect(rate.take('a', 1000)).toMatchObject({ isAllowed: true, remaining: 5 });
  expect(rate.take('a', 1000)).toMatchObject({ isAllowed: false, retrySeconds: 9 });
  now += 9_000;
  expect(rate.take('a', 1000).isAllowed).toBe(true);
});

test('a bucket that has exactly as much gives it', () => {
  const rate = limit();
  rate.take('a', 60);
  expect(rate.take('a', 40)).toMatchObject({ isAllowed: true, remaining: 0 });
  expect(rate.lend('b', 1, { left: 0, needed: 100, spare: 0 })).toMatchObject({
    isAllowed: true,
    granted: 100,
  });
});
