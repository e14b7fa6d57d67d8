import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, Range } from '../../src/data/history/change-pages.ts';
import { heightOf, positionOf } from '../../src/domain/positions.ts';
import { readWholeBlocks } from '../../src/feed/whole-blocks.ts';

// Blocks with none, few and many changes; indexes may leave gaps, as other kinds of events do.
const blocks = fc.array(fc.uniqueArray(fc.nat(60), { maxLength: 25 }), { minLength: 1, maxLength: 12 });

test('gives all changes in order, in whole blocks, however small the pages and wherever they end', async () => {
  const sizes = fc.record({ limit: fc.integer({ min: 1, max: 10 }), look: fc.integer({ min: 1, max: 20 }) });
  const ends = fc.tuple(fc.nat(12), fc.nat(12));
  await fc.assert(
    fc.asyncProperty(
      blocks,
      sizes,
      ends,
      fc.integer({ min: 1, max: 5 }),
      async (indexes, size, [a, z], rare) => {
        const all = indexes.flatMap((ofBlock, n) =>
          [...ofBlock].sort((x, y) => x - y).map((index) => changeAt(positionOf(n + 1, index))),
        );
        // A range begins and ends where a block does, or where a height did before it began again.
        const after = positionOf(Math.min(a, z), 30);
        const upTo = positionOf(Math.max(a, z) + 1, 30);
        const passes = ({ position }: Change<string>) => position % BigInt(rare) === 0n;
        const told: Change<string>[] = [];
        for (let reached = after; reached < upTo; ) {
          const range = { after: reached, upTo, limit: size.limit };
          const page = await readWholeBlocks(readFrom(all, passes, size.look), range);
          expect(page.reached).toBeGreaterThan(reached);
          expect(heightsOf(page.changes).filter((height) => heightsOf(told).includes(height))).toEqual([]);
          told.push(...page.changes);
          reached = page.reached;
        }
        expect(told).toEqual(
          all.filter(({ position }) => position > after && position <= upTo).filter(passes),
        );
      },
    ),
  );
});

/** As a log reads: it looks at so many changes at most, and gives so many at most of those that pass. */
function readFrom(all: readonly Change<string>[], passes: (change: Change<string>) => boolean, look: number) {
  return async ({ after, upTo, limit }: Range) => {
    const seen = all.filter(({ position }) => position > after && position <= upTo).slice(0, look);
    const end = seen.length === look ? (seen.at(-1)?.position ?? upTo) : upTo;
    const changes = seen.filter(passes).slice(0, limit);
    const last = changes.at(-1);
    if (changes.length === limit && last !== undefined) return { changes, reached: last.position };
    return { changes, reached: end };
  };
}

function heightsOf(changes: readonly Change<string>[]): readonly bigint[] {
  return [...new Set(changes.map(({ position }) => heightOf(position)))];
}

function changeAt(position: bigint): Change<string> {
  return { position, row: `row at ${position}` };
}
