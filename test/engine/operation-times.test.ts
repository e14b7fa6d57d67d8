import { parse } from 'graphql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OperationTimes } from '../../src/engine/operation-times.ts';

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

async function ask(times: OperationTimes, name: string): Promise<void> {
  const document = parse(`query ${name} { block { height } }`);
  times.addKept(name);
  await times.time(
    { document, protocol: 'http' },
    async () => {},
    () => 'ok',
  );
}

const namesOf = (times: OperationTimes) => new Set([...times.series].map(({ name }) => name));
const keptOf = (times: OperationTimes) => new Set([...times.kept].map(({ name }) => name));
const countOf = (times: OperationTimes, wanted: string) =>
  [...times.series]
    .filter(({ name }) => name === wanted)
    .flatMap(({ durations }) => durations.counts)
    .reduce((sum, count) => sum + count, 0);

describe('names of operations without a list', () => {
  test('are a hundred, whatever clients make up; the rest is other', async () => {
    const times = new OperationTimes(null);
    for (let number = 0; number < 500; number += 1) await ask(times, `Q${number}`);
    expect(namesOf(times).size).toBe(101);
    expect(keptOf(times).size).toBe(101);
    expect(countOf(times, 'other')).toBe(400);
  });

  test('that are asked all the time stay, however many are made up', async () => {
    const times = new OperationTimes(null);
    for (let round = 0; round < 300; round += 1) {
      await ask(times, 'Mine');
      for (let number = 0; number < 5; number += 1) await ask(times, `Q${round}x${number}`);
      vi.advanceTimersByTime(MINUTE_MS);
    }
    expect(countOf(times, 'Mine')).toBe(300);
    expect(namesOf(times).size).toBe(101);
  });

  test('that were all taken are given back, one a minute, to those that are asked', async () => {
    const times = new OperationTimes(null);
    for (let number = 0; number < 100; number += 1) await ask(times, `Q${number}`);
    await ask(times, 'Mine');
    expect(namesOf(times)).not.toContain('Mine');
    vi.advanceTimersByTime(MINUTE_MS);
    await ask(times, 'Mine');
    await ask(times, 'Yours');
    expect(countOf(times, 'Mine')).toBe(1);
    for (const names of [namesOf(times), keptOf(times)]) {
      expect(names).not.toContain('Q0');
      expect(names).toContain('Q1');
      expect(names).not.toContain('Yours');
    }
    vi.advanceTimersByTime(MINUTE_MS);
    await ask(times, 'Yours');
    expect(namesOf(times)).toContain('Yours');
    expect(namesOf(times)).toContain('Mine');
  });

  test('are not those for what has none', async () => {
    const times = new OperationTimes(null);
    await ask(times, 'other');
    for (let number = 0; number < 100; number += 1) await ask(times, `Q${number}`);
    vi.advanceTimersByTime(MINUTE_MS);
    await ask(times, 'Mine');
    expect(countOf(times, 'other')).toBe(1);
  });
});

test('the names of a list stay, and there are no others', async () => {
  const times = new OperationTimes(new Map([['hash', 'query Listed { block { height } }']]));
  for (let number = 0; number < 3; number += 1) {
    await ask(times, `Q${number}`);
    vi.advanceTimersByTime(MINUTE_MS);
  }
  await ask(times, 'Listed');
  expect(namesOf(times)).toEqual(new Set(['other', 'Listed']));
});
