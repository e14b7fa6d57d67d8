import { describe, expect, test } from 'vitest';
import { InvalidDocument } from '../../src/engine/client-errors.ts';
import { Documents } from '../../src/engine/documents/documents.ts';
import { OPERATION_LIMITS } from '../../src/graphql/costs.ts';

const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}: __typename`).join(' ');

test('what is asked again is neither parsed nor validated again', () => {
  const documents = new Documents();
  const first = documents.read('{ a: __typename } # why');
  expect(documents.read('{ a: __typename } # why')).toBe(first);
  expect(documents.size).toBe(1);
});

test.each([
  ['is no GraphQL', '{ a: __typename', /Syntax Error/],
  ['is too long', `{ a: __typename } #${'x'.repeat(OPERATION_LIMITS.length)}`, /the most is/],
  ['has too many tokens', `{ ${fields(1000)} }`, /tokens/],
])('what %s is refused, and not kept', (_, text, reason) => {
  const documents = new Documents();
  for (let n = 0; n < 2; n++) expect(() => documents.read(text)).toThrow(reason);
  expect(documents.size).toBe(0);
});

describe('a NUL', () => {
  const ofText = (literal: string, comment = '') => `{ deposit(id: ${literal}) { id } } ${comment}`;

  test.each([
    ['by four digits', ofText('"a\\u0000b"')],
    ['in braces', ofText('"a\\u{0}b"')],
    ['in braces, with more digits', ofText('"a\\u{000}b"')],
    ['after an escaped backslash', ofText('"a\\\\\\u0000"')],
    ['after an escaped quote', ofText('"a\\"\\u0000"')],
    ['after a comment, in a list', '{ nodes(nodeIds: [ # "\n "a", "\\u0000"]) { nodeId } }'],
    ['as the default of a variable', 'query ($id: ID! = "\\u0000") { deposit(id: $id) { id } }'],
  ])('is refused that a literal escapes %s', (_, text) => {
    const documents = new Documents();
    for (const read of [() => documents.read(text), () => documents.typeOf(text, null)])
      expect(read).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    expect(() => documents.read(text)).toThrow('query holds a NUL character');
    expect(documents.size).toBe(0);
  });

  test.each([
    ['an escaped backslash before u0000', ofText('"a\\\\u0000"')],
    ['two of them', ofText('"a\\\\\\\\u0000"')],
    ['an escaped backslash before u{0}', ofText('"a\\\\u{0}"')],
    ['a block string, which escapes nothing', ofText('"""a\\u0000\\u{0}"""')],
    ['a comment', ofText('"a"', '# \\u0000 \\u{0} "\\u0000"')],
    ['another character', ofText('"\\u0030 \\u0001 \\u{10} \\u{a}"')],
  ])('is not seen in %s', (_, text) => {
    expect(new Documents().read(text).kind).toBe('Document');
  });
});

test('what the schema does not allow is refused with all that is wrong, and not kept', () => {
  const documents = new Documents();
  const read = () => documents.read('{ nothing, nobody }');
  expect(read).toThrow(InvalidDocument);
  expect(read).toThrow(expect.objectContaining({ errors: [expect.anything(), expect.anything()] }));
  expect(documents.size).toBe(0);
});

test('the schema is not told where introspection is off', () => {
  expect(() => new Documents('off').read('{ __schema { types { name } } }')).toThrow(InvalidDocument);
  expect(new Documents('on').read('{ __schema { types { name } } }').kind).toBe('Document');
});

test('what was asked last is kept, within a number of bytes', () => {
  const documents = new Documents();
  const read = (n: number) => documents.read(`{ a${n}: __typename ${fields(200)} }`);
  const made = Array.from({ length: 300 }, (_, n) => read(n));
  expect(documents.size).toBeLessThan(300);
  expect(read(299)).toBe(made[299]);
  expect(read(0)).not.toBe(made[0]);
});

test('comments are let go of; every other token stays, with what its text takes', () => {
  const documents = new Documents();
  const tokensOf = (text: string) => {
    const kinds: string[] = [];
    for (let token = documents.read(text).loc?.startToken; token; token = token.next ?? undefined)
      kinds.push(token.kind);
    return kinds;
  };
  const id = '(id: """a # no comment""")';
  expect(tokensOf(`{ # one\n deposit${id} # two\n { id } }`)).toEqual(tokensOf(`{ deposit${id} { id } }`));
  expect(tokensOf(`{ deposit${id} { id } }`)).toContain('BlockString');
});

test('long texts count for what is kept, be they blocks or not', () => {
  for (const quote of ['"', '"""']) {
    const documents = new Documents();
    const text = (n: number) => `{ deposit(id: ${quote}${n}${'x'.repeat(30_000)}${quote}) { id } }`;
    for (let n = 0; n < 100; n++) documents.read(text(n));
    expect(documents.size).toBeLessThan(75);
  }
});
