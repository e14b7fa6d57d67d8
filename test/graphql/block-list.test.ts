import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/data/servers/client.ts';
import { bytesOf, runBy } from '../engine/executors.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { createSimulatedDatabase, type TableRow } from '../support/simulated.ts';
import { countStatements } from '../support/statements.ts';

const simulated = await forAllTests(createSimulatedDatabase({ seed: 7, blocks: 60, parties: 8, markets: 2 }));
const database = await forAllTests(openDatabase({ url: simulated.url, readOnly: true }));
const blocks = (await simulated.readTable('blocks')).toSorted(
  (a, b) => Number(a['height']) - Number(b['height']),
);

const chosen = fc.record({
  from: fc.option(fc.nat(70)),
  to: fc.option(fc.nat(70)),
  start: fc.option(fc.nat(59)),
  end: fc.option(fc.nat(59)),
  /** How far a range of times begins or ends beside the time of a block. */
  beside: fc.constantFrom(-1n, 0n, 1n),
  asOf: fc.option(fc.integer({ min: 2, max: 60 })),
  newestFirst: fc.boolean(),
  isBackward: fc.boolean(),
  size: fc.integer({ min: 1, max: 40 }),
});

test.each([true, false])(
  'the cursors of all blocks of a page cost no further statement (as text: %s)',
  async (asText) => {
    const statements = countStatements();
    const sentFor = async (text: string) => {
      const before = statements.count();
      const { answer } = await runBy(database, { text, variables: {} }, asText);
      return { told: JSON.parse(bytesOf(answer)), sent: statements.count() - before };
    };
    for (const asked of ['PAGE', '{ asOf(height: "50") PAGE }']) {
      const [without, withCursors] = [
        await sentFor(asked.replace('PAGE', '{ blocks(first: 40) { nodes { height } } }')),
        await sentFor(asked.replace('PAGE', '{ blocks(first: 40) { nodes { height cursor } } }')),
      ];
      const { data } = withCursors.told;
      const { nodes } = (data.asOf ?? data).blocks;
      expect(new Set(nodes.map(({ cursor }: { cursor: string }) => cursor)).size).toBe(40);
      expect([asked, withCursors.sent]).toEqual([asked, without.sent]);
    }
    statements.stop();
  },
);

test('pages in either direction make up the list of blocks, by height and by time, as of a block too', async () => {
  await fc.assert(
    fc.asyncProperty(
      chosen,
      async ({ from, to, start, end, beside, asOf, newestFirst, isBackward, size }) => {
        const timeOf = (index: number) => BigInt(blocks[index]?.['timestamp'] ?? 0) + beside;
        const range = {
          ...(from !== null && { fromHeight: `"${from}"` }),
          ...(to !== null && { toHeight: `"${to}"` }),
          ...((start !== null || end !== null) && {
            dateRange: `{ ${start === null ? '' : `startTimestamp: "${timeOf(start)}"`} ${end === null ? '' : `endTimestamp: "${timeOf(end)}"`} }`,
          }),
        };
        const passes = (row: TableRow) => {
          const [height, time] = [Number(row['height']), BigInt(row['timestamp'] ?? 0)];
          return (
            height >= (from ?? 0) &&
            height <= Math.min(to ?? 60, asOf ?? 60) &&
            (start === null || time >= timeOf(start)) &&
            (end === null || time < timeOf(end))
          );
        };
        const expected = blocks.filter(passes).map((row) => [row['height'], row['hash'], row['timestamp']]);
        if (newestFirst) expected.reverse();
        const [count, at] = isBackward ? ['last', 'before'] : ['first', 'after'];
        const pages: Page[] = [];
        for (let cursor: string | null = null; ; ) {
          const args = {
            ...range,
            newestFirst,
            [count]: size,
            ...(cursor !== null && { [at]: `"${cursor}"` }),
          };
          const page: Page = await readPage(args, asOf);
          expect(page.nodes).toEqual(page.edges.map(({ node }) => node));
          expect([isBackward ? page.pageInfo.hasNextPage : page.pageInfo.hasPreviousPage]).toEqual([
            pages.length > 0,
          ]);
          pages.push(page);
          const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo;
          if (!(isBackward ? hasPreviousPage : hasNextPage)) break;
          cursor = isBackward ? startCursor : endCursor;
        }
        const found = (isBackward ? pages.reverse() : pages).flatMap(({ nodes }) => nodes);
        expect(found.map(({ height, hash, timestamp }) => [height, hash, timestamp])).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test('a cursor of a page as of a block is refused in the present, and a time in seconds by its name', async () => {
  const { pageInfo } = await readPage({ first: 2 }, 30);
  const refused = await errorOf(`{ blocks(after: "${pageInfo.endCursor}") { nodes { height } } }`);
  expect(refused).toContain('this one is of a page as of block 30');
  expect(
    await errorOf('{ blocks(dateRange: { startTimestamp: "1700000000" }) { nodes { height } } }'),
  ).toContain('dateRange.startTimestamp');
});

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: BlockNode }[];
  readonly nodes: readonly BlockNode[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

interface BlockNode {
  readonly height: string;
  readonly hash: string;
  readonly timestamp: string;
}

async function readPage(args: Readonly<Record<string, unknown>>, asOf: number | null): Promise<Page> {
  const given = Object.entries(args).map(([name, value]) => `${name}: ${value}`);
  const block = 'height hash timestamp';
  const list = `blocks(${given.join(', ')}) { edges { cursor node { ${block} } } nodes { ${block} }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
  const { data, errors } = await ask(
    asOf === null ? `{ ${list} }` : `{ asOf(height: "${asOf}") { ${list} } }`,
  );
  expect(errors).toBeUndefined();
  return asOf === null ? data.blocks : data.asOf.blocks;
}

async function errorOf(text: string): Promise<string> {
  return JSON.parse((await ask(text)).errors[0]).message;
}

async function ask(text: string) {
  const { answer } = await runBy(database, { text, variables: {} }, true);
  return JSON.parse(bytesOf(answer));
}
