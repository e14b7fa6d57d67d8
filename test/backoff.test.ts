import { describe, expect, test, vi } from 'vitest';
import { Backoff } from '../src/backoff.ts';

describe('waits', () => {
  test('ever longer, up to the limit, and begins anew once something has worked', async () => {
    const backoff = new Backoff({ firstMs: 1, limitMs: 5 });
    expect(await takeWaits(backoff, 5)).toEqual([1, 2, 4, 5, 5]);
    backoff.reset();
    expect(await takeWaits(backoff, 2)).toEqual([1, 2]);
  });

  test('equally long without a limit', async () => {
    expect(await takeWaits(new Backoff({ firstMs: 2 }), 3)).toEqual([2, 2, 2]);
  });

  test('as long as they say', async () => {
    const begin = performance.now();
    await new Backoff({ firstMs: 60 }).wait();
    // A timer may fire up to a millisecond early.
    expect(performance.now() - begin).toBeGreaterThan(58);
  });

  test.each([
    [0, 'jittered'],
    [0.999, 'plain'],
  ])('a random part shorter with jitter, down to a half: %f', async (random, first) => {
    const chance = vi.spyOn(Math, 'random').mockReturnValue(random);
    const jittered = new Backoff({ firstMs: 100, jitter: true }).wait().then(() => 'jittered');
    chance.mockRestore();
    const plain = new Backoff({ firstMs: 75 }).wait().then(() => 'plain');
    expect(await Promise.race([jittered, plain])).toBe(first);
    await Promise.all([jittered, plain]);
  });
});

describe('gives up', () => {
  test('once the deadline has passed, and not before', async () => {
    const backoff = new Backoff({ firstMs: 5, deadlineMs: 50 });
    const begin = performance.now();
    let waits = 0;
    while (await backoff.wait()) waits += 1;
    expect(performance.now() - begin).toBeGreaterThanOrEqual(50);
    expect(waits).toBeGreaterThan(0);
  });

  test('when the signal is aborted, also in the middle of a wait', async () => {
    const ending = new AbortController();
    const backoff = new Backoff({ firstMs: 3_600_000, signal: ending.signal });
    const waiting = backoff.wait();
    ending.abort();
    expect([await waiting, await backoff.wait()]).toEqual([false, false]);
  });
});

async function takeWaits(backoff: Backoff, count: number): Promise<readonly number[]> {
  const waits: number[] = [];
  while (waits.length < count) {
    waits.push(backoff.nextMs);
    expect(await backoff.wait()).toBe(true);
  }
  return waits;
}
