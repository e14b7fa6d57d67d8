import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSharedQuotas, LeasedBudget, SharedLimits } from '../../src/cluster/shared-limits.ts';
import { type LeaseRequest, RateLimit } from '../../src/http/limits/rate-limit.ts';
import { usedHeap } from '../support/heap.ts';

const LIMITS = { perSecond: 1000, burst: 10_000 };

/** Workers of one primary, whose questions arrive a moment later, at a time that the test says. */
function startBudgets(workers: number) {
  const clock = { now: 0 };
  const now = () => clock.now;
  const rates = new RateLimit(LIMITS, now);
  let asked = 0;
  const budgets = Array.from({ length: workers }, (_, id) => {
    const primary = {
      async lend(client: string, request: LeaseRequest) {
        asked += 1;
        await Promise.resolve();
        return rates.lend(client, id, request);
      },
      spend: {
        async asEvent(client: string, cost: number) {
          rates.spend(client, cost);
        },
      },
      takeBack: {
        async asEvent(left: readonly (readonly [client: string, left: number])[]) {
          await Promise.resolve();
          for (const [client, amount] of left) rates.takeBack(client, id, amount);
        },
      },
    };
    return new LeasedBudget({ limits: LIMITS, workers, primary: primary as never, now });
  });
  return {
    clock,
    budgets,
    asked: () => asked,
    look: (client: string) => rates.look(client),
    [Symbol.dispose]() {
      for (const one of budgets) one.close();
    },
  };
}

test('what is given back is held no more', () => {
  const quotas = { maxStreams: 10, maxStreamsPerClient: 10, maxSockets: 1, maxSocketsPerClient: 1 };
  const limits = new SharedLimits(quotas, null);
  const worker = limits.answersFor(1);
  const before = usedHeap();
  for (let n = 0; n < 50_000; n++) {
    expect(worker.takeQuota('streams', 'a client', `a grant of a name of its own ${n}`)).toBeNull();
    worker.giveBack(`a grant of a name of its own ${n}`);
  }
  const held = usedHeap() - before;
  // Still used here, so that what it holds was not collected with it.
  expect(worker.takeQuota('streams', 'a client', 'the last')).toBeNull();
  expect(held).toBeLessThan(3e6);
});

test('what is spent behind is taken from all that a client has, also where it is lent to others', async () => {
  using cluster = startBudgets(2);
  const [first, second] = cluster.budgets;
  await first?.take('client', 100);
  second?.spend('client', 4000);
  second?.spend('client', 1e9);
  await Promise.resolve();
  expect((await second?.take('client', 2000))?.isAllowed).toBe(false);
  cluster.clock.now += 3000;
  expect((await second?.take('client', 2000))?.isAllowed).toBe(true);
});

