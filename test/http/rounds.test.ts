import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { type Tended, TimerWheel } from '../../src/http/server/timer-wheel.ts';
import { chooseRandom } from '../support/seed.ts';

const ROUND_MS = 160;

/** Something that notes when it is looked after. */
function openTended(onTend: () => void = () => {}): Tended & { readonly times: number[] } {
  const times: number[] = [];
  return {
    times,
    tend() {
      times.push(performance.now());
      onTend();
    },
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('looks after each once a round, and for the first time when about a round has passed', async () => {
  const rounds = new TimerWheel(ROUND_MS);
  const others = Array.from({ length: 30 }, () => openTended());
  for (const other of others) rounds.join(other);
  // Not with the first part of a round.
  await sleep(ROUND_MS / 3);
  const tended = openTended();
  const joined = performance.now();
  rounds.join(tended);
  await expect.poll(() => tended.times.length).toBe(3);
  for (const one of [...others, tended]) rounds.leave(one);
  const [first = 0, second = 0, third = 0] = tended.times;
  // Timers of whole milliseconds are early by one at most, and late by whatever the machine has to do.
  for (const ms of [first - joined, second - first, third - second])
    expect(ms).toBeGreaterThan((ROUND_MS * 15) / 16 - 16);
  for (const { times } of others) expect(times.length).toBeGreaterThanOrEqual(3);
});

test('spreads what has come over time over the round', async () => {
  const rounds = new TimerWheel(ROUND_MS);
  const [early, late] = [openTended(), openTended()];
  rounds.join(early);
  await sleep(ROUND_MS / 2);
  rounds.join(late);
  await expect.poll(() => late.times.length).toBe(1);
  rounds.leave(early);
  rounds.leave(late);
  expect(late.times[0]).toBeGreaterThan(early.times[0] ?? 0);
});

test('looks after nobody who has left, and has a timer only while there is somebody', async () => {
  const started = vi.spyOn(globalThis, 'setInterval');
  const ended = vi.spyOn(globalThis, 'clearInterval');
  const ran = () => started.mock.results.map(({ value }) => value as NodeJS.Timeout);
  const rounds = new TimerWheel(ROUND_MS);
  const [leaving, staying] = [openTended(() => rounds.leave(leaving)), openTended()];
  rounds.join(leaving);
  rounds.join(staying);
  await expect.poll(() => staying.times.length).toBe(2);
  expect(leaving.times.length).toBe(1);
  rounds.leave(leaving);
  expect(ended).not.toHaveBeenCalled();
  rounds.leave(staying);
  rounds.leave(staying);
  expect(ended).toHaveBeenCalledWith(ran()[0]);
  rounds.join(staying);
  await expect.poll(() => staying.times.length).toBe(3);
  rounds.leave(staying);
  expect(ran()).toHaveLength(2);
  expect(ended).toHaveBeenLastCalledWith(ran()[1]);
});

test('looks after all who stay, in whatever order others leave', async () => {
  const rounds = new TimerWheel(ROUND_MS);
  const all: ReturnType<typeof openTended>[] = [];
  for (let n = 0; n < 4; n += 1) {
    for (const one of Array.from({ length: 25 }, () => openTended())) {
      rounds.join(one);
      all.push(one);
    }
    await sleep(ROUND_MS / 4);
  }
  const random = chooseRandom('rounds');
  const leaving: typeof all = [];
  for (const one of all) if (random.oneIn(2)) leaving.splice(random.between(0, leaving.length), 0, one);
  for (const one of leaving) rounds.leave(one);
  const before = leaving.map(({ times }) => times.length);
  const staying = all.filter((one) => !leaving.includes(one));
  await expect.poll(() => Math.min(...staying.map(({ times }) => times.length))).toBeGreaterThanOrEqual(3);
  for (const one of all) rounds.leave(one);
  expect(leaving.map(({ times }) => times.length)).toEqual(before);
});
