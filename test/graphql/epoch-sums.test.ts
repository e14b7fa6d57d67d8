import { expect, test } from 'vitest';
import { tagOf } from '../../src/cache/cache-tags.ts';
import { nouns } from '../../src/data/nouns/index.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { createTestDatabase } from '../support/database.ts';
import type { SentPayload } from '../support/events.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';
import { interrupted } from '../support/statements.ts';
import { ENDS, epoch, reward, STARTS, writeBlocks } from './epoch-blocks.ts';

/** What each block tells: rewards before any epoch, of epochs that go on and that are over, and of one to come. */
const BLOCKS: readonly (readonly SentPayload[])[] = [
  [reward(1n)],
  [epoch(2n, STARTS), reward(2n)],
  [epoch(2n, ENDS), reward(2n)],
  [epoch(3n, STARTS), reward(3n), reward(5n)],
];

/** By block, whether the epochs 1, 2, 3 and 5 of its rewards are over. */
const EXPECTED = [[null], [true, false], [true, true], [true, true, false, false]] as const;

const SUMS = 'sums(by: [ASSET, EPOCH], orderBy: KEY) { key { epoch } isComplete }';

const empty = await forAllTests(createTestDatabase());
await writeBlocks(empty.url, BLOCKS);
const database = await forAllTests(openDatabase({ url: empty.url, readOnly: true }));

test.each([true, false])('sums say whether their epoch is over, as text: %s', async (asText) => {
  for (const [index, expected] of EXPECTED.entries()) {
    const at = `asOf(height: "${index + 1}") { rewards { ${SUMS} } }`;
    const { data } = await run(`{ ${at} }`, asText);
    expect(data.asOf.rewards.sums.map(isComplete)).toEqual(expected);
  }
  const { data, tags } = await run(`{ rewards { ${SUMS} } }`, asText);
  expect(data.rewards.sums.map(isComplete)).toEqual(EXPECTED.at(-1));
  expect(tags).toContain(tagOf(nouns.epoch));
  // Of a key without an epoch there is nothing to say, and nothing to read.
  const whole = await run('{ rewards { sums(by: [ASSET]) { isComplete } } }', asText);
  expect(whole.data.rewards.sums).toEqual([{ isComplete: null }]);
  expect(whole.tags).not.toContain(tagOf(nouns.epoch));
});

test('a table of sums says it, too', async () => {
  const gateway = await startTestGateway(empty.url);
  const query = `{ rewards { ${SUMS} } }`;
  const answer = await fetch(`${gateway.url}/graphql?${new URLSearchParams({ query, format: 'csv' })}`);
  const lines = (await answer.text()).trimEnd().split('\r\n');
  await gateway.close();
  expect(lines).toEqual([
    '"key.epoch","isComplete"',
    ...['1', '2', '3', '5'].map((seq, index) => `"${seq}",${EXPECTED[3][index]}`),
  ]);
});

/** What is asked of rewards, and where the answer has whether the epoch is over. */
const ASKED: Readonly<Record<string, readonly [string, (found: readonly Series[]) => unknown]>> = {
  sums: [SUMS, ([one]) => one?.isComplete],
  series: ['series { buckets { epoch isComplete } }', ([one]) => one?.buckets?.[0]?.isComplete],
};

interface Series {
  readonly isComplete?: boolean;
  readonly buckets?: readonly { readonly isComplete: boolean }[];
}

test.each(Object.keys(ASKED).flatMap((what) => [true, false].map((asText) => [what, asText] as const)))(
  '%s that were read before their epoch ended do not say that it is over, as text: %s',
  async (what, asText) => {
    await using growing = await createTestDatabase();
    const begun = [[epoch(1n, STARTS), reward(1n)]];
    await writeBlocks(growing.url, begun);
    await using grown = openDatabase({ url: growing.url, readOnly: true });
    let ended: Promise<void> | undefined;
    let endIt = () => {};
    const statements = interrupted(grown.statements, {
      // What is asked beside the sums comes after the next block; what is asked before them does not wait for it.
      async before(text) {
        if (isOfSums(text)) ended = new Promise((resolve) => (endIt = resolve));
        else await new Promise(setImmediate).then(() => ended);
      },
      async after(text) {
        if (!isOfSums(text)) return;
        await writeBlocks(growing.url, [...begun, [reward(1n), epoch(1n, ENDS)]]);
        endIt();
      },
    });
    const [selection = '', isOver] = ASKED[what] ?? [];
    const text = `{ rewards { found: ${selection} } }`;
    const { answer } = await runBy({ ...grown, statements }, { text, variables: {} }, asText);
    const { found } = JSON.parse(bytesOf(answer)).data.rewards;
    expect([ended !== undefined, isOver?.(found)]).toEqual([true, false]);
  },
);

const isOfSums = (text: string) => /\breward_sums\b|sum\(/.test(text);

test('sums that are followed by epoch say when it is over, though nothing was rewarded since', async () => {
  await using growing = await createTestDatabase();
  await writeBlocks(growing.url, [[reward(1n)], [epoch(2n, STARTS), reward(2n)]]);
  await using gateway = await startTestGateway(growing.url);
  await using stream = await openGraphqlWs(
    gateway.url,
    'subscription { rewardSums(by: [ASSET, EPOCH], orderBy: KEY) { block { height } sums { isComplete } } }',
  );
  const next = async () => {
    const { block, sums } = (await stream.next()).data.rewardSums;
    return [block.height, sums.map(isComplete)];
  };
  expect(await next()).toEqual(['2', [true, false]]);
  await writeBlocks(growing.url, [[reward(1n)], [epoch(2n, STARTS), reward(2n)], [epoch(2n, ENDS)]]);
  expect(await next()).toEqual(['3', [true, true]]);
});

const isComplete = (sum: { readonly isComplete: boolean | null }) => sum.isComplete;

async function run(text: string, asText: boolean) {
  const { answer, context } = await runBy(database, { text, variables: {} }, asText);
  const { data, errors } = JSON.parse(bytesOf(answer));
  expect(errors).toBeUndefined();
  return { data, tags: context.dependencies.tags() };
}
