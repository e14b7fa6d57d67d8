import { expect, test } from 'vitest';
import { changes, rows } from '../src/index.ts';
import { Table } from '../src/table.ts';

test('who ends listening twice ends nobody else', () => {
  const table = new Table<{ readonly id: string }>('id');
  const told: string[] = [];
  const end = table.subscribe(() => told.push('one'), 'a');
  end();
  table.subscribe(() => told.push('other'), 'a');
  end();
  table.tell(['a']);
  expect(told).toEqual(['other']);
});

test('rows of several kinds are refused: one of them alone would be kept', () => {
  const options = { url: 'http://127.0.0.1:1', nouns: ['RISK_FACTORS'] };
  // JavaScript knows no types.
  expect(() => rows(changes as never, options as never)).toThrow(
    new TypeError('Rows are of one kind: follow these, or keep each kind by itself.'),
  );
});
