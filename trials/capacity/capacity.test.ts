import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Result } from '../bench/bench.ts';
import type { Results } from '../bench/report/results.ts';
import { type Compared, compare, faultsOf } from './check/compare.ts';
import type { Taken } from './check/site.ts';
import { cellOf, unitCostsOf } from './check/unit-costs.ts';
import { costsOf, readCosts } from './costs.ts';
import { DOCUMENT, writeDocument } from './document.ts';
import { firstBeyond, limitsOf } from './limits.ts';
import { type Cell, simulate } from './model/cell.ts';
import { Clock } from './model/clock.ts';
import { Station } from './model/station.ts';
import { Times } from './model/times.ts';
import { readPrices } from './prices.ts';
import { SCALES } from './scenarios.ts';
import { passedByCaches, perBlock, sizeFollowers, sizeRequests } from './size.ts';
import { about, count, time } from './write-numbers.ts';

const MS = 1_000_000;

test('docs/capacity.md is what npm run capacity makes of the measured costs', () => {
  expect(readFileSync(DOCUMENT, 'utf8')).toBe(writeDocument());
});

describe('the clock', () => {
  test('does what is due in its order, and of one time what was planned first', () => {
    const clock = new Clock();
    const done: string[] = [];
    const times = [5, 1, 3, 1, 9, 3, 0];
    for (const [index, at] of times.entries()) clock.plan(at, () => done.push(`${at}:${index}`));
    clock.plan(3, () => clock.plan(4, () => done.push('4:later')));
    clock.run();
    expect(done).toEqual(['0:6', '1:1', '1:3', '3:2', '3:5', '4:later', '5:0', '9:4']);
    expect(() => clock.plan(8, () => {})).toThrow('8 is no time from 9 on.');
    expect(() => clock.plan(9.5, () => {})).toThrow('9.5 is no time from 9 on.');
  });
});

describe('a station', () => {
  test('serves who comes first, as many at once as it has servers', () => {
    const clock = new Clock();
    const station = new Station(clock, 2);
    const done: [string, number][] = [];
    for (const name of ['a', 'b', 'c', 'd']) station.ask(10, () => done.push([name, clock.now]));
    clock.run();
    expect(done).toEqual([
      ['a', 10],
      ['b', 10],
      ['c', 20],
      ['d', 20],
    ]);
    expect(station.report).toEqual({ busyNs: 40, jobs: 4, waitedNs: 20, mostWaiting: 2 });
  });
});

test('of times, so many of a thousand are at most the value that is given', () => {
  const times = new Times();
  for (const ns of [30, 10, 20, 40]) times.add(ns);
  expect([0, 250, 500, 501, 1000].map((part) => times.permille(part))).toEqual([10, 10, 20, 30, 40]);
  expect(new Times().permille(500)).toBeNull();
});

