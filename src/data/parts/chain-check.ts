import { max } from '../../domain/bigints.ts';
import { GatewayError } from '../../errors.ts';
import { checkBlocks } from '../digests/block-checks.ts';
import type { Block } from '../generated/prisma/client.ts';
import { findLastBlockWithin } from '../queries/blocks.ts';
import { openDatabase } from '../servers/client.ts';
import { sql } from '../sql.ts';
import { unkept } from '../templates.ts';
import type { Base, Manifest } from './manifest.ts';

/**
 * Throws INVALID_ARGUMENT where the first digest that there is is not that of the network which the manifest names: nothing else of it has the
 * name. It takes all that this block changed; where some of that was forgotten, or an older version wrote it, the name is taken as it is.
 */
export async function checkChain(url: string, manifest: Manifest, base: Base): Promise<void> {
  await using database = openDatabase({ url, readOnly: true });
  const { statements } = database;
  const [first] = await statements.rows<Pick<Block, 'height' | 'lastPosition'>>(
    unkept(
      sql`SELECT height, last_position AS "lastPosition" FROM blocks WHERE digest IS NOT NULL ORDER BY height LIMIT 1`,
    ),
  );
  if (first === undefined) return;
  const before = await findLastBlockWithin(statements, -1n, first.lastPosition - 1n);
  const isKept =
    max(manifest.pastFrom, ...Object.values(base.keptFromOf)) <= (before?.lastPosition ?? 0n) + 1n;
  const part = manifest.parts.find(({ upTo }) => upTo >= first.lastPosition);
  if (!isKept || part?.schema !== base.schema) return;
  for await (const { spoiled } of checkBlocks(statements, { after: before, upTo: first.lastPosition }))
    if (spoiled.length > 0)
      throw new GatewayError(
        'INVALID_ARGUMENT',
        `The digest of block ${first.height} is not that of the network ${manifest.chain}: the manifest gives it another name, or has other rows of that block. Begin anew in another database or DATA_DIR.`,
      );
}
