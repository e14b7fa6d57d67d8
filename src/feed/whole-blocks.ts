import type { Change, ChangePage, Range } from '../data/history/change-pages.ts';
import { min } from '../domain/bigints.ts';
import { heightOf, positionsOf } from '../domain/positions.ts';

type ReadPage<Row> = (range: Range) => Promise<ChangePage<Row>>;

/**
 * Reads the first changes of a range as whole blocks: a page that ends within a block gives that block to the next
 * page, and one that holds only a part of one block is read on to the block's end. `reached` is where a block ends, or
 * the end of the range. Never returns without having come further.
 */
export async function readWholeBlocks<Row>(read: ReadPage<Row>, range: Range): Promise<ChangePage<Row>> {
  const page = await read(range);
  if (page.reached >= range.upTo) return page;
  const block = positionsOf(heightOf(page.reached));
  const before = block.first - 1n;
  const whole = page.changes.filter(({ position }) => position <= before);
  if (whole.length > 0) return { ...page, changes: whole, reached: before };
  return readOn(read, page, { ...range, upTo: min(block.last, range.upTo) });
}

async function readOn<Row>(
  read: ReadPage<Row>,
  start: ChangePage<Row>,
  { upTo, limit }: Range,
): Promise<ChangePage<Row>> {
  const changes: Change<Row>[] = [...start.changes];
  let { reached, lookedUp = 0 } = start;
  while (reached < upTo) {
    const page = await read({ after: reached, upTo, limit });
    for (const change of page.changes) changes.push(change);
    reached = page.reached;
    lookedUp += page.lookedUp ?? 0;
  }
  return { changes, reached: upTo, lookedUp };
}
