import { LRUCache } from 'lru-cache';

const JSON_TYPE = 'application/json';
/** What Yoga can answer with where there is no stream, by what an Accept of the usual kind may ask. */
const ANSWERS: ReadonlyMap<string, string> = new Map([
  ['application/graphql-response+json', 'application/graphql-response+json'],
  [JSON_TYPE, JSON_TYPE],
  ['application/*', JSON_TYPE],
  ['*/*', JSON_TYPE],
]);

/** There are as many as there are kinds of clients. */
const choices = new LRUCache<string, { readonly type: string | null }>({ max: 100 });

/** Whether a body is JSON in so many words. */
export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json(?:; ?charset=(?:utf-8|UTF-8))?$/.test(contentType);
}

/**
 * The media type of an answer without a stream, as Yoga chooses it: the first that it has, whatever the weights. Null
 * where the Accept header has something unusual, or nothing that it has.
 */
export function chooseMediaType(accept = '*/*'): string | null {
  const known = choices.get(accept);
  if (known !== undefined) return known.type;
  const type = choose(accept);
  choices.set(accept, { type });
  return type;
}

function choose(accept: string): string | null {
  if (!/^[\w/*+.-]+(?:;q=[\d.]+)?(?:, ?[\w/*+.-]+(?:;q=[\d.]+)?)*$/.test(accept)) return null;
  const names = accept.split(',').map((part) => part.trim().split(';', 1)[0]?.toLowerCase() ?? '');
  const isUnusual = names.some((name) => name.includes('*') && !ANSWERS.has(name));
  const first = names.find((name) => ANSWERS.has(name));
  return isUnusual || first === undefined ? null : (ANSWERS.get(first) ?? null);
}
