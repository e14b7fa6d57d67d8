import { buildSchema, execute, parse } from 'graphql';
import { afterEach, expect, test, vi } from 'vitest';
import { divideLists } from '../../src/graphql/divided-lists.ts';
import { TimeSlice } from '../../src/time-slice.ts';

const schema = divideLists(
  buildSchema('type Query { edges: [Edge] } type Edge { block: Block } type Block { height: Int }'),
);

afterEach(() => vi.restoreAllMocks());

/** How often others have their turn while so many edges are completed, where each look at the clock is a slice later. */
async function turnsWithin(edges: number, selected: string): Promise<number> {
  const giveWay = vi.spyOn(TimeSlice.prototype, 'next');
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 100;
    return now;
  });
  const rootValue = { edges: Array.from({ length: edges }, (_, height) => ({ block: { height } })) };
  const { data, errors } = await execute({ schema, document: parse(selected), rootValue });
  expect(errors).toBeUndefined();
  expect(data?.['edges']).toHaveLength(edges);
  return giveWay.mock.calls.length;
}

const wide = (fields: number) =>
  `{ edges { ...E } } fragment E on Edge { ${times(fields / 10, (n) => `b${n}: block { ...B }`)} }
   fragment B on Block { ${times(10, (n) => `h${n}: height`)} }`;
const times = (count: number, write: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => write(n)).join(' ');

test.each([
  ['few objects of few fields are completed in one piece', 50, 10, 0],
  ['after each of a few wide objects others have their turn', 50, 500, 50],
  ['after one that is wide as well', 1, 5000, 1],
  ['among many narrow objects others have it each few of them', 640, 10, 213],
])('%s', async (_, edges, fields, expected) => {
  expect(await turnsWithin(edges, wide(fields))).toBe(expected);
});

test('fragments that multiply are walked through once', async () => {
  const doubled = times(60, (n) => `fragment F${n} on Edge { ...F${n + 1} ...F${n + 1} }`);
  const document = `{ edges { ...F0 @skip(if: true) block { height } } } ${doubled} fragment F60 on Edge { block { height } }`;
  expect(await turnsWithin(1, document)).toBe(1);
});