test('never lets more pass than one process would, however it is asked', async () => {
  const step = fc.record({
    worker: fc.nat(2),
    cost: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 20_000 })),
    waitMs: fc.oneof(fc.constant(0), fc.nat(50), fc.nat(3000)),
    times: fc.integer({ min: 1, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      using cluster = startBudgets(3);
      const spent: { readonly at: number; readonly cost: number }[] = [];
      for (const { worker, cost, waitMs, times } of steps) {
        cluster.clock.now += waitMs;
        const states = Array.from({ length: times }, () => cluster.budgets[worker]?.take('client', cost));
        for (const state of await Promise.all(states))
          if (state?.isAllowed) spent.push({ at: cluster.clock.now, cost: Math.min(cost, 9000) });
      }
      // Within any time: what may be asked for at once, and what comes back meanwhile.
      for (let from = 0; from < spent.length; from += 1) {
        let sum = 0;
        for (const { at, cost } of spent.slice(from)) {
          sum += cost;
          const most = LIMITS.burst + ((at - (spent[from]?.at ?? 0)) * LIMITS.perSecond) / 1000;
          expect(sum).toBeLessThanOrEqual(most + 1e-6);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('lets pass what there is, but for what the others keep', async () => {
  using cluster = startBudgets(4);
  const [first, ...others] = cluster.budgets;
  for (const other of others) expect((await other.take('client', 1)).isAllowed).toBe(true);
  let passed = 0;
  while ((await first?.take('client', 10))?.isAllowed) passed += 10;
  expect(passed).toBeGreaterThanOrEqual(10_000 * (1 - 1 / 16) - 20);
  // Others are as short, and refuse by themselves what they cannot pay.
  expect((await others[0]?.take('client', 5000))?.isAllowed).toBe(false);
});

test('pays nearly every request from what was lent before, and refuses without asking each time', async () => {
  using cluster = startBudgets(2);
  const [budget] = cluster.budgets;
  let asynchronous = 0;
  const take = async () => {
    const state = budget?.take('client', 10);
    if (state instanceof Promise) asynchronous += 1;
    return (await state)?.isAllowed;
  };
  for (let times = 0; times < 900; times += 1) expect(await take()).toBe(true);
  expect(asynchronous).toBeLessThan(40);
  while (await take());
  const before = cluster.asked();
  for (let times = 0; times < 1000; times += 1) expect(await take()).toBe(false);
  expect(cluster.asked() - before).toBe(0);
  cluster.clock.now += 20;
  expect(await take()).toBe(true);
});

test('a dear operation is refused without those that are cheap', async () => {
  using cluster = startBudgets(2);
  const [budget] = cluster.budgets;
  expect((await budget?.take('client', 5000))?.isAllowed).toBe(true);
  expect(await budget?.take('client', 9000)).toMatchObject({ isAllowed: false, retrySeconds: 4 });
  expect((await budget?.take('client', 10))?.isAllowed).toBe(true);
});

test('what was lent and is all spent is held no more, and comes back with time', async () => {
  using cluster = startBudgets(1);
  const [budget] = cluster.budgets;
  await budget?.take('client', 100);
  const held = LIMITS.burst / 16;
  expect(cluster.look('client').remaining).toBe(10_000 - 100 - held);
  budget?.spend('client', held);
  const later = () => {
    cluster.clock.now += 1000;
    return cluster.look('client').remaining;
  };
  await expect.poll(later).toBe(10_000);
});

test('what a worker had that is gone counts as spent, and comes back with time', () => {
  let now = 0;
  const primary = new RateLimit(LIMITS, () => now);
  expect(primary.lend('client', 1, { left: 0, needed: 100, spare: 900 })).toMatchObject({
    granted: 1000,
    rest: 9000,
  });
  now += 60_000;
  // What is lent may still be spent.
  expect(primary.look('client').remaining).toBe(9100);
  primary.forget(1);
  expect(primary.look('client').remaining).toBe(9100);
  now += 1000;
  expect(primary.look('client').remaining).toBe(10_000);
});

describe('the quotas of all workers', () => {
  const QUOTAS = { maxStreams: 3, maxStreamsPerClient: 2, maxSockets: 1, maxSocketsPerClient: 1 };

  test('count what any worker takes, and free what one had that is gone', () => {
    const limits = new SharedLimits(QUOTAS, null);
    const [first, second] = [limits.answersFor(1), limits.answersFor(2)];
    expect(first.takeQuota('streams', 'a', '1')).toBeNull();
    expect(second.takeQuota('streams', 'a', '2')).toBeNull();
    expect(second.takeQuota('streams', 'a', '3')).toContain('has 2 streams open');
    expect(second.takeQuota('streams', 'b', '4')).toBeNull();
    expect(first.takeQuota('streams', 'c', '5')).toContain('as many as it takes');
    second.giveBack('4');
    expect(first.takeQuota('streams', 'c', '5')).toBeNull();
    limits.forget(1);
    expect(second.takeQuota('streams', 'a', '6')).toBeNull();
  });

  test('give back what is granted after nobody waited for it any more', async () => {
    const told: string[] = [];
    const primary = {
      takeQuota: (_quota: string, _client: string, grant: string) =>
        Promise.reject(new Error(`no answer about ${grant}`)),
      giveBack: { asEvent: async (grant: string) => void told.push(grant) },
    };
    const quotas = createSharedQuotas(primary as never);
    await expect(quotas.streams.take('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(told).toHaveLength(1);
  });
});
