import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { schema } from '../../src/graphql/index.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { pastQuestions, type RandomOperation } from '../engine/random-operations.ts';
import { withoutBlock } from '../support/past-texts.ts';
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
            expectedOf(bytesOf(then.answer)),
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
});

/** An error in a part that cannot be null leaves nothing of what stands as of a block. */
function expectedOf(answer: string): unknown {
  const { data } = JSON.parse(answer) as { readonly data: unknown };
  return { asOf: data };
}

/** The same operation of the present. */
function toPresent({ text, variables }: RandomOperation): RandomOperation {
  return {
    text: withoutBlock(text),
    variables: JSON.parse(withoutBlock(JSON.stringify(variables))) as RandomOperation['variables'],
  };
}
