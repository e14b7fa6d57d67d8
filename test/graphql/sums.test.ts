import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { seed } from '../support/seed.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import {
  type ExpectedGroup,
  reduce,
  SummedNetwork,
  type SumQuestion,
  sumQuestions,
  textOf,
} from './sum-questions.ts';

const BLOCKS = 130;
const QUESTIONS = 150;

describe.each(['0.71', '0.79'] as const)('of release %s,', (release) => {
  const options = { seed: seed + 5, parties: 20, markets: 4, release, blocks: BLOCKS } as const;
  let simulated: SimulatedDatabase;
  let database: Database;
  let network: SummedNetwork;

  beforeAll(async () => {
    simulated = await createSimulatedDatabase(options);
    database = openDatabase({ url: simulated.url, readOnly: true });
    network = await SummedNetwork.of(openSimulation(options));
  });

  afterAll(async () => {
    await database?.close();
    await simulated?.[Symbol.asyncDispose]();
  });

  test('sums are those of the events, page after page, now and as of a block', async () => {
    let groups = 0;
    const heights = fc.option(fc.integer({ min: 1, max: BLOCKS }), { freq: 3 });
    const property = fc.asyncProperty(sumQuestions(network), heights, async (question, height) => {
      const expected = reduce(network.rowsAt(question.noun, height ?? BLOCKS), question);
      expect(await walk(database, question, height)).toEqual(expected);
      groups += expected.length;
    });
    await fc.assert(property, { numRuns: QUESTIONS, endOnFailure: true, seed });
    expect(groups).toBeGreaterThan(QUESTIONS);
  }, 120_000);
});

/** All groups, page after page. */
async function walk(
  database: Database,
  question: SumQuestion,
  height: number | null,
): Promise<readonly ExpectedGroup[]> {
  const found: ExpectedGroup[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < 6; pages += 1) {
    const first = pages < 3 ? question.first : 1000;
    const page = await ask(database, { ...question, first }, height, after);
    for (const [index, group] of page.entries()) {
      const { cursor, hasNextPage, key, ...rest } = group;
      if (index < page.length - 1) expect(hasNextPage).toBe(true);
      found.push({ key: question.by.length === 0 ? [] : Object.values(key), ...rest });
      after = cursor;
    }
    if (page.at(-1)?.hasNextPage !== true) return found;
    expect(page).toHaveLength(first);
  }
  throw new Error('the walk does not end');
}

interface Group extends Omit<ExpectedGroup, 'key'> {
  readonly key: Readonly<Record<string, string>>;
  readonly cursor: string;
  readonly hasNextPage: boolean;
}

async function ask(
  database: Database,
  question: SumQuestion,
  height: number | null,
  after: string | null,
): Promise<readonly Group[]> {
  const { answer } = await runBy(
    database,
    { text: textOf(question, height, after), variables: {} },
    after === null,
  );
  const { data, errors } = JSON.parse(bytesOf(answer));
  expect(errors).toBeUndefined();
  const at = height === null ? data : data.at;
  const of = question.parent === null ? at : at.of;
  return of === null ? [] : of.list.sums;
}
