import { shorten } from './text.ts';

/**
 * Exact signed decimals. Adding, subtracting, multiplying and comparing lose nothing, at any size; only `divide`
 * and `round` round, and both round halves away from zero, as the reference does (data node 0.71.4 to 0.79.0);
 * `truncate` and `ceil` say which whole number they give.
 *
 * Three forms of text matter: what a decimal may be read from (`Decimal.parse`), the canonical text that every
 * number is kept and answered in (`toString`), and the reference's text of a percentage (`formatPercentage`).
 */

/** More digits than this, written out, are refused: a short exponent must not become an endless number. */
export const MAX_DIGITS = 400;
/** How many decimal places the quotient of a division has: after the point, not significant ones. */
const DIVISION_PLACES = 16;

const TOO_LONG = `has more than ${MAX_DIGITS} digits.`;

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const CANONICAL_DECIMAL = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/;
const INTEGER = /^([+-]?)(\d+)$/;
const CANONICAL_INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** A text that is no decimal, no whole number, or too long a one. The message names the text. */
export class DecimalError extends RangeError {
  override name = 'DecimalError';
  readonly text: string;

  constructor(text: string, complaint: string) {
    super(`${JSON.stringify(shorten(text))} ${complaint}`);
    this.text = text;
  }
}

/** An exact number: `mantissa / 10^scale`, with a scale of zero or more. Immutable. */
export class Decimal {
  static readonly zero = new Decimal(0n, 0);
  static readonly one = new Decimal(1n, 0);

  private readonly mantissa: bigint;
  private readonly scale: number;

  private constructor(mantissa: bigint, scale: number) {
    this.mantissa = mantissa;
    this.scale = scale;
  }

  /**
   * Reads an optional sign, digits with at most one point (`.5` and `5.` too) and an optional exponent. Throws a
   * DecimalError when the text is anything else, or when the number has more than `MAX_DIGITS` digits written out. Where
   * places beyond these are to be cut off, only a number whose whole part is longer than its text as well is refused.
   */
  static parse(text: string, beyond: 'refused' | 'cut' = 'refused'): Decimal {
    if (text.length <= MAX_DIGITS && CANONICAL_INTEGER.test(text)) return new Decimal(BigInt(text), 0);
    const [, sign, before = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
    const digits = before + fraction;
    if (sign === undefined || digits === '') throw new DecimalError(text, 'is not a decimal number.');
    const [start, end] = significantRange(digits);
    if (start === end) return Decimal.zero;
    const significant = digits.slice(start, end);
    const scale = fraction.length - Number(exponent) - (digits.length - end);
    const length = scale > 0 ? Math.max(significant.length, scale) : significant.length - scale;
    const whole = significant.length - scale;
    if (length > MAX_DIGITS && (beyond === 'refused' || whole > Math.max(MAX_DIGITS, text.length)))
      throw new DecimalError(text, TOO_LONG);
    // Zeros that follow the point are digits, too.
    const kept = significant.slice(0, Math.max(0, Math.max(MAX_DIGITS, whole) + Math.min(whole, 0)));
    if (kept === '') return Decimal.zero;
    const places = scale - (significant.length - kept.length);
    return Decimal.ofScaled(BigInt(sign === '-' ? `-${kept}` : kept), places);
  }

  /** What PostgreSQL wrote of a number that it worked out, without an exponent: of however many digits. */
  static ofResult(text: string): Decimal {
    const [whole = '', fraction = ''] = text.split('.');
    return Decimal.ofScaled(BigInt(whole + fraction), fraction.length);
  }

  /** `value / 10^places`; the places may be negative. So 12345 with 2 places is 123.45, with -2 places 1234500. */
  static ofScaled(value: bigint, places: number): Decimal {
    return places < 0 ? new Decimal(value * powerOfTen(-places), 0) : new Decimal(value, places);
  }

  get sign(): -1 | 0 | 1 {
    return this.mantissa > 0n ? 1 : this.mantissa < 0n ? -1 : 0;
  }

  add(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.mantissaAt(scale) + other.mantissaAt(scale), scale);
  }

