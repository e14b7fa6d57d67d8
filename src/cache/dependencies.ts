import type { CacheTag, DependsOn } from './cache-tags.ts';

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
