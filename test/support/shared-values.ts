import { Dependencies, type SharedValue } from '../../src/cache/cache-tags.ts';

/** What a shared value gives to an operation. */
export async function takeValue<Value>(shared: Promise<SharedValue<Value>>): Promise<Value> {
  return (await shared).giveTo(new Dependencies());
}
