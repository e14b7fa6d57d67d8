import { LRUCache } from 'lru-cache';
import { isObject } from '../../domain/objects.ts';
import { GatewayError, quoted } from '../../errors.ts';
import { OPERATION_LIMITS } from '../../graphql/costs.ts';
import { badRequest } from '../client-errors.ts';
import { sha256 } from './operation-list.ts';

/** Documents that clients name by the SHA-256 of their text, as Apollo's and urql's clients do it. */
export interface PersistedOperations {
  /**
   * The text that an operation's parameters bring or name. Throws NOT_FOUND with the message that has those clients send
   * the text too, and INVALID_ARGUMENT for what is not taken.
   */
  textOf(params: { readonly query?: unknown; readonly extensions?: unknown }): string;
}

/** What clients have sent is kept for as long as there is room, in characters. */
const KEPT_CHARACTERS = 4 * 2 ** 20;

/** Where a list is given, nothing else may be asked. */
export function createPersistedOperations(list: ReadonlyMap<string, string> | null): PersistedOperations {
  const sent = new LRUCache<string, string>({
    maxSize: KEPT_CHARACTERS,
    maxEntrySize: OPERATION_LIMITS.length,
    sizeCalculation: (text) => text.length,
  });
  const allowed = list && new Set(list.values());
  /** The text of a hash, which clients have sent or the list has; `query` has none where it is not sent. */
  function findText(query: string, hash: string): string {
    // graphql-transport-ws has no message without a text.
    if (query === '') {
      const text = list === null ? sent.get(hash) : list.get(hash);
      if (text === undefined) throw unknownHash();
      return text;
    }
    if (sha256(query) !== hash)
      throw badRequest('extensions', 'extensions.persistedQuery.sha256Hash is not the SHA-256 of query.');
    if (list === null) sent.set(hash, query);
    return query;
  }

  return {
    textOf({ query = '', extensions }) {
      if (typeof query !== 'string')
        throw badRequest('query', `query takes a string, not ${quoted(JSON.stringify(query))}.`);
      const hash = readHash(extensions);
      const text = hash === undefined ? query : findText(query, hash);
      if (text === '')
        throw badRequest(
          'query',
          'query is missing: the text of an operation, or extensions.persistedQuery.',
        );
      if (allowed === null || allowed.has(text)) return text;
      throw badRequest(
        'query',
        'This gateway takes only the operations of its list, and this document is none of them.',
      );
    },
  };
}

/**
 * Over HTTP the answer is 200, as Apollo's servers give it: its link takes an error body with more than `errors` for
 * another failure, and would not send the text.
 */
function unknownHash(): GatewayError {
  const error = new GatewayError('NOT_FOUND', 'PersistedQueryNotFound');
  error.extensions['http'] = { status: 200 };
  return error;
}

function readHash(extensions: unknown): string | undefined {
  const given = isObject(extensions) ? extensions['persistedQuery'] : undefined;
  if (given === undefined || given === null) return undefined;
  const { version, sha256Hash } = isObject(given) ? given : {};
  if (version === 1 && typeof sha256Hash === 'string') return sha256Hash.toLowerCase();
  const shown = quoted(JSON.stringify(given));
  throw badRequest('extensions', `extensions.persistedQuery takes version 1 and a sha256Hash, not ${shown}.`);
}
