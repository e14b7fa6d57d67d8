import { parse } from 'graphql';
import { expect, test, vi } from 'vitest';
import { Documents } from '../../src/engine/documents/documents.ts';
import { prepareOperation } from '../../src/engine/run/prepared.ts';
import { createContext } from '../../src/graphql/context.ts';
import { usedHeap } from '../support/heap.ts';

// A spy would keep every plan.
const counted = vi.hoisted(() => ({ compilations: 0 }));
vi.mock('../../src/engine/text/compile.ts', async (original) => {
  const { compile } = await original<typeof import('../../src/engine/text/compile.ts')>();
  return {
    compile(operation: Parameters<typeof compile>[0]) {
      counted.compilations += 1;
      return compile(operation);
    },
  };
});

/** Of 4,000 fields, below a page that is refused: it is compiled, and nothing is read. */
const query = (
  n: number,
) => `{ a${n}: accounts(first: -1) { nodes { ${repeat(20, (at) => `l${at}: party { ...P }`)} } } }
  fragment P on Party { ${repeat(40, (at) => `d${at}: deposits { nodes { id status amount } }`)} }`;
const repeat = (times: number, text: (n: number) => string) =>
  Array.from({ length: times }, (_, n) => text(n)).join(' ');

test('plans are kept within a number of bytes, however long their documents are', async () => {
  const documents = Array.from({ length: 45 }, (_, n) => parse(query(n)));
  const before = usedHeap();
  for (const document of documents) await prepareOperation(document).run({}, createContext({} as never));
  expect(usedHeap() - before).toBeLessThan(40_000_000);
});

test('documents that are all kept keep their plans, one for each way of skipping and including', async () => {
  const documents = new Documents();
  const before = counted.compilations;
  // Each has nearly as many tokens as one may have, and one field.
  const textOf = (n: number) =>
    `query One ($a: Boolean!, $b: Boolean!) { a${n}: accounts(first: -1) { __typename @skip(if: $a) totalCount @skip(if: $b) } }
     query Other { ${repeat(300, (at) => `b${at}: __typename`)} }`;
  const ask = async () => {
    for (let n = 0; n < 30; n += 1)
      for (const [a, b] of [
        [true, true],
        [true, false],
        [false, true],
        [false, false],
      ])
        await prepareOperation(documents.read(textOf(n), 'One'), 'One').run(
          { a, b },
          createContext({} as never),
        );
  };
  await ask();
  expect([documents.size, counted.compilations - before]).toEqual([30, 120]);
  await ask();
  expect(counted.compilations - before).toBe(120);
});
