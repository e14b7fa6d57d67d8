import type { RequestScope } from './request-scope.ts';
import type { Answer } from './write/answer.ts';

/** What an answer reads and a block changes, as a number; `cache/cache-tags.ts` says which. */
type CacheTag = number;

/** An answer that was just made, and all that it read; null where that cannot be named. */
export interface MadeAnswer {
  readonly value: Answer;
  readonly cacheTags: readonly CacheTag[] | null;
}

/** Answers that are kept for as long as no block changes what they read; `cache/kept-values.ts` says more. */
export interface KeptAnswers {
  /** The kept answer under a key. */
  find(key: string): Answer | undefined;
  /** The answer under a key: kept, being made, or made now. Throws what `make` throws, and keeps nothing then. */
  ask(key: string, make: (scope: RequestScope) => Promise<MadeAnswer>, scope: RequestScope): Promise<Answer>;
}

/** No answer takes more than this part of the room. */
const LARGEST_PART = 16;
/** What an answer takes besides its bytes: its headers and its places in the maps. */
const OVERHEAD = { answer: 1536, tag: 128 } as const;

/** How answers are kept, within so many bytes. */
export function keepingAnswers(maxBytes: number) {
  return {
    maxSize: maxBytes,
    maxValueSize: Math.floor(maxBytes / LARGEST_PART),
    sizeOf: (answer: Answer, cacheTags: readonly CacheTag[], key: string) =>
      OVERHEAD.answer + 2 * key.length + OVERHEAD.tag * cacheTags.length + answer.bytes,
    keptFrom: 'second ask',
    onKeep: (answer: Answer, onGrown: () => void) => answer.keep(onGrown),
  } as const;
}
