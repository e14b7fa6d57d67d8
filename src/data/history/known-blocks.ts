import { LRUCache } from 'lru-cache';
import { max, min } from '../../domain/bigints.ts';
import type { Block } from '../generated/prisma/client.ts';
import { type FirstKnownBlock, findBlocks, findFirstKnownBlock } from '../queries/blocks.ts';
import type { Statements } from '../servers/statements.ts';

/** A block takes some 300 bytes. */
const MOST_KEPT = 10_000;

/** The blocks that questions about the past have named, so that each is read once: what is behind the newest never changes. */
export class KnownBlocks {
  readonly #settled = new LRUCache<bigint, Block>({ max: MOST_KEPT });
  #first: { readonly seenAt: bigint; readonly block: FirstKnownBlock | null } | null = null;

  /** The blocks of heights, by height, as far as there are some. The newest is as the question names it. */
  async find(
    statements: Statements,
    heights: readonly bigint[],
    newest: Block,
  ): Promise<ReadonlyMap<bigint, Block>> {
    const found = new Map([[newest.height, newest]]);
    const unread = heights.filter((height) => {
      const known = this.#settled.get(height);
      if (known !== undefined) found.set(height, known);
      return !found.has(height) && height < newest.height;
    });
    if (unread.length === 0) return found;
    for (const [height, block] of await findBlocks(statements, unread)) {
      this.#settled.set(height, block);
      found.set(height, block);
    }
    return found;
  }

  /**
   * The first block as of which anything was known when the newest one was read; null where none is kept. What is forgotten of a noun
   * is noticed by the statements that would read it. Where that is behind `least`, it is looked for again: the past of a database that
   * was begun with a base comes later.
   */
  async findFirst(statements: Statements, newest: Block, least: bigint): Promise<Block | null> {
    const known = this.#first?.block?.lastPosition ?? null;
    if (this.#first?.seenAt !== newest.lastPosition || known === null || known > least) {
      const block = await findFirstKnownBlock(statements, []);
      this.#first = { seenAt: newest.lastPosition, block };
      return block;
    }
    return this.#first.block;
  }

  /** Whether all rows of some tables were known at a position when the first block was last looked for. */
  isKept(position: bigint, tables: readonly string[]): boolean {
    const first = this.#first?.block;
    if (first == null) return true;
    const from = tables.map((table) => BigInt(first.pastFromOf[table] ?? 0));
    return min(max(first.pastFrom, ...from), first.historyFrom) <= position;
  }
}
