import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Kind, startCampaign } from './campaign.ts';

/** Numbers, of which none may reach this one. */
const WRONG = 17;

describe('a campaign', () => {
  test('sends its share of the inputs', async () => {
    const { figures, outcome } = startCampaign(numbers({ share: 30 }), orders(1000));
    expect((await outcome).faults).toEqual([]);
    expect(figures.sent).toBe(300);
    expect(figures.describe()).toContain('came of them: taken: 300');
  });

  test('sends the same inputs for a seed, in however many lanes', async () => {
    const sent = async (lanes: number, seed: number) => {
      const all: number[] = [];
      await startCampaign(numbers({ lanes, all }), orders(500, seed)).outcome;
      return all.sort((a, b) => a - b);
    };
    const alone = await sent(1, 7);
    expect(alone).toHaveLength(500);
    expect(await sent(6, 7)).toEqual(alone);
    expect(await sent(6, 8)).not.toEqual(alone);
  });

  test('has as many inputs on their way at once as it has lanes', async () => {
    const open = { now: 0, most: 0 };
    await startCampaign(numbers({ lanes: 3, open }), orders(200)).outcome;
    expect(open.most).toBe(3);
  });

  test('tells a fault with the smallest input that does the same', async () => {
    const { outcome } = startCampaign(numbers({ max: 1000 }), orders(500));
    const { faults } = await outcome;
    expect(faults).toEqual([{ kind: 'numbers', message: 'it is too large', input: 'the number 17' }]);
  });

  test('ends when nothing is to be learnt any more', async () => {
    const { figures, outcome } = startCampaign(numbers({}), { ...orders(500), isOver: () => true });
    await outcome;
    expect(figures.sent).toBe(0);
  });
});

function orders(inputs: number, seed = 1) {
  return { inputs, seed, isOver: () => false };
}

function numbers({
  share = 100,
  lanes = 2,
  max = WRONG - 1,
  all = [] as number[],
  open = { now: 0, most: 0 },
}): Kind<number> {
  return {
    name: 'numbers',
    share,
    lanes,
    inputs: fc.nat({ max }),
    show: (input) => `the number ${input}`,
    async send(input) {
      all.push(input);
      open.now += 1;
      open.most = Math.max(open.most, open.now);
      await sleep(1);
      open.now -= 1;
      return { came: ['taken'], fault: input >= WRONG ? 'it is too large' : null };
    },
  };
}
