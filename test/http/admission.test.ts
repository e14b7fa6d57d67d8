import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Admission, admissionLimits } from '../../src/http/limits/admission.ts';
import { Bulkhead, type BulkheadLimits, type Release } from '../../src/http/limits/bulkhead.ts';
import { FairQueue } from '../../src/http/limits/fair-queue.ts';

const SETTINGS = { admittedCost: 400_000, admissionWaitMs: 80, poolSize: 10, poolWaitMs: 2_000 };
/** What waits counts as this at least. */
const LEAST_COST = 400;
const LANE = { cost: 100, atOnce: 4, waitingCost: 6 * LEAST_COST, waitMs: 60_000 };

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
    const admission = admit({ cost: 1, waitingCost: 10 * LEAST_COST });
    for (const client of ['greedy', 'greedy', 'greedy', 'greedy', 'b', 'c']) admission.ask(client, 1);
    for (const place of [0, 1, 4, 5]) {
      admission.end(place);
      await admission.admitted();
    }
    expect(await admission.admitted()).toEqual([0, 1, 4, 5, 2]);
  });

  test('takes a place in a full queue from whoever has most of them', async () => {
    const admission = admit({ cost: 1, waitingCost: 3 * LEAST_COST });
    for (const client of ['a', 'greedy', 'greedy', 'b', 'c']) admission.ask(client, 1);
    expect(await admission.refused()).toEqual([2]);
    admission.ask('b', 1);
    expect(await admission.refused()).toEqual([2, 5]);
    expect(admission.reasons[5]).toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('takes what costs most out of a full queue, and lets one wait that costs more than all the room', async () => {
    const admission = admit({ cost: 1000, waitingCost: 1000 });
    for (const [client, cost] of [
      ['a', 1000],
      ['b', 5000],
    ] as const)
      admission.ask(client, cost);
    expect(await admission.refused()).toEqual([]);
    admission.ask('c', 500);
    expect(await admission.refused()).toEqual([1]);
    for (const client of ['d', 'e']) admission.ask(client, 400);
    expect(await admission.refused()).toEqual([1, 2]);
  });

  test('is refused when the wait is over', async () => {
    const admission = admit({ cost: 1, waitMs: 20 });
    admission.ask('a', 1);
    admission.ask('a', 1);
    await expect.poll(() => admission.refused()).toEqual([1]);
    expect(admission.load.small).toMatchObject({ running: 1, cost: 1, waiting: 0, refused: { waited: 1 } });
  });

  test('is no longer waited for by one who left', async () => {
    const admission = admit({ cost: 1 });
    const leaving = new AbortController();
    admission.ask('a', 1);
    admission.ask('b', 1, leaving.signal);
    leaving.abort(new Error('gone'));
    admission.ask('c', 1, AbortSignal.abort(new Error('gone before')));
    expect(await admission.refused()).toEqual([1, 2]);
    expect(admission.load.small).toMatchObject({ running: 1, cost: 1, waiting: 0, refused: { waited: 0 } });
    expect(admission.reasons.filter(Boolean).map(String)).toEqual(['Error: gone', 'Error: gone before']);
  });

  test('of large operations never fills the room of the others', () => {
    const admission = admit({ cost: 100, largeFrom: 50 });
    for (const cost of [60, 60, 60]) admission.ask('greedy', cost);
    expect(admission.load.large).toMatchObject({ running: 1, waiting: 2 });
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
          expect(waiting).toBeLessThanOrEqual(LANE.waitingCost / LEAST_COST);
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

afterEach(() => {
  vi.useRealTimers();
});

describe('where more is asked for than can be done', () => {
  const stopClock = () => vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const LIMITS = { atOnce: 2, crowd: 4, waitMs: 80 };

  test('a burst may wait for the whole time, and no more than are under way while others are refused', async () => {
    stopClock();
    const admission = admit(LIMITS);
    for (const _ of [1, 2, 3, 4, 5]) admission.ask('a', 1);
    expect(admission.hasRoom('a')).toBe(true);
    vi.advanceTimersByTime(79);
    expect(await admission.refused()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await admission.refused()).toEqual([2, 3, 4]);
    const waiting = [1, 2, 3].map(() => admission.hasRoom('a') && admission.ask('a', 1));
    expect(waiting).toEqual(['waits', 'waits', false]);
    // Nobody is refused for so long: what comes then is a burst again.
    admission.end(0);
    admission.end(1);
    await admission.admitted();
    vi.advanceTimersByTime(80);
    for (const _ of [1, 2, 3]) admission.ask('a', 1);
    expect(admission.hasRoom('a')).toBe(true);
  });

  test('no more may wait than are under way while some wait all the time', async () => {
    stopClock();
    const admission = admit(LIMITS);
    for (const _ of [1, 2, 3, 4]) admission.ask('a', 1);
    for (let place = 0; place < 16; place += 1) {
      expect(admission.hasRoom('a')).toBe(true);
      admission.ask('a', 1);
      vi.advanceTimersByTime(5);
      admission.end(place);
      await admission.admitted();
    }
    expect(await admission.refused()).toEqual([]);
    expect(admission.hasRoom('a')).toBe(false);
  });

  test('what is refused before it is read is whose others wait, and not what another client asks', async () => {
    stopClock();
    const admission = admit(LIMITS);
    for (let place = 0; place < 6; place += 1) admission.ask('greedy', 1);
    vi.advanceTimersByTime(80);
    expect(await admission.refused()).toHaveLength(4);
    for (const _ of [1, 2]) admission.ask('greedy', 1);
    expect([admission.hasRoom('greedy'), admission.hasRoom('b')]).toEqual([false, true]);
  });

  test('no more are taken on at once than keep the event loop busy, and as many wait', async () => {
    stopClock();
    let [active, idle] = [0, 0];
    const limits = { ...LANE, atOnce: 10, crowd: 20, waitingCost: 1e6, waitMs: 80 };
    const lane = new Bulkhead(limits, () => ({ active, idle }));
    const underWay: Release[] = [];
    const ask = async () => {
      const given = await Promise.allSettled([lane.admit('a', 1)]);
      for (const one of given) if (one.status === 'fulfilled') underWay.push(one.value);
    };
    /** One ends after so long, and as many are asked for as may wait. */
    const goOn = async (loop: { readonly active: number; readonly idle: number }) => {
      vi.advanceTimersByTime(5);
      active += loop.active;
      idle += loop.idle;
      while (lane.rejectionFor('a') === null && lane.load.waiting < 40) void ask();
      const { waiting } = lane.load;
      underWay.shift()?.();
      await sleep(0);
      return [lane.load.running, waiting];
    };
    const during = async (rounds: number, loop: { readonly active: number; readonly idle: number }) => {
      let load: readonly number[] = [];
      for (let round = 0; round < rounds; round += 1) load = await goOn(loop);
      return load;
    };
    const BUSY = { active: 20, idle: 0 };
    for (let place = 0; place < 10; place += 1) void ask();
    await sleep(0);
    // A queue that stands for as long as one may wait is what overload begins with.
    const [running] = await during(15, BUSY);
    expect(running).toBe(10);
    expect(await during(20, BUSY)).toEqual([4, 4]);
    expect(await during(20, { active: 10, idle: 10 })).toEqual([10, 10]);
    expect(await during(20, BUSY)).toEqual([4, 4]);
    vi.advanceTimersByTime(80);
    await sleep(0);
    for (let place = 0; place < 10; place += 1) void ask();
    await sleep(0);
    expect(lane.load.running).toBe(10);
  });
});

describe('as the settings have it', () => {
  const start = () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return new Admission(admissionLimits(SETTINGS));
  };

  test('sixteen pages of 1000 take turns, and none is refused', async () => {
    const admission = start();
    for (let client = 0; client < 16; client += 1) void admission.admit(`${client}`, 15_400);
    await sleep(0);
    expect(admission.load).toMatchObject({
      large: { running: 3, waiting: 13, refused: { waited: 0, crowded: 0, excess: 0 } },
      small: { running: 0 },
    });
  });

  test.each([4, 10])(
    'sixteen requests at once, again and again, are never too many for a pool of %i',
    async (poolSize) => {
      vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
      const admission = new Admission(admissionLimits({ ...SETTINGS, poolSize }));
      const underWay: Release[] = [];
      const ask = async () => {
        expect(admission.rejectionFor('a')).toBe(null);
        underWay.push(await admission.admit('a', 100));
      };
      for (let connection = 0; connection < 16; connection += 1) void ask();
      for (let answered = 0; answered < 200; answered += 1) {
        await sleep(0);
        expect(admission.load.small).toMatchObject({ running: poolSize, waiting: 16 - poolSize });
        vi.advanceTimersByTime(2);
        underWay.shift()?.();
        void ask();
      }
      expect(admission.load.small.refused).toEqual({ waited: 0, crowded: 0, excess: 0 });
    },
  );

  test('of the largest few are under way, few wait, and the rest is refused at once', {
    timeout: 10_000,
  }, async () => {
    const admission = start();
    const asked = Array.from({ length: 20 }, (_, client) => admission.admit(`${client}`, 300_000));
    const settled = Promise.allSettled(asked.slice(4));
    expect(admission.load).toMatchObject({ large: { running: 2, waiting: 2, refused: { excess: 16 } } });
    for (const { status } of await settled) expect(status).toBe('rejected');
  });

  test('a large one waits for as long as one waits for a connection', async () => {
    const admission = start();
    for (const _ of [1, 2, 3]) void admission.admit('a', 15_400);
    const waiting = admission.admit('b', 15_400);
    vi.advanceTimersByTime(SETTINGS.poolWaitMs - 1);
    expect(admission.load.large).toMatchObject({ waiting: 1 });
    vi.advanceTimersByTime(1);
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

test('a client waits at most for as many as the queue says', () => {
  const clients = fc.constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    fc.property(fc.array(clients), clients, (others, client) => {
      const queue = new FairQueue<{ readonly cost: number }>(1e6);
      for (const other of others) queue.add(other, { cost: 1 });
      const ahead = queue.aheadOf(client);
      const own = { cost: 1 };
      queue.add(client, own);
      let passed = 0;
      while (queue.shift() !== own) passed += 1;
      expect(passed).toBeLessThanOrEqual(ahead);
    }),
  );
});

interface Limits extends Partial<BulkheadLimits> {
  readonly largeFrom?: number;
}

function admit({ largeFrom = 10_000, ...limits }: Limits) {
  const lane = { ...LANE, crowd: 8, ...limits };
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
    hasRoom(client: string): boolean {
      const refusal = admission.rejectionFor(client);
      if (refusal !== null) expect(refusal).toMatchObject({ code: 'UNAVAILABLE' });
      return refusal === null;
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
