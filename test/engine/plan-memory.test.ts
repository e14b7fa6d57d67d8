import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { prepareOperation } from '../../src/engine/run/prepared.ts';
import { createContext } from '../../src/graphql/context.ts';
import { usedHeap } from '../support/heap.ts';

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