describe('the model', () => {
  const asked = (perSecond: number, further: Partial<Cell['asked'][number]> = {}) => [
    { name: 'all', perSecond, processNs: MS, databaseNs: 0, besidesNs: 0, ...further },
  ];
  const blocks = {
    ...{ everyNs: 100 * MS, logNs: 2 * MS, logBesidesNs: 5 * MS, writeNs: 3 * MS, noticeNs: MS },
    ...{ makeNs: 2 * MS, readNs: MS, messageNs: 100_000, messagesPerProcess: 200 },
  };
  const cell: Cell = { seed: 'a', seconds: 20, processes: 1, databaseCores: 1, blocks, asked: [] };

  test('has a queue wait as long as theory says of one server: Pollaczek and Khinchine', () => {
    const none = { ...blocks, everyNs: 20_000 * MS };
    for (const busy of [300, 600, 800]) {
      const report = simulate({ ...cell, seconds: 120, blocks: none, asked: asked(busy) });
      const times = report.answered.get('all') as Times;
      // Served at once with the probability that it is not busy.
      const isAtOnce = [...Array(1000).keys()].filter((part) => (times.permille(part + 1) ?? 0) <= MS).length;
      expect(isAtOnce / 1000).toBeCloseTo(1 - busy / 1000, 1);
      expect(report.busyPermille.processes / busy).toBeCloseTo(1, 1);
      // The mean wait of a constant service: rho / (2 (1 - rho)) services.
      const mean =
        [...Array(1000).keys()].reduce((sum, part) => sum + (times.permille(part + 1) ?? 0), 0) / 1000;
      const rho = busy / 1000;
      expect(mean / MS / (1 + rho / (2 * (1 - rho)))).toBeCloseTo(1, 1);
    }
  });

  test('has a block at its followers after each step of its way, and the last of them when all before it are sent', () => {
    const { followed, followedFromCommit, firstFromCommit, busyPermille } = simulate(cell);
    const first = (2 + 5 + 3 + 1 + 1 + 2) * MS + 100_000;
    expect(followed.permille(0)).toBe(first);
    expect(firstFromCommit.permille(500)).toBe(first - 10 * MS);
    // 64 of 200 are looked at, by fours: the last of these is the 197th.
    expect(followed.permille(1000)).toBe(first + 196 * 100_000);
    expect(followedFromCommit.permille(1000)).toBe(first + 196 * 100_000 - 10 * MS);
    expect([busyPermille.log, busyPermille.writer]).toEqual([20, 30]);
  });

  test('lets requests have their turn between the turns of messages', () => {
    const long = { ...cell, blocks: { ...blocks, messagesPerProcess: 400 }, asked: asked(100) };
    const report = simulate(long);
    const times = report.answered.get('all') as Times;
    expect(times.permille(400)).toBe(MS);
    // A turn of messages, at most, before it; and what else has come.
    expect(times.permille(1000)).toBeLessThan((8 + 2 + 6) * MS);
  });

  test('shows where a queue grows without end', () => {
    const report = simulate({ ...cell, asked: asked(200, { processNs: MS, databaseNs: 6 * MS }) });
    expect(report.busyPermille.database).toBeGreaterThan(950);
    expect(report.mostWaiting.database).toBeGreaterThan(500);
    expect(report.mostWaiting.writer).toBe(0);
  });

  test('gives the same for the same seed, and another run for another', () => {
    const one = (seed: string) => {
      const times = simulate({ ...cell, seed, asked: asked(500) }).answered.get('all') as Times;
      return [500, 900, 990, 999].map((part) => times.permille(part));
    };
    expect(one('a')).toEqual(one('a'));
    expect(one('a')).not.toEqual(one('b'));
  });
});

describe('sizes', () => {
  const [costs, prices] = [readCosts(), readPrices()];
  const [small, middle, large] = SCALES;

  test('grow with those who follow and ask, by whole numbers', () => {
    expect(perBlock(1n, 1n)).toBe(2n);
    expect(perBlock(19_872n, 1n)).toBe(22_000n);
    for (const size of [sizeFollowers, sizeRequests]) {
      const [one, other] = [size(middle, 1n, costs, prices), size(large, 1n, costs, prices)];
      for (const name of Object.keys(one) as (keyof typeof one)[]) {
        if (name === 'databaseConnections') continue;
        expect([name, other[name] >= one[name]]).toEqual([name, true]);
      }
      expect(Number(other.gatewayCores) / Number(one.gatewayCores)).toBeGreaterThan(50);
    }
  });

  test('of followers have a process for each ten thousand, and money that is mostly what leaves', () => {
    const need = sizeFollowers(large, 1n, costs, prices);
    expect(need.processes).toBe(10_000n);
    expect(need.clientConnections).toBe(100_000_000n);
    // 50 million and some messages of 1,000 bytes for each of 22 blocks in 19.872 seconds.
    expect(Number(need.megabits)).toBeCloseTo((50_000_000 * 8_000 * 22_000_000) / 19_872_000 / 1e6, -2);
    expect(need.moneyOut * 2n).toBeGreaterThan(need.money);
  });

  test('of requests are bounded by the caches in front', () => {
    expect(passedByCaches(small)).toBe(4_000n);
    expect(passedByCaches(large)).toBe(40_000n);
    expect(passedByCaches({ ...small, count: 100n })).toBe(80n);
  });

  test('cost no more where prices are nothing', () => {
    const cents = { coreMonth: 0, memoryGbMonth: 0, diskGbMonth: 0, terabyteOut: 0 };
    expect(sizeFollowers(large, 1n, costs, { ...prices, cents }).money).toBe(0n);
  });

  test('a limit binds at the first case that asks for more', () => {
    const cases = SCALES.map((scale) => ({
      ...({ kind: 'followers', scale, volume: 1n } as const),
      need: sizeFollowers(scale, 1n, costs, prices),
    }));
    const [limit] = limitsOf(costs);
    if (limit === undefined) throw new Error('There are no limits.');
    const asked = cases.map((one) => limit.asked(one));
    const most = asked[1] ?? 0n;
    expect(firstBeyond({ ...limit, most }, cases)?.scale).toBe(
      asked[0] === undefined || asked[0] <= most ? large : small,
    );
    expect(firstBeyond({ ...limit, most: 10n ** 12n }, cases)).toBeNull();
  });
});

