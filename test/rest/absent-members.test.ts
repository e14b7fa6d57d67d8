import fc from 'fast-check';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { AbsentMembers } from '../../src/rest/absent-members.ts';

const OPERATION = parse(
  '{ row { first gameId amount lockedUntilEpoch inner { first gameId } list { first } } }',
);
const NAMES = ['gameId', 'lockedUntilEpoch'];
const absent = new AbsentMembers(OPERATION, NAMES);

test('leaves out the members that are null, in any object but as the first, and nothing else', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(',"gameId":null', '","gameId":null', '\\",\\"gameId\\":null', 'null', ':null'),
  );
  const values = fc.oneof(texts, fc.constant(null), fc.constant([null]), fc.array(texts, { maxLength: 2 }));
  const objects = fc
    .array(fc.tuple(fc.constantFrom('gameId', 'amount', 'lockedUntilEpoch', 'gameIds'), values), {
      maxLength: 6,
    })
    .map((members) => ({ first: null, ...Object.fromEntries(members) }));
  const rows = objects.chain((row) =>
    fc.option(objects).map((inner) => ({ ...row, inner, list: [inner, null] })),
  );
  fc.assert(
    fc.property(fc.array(rows), (written) => {
      const pieces = written.map((row) => JSON.stringify(row));
      expect(absent.leaveOut(pieces)).toEqual(written.map((row) => JSON.stringify(withoutNulls(row))));
      // The same of what is no text yet, within it as well.
      expect(written.map((row) => absent.leaveOutOf(row))).toEqual(written.map(withoutNulls));
    }),
  );
});

test('a row that lacks all of them, as releases do that have none, is cut once', () => {
  expect(absent.leaveOut(['[{"first":1,"gameId":null,"lockedUntilEpoch":null}', ',{"first":2}]'])).toEqual([
    '[{"first":1}',
    ',{"first":2}]',
  ]);
  expect(
    absent.leaveOut(['{"first":null,"gameId":null,"lockedUntilEpoch":null,"a":null,"gameId":null}']),
  ).toEqual(['{"first":null,"a":null}']);
});

test('leaves them out of an object that is no text yet', () => {
  expect(absent.leaveOutOf({ first: null, gameId: null, lockedUntilEpoch: '3' })).toEqual({
    first: null,
    lockedUntilEpoch: '3',
  });
  const whole = { first: null, gameId: 'g' };
  expect(absent.leaveOutOf(whole)).toBe(whole);
});

test.each([
  [
    '{ row { gameId amount lockedUntilEpoch } }',
    'gameId stands first in an object, so it cannot be left out',
  ],
  ['{ row { first gameId } }', 'the operation does not select lockedUntilEpoch'],
  [
    '{ row { first lockedUntilEpoch ...More } } fragment More on Row { gameId amount }',
    'gameId stands first',
  ],
])('%s is refused when the path is declared', (operation, complaint) => {
  expect(() => new AbsentMembers(parse(operation), NAMES)).toThrow(complaint);
});

/** What is expected, told by the values instead of the text. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, inner]) => inner !== null || !NAMES.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner)]));
}
