import { quoted } from '../errors.ts';
import { camelCased, type QueryPair } from './query-string.ts';

/** A known name that is taken for what it is not, and how. */
export interface Misuse {
  readonly field: string;
  readonly description: string;
}

/** The names that the query of a path has a meaning for: each part of them in camelCase or snake_case. */
export class ParameterNames {
  readonly #documented: ReadonlyMap<string, string>;
  /** What stands before the dots: it is written as a name now and then, and is none. */
  readonly #groups: ReadonlySet<string>;
  readonly #longest: number;

  constructor(documented: readonly string[]) {
    this.#documented = new Map(
      documented.flatMap((name) => spellingsOf(name).map((spelling) => [spelling, name])),
    );
    this.#groups = new Set(documented.flatMap(groupsOf));
    this.#longest = Math.max(0, ...documented.map(({ length }) => length));
  }

  /** The documented name of a spelling; undefined for what is not known. */
  documented(spelling: string): string | undefined {
    return this.#documented.get(spelling);
  }

  /** What is wrong with a name that is not known but takes a known one for what it is not; undefined for any other. */
  misuseOf({ name: spelling, value }: QueryPair): Misuse | undefined {
    // Given with nothing, it says no more than a parameter that is blank.
    if (value === '') return undefined;
    const bare = camelCased(spelling.split('[', 1)[0] ?? '');
    const isGroup = this.#groups.has(bare);
    if (spelling.includes('[') && (isGroup || this.#documented.has(bare))) {
      const reason = `brackets have no meaning here: write ${bare}${isGroup ? '.…' : ''}=…`;
      return misuse(bare, spelling, value, reason);
    }
    if (isGroup) {
      const members = [...new Set(this.#documented.values())].filter((name) => name.startsWith(`${bare}.`));
      return misuse(bare, spelling, value, `it takes no value itself, only ${members.join(', ')} do`);
    }
    // A name may be as long as an address, of dots alone: no more of it is looked at than what can be known and its dot.
    const scalar = groupsOf(bare.slice(0, this.#longest + 1)).find((prefix) => this.#documented.has(prefix));
    return scalar === undefined ? undefined : misuse(scalar, spelling, value, `${scalar} has no parts`);
  }
}

function misuse(field: string, spelling: string, value: string, reason: string): Misuse {
  const given = quoted(`${spelling}=${value}`);
  return { field, description: `Parameter ${field} is given as ${given}; ${reason}.` };
}

/** Every way to write a name: each of its parts in camelCase or snake_case. */
function spellingsOf(name: string): readonly string[] {
  return name.split('.').reduce<readonly string[]>(
    (heads, part) => {
      const parts = new Set([part, part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]);
      return heads.flatMap((head) => [...parts].map((tail) => (head === '' ? tail : `${head}.${tail}`)));
    },
    [''],
  );
}

/** What stands before each dot of a name: `dateRange` for `dateRange.startTimestamp`. */
function groupsOf(name: string): readonly string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}
