import { expect, test, vi } from 'vitest';
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

const slow = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
const slowOfPrisma = Object.assign(new Error('Invalid invocation'), { cause: { originalCode: '57014' } });
const away = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** Reads what fails so, one time after the other, and then does not; gives what comes of it, and how often it was read. */
async function read(failures: readonly Error[]) {
  let times = 0;
  const reading = readWithRetry(
    { reads: new Semaphore(1), signal: new AbortController().signal },
    async () => {
      const failure = failures[times];
      times += 1;
      if (failure !== undefined) throw failure;
      return 'read';
    },
  );
  return [await reading.catch(({ code }) => code), times];
}

test.each([
  ['once more where it took too long', [slow], ['read', 2]],
  ['no third time where it took too long twice', [slow, slow], ['UNAVAILABLE', 2]],
  ['no third time, either, where it was away in between', [slow, away, slowOfPrisma], ['UNAVAILABLE', 3]],
  ['again and again while it is away', [away, away, slow, away], ['read', 5]],
])('is read %s', async (_, failures, expected) => {
  expect(await read(failures)).toEqual(expected);
});

test('is read again, too, however long it has waited for its place', async () => {
  const reads = new Semaphore(1);
  const { signal } = new AbortController();
  let end = () => {};
  const first = reads.run(() => new Promise<void>((resolve) => (end = resolve)));
  const failures = [away];
  const reading = readWithRetry({ reads, signal }, async () => {
    const failure = failures.pop();
    if (failure !== undefined) throw failure;
    return 'read';
  });
  const now = performance.now();
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => now + 600_000);
  end();
  await first;
  expect(await reading).toBe('read');
});

test('is read again, too, however long it has waited for another place since the first failure', async () => {
  const reads = new Semaphore(1);
  const { signal } = new AbortController();
  const asking = vi.spyOn(reads, 'run');
  let end = () => {};
  let times = 0;
  const reading = readWithRetry({ reads, signal }, async () => {
    times += 1;
    // Whoever comes next has the place for ten minutes.
    if (times === 1) void reads.run(() => new Promise<void>((resolve) => (end = resolve)));
    if (times < 3) throw away;
    return 'read';
  });
  await expect.poll(() => asking.mock.calls.length).toBe(3);
  const now = performance.now();
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => now + 600_000);
  end();
  expect(await reading).toBe('read');
});
