import DataLoader from 'dataloader';
import type { Statements } from '../servers/statements.ts';

/** Reads one value for each of many keys with one statement; keys that have none are not in the answer. */
export type ReadByKeys<Value> = (
  statements: Statements,
  keys: readonly string[],
) => Promise<ReadonlyMap<string, Value>>;

/** Reads the value of a key, together with all keys that an operation asks the same of in the same moment. */
export type LoadByKey = <Value>(read: ReadByKeys<Value>, key: string) => Promise<Value | undefined>;

export function createLoadByKey(statements: Statements): LoadByKey {
  let loaders: Map<ReadByKeys<unknown>, DataLoader<string, unknown>> | undefined;
  return <Value>(read: ReadByKeys<Value>, key: string) => {
    loaders ??= new Map();
    let loader = loaders.get(read);
    if (loader === undefined) {
      loader = new DataLoader<string, unknown>(async (keys) => {
        const values = await read(statements, keys);
        return keys.map((one) => values.get(one));
      });
      loaders.set(read, loader);
    }
    return loader.load(key) as Promise<Value | undefined>;
  };
}
