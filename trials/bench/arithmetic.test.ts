import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Result } from './bench.ts';
import { idOf, positionOfRow, shuffled } from './database/rows.ts';
import { normalize } from './load/compare.ts';
import { type Answer, AnswerReader } from './load/http-answers.ts';
import { cpuBetween, parseCpuSeconds, parseParent } from './measure/cpu.ts';
import { median, quantile, reaches, spreadOf, summarize } from './measure/figures.ts';
import { compareRuns } from './report/against.ts';
import {
  describeFigures,
  describeOutcome,
  describeTarget,
  describeUs,
  describeValue,
  ratioOf,
} from './report/describe.ts';
import { README, readmeBlock, replaceBlock, SPEED, speedBlock } from './report/readme.ts';
import { putInto, type Results, readResults } from './report/results.ts';
import { FULL, QUICK } from './size.ts';

const STAT =
  '4242 (postgres: a) (b) S 17 4242 4242 0 -1 4194560 900 0 0 0 1234 66 5 6 20 0 1 0 100 2000000 700 18446744073709551615';

test('reads the CPU time and the parent of a process, whatever its name', () => {
  expect(parseCpuSeconds(STAT)).toBe(13);
  expect(parseParent(STAT)).toBe(17);
});

test('counts what was used in between, whole for a process that began in between', () => {
  const before = new Map([
    [1, 10],
    [2, 5],
  ]);
  const after = new Map([
    [1, 10.5],
    [3, 0.25],
  ]);
  expect(cpuBetween(before, after)).toBe(0.75);
});

test('takes medians, quantiles and spreads', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([1, 2, 3, 4])).toBe(2.5);
  expect(quantile([1, 2, 3, 4, 5], 0.99)).toBeCloseTo(4.96);
  expect(quantile([], 0.5)).toBeNaN();
  expect(spreadOf([8, 10, 13])).toBe(0.5);
  expect(spreadOf([8])).toBe(0);
});

test('gives requests a second, and CPU a request of the server and of PostgreSQL', () => {
  const round = { requests: 1_000, seconds: 2, p50: 1, p99: 4, serverCpu: 0.5, databaseCpu: 0.25 };
  const slower = { ...round, requests: 500 };
  const figures = summarize([round, slower, round]);
  expect(figures).toEqual({
    perSecond: 500,
    p50: 1,
    p99: 4,
    serverUs: 500,
    databaseUs: 250,
    loadUs: 0,
    cpuUs: 750,
    spread: 1,
  });
  expect(describeFigures(figures)).toBe('500/s, CPU 500 us + 250 us, p50 1.0 ms, p99 4.0 ms');
  expect(describeUs(99.4)).toBe('99 us');
  expect(describeUs(99.6)).toBe('99.6 us');
});

test('a ratio is of requests a second, and its note of CPU', () => {
  const round = { requests: 1_000, seconds: 1, p50: 1, p99: 4, serverCpu: 0.5, databaseCpu: 0 };
  const [own, peer] = [summarize([round]), summarize([{ ...round, requests: 4_000 }])];
  expect(ratioOf(own, peer)).toEqual({
    value: 0.25,
    cpuUs: 500,
    serverUs: 500,
    databaseUs: 0,
    peerCpuUs: 125,
    spread: 0,
    note: 'by CPU 0.25 x',
  });
});

test('a target is reached at what the table shows, from its own side', () => {
  expect(reaches(0.7, { least: 0.7 })).toBe(true);
  expect(reaches(0.698, { least: 0.7 })).toBe(true);
  expect(reaches(0.69, { least: 0.7 })).toBe(false);
  expect(reaches(1.24, { most: 1.2 })).toBe(true);
  expect(reaches(1.26, { most: 1.2 })).toBe(false);
  expect(reaches(51, { most: 50 })).toBe(false);
});

test('a result is told as its value, what it must be, and whether it is', () => {
  const result = { value: 0.1612, unit: 'x the limit', target: { least: 0.6 } };
  expect([describeValue(result), describeTarget(result), describeOutcome(result)]).toEqual([
    '0.16 x the limit',
    '>= 0.6',
    'NO',
  ]);
  expect(describeOutcome({ ...result, value: null })).toBe('-');
  expect(describeOutcome({ ...result, target: null })).toBe('');
});

test('says what became slower beside its peer, beyond noise', () => {
  const before = [
    resultOf('a', 100),
    resultOf('b', 100),
    resultOf('c', 100),
    resultOf('d', 100),
    resultOf('gone', 1),
  ];
  const now = [
    resultOf('a', 130),
    // The machine is half as fast: the peer takes twice as much too.
    { ...resultOf('b', 200), peerCpuUs: 20 },
    resultOf('c', 70),
    { ...resultOf('d', 140), spread: 1 },
    resultOf('new', 1),
  ];
  expect(compareRuns(before, now).map(({ id, verdict }) => [id, verdict])).toEqual([
    ['a', 'slower'],
    ['b', 'same'],
    ['c', 'faster'],
    ['d', 'same'],
  ]);
});

test('times and memory are compared by themselves, ratios without CPU not at all', () => {
  const start = { ...resultOf('start', 0), cpuUs: null, peerCpuUs: null, unit: 's', target: { most: 1.2 } };
  const ratio = { ...start, id: 'ratio', unit: "x node:http's CPU" };
  const changes = compareRuns([{ ...start, value: 1 }, ratio], [{ ...start, value: 1.6 }, ratio]);
  expect(changes).toMatchObject([{ id: 'start', times: 1.6, verdict: 'slower' }]);
});

