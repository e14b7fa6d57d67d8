import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Mailbox } from '../../src/feed/mailbox.ts';
import { takeFrom } from '../support/mailboxes.ts';

const LIMITS = { maxMessages: 3, maxWeight: 10 };

describe('a mailbox', () => {
  test('gives what was put in, in order, also to a reader that waits', async () => {
    const mailbox = new Mailbox<string>(LIMITS);
    const first = takeFrom(mailbox);
    mailbox.push('a', 1);
    mailbox.push('b', 1);
    expect([await first, await takeFrom(mailbox)]).toEqual(['a', 'b']);
  });

  test('is full with one message too many, and drops all of them', async () => {
    const mailbox = new Mailbox<number>(LIMITS);
    for (let n = 0; n < 3; n++) mailbox.push(n, 1);
    expect(mailbox.isFull).toBe(false);
    mailbox.push(3, 1);
    expect(mailbox.isFull).toBe(true);
    expect(await takeFrom(mailbox)).toBeNull();
  });

  test('is full with more than the weight allowed, yet takes one message of any weight', async () => {
    const mailbox = new Mailbox<string>(LIMITS);
    mailbox.push('heavy', 1000);
    expect(await takeFrom(mailbox)).toBe('heavy');
    mailbox.push('x', 6);
    mailbox.push('y', 5);
    expect(mailbox.isFull).toBe(true);
  });

  test('ends the waiting of its reader when it is interrupted, without being full', async () => {
    const mailbox = new Mailbox<string>(LIMITS);
    const waiting = takeFrom(mailbox);
    mailbox.interrupt();
    mailbox.push('late', 1);
    expect([await waiting, await takeFrom(mailbox), mailbox.isFull]).toEqual([null, null, false]);
  });

  test('holds every order of pushes and takes to the limits', async () => {
    const step = fc.oneof(
      fc.nat(8).map((weight) => ({ weight })),
      fc.constant('take' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const mailbox = new Mailbox<number>(LIMITS);
        let waiting: { n: number; weight: number }[] = [];
        let isFull = false;
        for (const [n, step] of steps.entries()) {
          if (step === 'take') {
            if (waiting.length === 0 && !isFull) continue;
            expect(await takeFrom(mailbox)).toBe(isFull ? null : waiting.shift()?.n);
          } else if (!isFull) {
            mailbox.push(n, step.weight);
            waiting.push({ n, weight: step.weight });
            const weight = waiting.reduce((sum, message) => sum + message.weight, 0);
            isFull = waiting.length > 3 || (weight > 10 && waiting.length > 1);
            if (isFull) waiting = [];
          } else {
            mailbox.push(n, step.weight);
          }
          expect(mailbox.isFull).toBe(isFull);
        }
      }),
    );
  });
});
