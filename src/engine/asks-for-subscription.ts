import { getOperationAST, parse } from 'graphql';
import { OPERATION_LIMITS } from '../graphql/costs.ts';
import type { DocumentCache } from './documents/document-cache.ts';
import type { PersistedOperations } from './documents/persisted-operations.ts';
import type { GivenParams } from './read-operation.ts';

/** Whether parameters ask for a subscription, as far as that can be read; it need not be one that can begin. */
export function asksForSubscription(
  params: GivenParams,
  documents: DocumentCache,
  textOf: PersistedOperations['textOf'],
): boolean {
  try {
    const text = textOf(params);
    if (typeof text !== 'string' || text.length > OPERATION_LIMITS.length) return false;
    const document =
      documents.get(text) ?? parse(text, { noLocation: true, maxTokens: OPERATION_LIMITS.tokens });
    return getOperationAST(document, params.operationName)?.operation === 'subscription';
  } catch {
    return false;
  }
}
