import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalDecimal,
  canonicalInteger,
  cutDecimal,
  Decimal,
  DecimalError,
  decimalOfDouble,
  formatPercentage,
  roundDecimal,
} from '../../src/domain/decimals.ts';

const TOO_LONG = 'has more than 400 digits.';

describe('reading a decimal', () => {
  test.each([
    ['5', '5'],
    ['-5', '-5'],
    ['+5', '5'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    ['1e5', '100000'],
    ['1E-2', '0.01'],
    ['1e+2', '100'],
    ['+.5e3', '500'],
    ['00012', '12'],
    ['1200', '1200'],
    ['-0', '0'],
    ['0.00', '0'],
    ['-0.0500', '-0.05'],
    ['0e99999999999', '0'],
    [`1e399`, `1${'0'.repeat(399)}`],
    [`1e-400`, `0.${'0'.repeat(399)}1`],
    [`${'0'.repeat(1000)}1.5${'0'.repeat(1000)}`, '1.5'],
  ])('reads %j', (text, canonical) => {
    expect(Decimal.parse(text).toString()).toBe(canonical);
    expect(canonicalDecimal(text)).toBe(canonical);
  });

  test.each([
    ...['', '.', '-', '+', '1e', 'e5', '.e5', ' 1', '1 ', '1\n', '1_000', '0x10', '1,5', '1.2.3', '--1'],
    ...['NaN', 'Infinity', 'hello', '1e1.5', '１'],
  ])('refuses %j, naming it', (text) => {
    expect(() => Decimal.parse(text)).toThrow(new DecimalError(text, 'is not a decimal number.'));
    expect(() => canonicalDecimal(text)).toThrow(DecimalError);
    expect(() => Decimal.parse(text)).toThrow(JSON.stringify(text));
  });

  test.each(['1e400', '1e-401', '1e2147483647', '-1e-2147483648', `1e${'9'.repeat(400)}`, '7'.repeat(401)])(
    'refuses the too long %j',
    (text) => {
      expect(() => Decimal.parse(text)).toThrow(TOO_LONG);
      expect(() => canonicalDecimal(text)).toThrow(TOO_LONG);
    },
  );

  test.each([
    [`0.${'1'.repeat(500)}`, `0.${'1'.repeat(400)}`],
    [`-12.${'3'.repeat(500)}`, `-12.${'3'.repeat(398)}`],
    [`0.1${'0'.repeat(500)}1`, '0.1'],
    [`${'7'.repeat(401)}.9`, '7'.repeat(401)],
    [`-1${'0'.repeat(9999)}.50`, `-1${'0'.repeat(9999)}`],
    ['15e-401', `0.${'0'.repeat(399)}1`],
    ['1e-401', '0'],
    ['-1e-2147483648', '0'],
    [`1e-${'9'.repeat(400)}`, '0'],
  ])('is cut where its length is its own affair: %j', (text, cut) => {
    expect(cutDecimal(text)).toBe(cut);
    expect(() => Decimal.parse(text)).toThrow(TOO_LONG);
  });

  test.each(['1e400', '-1e2147483647', `1e${'9'.repeat(400)}`, `${'7'.repeat(401)}e9`])(
    'is not made longer than its text: %j',
    (text) => expect(() => cutDecimal(text)).toThrow(TOO_LONG),
  );

  test('names only the beginning of a long text', () => {
    expect(() => Decimal.parse('x'.repeat(1e6))).toThrow(/^"x{80}…" is not a decimal number\.$/);
  });
});

describe('whole numbers', () => {
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['+0', '0'],
    ['-000', '0'],
    ['+007', '7'],
    ['-12', '-12'],
    ['9'.repeat(400), '9'.repeat(400)],
    [`-00${'9'.repeat(400)}`, `-${'9'.repeat(400)}`],
    [`${'0'.repeat(1000)}1`, '1'],
  ])('reads %j', (text, canonical) => {
    expect(canonicalInteger(text)).toBe(canonical);
  });

  test.each(['', '-', '1.0', '1e3', ' 1', '1\n', '0x1', '1n'])('refuses %j, naming it', (text) => {
    expect(() => canonicalInteger(text)).toThrow(new DecimalError(text, 'is not a whole number.'));
  });

  test.each(['9'.repeat(401), `-${'9'.repeat(401)}`, `+00${'9'.repeat(1000)}`])(
    'refuses the too long %j',
    (text) => {
      expect(() => canonicalInteger(text)).toThrow(TOO_LONG);
    },
  );
});

