import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { camelCased, parseQueryString, queryOf } from '../../src/rest/query-string.ts';
import { anyText } from '../support/texts.ts';

describe('a query string', () => {
  test('is read in order, with repeats', () => {
    expect(parseQueryString('a=1&b=&c&a=2=3&&=x')).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '' },
      { name: 'c', value: '' },
      { name: 'a', value: '2=3' },
      { name: '', value: 'x' },
    ]);
    expect(parseQueryString('')).toEqual([]);
  });

  test('is form-encoded UTF-8, escaped or as bytes', () => {
    expect(parseQueryString('a+b=c%2Bd+%C3%A9%f0%9f%98%80')).toEqual([{ name: 'a b', value: 'c+d é😀' }]);
    expect(parseQueryString('a=\u00c3\u00a9')).toEqual([{ name: 'a', value: 'é' }]);
    expect(parseQueryString('a=%EF%BB%BFx')).toEqual([{ name: 'a', value: '\uFEFFx' }]);
  });

  test.each([
    [
      'party_id=%zz',
      'partyId',
      'Parameter "partyId" is written "%zz", which has the malformed percent escape "%zz".',
    ],
    [
      'partyId=a%4',
      'partyId',
      'Parameter "partyId" is written "a%4", which has the malformed percent escape "%4".',
    ],
    ['x=%', 'x', 'Parameter "x" is written "%", which has the malformed percent escape "%".'],
    ['x=%ff', 'x', 'Parameter "x" is written "%ff", which has bytes that are not UTF-8.'],
    ['x=%C0%80', 'x', 'Parameter "x" is written "%C0%80", which has bytes that are not UTF-8.'],
    ['x=%ed%a0%80', 'x', 'Parameter "x" is written "%ed%a0%80", which has bytes that are not UTF-8.'],
    ['x=\u00e9', 'x', 'Parameter "x" is written "é", which has bytes that are not UTF-8.'],
    ['x=a%00', 'x', 'Parameter "x" is written "a%00", which has a NUL character.'],
    ['%zz=1', '%zz', 'A parameter name is written "%zz", which has the malformed percent escape "%zz".'],
    ['a=1&b=2;c=3', 'b', expect.stringContaining('Parameter "b" is written "2;c=3", which has a semicolon')],
  ])('%s is refused', (raw, field, description) => {
    expect(errorOf(() => parseQueryString(raw))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: description,
      details: [{ fieldViolations: [{ field, description }] }],
    });
  });

  test('gives back whatever was encoded', () => {
    const textWithoutNul = anyText().map((text) => text.replaceAll('\0', ''));
    fc.assert(
      fc.property(fc.array(fc.tuple(textWithoutNul, textWithoutNul)), (pairs) => {
        const expected = pairs.map(([name, value]) => ({ name, value }));
        expect(parseQueryString(new URLSearchParams(pairs).toString())).toEqual(expected);
        const escaped = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
        expect(parseQueryString(escaped)).toEqual(expected);
      }),
    );
  });

  test('of any bytes is read as URLSearchParams does, or refused for what that hides', () => {
    const piece = fc.oneof(
      fc.constantFrom('%', '&', '=', '+', ';', '%00', '%41', '%C3%A9', '%ff', '%e2%82', 'a', '.', '[', '_'),
      fc.integer({ min: 0x21, max: 0xff }).map((byte) => String.fromCharCode(byte)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const raw = pieces.join('');
        const bytes = Buffer.from(
          raw.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        );
        const sound =
          !raw.includes(';') && !/%(?![0-9a-f]{2})/i.test(raw) && !bytes.includes(0) && eachPartIsUtf8(raw);
        if (sound) {
          const escaped = raw.replace(/[\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
          expect(parseQueryString(raw)).toEqual(
            [...new URLSearchParams(`?${escaped}`)].map(([name, value]) => ({ name, value })),
          );
        } else {
          expect(errorOf(() => parseQueryString(raw))).toMatchObject({ code: 'INVALID_ARGUMENT' });
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test('the query of an address begins after its first question mark', () => {
  expect(queryOf('/a')).toBe('');
  expect(queryOf('/a?')).toBe('');
  expect(queryOf('/a?b=?c')).toBe('b=?c');
});

test('snake_case names are told in camelCase', () => {
  expect(['party_id', 'filter.party_ids', 'dateRange.start_timestamp', 'partyId'].map(camelCased)).toEqual([
    'partyId',
    'filter.partyIds',
    'dateRange.startTimestamp',
    'partyId',
  ]);
});

function eachPartIsUtf8(raw: string): boolean {
  return raw.split(/[&=]/).every((part) => {
    const bytes = Buffer.from(
      part.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    );
    return bytes.equals(Buffer.from(bytes.toString('utf8'), 'utf8'));
  });
}

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    return error;
  }
}
