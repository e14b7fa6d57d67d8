import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Admission, type Release } from '../../src/http/admission.ts';

const LANE = { cost: 100, atOnce: 4, waiting: 6, waitMs: 60_000 };

describe('admission', () => {
  test('is at once while there is room, by cost and by number', () => {
    const admission = admit({ cost: 100, atOnce: 3 });
    expect(admission.ask('a', 60)).toBe('admitted');
    expect(admission.ask('a', 40)).toBe('admitted');
    expect(admission.ask('a', 1)).toBe('waits');
    const crowded = admit({ cost: 100, atOnce: 3 });
    expect([1, 2, 3, 4].map(() => crowded.ask('a', 1))).toEqual([
      'admitted',
      'admitted',
      'admitted',
      'waits',
    ]);
  });

  test('of what costs more than all the room is by itself', async () => {
    const admission = admit({ cost: 100 });
    expect(admission.ask('a', 150)).toBe('admitted');
    expect(admission.ask('a', 1)).toBe('waits');
    admission.end(0);
    expect(await admission.admitted()).toEqual([0, 1]);
    expect(admission.ask('a', 150)).toBe('waits');
  });

  test('goes by turns of the clients: a greedy one waits behind itself', async () => {
    const admission = admit({ cost: 1, waiting: 10 });
    for (const client of ['greedy', 'greedy', 'greedy', 'greedy', 'b', 'c']) admission.ask(client, 1);
    for (const place of [0, 1, 4, 5]) {
      admission.end(place);
      await admission.admitted();
    }
    expect(await admission.admitted()).toEqual([0, 1, 4, 5, 2]);
  });

  test('takes a place in a full queue from whoever has most of them', async () => {
    const admission = admit({ cost: 1, waiting: 3 });
    for (const client of ['a', 'greedy', 'greedy', 'b', 'c']) admission.ask(client, 1);
    expect(await admission.refused()).toEqual([2]);
    admission.ask('b', 1);
    expect(await admission.refused()).toEqual([2, 5]);
    expect(admission.reasons[5]).toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('is refused when the wait is over', async () => {
    const admission = admit({ cost: 1, waitMs: 20 });
    admission.ask('a', 1);
    admission.ask('a', 1);
    await expect.poll(() => admission.refused()).toEqual([1]);
    expect(admission.load.small).toEqual({ running: 1, cost: 1, waiting: 0, refused: 1 });
  });

  test('is no longer waited for by one who left', async () => {
    const admission = admit({ cost: 1 });
    const leaving = new AbortController();
    admission.ask('a', 1);
    admission.ask('b', 1, leaving.signal);
    leaving.abort(new Error('gone'));
    admission.ask('c', 1, AbortSignal.abort(new Error('gone before')));
    expect(await admission.refused()).toEqual([1, 2]);
    expect(admission.load.small).toEqual({ running: 1, cost: 1, waiting: 0, refused: 0 });
    expect(admission.reasons.filter(Boolean).map(String)).toEqual(['Error: gone', 'Error: gone before']);
  });

  test('of large operations never fills the room of the others', () => {
    const admission = admit({ cost: 100, largeFrom: 50 });
    expect([60, 60, 60].map((cost) => admission.ask('greedy', cost))).toEqual(['admitted', 'waits', 'waits']);
    expect(admission.ask('b', 10)).toBe('admitted');
  });

  test('never exceeds its limits, and ends with nothing under way, whatever comes and goes', async () => {
    const step = fc.oneof(
      fc.record({ client: fc.constantFrom('a', 'b', 'c'), cost: fc.integer({ min: 1, max: 120 }) }),
      fc.record({ end: fc.nat(30) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const admission = admit({});
        for (const one of steps) {
          if ('end' in one) admission.end(one.end);
          else admission.ask(one.client, one.cost);
          const { running, cost, waiting } = admission.load.small;
          expect(running).toBeLessThanOrEqual(LANE.atOnce);
          expect(running <= 1 || cost <= LANE.cost).toBe(true);
          expect(waiting).toBeLessThanOrEqual(LANE.waiting);
          await sleep(0);
        }
        for (let place = 0; place < steps.length; place += 1)
          for (let other = 0; other < steps.length; other += 1) {
            admission.end(other);
            if (place === 0) await sleep(0);
          }
        await sleep(0);
        for (let other = 0; other < steps.length; other += 1) admission.end(other);
        expect(admission.load.small).toMatchObject({ running: 0, cost: 0, waiting: 0 });
      }),
      { numRuns: 50 },
    );
  });
});

function admit({ largeFrom = 1000, ...limits }: Partial<typeof LANE> & { largeFrom?: number }) {
  const lane = { ...LANE, ...limits };
  const admission = new Admission({ small: lane, large: lane, largeFrom });
  const releases: (Release | undefined)[] = [];
  const reasons: unknown[] = [];
  const order: number[] = [];
  let asked = 0;
  return {
    reasons,
    get load() {
      return admission.load;
    },
    ask(client: string, cost: number, signal?: AbortSignal): 'admitted' | 'waits' {
      const place = asked++;
      const note = (release: Release) => {
        releases[place] = release;
        order.push(place);
      };
      const given = admission.admit(client, cost, signal);
      if (typeof given === 'function') {
        note(given);
        return 'admitted';
      }
      given.then(note, (error) => {
        reasons[place] = error;
      });
      return 'waits';
    },
    end: (place: number) => releases[place]?.(),
    async admitted() {
      await sleep(0);
      return order;
    },
    async refused() {
      await sleep(0);
      return Object.keys(reasons).map(Number);
    },
  };
}
