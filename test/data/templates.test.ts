import { expect, test } from 'vitest';
import { raw, sql } from '../../src/data/sql.ts';
import { Templates } from '../../src/data/templates.ts';

test('a template is written once, and again where the others came to too much', () => {
  let written = 0;
  const write = () => {
    written += 1;
    return sql`SELECT 1`;
  };
  const mine = new Templates();
  for (let time = 0; time < 3; time += 1) mine.find('mine', write);
  expect(written).toBe(1);
  const long = new Templates();
  // Each is as long as those of a page with many columns; together they have 80 MB.
  for (let n = 0; n < 8_000; n += 1) long.find(`${n}`, () => raw('x'.repeat(10_000)));
  expect(mine.find('mine', write).fill([], 'nothing', 1).text).toBe('SELECT 1');
  expect(written).toBe(2);
});
