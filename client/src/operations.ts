import { BLOCK_OF_NETWORK } from './storage/network.ts';
import {
  type AnySubscription,
  type Fields,
  fieldsForCache,
  fieldsOf,
  listsOf,
  writeQuery,
} from './subscription.ts';
import { operationsToVerify } from './verify.ts';

export interface OperationsOptions {
  readonly fields?: Fields;
  readonly nouns?: readonly string[];
  /** Whether it is followed by a `followInto`, which asks for what caches go by. */
  readonly isForCache?: boolean;
}

/**
 * All that a gateway may be asked to follow this, to keep it in a storage, and to verify it: what is in the list of one that takes
 * no other operations.
 */
export function operationsOf(
  subscription: AnySubscription,
  { fields: given, nouns, isForCache = false }: OperationsOptions = {},
): readonly string[] {
  const fields = isForCache ? fieldsForCache(subscription, given) : given;
  const named = listsOf(subscription, nouns);
  const lists = Object.fromEntries(named.map((list) => [list, fieldsOf(subscription, list, fields)]));
  return [
    writeQuery(subscription, named, fields),
    BLOCK_OF_NETWORK,
    ...operationsToVerify({ field: subscription.name, args: subscription.args, lists }),
  ];
}
