import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Admission, admissionLimits, type LaneLimits, type Release } from '../../src/http/admission.ts';
import { FairQueue } from '../../src/http/fair-queue.ts';

const SETTINGS = { admittedCost: 400_000, admissionWaitMs: 80, poolSize: 10, poolWaitMs: 2_000 };
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
    const admission = admit({ cost: 100, mediumFrom: 50, largeFrom: 50 });
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

afterEach(() => {
  vi.useRealTimers();
});

describe('where more is asked for than can be done', () => {
  // The loop's turns stay real: a test that does not wait is within one.
  const stopClock = () => vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const LIMITS = { atOnce: 1, waiting: 100, waitMs: 80, standingWaitMs: 8 };

  test('one may wait for the whole time in a burst, and for the short one while others are refused', async () => {
    stopClock();
    const admission = admit(LIMITS);
    admission.ask('a', 1);
    admission.ask('a', 1);
    vi.advanceTimersByTime(79);
    expect(await admission.refused()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await admission.refused()).toEqual([1]);
    admission.ask('a', 1);
    vi.advanceTimersByTime(8);
    expect(await admission.refused()).toEqual([1, 2]);
    // Nobody was refused for so long: what comes then is a burst again.
    vi.advanceTimersByTime(80);
    admission.ask('a', 1);
    vi.advanceTimersByTime(79);
    expect(await admission.refused()).toEqual([1, 2]);
  });

  test('one may wait for the short time while some wait all the time', async () => {
    stopClock();
    const admission = admit(LIMITS);
    for (let place = 0; place < 2; place += 1) admission.ask('a', 1);
    // Work takes 5 ms, and there is always one more that waits, which then takes 10 or more.
    const goOn = async (from: number, to: number) => {
      for (let place = from; place < to; place += 1) {
        admission.ask('a', 1);
        vi.advanceTimersByTime(5);
        admission.end(place);
        await admission.admitted();
      }
    };
    await goOn(0, 15);
    expect(await admission.refused()).toEqual([]);
    await goOn(15, 25);
    expect(await admission.refused()).not.toEqual([]);
  });

  test('one may wait for as long as the work takes, if that is longer', async () => {
    stopClock();
    const admission = admit(LIMITS);
    for (let place = 0; place < 100; place += 1) {
      admission.ask('a', 1);
      vi.advanceTimersByTime(40);
      admission.end(place);
    }
    admission.ask('a', 1);
    admission.ask('a', 1);
    vi.advanceTimersByTime(80);
    expect(await admission.refused()).toEqual([101]);
    admission.ask('a', 1);
    vi.advanceTimersByTime(38);
    expect(await admission.refused()).toEqual([101]);
    vi.advanceTimersByTime(2);
    expect(await admission.refused()).toEqual([101, 102]);
  });

  test('what would wait for too long is refused before it is read, but not what another client asks', () => {
    stopClock();
    const admission = admit({ ...LIMITS, atOnce: 4 });
    admission.ask('greedy', 1);
    vi.advanceTimersByTime(100);
    admission.end(0); // Work takes 12.5 ms, as far as is known.
    const admitted = Array.from({ length: 60 }, () => {
      if (!admission.hasRoom('greedy')) return false;
      admission.ask('greedy', 1);
      return true;
    });
    expect(admission.load.small).toMatchObject({ running: 4, waiting: 25 });
    expect(admitted.indexOf(false)).toBe(admitted.lastIndexOf(true) + 1);
    expect(admission.hasRoom('b')).toBe(true);
  });

  test('what the event loop reads late is refused, unless all else is well', async () => {
    stopClock();
    const admission = admit(LIMITS);
    expect(admission.hasRoom('a')).toBe(true);
    vi.advanceTimersByTime(100);
    // The same turn, and nobody waits.
    expect(admission.hasRoom('a')).toBe(true);
    await sleep(0);
    admission.ask('a', 1);
    admission.ask('a', 1);
    vi.advanceTimersByTime(80);
    admission.end(0);
    expect(await admission.refused()).toEqual([1]);
    expect(admission.hasRoom('a')).toBe(true);
    vi.advanceTimersByTime(11); // Work takes 10, as far as is known.
    expect(admission.hasRoom('a')).toBe(false);
    await sleep(0);
    expect(admission.hasRoom('a')).toBe(true);
  });
});

