import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  amount,
  compareDecimals,
  decimal,
  format,
  isoTime,
  parse,
  time,
  toDateLosingNanoseconds,
} from '../src/index.ts';

const USDT = { symbol: 'USDT', decimals: 5 };

test.each([
  ['1234500', USDT, {}, '12.34500 USDT'],
  ['-1', USDT, {}, '-0.00001 USDT'],
  ['0', USDT, { symbol: false }, '0.00000'],
  [-7n, { decimals: 0 }, {}, '-7'],
  ['-12', { decimals: -3 }, { grouping: ' ' }, '-12 000'],
  [
    '123456789012345678901234567890',
    { decimals: '18' },
    { grouping: ',' },
    '123,456,789,012.345678901234567890',
  ],
  [
    '123456789012345678901234567890',
    { decimals: 18 },
    { locale: 'de' },
    '123.456.789.012,345678901234567890',
  ],
  ['-12345678901234567891', { decimals: 2 }, { locale: 'en-IN' }, '-1,23,45,67,89,01,23,45,678.91'],
] as const)('%s of %j is written with %j as %s', (quantity, unit, options, text) => {
  expect(format(quantity, unit, options)).toBe(text);
});

test('what is written is read as the same amount, whatever its size', () => {
  const units = fc.record({
    decimals: fc.integer({ min: -6, max: 40 }),
    symbol: fc.constantFrom('', 'USDT', '€'),
  });
  fc.assert(
    fc.property(fc.bigInt(), units, (quantity, unit) => {
      expect(parse(format(quantity, unit), unit)).toBe(quantity);
      expect(parse(format(quantity, unit, { symbol: false }), unit)).toBe(quantity);
    }),
  );
});

test('Intl writes the digits that we write', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: -6, max: 20 }), (quantity, decimals) => {
      expect(format(quantity, { decimals }, { locale: 'en' })).toBe(
        format(quantity, { decimals }, { grouping: ',' }),
      );
    }),
  );
});

test.each(['', ' ', '.5', '1.', '1e3', '0x10', '1,000', '1.123456', 'USDT', '12 EUR', 'Infinity'])(
  'parse refuses "%s"',
  (text) => expect(() => parse(text, USDT)).toThrow(RangeError),
);

test('what is less than the smallest unit of a market with sizes in thousands is refused', () => {
  expect(parse('12000', { decimals: -3 })).toBe(12n);
  expect(() => parse('12500', { decimals: -3 })).toThrow('"12500" is no multiple of 1000.');
});

test.each([-1001, 1.5, 1001, '', '1e2', 'a', Number.NaN])(
  'an asset with "%s" decimals is refused',
  (decimals) => {
    expect(() => format('1', { decimals })).toThrow(RangeError);
  },
);

test('amounts and decimals are exact, and nothing else is one', () => {
  expect(amount('-123456789012345678901234567890')).toBe(-123456789012345678901234567890n);
  expect(decimal('-0.050')).toEqual({ unscaled: -50n, scale: 3 });
  expect(['2', '0.10', '-1.5', '0.1', '10'].sort(compareDecimals)).toEqual([
    '-1.5',
    '0.10',
    '0.1',
    '2',
    '10',
  ]);
  for (const text of ['', ' 1', '1.0', '0x1', '1n']) expect(() => amount(text)).toThrow(RangeError);
  for (const text of ['', '1.', '.1', '1e2']) expect(() => decimal(text)).toThrow(RangeError);
});

test('times keep their nanoseconds, before 1970 too', () => {
  const late = time('1764060304123456789');
  expect(late.epochNanoseconds).toBe(1764060304123456789n);
  expect(isoTime(late)).toBe('2025-11-25T08:45:04.123456789Z');
  expect(isoTime(time('-1'))).toBe('1969-12-31T23:59:59.999999999Z');
  expect(toDateLosingNanoseconds(late).toISOString()).toBe('2025-11-25T08:45:04.123Z');
  expect(toDateLosingNanoseconds(time('-1')).getTime()).toBe(-1);
});

test.each([
  ['253402300800', '+010000-01-01T00:00:00.000000000Z'],
  ['-62167219201', '-000001-12-31T23:59:59.000000000Z'],
  ['8640000000000', '+275760-09-13T00:00:00.000000000Z'],
  ['8640000000001', '+275760-09-13T00:00:01.000000000Z'],
  ['9223372036854775807', '+292277026596-12-04T15:30:07.000000000Z'],
  ['-9223372036854775808', '-292277022657-01-27T08:29:52.000000000Z'],
])('a time of any proposal is written, %s seconds away: %s', (seconds, expected) => {
  expect(isoTime(time(`${seconds}000000000`))).toBe(expected);
});

test('times are written as a Date writes them, wherever it comes to', () => {
  const milliseconds = fc.bigInt({ min: -8_640_000_000_000_000n, max: 8_640_000_000_000_000n });
  fc.assert(
    fc.property(milliseconds, (at) => {
      const date = toDateLosingNanoseconds({ epochNanoseconds: at * 1_000_000n });
      expect(isoTime({ epochNanoseconds: at * 1_000_000n })).toBe(date.toISOString().replace('Z', '000000Z'));
    }),
  );
});

test('amounts in the words of a language are exact in engines whose Intl makes a float of a text, and the same in all', () => {
  const locales = ['en', 'de-CH', 'en-IN', 'es', 'ar-EG', 'fa', 'hi-u-nu-deva'];
  const { NumberFormat } = Intl;
  class Older extends NumberFormat {
    override format = (value: unknown) =>
      super.format(typeof value === 'string' ? Number(value) : (value as bigint));
  }
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('Intl', { ...Intl, NumberFormat: Older });
  fc.assert(
    fc.property(fc.bigInt(), fc.nat(20), fc.constantFrom(...locales), (quantity, decimals, locale) => {
      const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      const text = format(quantity, { decimals }) as Intl.StringNumericLiteral;
      const expected = new NumberFormat(locale, digits).format(text);
      expect(format(quantity, { decimals }, { locale })).toBe(expected);
    }),
  );
});
