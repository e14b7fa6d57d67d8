import {
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { expect, test } from 'vitest';
import { Documents } from '../../src/engine/documents/documents.ts';
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

test('documents that are all kept keep their plans, one for each way of skipping and including', async () => {
  const documents = new Documents();
  // Each has nearly as many tokens as one may have, and one field.
  const textOf = (n: number) =>
    `query One ($a: Boolean!, $b: Boolean!) { a${n}: accounts(first: -1) { __typename @skip(if: $a) totalCount @skip(if: $b) } }
     query Other { ${repeat(300, (at) => `b${at}: __typename`)} }`;
  let reads = 0;
  const watched = new WeakSet<object>();
  /** Counts how often the fields of the list are looked at. */
  const watch = (document: DocumentNode) => {
    const [{ selectionSet }] = document.definitions as readonly [OperationDefinitionNode];
    const [field] = selectionSet.selections as readonly [FieldNode];
    const list = field.selectionSet as SelectionSetNode;
    const { selections } = list;
    if (watched.has(list)) return document;
    watched.add(list);
    const get = () => {
      reads += 1;
      return selections;
    };
    Object.defineProperty(list, 'selections', { get, enumerable: true });
    return document;
  };
  const ask = async () => {
    reads = 0;
    for (let n = 0; n < 30; n += 1)
      for (const [a, b] of [
        [true, true],
        [true, false],
        [false, true],
        [false, false],
      ])
        await prepareOperation(watch(documents.read(textOf(n), 'One')), 'One').run(
          { a, b },
          createContext({} as never),
        );
    return reads;
  };
  const [first, again, later] = [await ask(), await ask(), await ask()];
  expect([documents.size, later]).toEqual([30, again]);
  // None of the 120 ways is compiled again.
  expect(first - again).toBeGreaterThanOrEqual(120);
});
