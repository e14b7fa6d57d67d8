import DataLoader from 'dataloader';

/** Loaders of an operation, one for each question. The keys that it is asked for in the same moment are answered together. */
export class QuestionLoaders {
  readonly #mostKeys: number;
  // Most operations that are answered with text need none.
  #loaders: Map<string, DataLoader<string, unknown>> | undefined;

  /** `mostKeys` are answered together at most. */
  constructor(mostKeys = Number.POSITIVE_INFINITY) {
    this.#mostKeys = mostKeys;
  }

  of<Value>(
    question: readonly unknown[],
    answer: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): DataLoader<string, Value> {
    const name = JSON.stringify(question, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    this.#loaders ??= new Map();
    const known = this.#loaders.get(name) as DataLoader<string, Value> | undefined;
    if (known !== undefined) return known;
    const loader = new DataLoader<string, Value>(
      async (keys) => {
        const values = await answer(keys);
        return keys.map((key) => values.get(key) as Value);
      },
      { maxBatchSize: this.#mostKeys },
    );
    this.#loaders.set(name, loader);
    return loader;
  }
}
