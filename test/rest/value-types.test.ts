import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Enumeration, MAX_ENUMERATION_NUMBER } from '../../src/domain/enumeration.ts';
import { accountTypes, enumerations } from '../../src/domain/enumerations.ts';
import { bool, enumOf, id, int32, int64, text, uint64, unsigned } from '../../src/rest/value-types.ts';
import { anyText } from '../support/texts.ts';

const accountType = enumOf(accountTypes);
const HEX = 'AbCdEf0123456789'.repeat(4);

/** Texts near and far from numbers: bounds and their neighbours, signs, zeros, other notations, anything. */
const numberLike = fc.oneof(
  fc.constantFrom(
    '',
    '+',
    '-',
    '0x10',
    '1e3',
    '1_000',
    '1.0',
    ' 1',
    '1 ',
    '٣',
    '+-1',
    '--1',
    'NaN',
    '1n',
    '0b1',
    '\n1',
  ),
  fc
    .tuple(
      fc.constantFrom('', '+', '-'),
      fc.constantFrom('', '0', '000'),
      fc.oneof(
        fc.bigInt({ min: 0n, max: 2n ** 66n }),
        fc
          .tuple(fc.constantFrom(31n, 32n, 63n, 64n), fc.bigInt(-2n, 2n))
          .map(([bits, by]) => 2n ** bits + by),
        fc.bigInt({ min: 0n, max: 20n }),
      ),
    )
    .map(([sign, zeros, value]) => `${sign}${zeros}${value}`),
  anyText(),
  fc.stringMatching(/^[+-]?\d{0,3000}$/),
);

describe('whole numbers', () => {
  test.each([
    ['int32', int32(), true, -(2n ** 31n), 2n ** 31n - 1n],
    ['int32 from 1 to 5000', int32(1, 5000), true, 1n, 5000n],
    ['int64', int64, true, -(2n ** 63n), 2n ** 63n - 1n],
    ['uint64', uint64, false, 0n, 2n ** 64n - 1n],
    ['unsigned of 255 bits', unsigned(1n, 2n ** 255n - 1n), false, 1n, 2n ** 255n - 1n],
  ])('%s reads exactly the decimal numbers in its range', (_, type, signed, min, max) => {
    fc.assert(
      fc.property(numberLike, (given) => {
        const digits = signed && /^[+-]/.test(given) ? given.slice(1) : given;
        const isNumber = digits !== '' && [...digits].every((digit) => '0123456789'.includes(digit));
        const magnitude = isNumber ? BigInt(digits) : 0n;
        const value = given.startsWith('-') ? -magnitude : magnitude;
        const accepted = isNumber && value >= min && value <= max;
        expect(type.read(given)?.toString()).toBe(accepted ? value.toString() : undefined);
      }),
      { numRuns: 1000 },
    );
  });

  test('have one way to be written', () => {
    expect(['+5', '005', '-0', '+0', '-007'].map(int64.read)).toEqual(['5', '5', '0', '0', '-7']);
    expect(['+5', '-0'].map(uint64.read)).toEqual([undefined, undefined]);
    expect(int32().read('-0')).toBe(0);
    expect(Object.is(int32().read('-0'), 0)).toBe(true);
  });
});

test('booleans are the spellings of the reference', () => {
  const spellings = new Map([
    ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((given) => [given, true] as const),
    ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((given) => [given, false] as const),
  ]);
  for (const [given, value] of spellings) expect(bool.read(given)).toBe(value);
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.mixedCase(fc.constantFrom('true', 'false', 't', 'yes'))),
      (given) => {
        expect(bool.read(given)).toBe(spellings.get(given));
      },
    ),
  );
});

describe('enumerations', () => {
  test.each(Object.entries<Enumeration>(enumerations))('%s is read by name and by number', (_, one) => {
    const type = enumOf(one);
    for (const [name, number] of Object.entries(one.numbers)) {
      for (const given of [name, `${number}`, `+${number}`, `0${number}`, `${one.prefix}${number}`])
        expect(type.read(given)).toBe(name);
    }
  });

  test('take any number behind the prefix, and alone only one that has a name', () => {
    const number = fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: MAX_ENUMERATION_NUMBER }));
    fc.assert(
      fc.property(number, (number) => {
        const written = accountTypes.nameOf(number);
        expect(accountType.read(`ACCOUNT_TYPE_${number}`)).toBe(written);
        expect(accountType.read(`${number}`)).toBe(accountTypes.isKnown(number) ? written : undefined);
      }),
    );
  });

  test.each([
    '',
    '8',
    '35',
    '99',
    '2147483647',
    '9007199254740996',
    '-1',
    'general',
    'account_type_general',
    'ACCOUNT_TYPE_GENERAL ',
    'ACCOUNT_TYPE_',
    'ACCOUNT_TYPE_04',
    'ACCOUNT_TYPE_+4',
    'ACCOUNT_TYPE_-1',
    'ACCOUNT_TYPE_4.0',
    'ACCOUNT_TYPE_2147483648',
    'ACCOUNT_TYPE_99999999999',
    'ACCOUNT_TYPE_NEW',
    'STATUS_OPEN',
    '4.0',
    '0x4',
    'toString',
    '__proto__',
  ])('refuse %j', (given) => {
    expect(accountType.read(given)).toBeUndefined();
  });
});

describe('ids', () => {
  test('of 64 hexadecimal digits are in lower case from here on', () => {
    expect(id.read(HEX)).toBe(HEX.toLowerCase());
  });

  test('are any other text as it is', () => {
    for (const given of [
      'network',
      'XYZalpha',
      'btc-usd',
      HEX.slice(1),
      `${HEX}0`,
      `${HEX}\n`,
      ` ${HEX}`,
      'Ünï😀',
    ])
      expect(id.read(given)).toBe(given);
  });

  test('have 256 characters at most, none of which no database holds', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.stringMatching(/^[0-9a-fA-Fg]{62,66}$/)), (given) => {
        const isHex =
          given.length === 64 &&
          [...given.toLowerCase()].every((digit) => '0123456789abcdef'.includes(digit));
        const sound = given !== '' && !given.includes('\0');
        expect(id.read(given)).toBe(sound ? (isHex ? given.toLowerCase() : given) : undefined);
      }),
    );
    expect(id.read('x'.repeat(256))).toBe('x'.repeat(256));
    for (const given of ['', 'x'.repeat(257), 'a\0', 'a\ud800', '\udc00a'])
      expect(id.read(given)).toBeUndefined();
  });
});

test('text is anything without a NUL', () => {
  expect(['', 'a b', '😀', 'a\0'].map(text.read)).toEqual(['', 'a b', '😀', undefined]);
});