  subtract(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.mantissaAt(scale) - other.mantissaAt(scale), scale);
  }

  multiply(other: Decimal): Decimal {
    return new Decimal(this.mantissa * other.mantissa, this.scale + other.scale);
  }

  /** The quotient to 16 decimal places, halves away from zero. Throws a RangeError when the divisor is zero. */
  divide(divisor: Decimal): Decimal {
    const numerator = this.mantissa * powerOfTen(DIVISION_PLACES + divisor.scale);
    return new Decimal(divideRounding(numerator, divisor.mantissa * powerOfTen(this.scale)), DIVISION_PLACES);
  }

  /** To this many decimal places (zero or more), halves away from zero. */
  round(places: number): Decimal {
    if (this.scale <= places) return this;
    return new Decimal(divideRounding(this.mantissa, powerOfTen(this.scale - places)), places);
  }

  /** The whole number next to this towards zero: what is left when the fraction is cut off. */
  truncate(): Decimal {
    return this.scale === 0 ? this : new Decimal(this.mantissa / powerOfTen(this.scale), 0);
  }

  /** The smallest whole number that is not below this. */
  ceil(): Decimal {
    const cut = this.truncate();
    return cut.compare(this) < 0 ? cut.add(Decimal.one) : cut;
  }

  /** This times `10^places`, exactly; the places may be negative. Throws a RangeError beyond `MAX_DIGITS` either way. */
  shift(places: number): Decimal {
    if (Math.abs(places) > MAX_DIGITS)
      throw new RangeError(`${places} decimal places are more than ${MAX_DIGITS}.`);
    return Decimal.ofScaled(this.mantissa, this.scale - places);
  }

  negate(): Decimal {
    return new Decimal(-this.mantissa, this.scale);
  }

  abs(): Decimal {
    return this.mantissa < 0n ? this.negate() : this;
  }

  /** Below zero when this is less than the other, above zero when it is greater, zero when they are equal. */
  compare(other: Decimal): -1 | 0 | 1 {
    const scale = Math.max(this.scale, other.scale);
    const [own, others] = [this.mantissaAt(scale), other.mantissaAt(scale)];
    return own < others ? -1 : own > others ? 1 : 0;
  }

  /** The greater of the two. */
  max(other: Decimal): Decimal {
    return this.compare(other) < 0 ? other : this;
  }

  /** Canonical: plain digits, never an exponent, no zero at the fraction's end, and zero is `0`. */
  toString(): string {
    if (this.scale === 0 || this.mantissa === 0n) return this.mantissa.toString();
    const sign = this.mantissa < 0n ? '-' : '';
    const digits = (sign ? -this.mantissa : this.mantissa).toString().padStart(this.scale + 1, '0');
    const point = digits.length - this.scale;
    const end = Math.max(point, significantRange(digits)[1]);
    return sign + digits.slice(0, point) + (end > point ? `.${digits.slice(point, end)}` : '');
  }

  private mantissaAt(scale: number): bigint {
    return scale === this.scale ? this.mantissa : this.mantissa * powerOfTen(scale - this.scale);
  }
}

/**
 * A whole number, with or without a sign, as canonical text. Throws a DecimalError naming the text when it is anything
 * else, or has more than `MAX_DIGITS` digits.
 */
export function canonicalInteger(text: string): string {
  if (text.length <= MAX_DIGITS && CANONICAL_INTEGER.test(text)) return text;
  const [, sign, digits] = INTEGER.exec(text) ?? [];
  if (digits === undefined) throw new DecimalError(text, 'is not a whole number.');
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant.length > MAX_DIGITS) throw new DecimalError(text, TOO_LONG);
  return sign === '-' && significant !== '0' ? `-${significant}` : significant;
}

/** Whatever `Decimal.parse` reads, as canonical text. Throws what that throws. */
export function canonicalDecimal(text: string): string {
  return isCanonical(text) ? text : Decimal.parse(text).toString();
}

/** Writes a decimal of the network, which bounds no length, as canonical text: places beyond `MAX_DIGITS` digits are cut off. */
export function cutDecimal(text: string): string {
  return isCanonical(text) ? text : Decimal.parse(text, 'cut').toString();
}

/** The number, of any length, to this many decimal places, halves away from zero, as canonical text. */
export function roundDecimal(text: string, places: number): string {
  const point = text.indexOf('.');
  if ((point < 0 || text.length - point - 1 <= places) && isCanonical(text)) return text;
  return Decimal.parse(text, 'cut').round(places).toString();
}

/**
 * The shortest decimal that reads back as this double, as canonical text: 1.1 is exactly 1.1. This is how the
 * factors that the network sends as doubles become numbers. Throws a DecimalError when it is not finite.
 */
export function decimalOfDouble(value: number): string {
  return canonicalDecimal(String(value));
}

/**
 * The decimal that is left of a number once the reference has kept it as a double, as canonical text. Some of its
 * factors go that way, and no other number does. Throws a DecimalError when the text is no number or too large.
 */
export function roundToDouble(text: string): string {
  return decimalOfDouble(Number(canonicalDecimal(text)));
}

/**
 * A percentage as the reference writes it: its number format takes an exponent of at least two digits below 10^-4
 * (`1e-05`) and from 10^21 on (`1e+21`), and is canonical otherwise. Computed on the text, so every digit stays.
 */
export function formatPercentage(text: string): string {
  const canonical = canonicalDecimal(text);
  const sign = canonical.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = canonical.slice(sign.length).split('.');
  const [start, end] = significantRange(whole + fraction);
  const exponent = whole.length - 1 - start;
  if (start === end || (exponent >= -4 && exponent < 21)) return canonical;
  const digits = (whole + fraction).slice(start, end);
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function isCanonical(text: string): boolean {
  return text.length <= MAX_DIGITS && CANONICAL_DECIMAL.test(text);
}

function divideRounding(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const reachesHalf = magnitude(twice) >= magnitude(denominator);
  if (!reachesHalf) return quotient;
  return numerator < 0n === denominator < 0n ? quotient + 1n : quotient - 1n;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Where the digits other than leading and trailing zeros begin and end; an empty range when all are zeros. */
function significantRange(digits: string): readonly [start: number, end: number] {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  let start = 0;
  while (start < end && digits[start] === '0') start += 1;
  return [start, end];
}

const powersOfTen = Array.from({ length: 1024 }, (_, exponent) => 10n ** BigInt(exponent));

function powerOfTen(exponent: number): bigint {
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent);
}
