/** An exact fraction: for tests that say a rule once more, in numbers that round nothing. */
export class Fraction {
  static readonly zero = new Fraction(0n, 1n);

  readonly #above: bigint;
  readonly #below: bigint;

  private constructor(above: bigint, below: bigint) {
    this.#above = below < 0n ? -above : above;
    this.#below = below < 0n ? -below : below;
  }

  /** Of plain decimal text; nothing is 0. */
  static of(text: string | undefined): Fraction {
    const [, sign = '', whole = '0', fraction = ''] = /^([+-]?)(\d+)\.?(\d*)$/.exec(text || '0') ?? [];
    return new Fraction(BigInt(`${sign}${whole}${fraction}`), 10n ** BigInt(fraction.length));
  }

  /** `10^exponent`. */
  static power(exponent: number): Fraction {
    const power = 10n ** BigInt(Math.abs(exponent));
    return exponent < 0 ? new Fraction(1n, power) : new Fraction(power, 1n);
  }

  get sign(): -1 | 0 | 1 {
    return this.#above > 0n ? 1 : this.#above < 0n ? -1 : 0;
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.#above * other.#below + other.#above * this.#below, this.#below * other.#below);
  }

  minus(other: Fraction): Fraction {
    return this.plus(other.times(Fraction.of('-1')));
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.#above * other.#above, this.#below * other.#below);
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.#above * other.#below, this.#below * other.#above);
  }

  abs(): Fraction {
    return this.sign < 0 ? Fraction.zero.minus(this) : this;
  }

  compare(other: Fraction): -1 | 0 | 1 {
    return this.minus(other).sign;
  }

  least(other: Fraction): Fraction {
    return this.compare(other) < 0 ? this : other;
  }

  greatest(other: Fraction): Fraction {
    return this.compare(other) > 0 ? this : other;
  }

  /** The nearest whole number, halves away from zero, as text. */
  nearest(): string {
    const size = (2n * this.abs().#above + this.#below) / (2n * this.#below);
    return String(this.sign < 0 ? -size : size);
  }
}
