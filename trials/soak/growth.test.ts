import { expect, test } from 'vitest';
import { grows } from './growth.ts';

const TOLERANCE = { part: 0.1, least: 5 };

test.each([
  ['a steady figure', [100, 101, 99, 100, 102, 100], false],
  ['one that falls', [100, 90, 80, 70, 60, 50], false],
  ['one high reading at the end', [100, 100, 100, 100, 100, 180], false],
  ['a little, within what is tolerated', [100, 101, 103, 104, 106, 108], false],
  ['a few of what there are few', [0, 1, 1, 2, 2, 3], false],
  ['a steady growth', [100, 110, 120, 130, 140, 150], true],
  ['a growth from nothing', [0, 4, 8, 12, 16, 20], true],
])('%s', (_, readings, expected) => {
  expect(grows(readings, TOLERANCE)).toBe(expected);
});
