import { describe, expect, test } from 'vitest';
import { BlockWaiters } from '../../src/feed/block-waiters.ts';

const LONG_MS = 60_000;

describe('who waits for a block', () => {
  test('is let go when it comes, or a later one', async () => {
    const waiters = new BlockWaiters();
    const waiting = waiters.wait(2n, LONG_MS);
    waiters.reach(3n);
    expect(await waiting).toBe(true);
  });

  test('is let go at once when nobody waits for it any more', async () => {
    const waiters = new BlockWaiters();
    const leaving = new AbortController();
    const waiting = waiters.wait(2n, LONG_MS, leaving.signal);
    leaving.abort();
    expect(await waiting).toBe(false);
    expect(await waiters.wait(2n, LONG_MS, leaving.signal)).toBe(false);
  });
});