describe('medium and large operations', () => {
  test('are all taken on where there is room, and take turns at their few places', async () => {
    const admission = admit({ atOnce: 9, mediumFrom: 10, turns: 2 });
    for (const client of ['greedy', 'greedy', 'greedy', 'b']) admission.ask(client, 20);
    expect(await admission.admitted()).toEqual([0, 1]);
    expect(admission.load).toMatchObject({ medium: { running: 4 }, turns: { running: 2, waiting: 2 } });
    expect(admission.ask('c', 5)).toBe('admitted');
    admission.end(0);
    admission.end(1);
    expect(await admission.admitted()).toEqual([0, 1, 4, 2, 3]);
    for (const place of [2, 3, 4]) admission.end(place);
    expect(admission.load).toMatchObject({ medium: { running: 0, cost: 0 }, turns: { running: 0 } });
  });

  test('give up the room that they have when they leave before their turn', async () => {
    const admission = admit({ mediumFrom: 10, turns: 1 });
    const leaving = new AbortController();
    admission.ask('a', 20);
    admission.ask('b', 20, leaving.signal);
    await admission.admitted();
    leaving.abort(new Error('gone'));
    expect(await admission.refused()).toEqual([1]);
    expect(admission.load).toMatchObject({ medium: { running: 1, cost: 20 }, turns: { waiting: 0 } });
  });

  test('are taken on as the settings have it: sixteen pages of 1000, and none waits to be refused', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const admission = new Admission(admissionLimits(SETTINGS));
    for (let client = 0; client < 16; client += 1) void admission.admit(`${client}`, 15_400);
    await sleep(0);
    expect(admission.load).toMatchObject({
      medium: { running: 16, waiting: 0 },
      turns: { running: 3, waiting: 13 },
      small: { running: 0 },
    });
  });
});

test('large operations leave a turn to the medium ones', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const admission = new Admission(admissionLimits(SETTINGS));
  const leaving = new AbortController();
  const asked = [200_000, 200_000, 200_000, 200_000, 15_400].map((cost) =>
    Promise.resolve(admission.admit('a', cost, leaving.signal)).catch(() => {}),
  );
  await sleep(0);
  expect(admission.load).toMatchObject({
    large: { running: 2, waiting: 2 },
    medium: { running: 1 },
    turns: { running: 3, waiting: 0 },
  });
  leaving.abort();
  await Promise.all(asked);
});

test('a client waits at most for as many as the queue says', () => {
  const clients = fc.constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    fc.property(fc.array(clients), clients, (others, client) => {
      const queue = new FairQueue<string>(1000);
      for (const other of others) queue.add(other, 'before');
      const ahead = queue.aheadOf(client);
      queue.add(client, 'this');
      let passed = 0;
      while (queue.shift() !== 'this') passed += 1;
      expect(passed).toBeLessThanOrEqual(ahead);
    }),
  );
});

interface Limits extends Partial<LaneLimits> {
  readonly mediumFrom?: number;
  readonly largeFrom?: number;
  readonly turns?: number;
}

function admit({ mediumFrom = 1000, largeFrom = 1000, turns = 4, ...limits }: Limits) {
  const lane = { ...LANE, ...limits };
  const admission = new Admission({
    ...{ small: lane, medium: lane, large: lane, mediumFrom, largeFrom },
    turns: { ...lane, cost: Number.POSITIVE_INFINITY, atOnce: turns },
  });
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
      try {
        admission.checkRoom(client);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: 'UNAVAILABLE' });
        return false;
      }
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
