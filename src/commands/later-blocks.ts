import type { Logger } from 'pino';
import type { Manifest } from '../data/parts/manifest.ts';
import { readFirstHeight } from '../data/parts/progress-table.ts';
import { GatewayError } from '../errors.ts';
import { loadParts } from './load-parts.ts';
import type { Job } from './run.ts';

/** A gateway that could serve does not wait longer for a place that is away. */
const ANSWER_MS = 10_000;

/**
 * Throws FAILED_PRECONDITION where the blocks of a database begin behind those of the parts at a place: another process wrote them before
 * a base was begun, and what was before would be missing for good. A place that cannot be read keeps nobody from serving.
 */
export async function refuseLaterBlocks(
  { config, signal }: Job,
  from: string,
  url: string,
  logger: Logger,
): Promise<void> {
  const first = await readFirstHeight(url);
  // Before it there is nothing that could be missing.
  if (first === null || first <= 1n) return;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const found = await readManifestAt(from, limit, config.bucket).catch((error: Error) => {
    signal.throwIfAborted();
    logger.warn(
      { reason: error.message, first: Number(first) },
      'not known whether blocks before the first are missing',
    );
    return null;
  });
  const wanted = found?.parts[0]?.from ?? first;
  if (first <= wanted) return;
  throw new GatewayError(
    'FAILED_PRECONDITION',
    `The database begins with block ${first}, and the parts of --from with block ${wanted}: its blocks came otherwise, and those before are missing. Name an empty database or DATA_DIR, or serve it as it is, without --from.`,
  );
}

async function readManifestAt(
  from: string,
  signal: AbortSignal,
  bucket: Job['config']['bucket'],
): Promise<Manifest> {
  const { openSource } = await loadParts();
  await using source = await openSource(from, signal, bucket);
  return await source.readManifest();
}
