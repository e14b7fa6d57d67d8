import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Semaphore } from '../../src/data/servers/semaphore.ts';

test('lets no more at a time than it says, everybody in order of coming, also past failures', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.record({ length: fc.integer({ min: 0, max: 4 }), fails: fc.boolean() }), { maxLength: 40 }),
      async (atOnce, uses) => {
        const semaphore = new Semaphore(atOnce);
        const begun: number[] = [];
        let running = 0;
        let most = 0;
        const ended = uses.map(({ length, fails }, index) =>
          semaphore.run(async () => {
            begun.push(index);
            running += 1;
            most = Math.max(most, running);
            for (let turn = 0; turn < length; turn++) await setImmediate();
            running -= 1;
            if (fails) throw new Error(`use ${index}`);
            return index;
          }),
        );
        const results = await Promise.allSettled(ended);
        expect(results.map(({ status }) => status)).toEqual(
          uses.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
        );
        expect(begun).toEqual(uses.map((_, index) => index));
        expect(most).toBeLessThanOrEqual(atOnce);
      },
    ),
  );
});

test('does not begin what waits for who has left, and goes on with the next', async () => {
  const semaphore = new Semaphore(1);
  const leaving = new AbortController();
  const begun: string[] = [];
  const run = (name: string, signal?: AbortSignal) =>
    semaphore.run(async () => void begun.push(name), signal);
  const running = [run('first'), run('second', leaving.signal), run('third')];
  leaving.abort(new Error('left'));
  const results = await Promise.allSettled(running);
  expect(begun).toEqual(['first', 'third']);
  expect(results[1]).toMatchObject({ reason: new Error('left') });
});
