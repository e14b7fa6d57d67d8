import type { Logger } from 'pino';
import { Backoff } from '../../backoff.ts';
import { describeMended } from '../../data/writing/row-counts.ts';
import type { Writer } from '../../data/writing/writer.ts';
import { GatewayError } from '../../errors.ts';
import { applySource } from '../apply.ts';
import { countBlocks } from '../count-blocks.ts';
import type { DecodeEvent } from '../decode.ts';
import { hindranceOf, IngestError, RefusedBlockError } from '../events.ts';
import type { IngestCounts } from '../ingest-counts.ts';
import type { OpenWriter } from '../open-writer.ts';
import { SpoolError } from './segments.ts';
import type { Spool } from './spool.ts';
import { SpoolHoldUp } from './spool-hold-up.ts';
import { readSessions, type SessionSource, type UpgradeNotice } from './spool-source.ts';

export interface ApplyOptions {
  readonly spool: Spool;
  readonly onUpgrade: (notice: UpgradeNotice) => void;
  readonly counts: IngestCounts;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Reads events; that of this version where none is given. */
  readonly decode?: DecodeEvent | undefined;
  /** Of this program, for the database. */
  readonly version: string;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 30_000;

/**
 * Applies what is in the spool and what comes, in its order, and trims the spool behind, until the signal is aborted. A database that
 * is lost is opened again, whatever the reason and however long it takes; a block that it refuses is tried again likewise. A session
 * that cannot be applied (blocks are missing, an event cannot be read) stays in the spool: the database is told, and the next session
 * is waited for. From an event that cannot be read on, nothing is removed from the spool until the block is applied: a version that
 * reads it goes on from there. Throws only where the database belongs to another network.
 */
export async function applySpool(
  options: ApplyOptions & {
    /** What is open already; closed here. */
    readonly opened: OpenWriter | null;
    readonly open: () => Promise<OpenWriter>;
  },
): Promise<void> {
  const { open, spool, counts, signal, logger } = options;
  let { opened } = options;
  const backoff = new Backoff({ firstMs: FIRST_RETRY_MS, limitMs: LAST_RETRY_MS, signal });
  const onApplied = () => backoff.reset();
  while (true) {
    try {
      await using database = opened ?? (await open());
      opened = null;
      if (counts.trouble !== null) logger.info('the database is there again');
      counts.trouble = null;
      await applyReadable(database.writer, { ...options, onApplied }, backoff);
    } catch (error) {
      if (error instanceof WrongNetworkError) throw error;
      if (signal.aborted) return;
      counts.trouble = error instanceof Error ? error.message : String(error);
      const retrySeconds = backoff.nextMs / 1000;
      logger.warn(
        { reason: counts.trouble, retrySeconds, spooled: spool.size },
        error instanceof RefusedBlockError
          ? 'the database refuses a block; it is tried again, and events are spooled meanwhile'
          : 'the database cannot be written to; events are spooled meanwhile',
      );
      await backoff.wait();
    }
    if (signal.aborted) return;
  }
}

/** Begins with the spool again where its disk failed: the database has no part in that, and stays open. */
async function applyReadable(
  writer: Writer,
  options: ApplyOptions & { readonly onApplied: () => void },
  backoff: Backoff,
): Promise<void> {
  const { spool, counts } = options;
  while (true) {
    try {
      return await applySessions(writer, options);
    } catch (error) {
      if (!(error instanceof SpoolError)) throw error;
      counts.trouble = error.message;
      await spool.waitForDisk(error, backoff);
    }
  }
}

/** The database holds another network, which no waiting cures. */
class WrongNetworkError extends IngestError {
  override name = 'WrongNetworkError';
}

async function applySessions(
  writer: Writer,
  options: ApplyOptions & { readonly onApplied: () => void },
): Promise<void> {
  const { spool, onUpgrade, counts, signal, decode } = options;
  counts.newest = writer.lastBlock;
  counts.heldUp = writer.heldUp ?? counts.heldUp;
  if (writer.mended.length > 0) options.logger.warn(describeMended(writer.mended));
  const holdUp = new SpoolHoldUp();
  const holds = (position: bigint) => position <= (writer.lastBlock?.lastPosition ?? -1n);
  for await (const source of readSessions(spool, onUpgrade, signal, { decode, holds })) {
    try {
      await applySession(source, writer, holdUp, options);
    } catch (error) {
      if (!(error instanceof IngestError) || error instanceof WrongNetworkError) throw error;
      if (error instanceof RefusedBlockError) {
        counts.heldUp = hindranceOf(error, writer.lastBlock);
        await writer.holdUp(counts.heldUp, options.version);
        throw error;
      }
      await holdUp.begin(error, source, writer, options);
    }
  }
}

async function applySession(
  source: SessionSource,
  writer: Writer,
  holdUp: SpoolHoldUp,
  options: ApplyOptions & { readonly onApplied: () => void },
): Promise<void> {
  const { spool, counts, signal, logger } = options;
  await writer.claimNetwork(source.chainId).catch((error) => {
    if (!(error instanceof GatewayError)) throw error;
    throw new WrongNetworkError(`${error.message} (The events are in the spool, ${spool.folder}.)`);
  });
  const told = countBlocks({ writer, counts, logger }, (isNew) => {
    if (isNew) {
      if (counts.newest === null) warnOfMiddle(writer, logger);
      options.onApplied();
      holdUp.end();
      counts.heldUp = null;
    }
    if (holdUp.keepsAll) return;
    counts.trouble = null;
    if (source.segment !== null) spool.trimBefore(source.segment);
  });
  await applySource(source, writer, { pace: 'max', signal, ...told });
}

/** A database that is named otherwise than before, as by a relative DATA_DIR, is made anew, and all else goes well. */
function warnOfMiddle({ lastBlock }: Writer, logger: Logger): void {
  const height = Number(lastBlock?.height ?? 0);
  if (height > 1)
    logger.warn(
      { height },
      'the database was empty, and begins in the middle of the network: is it the right one?',
    );
}
