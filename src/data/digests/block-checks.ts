import type { Block } from '../generated/prisma/client.ts';
import { findFirstKnownBlock, findLastBlockWithin, readBlocksWithin } from '../queries/blocks.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { unkept } from '../templates.ts';
import { firstDigest, nextDigest } from './block-digests.ts';
import { digestedNouns } from './digested.ts';
import { recomputeBlocks } from './recomputed-blocks.ts';

/** How far blocks were read again, and which of those that were read last are not any more what they were when they were written. */
export interface BlockCheck {
  readonly upTo: Block;
  /** How many rows they changed. */
  readonly rows: number;
  readonly spoiled: readonly bigint[];
}

/** So many blocks are read again at once. */
const BLOCKS_AT_ONCE = 100;

/**
 * Reads blocks again that end after one position and up to another, with all that they changed, as long as all of it is kept, and compares
 * each with its digest. Blocks without one, and those whose height began again, are passed over.
 */
export async function* checkBlocks(
  statements: Statements,
  range: { readonly after: Block | null; readonly upTo: bigint },
): AsyncGenerator<BlockCheck> {
  const chainId = await readChainId(statements);
  let before = range.after;
  for (;;) {
    const after = before?.lastPosition ?? -1n;
    const blocks = await readBlocksWithin(statements, after, range.upTo, BLOCKS_AT_ONCE);
    const last = blocks.at(-1);
    if (last === undefined) return;
    const repeated = await readRepeated(statements, blocks);
    const spoiled: bigint[] = [];
    let rows = 0;
    for await (const { block, changes, content, newParties } of recomputeBlocks(statements, blocks, after)) {
      const { height, digest } = block;
      const previous = before?.digest ?? firstDigest(chainId, before?.height ?? null);
      const isKnown = digest !== null && !repeated.has(height);
      if (isKnown && nextDigest(previous, content, newParties) !== digest) spoiled.push(height);
      for (const some of Object.values(changes)) rows += some.length;
      before = block;
    }
    yield { upTo: last, rows, spoiled };
  }
}

/** The first block that is kept with all that it changed, and the one before it; null where there is none. */
export async function findFirstWhole(
  statements: Statements,
): Promise<{ readonly first: Block; readonly before: Block | null } | null> {
  const first = await findFirstKnownBlock(
    statements,
    digestedNouns.map(({ kind }) => kind),
  );
  if (first === null) return null;
  return { first, before: await findLastBlockWithin(statements, -1n, first.lastPosition - 1n) };
}

async function readChainId(statements: Statements): Promise<string> {
  const [network] = await statements.rows<{ chainId: string }>(
    unkept(sql`SELECT chain_id AS "chainId" FROM networks LIMIT 1`),
  );
  return network?.chainId ?? '';
}

async function readRepeated(statements: Statements, blocks: readonly Block[]): Promise<ReadonlySet<bigint>> {
  const heights = blocks.map(({ height }) => height);
  const rows = await statements.rows<{ height: bigint }>(
    unkept(sql`SELECT height FROM repeated_heights WHERE height = ANY (${heights}::bigint[])`),
  );
  return new Set(rows.map(({ height }) => height));
}
