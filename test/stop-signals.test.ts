import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { Stop } from '../src/stop.ts';

describe('the same stop is', () => {
  test.each([
    [
      ['SIGINT', 0],
      ['SIGINT', 1_999],
    ],
    [
      ['SIGTERM', 0],
      ['SIGTERM', 30],
      ['SIGTERM', 1_999],
    ],
    [
      ['SIGTERM', 0],
      ['SIGHUP', 5_000],
    ],
    [
      ['SIGHUP', 0],
      ['SIGHUP', 5_000],
    ],
    [
      ['SIGHUP', 0],
      ['SIGTERM', 1_999],
    ],
  ] as const)('%j, %j', (...signals) => {
    const source = new EventEmitter();
    let now = 0;
    const stop = Stop.listen(source, () => now);
    for (const [signal, at] of signals) {
      now = at;
      source.emit(signal);
    }
    expect([stop.signal.aborted, stop.hurry.aborted]).toEqual([true, false]);
  });
});

test.each([
  ['SIGHUP', 0],
  ['SIGTERM', 0],
  ['SIGINT', 5_000],
] as const)('npm that ends by %s as well, %i ms later, is no second signal', (signal, wait) => {
  vi.useFakeTimers();
  const source = new EventEmitter();
  let parent = 42;
  const stop = Stop.listen(source).withNpm(() => parent);
  source.emit(signal);
  vi.advanceTimersByTime(wait);
  parent = 1;
  vi.advanceTimersByTime(1_000);
  expect([stop.signal.aborted, stop.hurry.aborted]).toEqual([true, false]);
  vi.useRealTimers();
});
