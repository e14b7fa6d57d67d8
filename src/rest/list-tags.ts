import type { QueryOutcome } from '../engine/question.ts';
import type { RequestScope } from '../http/request-scope.ts';

/**
 * What a list is known by that is too long to keep: the block that it was asked for at, for as long as none changes what it
 * reads, or the one as of which it is.
 */
export interface ListTag extends Pick<QueryOutcome, 'asOf' | 'isFinal'> {
  /** Names the rows, however they are written. */
  readonly etag: string;
}

/** Tags by the addresses of their lists; `cache/kept-values.ts` says more. */
export interface ListTags {
  ask(
    url: string,
    make: (
      scope: RequestScope,
    ) => Promise<{ readonly value: ListTag; readonly cacheTags: QueryOutcome['tags'] }>,
    scope: RequestScope,
  ): Promise<ListTag>;
}

/** What tags take, in bytes, and one at most; the address of a list may be as long as a request's head. */
const KEPT_BYTES = { all: 10 * 2 ** 20, one: 256 * 2 ** 10 } as const;
const BYTES = { tag: 200, character: 2, cacheTag: 128 } as const;

/** How tags are kept: from the first, since who asks a second time shows it. `isOn` says whether anything is kept. */
export function keepingTags(isOn: boolean) {
  return {
    maxSize: isOn ? KEPT_BYTES.all : 0,
    maxValueSize: KEPT_BYTES.one,
    sizeOf: (_tag: ListTag, cacheTags: readonly unknown[], url: string) =>
      BYTES.tag + BYTES.character * url.length + BYTES.cacheTag * cacheTags.length,
    keptFrom: 'first ask',
  } as const;
}

interface TagOptions {
  readonly tags: ListTags;
  readonly feed: { readonly latest: { readonly position: bigint } };
}

/** The tag of a list, and its first page too where that had to be asked for the tag. */
export async function tagList(
  url: string,
  scope: RequestScope,
  ask: (scope: RequestScope) => Promise<QueryOutcome>,
  { tags, feed }: TagOptions,
): Promise<ListTag & { readonly first: QueryOutcome | null }> {
  let first: QueryOutcome | null = null;
  const make = async (scopes: RequestScope) => {
    const newest = feed.latest.position;
    first = await ask(scopes);
    const { asOf, isFinal } = first;
    const hasFailed = first.kind === 'result' && first.result.errors !== undefined;
    return {
      value: { etag: `"${asOf?.lastPosition ?? newest}"`, asOf, isFinal },
      // Every page depends on what the first does: the rows that pass the filter. One that failed has not read all of that.
      cacheTags: hasFailed ? null : first.tags,
    };
  };
  return { ...(await tags.ask(url, make, scope)), first };
}
