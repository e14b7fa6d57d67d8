import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from '../../src/streaming/turns.ts';

test('lets the event loop turn between workers that take long, and each work once in its order', async () => {
  const turns = new Turns();
  const worked: number[] = [];
  let isOver = false;
  const workers = Array.from({ length: 10 }, (_, n) => ({
    work() {
      const end = performance.now() + 10;
      while (performance.now() < end);
      worked.push(n);
      isOver = worked.length === 10;
    },
  }));
  for (const worker of [...workers, ...workers]) turns.add(worker);
  expect(worked).toEqual([]);
  let others = 0;
  for (; !isOver; others += 1) await nextTurn();
  expect(worked).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(others).toBeGreaterThan(5);
});

test('works again for one that is added by its own work, after the others', async () => {
  const turns = new Turns();
  const worked: string[] = [];
  const again = {
    work() {
      worked.push('again');
      if (worked.length < 3) turns.add(again);
    },
  };
  turns.add(again);
  turns.add({ work: () => void worked.push('other') });
  await expect.poll(() => worked).toEqual(['again', 'other', 'again']);
});
