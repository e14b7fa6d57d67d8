import DataLoader from 'dataloader';
import { writeBigint } from '../../domain/bigints.ts';
import type { Statements } from '../servers/statements.ts';

/** Reads one value for each of many keys with one statement; keys that have none are not in the answer. */
export type ReadByKeys<Value> = (
  statements: Statements,
  keys: readonly string[],
) => Promise<ReadonlyMap<string, Value>>;

/** Of what takes arguments: all of them, and how many keys are read at once at most. */
export interface Words {
  readonly words: unknown;
  readonly atOnce: number;
}

/**
 * Reads the value of a key, together with all keys that an operation asks the same of in the same moment: of the same function, or
 * in the same words.
 */
export type LoadByKey = <Value>(
  read: ReadByKeys<Value>,
  key: string,
  words?: Words,
) => Promise<Value | undefined>;

export function createLoadByKey(statements: Statements): LoadByKey {
  let loaders: Map<ReadByKeys<unknown> | string, DataLoader<string, unknown>> | undefined;
  return <Value>(read: ReadByKeys<Value>, key: string, words?: Words) => {
    loaders ??= new Map();
    const name = words === undefined ? read : JSON.stringify(words.words, writeBigint);
    let loader = loaders.get(name);
    if (loader === undefined) {
      const readAll = async (keys: readonly string[]) => {
        const values = await read(statements, keys);
        return keys.map((one) => values.get(one));
      };
      loader = new DataLoader<string, unknown>(readAll, words && { maxBatchSize: words.atOnce });
      loaders.set(name, loader);
    }
    return loader.load(key) as Promise<Value | undefined>;
  };
}
