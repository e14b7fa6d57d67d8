import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { reportProgress } from '../../src/ingest/progress.ts';

test('elsewhere than on a terminal it writes a line each five seconds at most, and one at the end', () => {
  const run = start({ total: 10_000, terminal: false });
  for (let second = 1; second <= 12; second += 0.5)
    run.advance({ second, done: second * 500, blocks: second * 1100 });
  run.progress.stop();
  expect(run.written().split('\n')).toEqual([
    '5,500 blocks, 1,100 blocks/s, 15 s left',
    '11,000 blocks, 1,100 blocks/s, 10 s left',
    '13,200 blocks, 1,100 blocks/s, 8 s left',
    '',
  ]);
});

test('the rate and the time left are those of late, not of the whole run', () => {
  const run = start({ total: 1_000_000, terminal: false });
  for (let step = 1; step <= 30; step += 1)
    run.advance({ second: step * 5, done: step * 1000, blocks: step * 100 });
  for (let step = 31; step <= 60; step += 1) {
    run.advance({ second: step * 5, done: 30_000 + (step - 30) * 500, blocks: 3000 + (step - 30) * 5 });
  }
  expect(run.written().trimEnd().split('\n').at(-1)).toBe('3,150 blocks, 1 blocks/s, 2 h 39 min left');
  run.progress.stop();
});

test('a source without a known end has no time left', () => {
  const run = start({ total: null, terminal: false });
  run.advance({ second: 5, done: 500, blocks: 10 });
  run.progress.stop();
  expect(run.written()).not.toContain('left');
  expect(run.written()).toContain('10 blocks, 2 blocks/s\n');
});

test('an ingest that ends at once says what it did', () => {
  const run = start({ total: 100, terminal: false });
  run.advance({ second: 0.5, done: 100, blocks: 3 });
  run.progress.stop();
  expect(run.written()).toBe('3 blocks, 6 blocks/s\n');
});

test.each([true, false])('without a block it says nothing (on a terminal: %s)', (terminal) => {
  const run = start({ total: 100, terminal });
  run.progress.stop();
  expect(run.written()).toBe('');
});

test('on a terminal it draws a bar with rate and time left, and gives the cursor back', () => {
  const run = start({ total: 1000, terminal: true });
  run.advance({ second: 1, done: 250, blocks: 10 });
  run.progress.stop();
  const written = run.written();
  expect(written).toContain('█'.repeat(10));
  expect(written).toContain('25%  10 blocks, 10 blocks/s, 3 s left');
  expect(written.indexOf('\u001b[?25l')).toBeGreaterThanOrEqual(0);
  expect(written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(written.lastIndexOf('\u001b[?25l'));
});

test('on a terminal it gives the cursor back where the process ends at once', () => {
  const before = process.listeners('exit');
  const run = start({ total: 1000, terminal: true });
  run.advance({ second: 1, done: 250, blocks: 10 });
  const added = process.listeners('exit').filter((listener) => !before.includes(listener));
  for (const listener of added) listener(130);
  expect(run.written()).toContain('\u001b[?25h');
  run.progress.stop();
  expect(process.listeners('exit')).toEqual(before);
});

test('on a terminal a source without a known end has no bar', () => {
  const run = start({ total: null, terminal: true });
  run.advance({ second: 1, done: 250, blocks: 10 });
  run.progress.stop();
  expect(run.written()).toContain('10 blocks, 10 blocks/s');
  expect(run.written()).not.toMatch(/[█░%]/);
});

function start({ total, terminal }: { total: number | null; terminal: boolean }) {
  let clock = 0;
  let read = 0;
  const stream = Object.assign(new PassThrough(), { isTTY: terminal, columns: 120 });
  const source = { progress: () => ({ done: read, total, unit: 'bytes' as const }) };
  const progress = reportProgress(source, stream, () => clock);
  return {
    progress,
    advance({ second, done, blocks }: { second: number; done: number; blocks: number }): void {
      clock = second * 1000;
      read = done;
      progress.update({ applied: blocks - 1, skipped: 1 });
    },
    written: (() => {
      let text = '';
      return () => {
        text += stream.read() ?? '';
        return text;
      };
    })(),
  };
}
