/** Of one value: its number on the wire, the network's release that brought it, and what it means. */
type EnumerationValue = readonly [number: number, since: string, description: string];

/** The largest number that an enumeration of the network's protocol can have. */
export const MAX_ENUMERATION_NUMBER = 2 ** 31 - 1;

/**
 * An enumeration of the network. Inside the gateway a value is its number; outside it is a name, or the enumeration's
 * prefix with the number (`ACCOUNT_TYPE_35`) where this version has no name for it: a release of the network may bring
 * numbers that nobody here knows yet. `Names` are those that are known.
 */
export class Enumeration<Names extends string = string> {
  /** Of its GraphQL scalar. */
  readonly name: string;
  readonly prefix: string;
  readonly description: string;
  readonly values: Readonly<Record<Names, EnumerationValue>>;
  /** The known names, in the order of their numbers, and the number of each. */
  readonly names: readonly Names[];
  readonly numbers: Readonly<Record<Names, number>>;
  readonly #named: readonly (string | undefined)[];

  constructor(
    name: string,
    prefix: string,
    description: string,
    values: Readonly<Record<Names, EnumerationValue>>,
  ) {
    this.name = name;
    this.prefix = prefix;
    this.description = description;
    this.values = values;
    this.names = Object.keys(values) as Names[];
    const named: string[] = [];
    const numbers = {} as Record<Names, number>;
    for (const one of this.names) {
      numbers[one] = values[one][0];
      named[numbers[one]] = one;
    }
    this.numbers = numbers;
    this.#named = named;
  }

  /** Whether this version has a name for a number. */
  isKnown(number: number): boolean {
    return this.#named[number] !== undefined;
  }

  /** The name of a number, or what stands for one. */
  nameOf(number: number): string {
    return this.#named[number] ?? `${this.prefix}${number}`;
  }

  /** The number of what `nameOf` gives, in this version or an earlier one; undefined for any other text. */
  numberOf(text: string): number | undefined {
    if (Object.hasOwn(this.numbers, text)) return this.numbers[text as Names];
    const digits = text.startsWith(this.prefix) ? text.slice(this.prefix.length) : '';
    return CANONICAL_NUMBER.test(digits) && Number(digits) <= MAX_ENUMERATION_NUMBER
      ? Number(digits)
      : undefined;
  }

  /** The names of the numbers from 0 on, with null where there is none. */
  get namesByNumber(): readonly (string | null)[] {
    return Array.from(this.#named, (name) => name ?? null);
  }
}

const CANONICAL_NUMBER = /^(?:0|[1-9]\d{0,9})$/;

/** The names of an enumeration. */
export type NameOf<Of> = Of extends Enumeration<infer Names> ? Names : never;