const RUN: Results = {
  date: '2026-01-02',
  commit: 'abc',
  size: 'full',
  machine: { cpu: 'a CPU', cores: 2, memoryGb: 8, load: 0.1, kernel: '6' },
  versions: { node: 'v20.20.2', postgresql: '18.0' },
  results: [resultOf('a', 100), { ...resultOf('b', 100), target: null }],
};

test('a run takes the results of a case that was measured again, and says which and when', () => {
  const later = (id: string, date: string) => ({ ...RUN, date, commit: 'def', results: [resultOf(id, 9)] });
  const once = putInto(RUN, later('a', '2026-01-03'));
  expect(once.results).toEqual([resultOf('a', 9), RUN.results[1]]);
  expect(speedBlock(once, 'x')).toContain(
    'PostgreSQL 18.0. Measured again on 2026-01-03, commit def: a. The whole run',
  );
  expect(putInto(once, later('a', '2026-01-04')).again).toEqual([
    { ids: ['a'], date: '2026-01-04', commit: 'def' },
  ]);
  expect(() => putInto(RUN, later('c', '2026-01-03'))).toThrow('That run has no c.');
  expect(() => putInto(RUN, { ...RUN, size: 'quick' })).toThrow(
    'A full run takes no results of a quick one.',
  );
});

test('a case of which all was measured again is named alone', () => {
  const run = { ...RUN, results: ['a/x', 'a/y', 'b/x', 'b/y'].map((id) => resultOf(id, 100)) };
  const later = { ...run, results: run.results.slice(0, 3), date: '2026-01-03', commit: 'def' };
  expect(speedBlock(putInto(run, later), 'x')).toContain('commit def: a, b/x. The whole run');
});

test('the table of a run has what has a target, and replaces the one before', () => {
  const block = speedBlock(RUN, 'trials/bench/results/x.json');
  expect(block.split('\n').filter((line) => line.startsWith('| a'))).toEqual([
    '| a | 1/s | peer: 2/s | 0.5 x peer | >= 0.4 | yes |',
  ]);
  expect(block).toContain(
    'on 2026-01-02, commit abc: 2 x a CPU, 8 GB, load 0.1, Node v20.20.2, PostgreSQL 18.0.',
  );
  expect(replaceBlock('before\n<!-- bench -->\nold\n<!-- /bench -->\nafter', block)).toBe(
    `before\n${block}\nafter`,
  );
  expect(() => replaceBlock('no marks', block)).toThrow('There is no block');
});

test('the tables of docs/speed.md and README.md are those of the run that the former names', () => {
  const text = readFileSync(SPEED, 'utf8');
  const file = /The whole run is in `(.+?)`/.exec(text)?.[1] ?? '';
  const run = readResults(file);
  expect(text).toContain(speedBlock(run, file));
  const shown = readmeBlock(run);
  expect(shown.match(/^\| .*\d.* \|$/gm)?.length).toBeGreaterThan(5);
  expect(readFileSync(README, 'utf8')).toContain(shown);
});

test('finds answers in whatever pieces they come, by length, in chunks and without a body', () => {
  const bytes = Buffer.from(
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello' +
      'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n' +
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n2\r\nab\r\n0\r\n\r\n' +
      'HTTP/1.1 500 Oops\r\ncontent-length: 2\r\n\r\nno',
  );
  const expected = [
    { status: 200, bytes: 5 },
    { status: 304, bytes: 0 },
    { status: 200, bytes: 12 },
    { status: 500, bytes: 2 },
  ];
  for (let size = 1; size <= bytes.length; size += 1) {
    const found: Answer[] = [];
    const reader = new AnswerReader(({ status, bytes }) => found.push({ status, bytes }));
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    expect(found).toEqual(expected);
  }
});

test('compares what answers say, not their cursors, and refuses errors and emptiness', () => {
  const page = (cursor: string) => ({
    deposits: { edges: [{ node: { id: '1' }, cursor }], pageInfo: { endCursor: cursor } },
  });
  expect(normalize(JSON.stringify(page('a')))).toEqual(normalize(JSON.stringify({ data: page('b') })));
  expect(() => normalize('{"data":{"deposit":null}}')).toThrow('no row');
  expect(() => normalize('{"deposits":{"edges":[]}}')).toThrow('no row');
  expect(() => normalize('{"errors":[],"data":{}}')).toThrow('errors');
});

test('asks each question once', () => {
  for (const count of [1, 2, 4_000, 99_980]) {
    const numbers = [...shuffled(count)];
    expect(numbers.length).toBe(count);
    expect(new Set(numbers).size).toBe(count);
    expect([Math.min(...numbers.slice(0, 9)) >= 0, Math.max(...numbers.slice(0, 9)) < count]).toEqual([
      true,
      true,
    ]);
  }
});

test('rows have the places that the filling gives them', () => {
  expect(positionOfRow('deposits', 0, FULL.rows)).toBe(2n * 1_048_576n + 100_001n);
  expect(positionOfRow('deposits', 101, FULL.rows)).toBe(3n * 1_048_576n + 100_002n);
  expect(idOf('party', 7)).toMatch(/^[0-9a-f]{64}$/);
  // A page of a party's deposits is full.
  for (const { rows } of [FULL, QUICK]) expect(rows.deposits / rows.parties).toBeGreaterThan(20);
});

function resultOf(id: string, cpuUs: number): Result {
  return {
    id,
    what: id,
    figure: '1/s',
    beside: 'peer: 2/s',
    value: 0.5,
    unit: 'x peer',
    target: { least: 0.4 },
    cpuUs,
    peerCpuUs: 10,
    spread: 0.1,
    note: '',
  };
}
