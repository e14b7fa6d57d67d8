import { buildSchema } from 'graphql';
import * as collecting from 'graphql/execution/collectFields.js';
import { expect, test } from 'vitest';
import { requireCollectors } from '../../src/engine/text/selections.ts';
import { requireExposedColumns } from '../../src/graphql/exposed-columns.ts';
import { schema } from '../../src/graphql/index.ts';

test('what graphql-js merges selections with is there', () => {
  expect(requireCollectors(collecting).collectFields).toBe(collecting.collectFields);
});

test.each([
  ['is gone', {}],
  ['is there in part', { collectFields: collecting.collectFields }],
  [
    'takes other arguments',
    {
      ...collecting,
      collectFields: ((context: object) =>
        Object.keys(context)) as unknown as typeof collecting.collectFields,
    },
  ],
  ['finds nothing', { ...collecting, collectSubfields: () => new Map() }],
])('where it %s, the start says so', (_, found) => {
  expect(() => requireCollectors(found)).toThrow('src/engine/text/selections.ts');
});

test('Pothos says which columns the fields expose', () => {
  expect(requireExposedColumns(schema)).toBe(schema);
});

test('where it does not, the start says so', () => {
  expect(() => requireExposedColumns(buildSchema('type Query { a: Int }'))).toThrow(
    'src/graphql/exposed-columns.ts',
  );
});
