import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { LONGEST_ACCEPT } from '../http/preferences.ts';

/** A form of answers that are no streams. */
export type MediaType = 'application/graphql-response+json' | 'application/json';

/** Those that say nothing of it get what every client of GraphQL knows. */
const MEDIA_TYPES: MediaType[] = ['application/json', 'application/graphql-response+json'];

/** There are as many as there are kinds of clients. */
const choices = new LRUCache<string, { readonly type: MediaType | null }>({ max: 100 });

/** The media type of an answer that is no stream, as an Accept header asks for it; null where it takes none of ours. */
export function chooseMediaType(given = '*/*'): MediaType | null {
  const accept = given.length > LONGEST_ACCEPT ? '*/*' : given;
  const known = choices.get(accept);
  if (known !== undefined) return known.type;
  const negotiator = new Negotiator({ headers: { accept } });
  const type = (negotiator.mediaType(MEDIA_TYPES) as MediaType | undefined) ?? null;
  choices.set(accept, { type });
  return type;
}

/** Streams that are the body of an answer, and no events. */
const BODIES = /multipart\/mixed|application\/(?:x-ndjson|jsonl)/i;

/** Whether a client takes streams by name. */
export function takesStream(accept: string | undefined): boolean {
  return accept !== undefined && (takesEvents(accept) || BODIES.test(accept));
}

/** Whether a client takes server-sent events by name. */
export function takesEvents(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes('text/event-stream') ?? false;
}

/** Whether a body is JSON in so many words. */
export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json *(?:;|$)/i.test(contentType);
}
