import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Block } from '../../src/data/generated/prisma/client.ts';
import { KnownBlocks } from '../../src/data/history/known-blocks.ts';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { heightOf } from '../../src/domain/positions.ts';
import { findAsOf } from '../../src/graphql/as-of.ts';
import { createContext } from '../../src/graphql/context.ts';
import { schema } from '../../src/graphql/index.ts';
import { bytesOf, NO_FEED, runBy } from '../engine/executors.ts';
import { pastQuestions } from '../engine/random-operations.ts';
import { toPresent, withoutBlock } from '../support/past-texts.ts';
import { seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import type { Tables } from './simulated-lists.ts';

const BLOCKS = 160;
const QUESTIONS = 12;
const TABLES = [
  ...['parties', 'assets', 'markets', 'accounts', 'deposits', 'rewards', 'proposals', 'votes'],
  ...['margin_levels', 'market_data', 'blocks'],
];

describe.each(['0.71', '0.79'] as const)('of release %s,', (release) => {
  const options = { seed: seed + 3, parties: 25, markets: 6, release } as const;
  let whole: SimulatedDatabase;
  let growing: SimulatedDatabase;
  let past: Database;
  let tables: Tables;

  beforeAll(async () => {
    whole = await createSimulatedDatabase({ ...options, blocks: BLOCKS });
    growing = await createSimulatedDatabase({ ...options, blocks: 1 });
    past = openDatabase({ url: whole.url, readOnly: true });
    const found: Record<string, Tables[string]> = {};
    for (const table of TABLES) found[table] = await whole.readTable(table);
    tables = found;
  });

  afterAll(async () => {
    await past?.close();
    await growing?.[Symbol.asyncDispose]();
    await whole?.[Symbol.asyncDispose]();
  });

  test('an answer as of a block is what a gateway says that has come no further', async () => {
    let asked = 0;
    for (let height = 2; height < BLOCKS; height += 9) {
      await growing.advanceTo(height);
      const present = openDatabase({ url: growing.url, readOnly: true });
      const property = fc.asyncProperty(pastQuestions(tables, BigInt(height)), async (question) => {
        fc.pre(validate(schema, parse(question.past.text)).length === 0);
        asked += 1;
        const then = await runBy(present, toPresent(question.present), true);
        for (const asText of [true, false]) {
          const now = await runBy(past, question.past, asText);
          expect(JSON.parse(withoutBlock(bytesOf(now.answer))).data).toEqual(
            // In the order of updates what is there now is as of the newest block, and says so, too.
            expectedOf(withoutBlock(bytesOf(then.answer))),
          );
        }
      });
      try {
        await fc.assert(property, { numRuns: QUESTIONS, endOnFailure: true });
      } finally {
        await present.close();
      }
    }
    expect(asked).toBeGreaterThan(QUESTIONS * 10);
  });

  test.each([true, false])('each of several blocks has its own answer, as text: %s', async (asText) => {
    const variables = { party: tables['accounts']?.[0]?.['owner'], market: tables['markets']?.[0]?.['id'] };
    const ask = (text: string) => runBy(past, { text: `${HEAD} ${text}`, variables }, asText);
    const heights = Array.from({ length: 10 }, (_, index) => index * 15 + 5);
    const alone = [];
    const before = past.load.sent;
    for (const height of heights) {
      const { answer } = await ask(`{ asOf(height: "${height}") ${BODY} }`);
      alone.push(JSON.parse(bytesOf(answer)).data.asOf);
    }
    const sent = past.load.sent;
    const apart = sent - before;
    const { answer } = await ask(`{ asOfEach(from: "5", to: "140", every: "15") ${BODY} }`);
    const together = past.load.sent - sent;
    expect(JSON.parse(bytesOf(answer)).data.asOfEach).toEqual(alone);
    expect(new Set(alone.map((one) => JSON.stringify(one))).size).toBeGreaterThan(1);
    // One for each thing that is asked for, and not for each block.
    expect(together).toBeLessThan(apart / 3);
    // Beside each other, and beside the present.
    const beside = await ask(`{ ${heights.map((at) => `at${at}: asOf(height: "${at}") ${BODY}`)} ...Body }
      fragment Body on Query ${BODY}`);
    const { data } = JSON.parse(bytesOf(beside.answer));
    expect(heights.map((height) => data[`at${height}`])).toEqual(alone);
    expect(data.market).toEqual(JSON.parse(bytesOf((await ask(BODY)).answer)).data.market);
  });

  test('a time to come means the newest block that was told of, where the database has newer ones by now', async () => {
    const context = createContext({ ...past, feed: NO_FEED });
    const [told] = await context.asOf([{ height: BigInt(BLOCKS - 3) }]);
    const block = (await told?.newestBlock()) as Block;
    const found = await findAsOf(
      {
        statements: past.statements,
        known: new KnownBlocks(),
        published: block,
        newestBlock: async () => block,
        onUnsettled: () => {},
      },
      [{ time: 2n ** 64n }, { time: block.timestamp }, { time: block.timestamp - 1n }],
    );
    expect(found.map(({ height }) => Number(height))).toEqual([BLOCKS - 3, BLOCKS - 3, BLOCKS - 4]);
  });

  test.each([true, false])(
    'a time in another unit is refused with what was meant, as text: %s',
    async (asText) => {
      const text = '{ asOf(time: "1767225600") { block { height } } }';
      const { answer } = await runBy(past, { text, variables: {} }, asText);
      expect(JSON.parse(JSON.parse(bytesOf(answer)).errors[0]).message).toBe(
        'time is 1767225600, which looks like seconds: 1767225600000000000 was probably meant.',
      );
    },
  );

  test('what Prisma looks up by a key is read as of its own block', async () => {
    const [first, second] = [10n, BigInt(BLOCKS)];
    const contexts = await createContext({ ...past, feed: NO_FEED }).asOf([
      { height: first },
      { height: second },
    ]);
    const id = tables['market_data']?.[0]?.['market_id'] ?? '';
    const found = await Promise.all(
      contexts.map(({ prisma }) => prisma().marketData.findUnique({ where: { marketId: id } })),
    );
    expect(found.map((row) => row?.updatedPosition)).toEqual(
      [first, second].map((height) => expect.toSatisfy((position: bigint) => heightOf(position) <= height)),
    );
    expect(found[0]?.updatedPosition).not.toBe(found[1]?.updatedPosition);
  });
});

const HEAD = 'query ($party: ID!, $market: ID!)';
const BODY = `{
  block { height }
  party(id: $party) { accounts(first: 5) { edges { node { balance assetNode { id } } } } profile { alias } }
  market(id: $market) { id state marketData { markPrice } settlementAsset { status } }
  deposits(first: 3) { edges { node { id status party { id } } } }
}`;

/** An error in a part that cannot be null leaves nothing of what stands as of a block. */
function expectedOf(answer: string): unknown {
  const { data } = JSON.parse(answer) as { readonly data: unknown };
  return { asOf: data };
}
