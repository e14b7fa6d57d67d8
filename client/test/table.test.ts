import { expect, test } from 'vitest';
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