describe('rounding', () => {
  test.each([
    ['0.5', 0, '1'],
    ['1.5', 0, '2'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['-0.5', 0, '-1'],
    ['-0.4', 0, '0'],
    ['0.4999999999999999', 0, '0'],
    ['0.05529953589167391', 16, '0.0552995358916739'],
    ['0.00000000000000005', 16, '0.0000000000000001'],
    ['0.99999999999999995', 16, '1'],
    ['12', 16, '12'],
    ['012.50', 16, '12.5'],
    ['1e-17', 16, '0'],
  ])('rounds %j to %i places as %j', (text, places, rounded) => {
    expect(roundDecimal(text, places)).toBe(rounded);
  });

  test.each([
    ['1', '3', '0.3333333333333333'],
    ['2', '3', '0.6666666666666667'],
    ['-2', '3', '-0.6666666666666667'],
    ['2', '-3', '-0.6666666666666667'],
    ['-2', '-3', '0.6666666666666667'],
    ['0.00000000000000005', '1', '0.0000000000000001'],
    ['-0.00000000000000005', '1', '-0.0000000000000001'],
    ['0.000000000000000049', '1', '0'],
    ['1e30', '0.0001', `1${'0'.repeat(34)}`],
    ['0', '-7', '0'],
  ])('divides %s by %s to %s', (numerator, divisor, quotient) => {
    expect(Decimal.parse(numerator).divide(Decimal.parse(divisor)).toString()).toBe(quotient);
  });

  test.each([
    ['12.5', 3, '12500'],
    ['12.5', -3, '0.0125'],
    ['1', 400, `1${'0'.repeat(400)}`],
  ])('shifts %s by %i places to %s', (text, places, shifted) => {
    expect(Decimal.parse(text).shift(places).toString()).toBe(shifted);
  });

  test.each([401, -401, 2 ** 31])('refuses to shift by %i places', (places) => {
    expect(() => Decimal.one.shift(places)).toThrow(RangeError);
  });

  test('refuses to divide by zero', () => {
    expect(() => Decimal.one.divide(Decimal.zero)).toThrow(RangeError);
  });
});

describe('doubles and percentages', () => {
  test.each([
    [1.1, '1.1'],
    [2, '2'],
    [-0, '0'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    [0.1 + 0.2, '0.30000000000000004'],
    [5e-324, `0.${'0'.repeat(323)}5`],
    [Number.MAX_VALUE, `17976931348623157${'0'.repeat(292)}`],
  ])('takes the double %d as %s', (value, text) => {
    expect(decimalOfDouble(value)).toBe(text);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses the double %d', (value) => {
    expect(() => decimalOfDouble(value)).toThrow(DecimalError);
  });

  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['100', '100'],
    ['33.333333333333336', '33.333333333333336'],
    ['0.0001', '0.0001'],
    ['0.00012', '0.00012'],
    ['0.00001', '1e-05'],
    ['-0.0000123', '-1.23e-05'],
    ['1e-100', '1e-100'],
    ['1e20', '100000000000000000000'],
    ['1e21', '1e+21'],
    ['123456e20', '1.23456e+25'],
    ['123456789012345678901.5', '123456789012345678901.5'],
  ])('writes the percentage %s as %s', (text, written) => {
    expect(formatPercentage(text)).toBe(written);
  });
});

