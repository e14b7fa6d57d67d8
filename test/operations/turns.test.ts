import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createContext } from '../../src/graphql/context.ts';
import { prepareOperation } from '../../src/operations/prepared.ts';

/** How often the event loop turns from when the rows of a page are there until its text is. */
async function countTurns(rows: number): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  const texts = async () => {
    next = setImmediate(turn);
    return Array.from({ length: rows }, (_, row) => [`${rows - row}`, 'ann']);
  };
  const services = { statements: { texts } } as unknown as Parameters<typeof createContext>[0];
  const document = parse(`{ accounts(first: ${rows}) { edges { node { owner } } } }`);
  const result = await prepareOperation(document).run({}, createContext(services));
  clearImmediate(next);
  expect(result.kind === 'text' && result.data.slice(0, 50)).toContain('"owner":"ann"');
  return turns;
}

test('a long page lets others go before it is written, and before its parts are put together', async () => {
  expect(await countTurns(2000)).toBeGreaterThanOrEqual(2);
});

test('a short one is answered at once', async () => {
  expect(await countTurns(20)).toBe(0);
});
