import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairSemaphore } from '../../src/data/servers/fair-semaphore.ts';

const A_MINUTE = 60_000;

test('who has used little comes before the next task of one who has used much', async () => {
  const semaphore = new FairSemaphore(1, A_MINUTE);
  const ended: string[] = [];
  const run = (client: string, ms: number) =>
    semaphore.run(client, () => sleep(ms)).then(() => ended.push(client));
  const first = run('greedy', 50);
  await Promise.all([first, run('greedy', 50), run('greedy', 50), run('small', 1), run('small', 1)]);
  expect(ended).toEqual(['greedy', 'small', 'small', 'greedy', 'greedy']);
});

test('no more run at once than may, and a task that throws gives its permit on', async () => {
  const semaphore = new FairSemaphore(2, A_MINUTE);
  let running = 0;
  let most = 0;
  const tasks = Array.from({ length: 20 }, (_, index) =>
    semaphore.run(`${index % 3}`, async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(1);
      running -= 1;
      if (index % 4 === 0) throw new Error('gone');
      return index;
    }),
  );
  const ended = await Promise.allSettled(tasks);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(5);
  expect([most, running]).toEqual([2, 0]);
});

test('a task that has waited too long is rejected, and the others go on', async () => {
  const semaphore = new FairSemaphore(1, 20);
  let end = () => {};
  const held = semaphore.run('a', () => new Promise<void>((resolve) => { end = resolve; })); // biome-ignore format: short
  await expect(semaphore.run('b', async () => 'b')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  end();
  await held;
  expect(await semaphore.run('c', async () => 'c')).toBe('c');
});