const digits = fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n });
const places = fc.integer({ min: 0, max: 40 });
const decimals = fc.tuple(digits, places).map(([value, scale]) => Decimal.ofScaled(value, scale));

/** An independent reading of canonical text: the value times 10^100, which is whole for every number here. */
function scaledBy100(decimal: Decimal): bigint {
  const [whole = '', fraction = ''] = decimal.toString().split('.');
  return BigInt(whole + fraction.padEnd(100, '0'));
}

describe('the arithmetic', () => {
  test('reads back what it writes', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        const text = value.toString();
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(text).not.toBe('-0');
        expect(Decimal.parse(text).toString()).toBe(text);
        expect(canonicalDecimal(text)).toBe(text);
      }),
    );
  });

  test('reads a number the same however it is written', () => {
    fc.assert(
      fc.property(digits, places, fc.nat(5), fc.nat(5), (value, scale, leading, trailing) => {
        const text = Decimal.ofScaled(value, scale).toString();
        const sign = value < 0n ? '-' : '';
        const unsigned = (value < 0n ? -value : value).toString();
        const point = Math.max(0, unsigned.length - trailing);
        const split = `${unsigned.slice(0, point)}.${unsigned.slice(point)}`;
        expect(canonicalDecimal(`${value}e-${scale}`)).toBe(text);
        expect(
          canonicalDecimal(`${sign}${'0'.repeat(leading)}${split}E${unsigned.length - point - scale}`),
        ).toBe(text);
        expect(canonicalDecimal(`${value}${'0'.repeat(trailing)}e${-scale - trailing}`)).toBe(text);
      }),
    );
  });

  test('adds, subtracts, multiplies and compares as whole numbers do', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [x, y] = [scaledBy100(a), scaledBy100(b)];
        expect(scaledBy100(a.add(b))).toBe(x + y);
        expect(scaledBy100(a.subtract(b))).toBe(x - y);
        expect(scaledBy100(a.multiply(b))).toBe((x * y) / 10n ** 100n);
        expect(a.compare(b)).toBe(x < y ? -1 : x > y ? 1 : 0);
        expect(a.negate().add(a).toString()).toBe('0');
        expect(a.abs().sign).toBe(x === 0n ? 0 : 1);
      }),
    );
  });

  test('divides to the nearest 16th place, halves away from zero', () => {
    const nonZero = decimals.filter((value) => value.sign !== 0);
    fc.assert(
      fc.property(decimals, nonZero, (a, b) => {
        const quotient = scaledBy100(a.divide(b)) / 10n ** 84n;
        const [numerator, divisor] = [scaledBy100(a) * 10n ** 16n, scaledBy100(b)];
        const twiceError = 2n * (quotient * divisor - numerator);
        const [error, half] = [twiceError < 0n ? -twiceError : twiceError, divisor < 0n ? -divisor : divisor];
        expect(error <= half).toBe(true);
        if (error === half) expect(a.sign * b.sign * Number(quotient > 0n ? 1 : -1)).toBe(1);
      }),
    );
  });

  test('rounds as dividing by one does', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        expect(value.round(16).toString()).toBe(value.divide(Decimal.one).toString());
        expect(roundDecimal(value.toString(), 16)).toBe(value.round(16).toString());
      }),
    );
  });

  test('cuts towards zero, and goes up to the next whole number', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const whole = 10n ** 100n;
        const x = scaledBy100(a);
        expect(scaledBy100(a.truncate())).toBe((x / whole) * whole);
        expect(scaledBy100(a.ceil())).toBe((x / whole + (x > 0n && x % whole !== 0n ? 1n : 0n)) * whole);
        expect(a.max(b)).toBe(x < scaledBy100(b) ? b : a);
      }),
    );
  });

  test('takes every finite double as the shortest text that reads back as it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(Number(decimalOfDouble(value)), value === 0 ? 0 : value)).toBe(true);
        expect(canonicalDecimal(formatPercentage(String(value)))).toBe(decimalOfDouble(value));
      }),
    );
  });
});
