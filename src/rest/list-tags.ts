import { randomUUID } from 'node:crypto';
import type { Asker } from '../http/asker.ts';
import type { RouteQuestion } from './questions.ts';
import type { Body } from './route.ts';

/** What a list is known by that is too long to keep: any text, kept for as long as no block changes what the list reads. */
export interface ListTag {
  readonly etag: string;
}

/** Tags by the addresses of their lists; `feed/kept-values.ts` says more. */
export interface ListTags {
  ask(
    url: string,
    make: (asker: Asker) => Promise<{ readonly value: ListTag; readonly touches: Body['touches'] }>,
    asker: Asker,
  ): Promise<ListTag>;
}

const MOST_TAGS = 10_000;

/** How tags are kept: from the first, since who asks a second time shows it. `isOn` says whether anything is kept. */
export function keepingTags(isOn: boolean) {
  return { maxSize: isOn ? MOST_TAGS : 0, maxValueSize: 1, sizeOf: () => 1, keptFrom: 'first ask' } as const;
}

/** The tag of a list, and its body too where that had to be asked for the tag. */
export async function tagList(url: string, { ask }: RouteQuestion, asker: Asker, tags: ListTags) {
  let body: Body | undefined;
  const { etag } = await tags.ask(
    url,
    async (askers) => {
      body = await ask(askers);
      return { value: { etag: `W/"${randomUUID()}"` }, touches: body.touches };
    },
    asker,
  );
  return { etag, body };
}
