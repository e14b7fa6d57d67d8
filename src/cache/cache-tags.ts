/**
 * A number for something that a block changes and an answer reads: the rows of a noun, or those of them with one value
 * in one field. Two things can have one number; then an answer is read anew for nothing, and no answer is wrong.
 */
export type CacheTag = number;

/**
 * What a statement gives depends on. A block with one of these tags may change it; of `'nothing'` no block ever does;
 * what is `'not kept'` has no tags here, and any block may change it.
 */
export type DependsOn = readonly CacheTag[] | 'nothing' | 'not kept';

/** Any row of a noun. */
export function tagOf(noun: Named): CacheTag {
  return hash(noun.name);
}

/** The list of blocks, which is no noun: every block has this tag. */
export const BLOCKS = { name: 'blocks' } as const;

/** The rows of a noun with a value in a field. */
export function tagOfValue(noun: Named, field: string, value: string): CacheTag {
  return hash(`${noun.name}\0${field}\0${value}`);
}

/** Stands for every value of every field of a noun, where a block changes more than are listed. */
export function tagOfEveryValue(noun: Named): CacheTag {
  return hash(`${noun.name}\0*`);
}

interface Named {
  readonly name: string;
}

/** FNV-1a over the text's UTF-16 units, low byte first, as a signed 32-bit integer. */
export function hash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >> 8), 0x01000193);
  }
  return hash | 0;
}

/** An answer that depends on more is seldom true for longer than a block. */
const MOST_TAGS = 1000;

/** Collects what an answer depends on, from the statements that are sent for it. */
export class Dependencies {
  readonly #tags = new Set<CacheTag>();
  #isKept = true;

  /** Whatever says nothing of what it depends on, against its type, makes the answer one that is not kept. */
  add(dependsOn: DependsOn): void {
    if (dependsOn === 'nothing') return;
    if (Array.isArray(dependsOn)) for (const tag of dependsOn) this.#tags.add(tag);
    else this.#isKept = false;
    if (this.#tags.size > MOST_TAGS) this.#isKept = false;
    if (!this.#isKept) this.#tags.clear();
  }

  /** The tags of the blocks that may change the answer; null where any block may. */
  tags(): readonly CacheTag[] | null {
    return this.#isKept ? [...this.#tags] : null;
  }
}

/** A value that is read for many operations at once. It is given to an operation together with what it depends on. */
export class SharedValue<Value> {
  readonly #value: Value;
  readonly #dependsOn: DependsOn;

  constructor(value: Value, dependsOn: DependsOn) {
    this.#value = value;
    this.#dependsOn = dependsOn;
  }

  /** The value, for an operation that depends on it from now on. */
  giveTo(dependencies: Dependencies): Value {
    dependencies.add(this.#dependsOn);
    return this.#value;
  }
}
