import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { chooseRandom, readSeed, seed, seedReporter } from './support/seed.ts';

test('properties run with the seed of the run', () => {
  const numRuns = 20;
  expect(fc.sample(fc.string(), numRuns)).toEqual(fc.sample(fc.string(), { seed, numRuns }));
  expect(fc.check(fc.property(fc.string(), () => true)).seed).toBe(seed);
});

test('chance is the same again for the same name', () => {
  expect(chooseRandom('one').id()).toBe(chooseRandom('one').id());
  expect(chooseRandom('one').id()).not.toBe(chooseRandom('other').id());
});

test('SEED takes another, and nothing but a whole number', () => {
  expect([readSeed(undefined), readSeed(''), readSeed('007')]).toEqual([1, 1, 7]);
  for (const text of ['-1', '1.5', 'today', '1234567890']) {
    expect(() => readSeed(text)).toThrow(`SEED is "${text}"; it takes a whole number of 9 digits at most.`);
  }
});

test('a run that fails says its seed', () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    seedReporter.onTestRunEnd?.([], [], 'passed');
    seedReporter.onTestRunEnd?.([], [], 'failed');
    expect(written.mock.calls).toEqual([[`SEED=${seed} npm test gives the same choices again.\n`]]);
  } finally {
    written.mockRestore();
  }
});

test('no test leaves a choice to anything else', () => {
  const files = ['test', 'trials', 'page/test']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((name) => /^(?!.*node_modules\/).*\.(ts|mjs)$/.test(name) && name !== 'test/seed.test.ts');
  const others = /Math\.random|randomInt\(|Date\.now\(\) %|[A-Z]_SEED\b/;
  expect(files.filter((file) => others.test(readFileSync(file, 'utf8')))).toEqual([]);
});
