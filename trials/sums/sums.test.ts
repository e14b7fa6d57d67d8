import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExecutorData, soundNetworks } from '../../test/engine/executor-data.ts';
import { reduce, SummedNetwork, sumQuestions, walk } from '../../test/graphql/sum-questions.ts';
import { seed } from '../../test/support/seed.ts';
import { readHeight } from '../../test/support/state.ts';

// Sums are what the events come to, by any keys, filter, order and pages, now and as of any block, of every network that there is.
// By itself this goes on for as many questions as are wanted: npm run sums.
const QUESTIONS = Number(process.env['SUMS_QUESTIONS'] ?? 60);
const TIME_MS = 300_000 + QUESTIONS * 1000;
/** A simulated one and the first that is recorded, and others with each seed, unless all are wanted. */
const networks =
  process.env['SUMS_QUESTIONS'] !== undefined
    ? soundNetworks
    : soundNetworks.filter(
        (_, index) => index === 0 || index === 2 || (index > 2 && (index + seed) % 20 === 0),
      );
const share = Math.ceil(QUESTIONS / networks.length);

describe.each(networks)('the network is $name:', ({ open, openSource }) => {
  let data: ExecutorData;
  let network: SummedNetwork;

  beforeAll(async () => {
    data = await open();
    network = await SummedNetwork.of(await openSource());
  });

  afterAll(() => data?.[Symbol.asyncDispose]());

  test(
    `${share} sums are those of the events`,
    async () => {
      // A recording can end within a block, which is not applied then.
      const last = await readHeight(data.url);
      const whole = new Set(network.heights.filter((height) => height <= last));
      const heights = fc.option(fc.constantFrom(...whole), { freq: 3 });
      const property = fc.asyncProperty(sumQuestions(network), heights, async (question, height) => {
        const expected = reduce(network.rowsAt(question.noun, height ?? last), question);
        const found = await walk(data.database, question, height);
        // A recording can name an asset, a market or a party that it does not tell of.
        fc.pre(found !== null);
        expect(found).toEqual(expected);
      });
      await fc.assert(property, { numRuns: share, endOnFailure: true });
    },
    TIME_MS,
  );
});
