import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { KeptValues } from '../../src/cache/kept-values.ts';
import type { QueryOutcome } from '../../src/engine/question.ts';
import type { RequestScope } from '../../src/http/request-scope.ts';
import { keepingTags, type ListTag, tagList } from '../../src/rest/list-tags.ts';

const feed = { latest: { position: 1n }, isFollowing: true };
const NOBODY = { signal: new AbortController().signal, join() {} } as unknown as RequestScope;

test('the tags of lists are bounded by what they take, their addresses included', async () => {
  const tags = new KeptValues<ListTag, RequestScope>({ feed, ...keepingTags(true) });
  const ask = (url: string) =>
    tags.ask(
      url,
      async () => ({ value: { etag: '"1"', asOf: null, isFinal: false }, cacheTags: [1] }),
      NOBODY,
    );
  for (let n = 0; n < 2_000; n += 1) await ask(`/votes?party=${n}&junk=${'x'.repeat(15_000)}`);
  expect(tags.counts.values).toBeLessThan(400);
  for (let n = 0; n < 5_000; n += 1) await ask(`/votes?party=${n}`);
  expect(tags.counts.values).toBeGreaterThan(5_000);
});

test('a list whose first page failed has no tag that is kept, since what it depends on is not known', async () => {
  const tags = new KeptValues<ListTag, RequestScope>({ feed, ...keepingTags(true) });
  const outcomes: QueryOutcome[] = [
    { kind: 'result', result: { errors: [new GraphQLError('gone')] }, tags: [], asOf: null, isFinal: false },
    { kind: 'result', result: { data: {} }, tags: [1], asOf: null, isFinal: false },
  ];
  const ask = () => tagList('/votes', NOBODY, async () => outcomes.shift() as QueryOutcome, { tags, feed });
  await ask();
  expect([tags.counts.values, (await ask()).first?.kind, tags.counts.values]).toEqual([0, 'result', 1]);
});
