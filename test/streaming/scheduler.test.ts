import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Scheduler } from '../../src/streaming/scheduler.ts';

test('lets the event loop turn between tasks that take long, and runs each once in its order', async () => {
  const scheduler = new Scheduler();
  const ran: number[] = [];
  let isOver = false;
  const tasks = Array.from({ length: 10 }, (_, n) => ({
    run() {
      const end = performance.now() + 10;
      while (performance.now() < end);
      ran.push(n);
      isOver = ran.length === 10;
    },
  }));
  for (const task of [...tasks, ...tasks]) scheduler.add(task);
  expect(ran).toEqual([]);
  let others = 0;
  for (; !isOver; others += 1) await nextTurn();
  expect(ran).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(others).toBeGreaterThan(5);
});

test('runs one again that is added by its own run, after the others', async () => {
  const scheduler = new Scheduler();
  const ran: string[] = [];
  const again = {
    run() {
      ran.push('again');
      if (ran.length < 3) scheduler.add(again);
    },
  };
  scheduler.add(again);
  scheduler.add({ run: () => void ran.push('other') });
  await expect.poll(() => ran).toEqual(['again', 'other', 'again']);
});