test('what a run has not measured is no cost', () => {
  const run: Results = {
    ...{ date: '2026-01-02', commit: 'abc', size: 'quick', versions: {}, results: [] as readonly Result[] },
    machine: { cpu: 'a CPU', cores: 2, memoryGb: 8, load: 0.1, kernel: '6' },
  };
  expect(() => costsOf(run)).toThrow('The run has not measured repeat-rest (serverUs)');
});

describe('the check', () => {
  const none = { p50: 0, p99: 0 };
  const taken = (further: Partial<Taken>): Taken => ({
    ...{ seconds: 10, keptCount: 0, rowCount: 0, blockCount: 0, gatewayNs: 0, databaseNs: 0, writerNs: 0 },
    ...{ kept: none, rows: none, first: none },
    ...further,
  });
  const alone = {
    kept: taken({ keptCount: 2_000, gatewayNs: 100 * MS, kept: { p50: 800_000, p99: MS } }),
    rows: taken({ rowCount: 1_000, gatewayNs: 200 * MS, databaseNs: 100 * MS, rows: { p50: MS, p99: MS } }),
    few: taken({ blockCount: 100, gatewayNs: 200 * MS, writerNs: 300 * MS, first: { p50: 3 * MS, p99: MS } }),
    many: taken({
      ...{ blockCount: 100, gatewayNs: 1_000 * MS, writerNs: 300 * MS },
      first: { p50: 3 * MS, p99: MS },
    }),
  };
  const nothing = { keptPerSecond: 0, rowsPerSecond: 0, followers: 0, blocksPerSecond: 0, seconds: 1 };
  const loads = {
    kept: { ...nothing, keptPerSecond: 2_000 },
    rows: { ...nothing, rowsPerSecond: 1_000 },
    few: { ...nothing, followers: 100, blocksPerSecond: 100 },
    many: { ...nothing, followers: 900, blocksPerSecond: 100 },
  };

  test('takes the cost of each from what was measured alone, a message from two numbers of followers', () => {
    const costs = unitCostsOf(alone, loads, 2);
    // Two kept answers are asked for in each millisecond: the one that is due then comes second, and waits for the other.
    expect(costs).toEqual({
      kept: { processNs: 50_000, besidesNs: 700_000 },
      row: { processNs: 200_000, databaseNs: 100_000, besidesNs: 700_000 },
      block: { writeNs: 3 * MS, noticeNs: 1_990_000, makeNs: MS, readNs: 0, messageNs: 10_000 },
    });
    const load = {
      keptPerSecond: 1_000,
      rowsPerSecond: 500,
      followers: 500,
      blocksPerSecond: 10,
      seconds: 5,
    };
    const report = simulate(cellOf(load, costs, 2));
    // 50 + 100 ms for requests, 10 + 50 for blocks, of each second; the first block comes after a tenth of one.
    expect(Math.abs(report.busyPermille.processes - 210)).toBeLessThan(3);
    const agreed = taken({
      ...{ seconds: 5, gatewayNs: 1_050 * MS, databaseNs: 250 * MS, writerNs: 150 * MS },
      kept: { p50: report.answered.get('kept')?.permille(500) ?? 0, p99: 0 },
      rows: { p50: report.answered.get('rows')?.permille(500) ?? 0, p99: 0 },
      first: { p50: report.firstFromCommit.permille(500) ?? 0, p99: 0 },
    });
    expect(faultsOf(compare(report, agreed, 2))).toEqual([]);
    const faults = faultsOf(compare(report, { ...agreed, gatewayNs: 1_400 * MS }, 2));
    expect(faults.map(({ what }) => what)).toEqual(['a core of the gateway, busy']);
  });

  test('finds what is a fifth apart, on either side, and what was not measured at all', () => {
    const one = (model: number, measured: number, isHeld = true): Compared => ({
      ...{ what: 'x', unit: 'ns', model, measured, isHeld },
    });
    expect(faultsOf([one(120, 100), one(80, 100), one(500, 100, false)])).toEqual([]);
    expect(faultsOf([one(121, 100), one(79, 100), one(5, 0), one(0, 0)])).toHaveLength(4);
  });
});

test('numbers are written for readers, from whole numbers alone', () => {
  expect([0n, 999n, 1_234n, 286_499n, 1_430_000n, 50_000_000n, 2_345_678_901n].map(about)).toEqual([
    ...['0', '999', '1,230', '286,000', '1.43 million', '50 million', '2.35 billion'],
  ]);
  expect([count(1_234_567), count(12n)]).toEqual(['1,234,567', '12']);
  expect([900, 45_600, 3_260_000, 12_300_000].map(time)).toEqual(['0.9 us', '46 us', '3.3 ms', '12 ms']);
});
