import type { RequestScope } from '../http/request-scope.ts';
import type { RouteQuestion } from './questions.ts';
import type { Body } from './route.ts';

/** What a list is known by that is too long to keep: the block that it was asked for at, for as long as none changes what it reads. */
export interface ListTag {
  readonly etag: string;
}

/** Tags by the addresses of their lists; `cache/kept-values.ts` says more. */
export interface ListTags {
  ask(
    url: string,
    make: (
      scope: RequestScope,
    ) => Promise<{ readonly value: ListTag; readonly cacheTags: Body['cacheTags'] }>,
    scope: RequestScope,
  ): Promise<ListTag>;
}

const MOST_TAGS = 10_000;

/** How tags are kept: from the first, since who asks a second time shows it. `isOn` says whether anything is kept. */
export function keepingTags(isOn: boolean) {
  return { maxSize: isOn ? MOST_TAGS : 0, maxValueSize: 1, sizeOf: () => 1, keptFrom: 'first ask' } as const;
}

export interface TagOptions {
  readonly tags: ListTags;
  /** The position of the newest block that was published: the same of all gateways that have come as far. */
  readonly newestPosition: () => bigint;
}

/** The tag of a list, and its body too where that had to be asked for the tag. */
export async function tagList(
  url: string,
  { ask }: RouteQuestion,
  scope: RequestScope,
  { tags, newestPosition }: TagOptions,
) {
  let body: Body | undefined;
  const { etag } = await tags.ask(
    url,
    async (scopes) => {
      const etag = `W/"${newestPosition()}"`;
      body = await ask(scopes);
      return { value: { etag }, cacheTags: body.cacheTags };
    },
    scope,
  );
  return { etag, body };
}
