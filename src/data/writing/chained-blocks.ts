import type { QueryConfig } from 'pg';
import { firstDigest, nextDigest } from '../digests/block-digests.ts';
import type { Block } from '../generated/prisma/client.ts';
import type { BlockChanges } from './block-changes.ts';
import { cacheTagsOf } from './block-tags.ts';
import type { PreparedBlock } from './prepared-block.ts';

/** A block that has its place behind another. */
export interface ChainedBlock {
  readonly block: Block;
  /** Whether its height began before. */
  readonly isRepeated: boolean;
  readonly cacheTags: PreparedBlock['cacheTags'];
}

/** Those of the parties that a block names which no block before it does. */
export type NewParties = (parties: BlockChanges['party']) => BlockChanges['party'];

/** Gives each block its digest, over the one before it and the parties that are new with it, and the tags of those besides. */
export function chainBlocks(
  blocks: readonly PreparedBlock[],
  {
    last,
    chainId,
    newOf,
  }: { readonly last: Block | null; readonly chainId: string; readonly newOf: NewParties },
): readonly ChainedBlock[] {
  let before = last;
  return blocks.map(({ block, content, parties, cacheTags }) => {
    const added = newOf(parties);
    const previous = before?.digest ?? firstDigest(chainId, before?.height ?? null);
    const isRepeated = block.height === before?.height;
    const chained = { ...block, digest: nextDigest(previous, content, added) };
    before = chained;
    return { block: chained, isRepeated, cacheTags: [...cacheTagsOf({ party: added }), ...cacheTags] };
  });
}

/** Notes the heights that began again. */
export function repeatStatements(blocks: readonly ChainedBlock[]): readonly QueryConfig[] {
  const text = 'INSERT INTO repeated_heights (height) VALUES ($1) ON CONFLICT DO NOTHING';
  return blocks
    .filter(({ isRepeated }) => isRepeated)
    .map(({ block }) => ({ name: 'note repeated height', text, values: [block.height] }));
}
