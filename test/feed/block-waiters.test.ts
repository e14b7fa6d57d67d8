import { describe, expect, test } from 'vitest';
import { BlockWaiters } from '../../src/feed/block-waiters.ts';
import { LightSignal } from '../../src/signal.ts';

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
    const asker = { client: 'a', signal: leaving.signal };
    const waiting = waiters.wait(2n, LONG_MS, asker);
    leaving.abort();
    expect(await waiting).toBe(false);
    expect(await waiters.wait(2n, LONG_MS, asker)).toBe(false);
  });

  test('has room whatever one client asks for, and the gateway itself whatever all do', async () => {
    const waiters = new BlockWaiters();
    const ask = (client: string) => waiters.wait(2n, LONG_MS, { client, signal: new LightSignal() });
    const greedy = Array.from({ length: 1_001 }, () => ask('greedy'));
    expect(await greedy.pop()).toBe(false);
    const others = Array.from({ length: 9_001 }, (_, index) => ask(`other ${index}`));
    expect(await others.pop()).toBe(false);
    const own = waiters.wait(2n, LONG_MS);
    waiters.reach(2n);
    expect(new Set(await Promise.all([...greedy, ...others, own]))).toEqual(new Set([true]));
    const again = ask('greedy');
    waiters.reach(2n);
    expect(await again).toBe(true);
  });
});
