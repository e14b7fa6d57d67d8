import { expect, test } from 'vitest';
import { Semaphore } from '../../src/data/servers/semaphore.ts';
import { readWithRetry } from '../../src/feed/retry.ts';

test('what nobody waits for any more is not read when its turn comes', async () => {
  const reads = new Semaphore(1);
  const leaving = new AbortController();
  let end = () => {};
  const first = reads.run(() => new Promise<void>((resolve) => (end = resolve)));
  let times = 0;
  const left = readWithRetry({ reads, signal: leaving.signal }, async () => (times += 1));
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  end();
  await first;
  expect(await reads.run(async () => 'next')).toBe('next');
  expect(times).toBe(0);
});
