import type { Logger } from 'pino';
import { Backoff } from '../../backoff.ts';
import type { OpenPlace } from '../../data/open.ts';
import { Writer } from '../../data/writer.ts';
import { GatewayError } from '../../errors.ts';
import { applySource, type IngestSummary, NOTHING_APPLIED } from '../apply.ts';
import { IngestError } from '../events.ts';
import type { IngestCounts } from '../ingest-counts.ts';
import type { BlockUnknowns } from '../unknowns.ts';
import type { Spool } from './spool.ts';
import { readSessions, type SessionSource, type UpgradeNotice } from './spool-source.ts';

/** A database that events are applied to. Whoever opens it closes it. */
export interface OpenWriter extends AsyncDisposable {
  readonly writer: Writer;
}

/** How the applying stands, for a person who watches. */
export interface ApplyState {
  /** The newest block that the database is known to hold. */
  height: number | null;
  readonly counts: IngestCounts;
  /** Why events stay in the spool at the moment; null while they are applied. */
  trouble: string | null;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 30_000;

/** Opens the database and takes the writer's lock. Throws FAILED_PRECONDITION where another process has it. */
export async function openWriter(
  openPlace: () => Promise<OpenPlace>,
  historyBlocks: number | null,
): Promise<OpenWriter> {
  const place = await openPlace();
  try {
    const writer = await Writer.open(place.url, historyBlocks);
    return {
      writer,
      async [Symbol.asyncDispose]() {
        await writer.close();
        await place[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await place[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Applies what is in the spool and what comes, in its order, and trims the spool behind, until the signal is
 * aborted. A database that is lost is opened again, whatever the reason and however long it takes. A session that
 * cannot be applied (blocks are missing, an event cannot be read) stays in the spool, and the next one is waited
 * for. Throws only where the database belongs to another network.
 */
export async function applySpool(options: {
  readonly spool: Spool;
  /** What is open already; closed here. */
  readonly opened: OpenWriter | null;
  readonly open: () => Promise<OpenWriter>;
  readonly onUpgrade: (notice: UpgradeNotice) => void;
  readonly state: ApplyState;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}): Promise<void> {
  const { open, spool, state, signal, logger } = options;
  let { opened } = options;
  const backoff = new Backoff({ firstMs: FIRST_RETRY_MS, limitMs: LAST_RETRY_MS, signal });
  const onBlock = () => backoff.reset();
  while (true) {
    try {
      await using database = opened ?? (await open());
      opened = null;
      if (state.trouble !== null) logger.info('the database is there again');
      state.trouble = null;
      await applySessions(database.writer, { ...options, onBlock });
    } catch (error) {
      if (error instanceof WrongNetworkError) throw error;
      if (signal.aborted) return;
      state.trouble = error instanceof Error ? error.message : String(error);
      const retrySeconds = backoff.nextMs / 1000;
      logger.warn(
        { reason: state.trouble, retrySeconds, spooled: spool.size },
        'the database cannot be written to; events are spooled meanwhile',
      );
      await backoff.wait();
    }
    if (signal.aborted) return;
  }
}

/** The database holds another network, which no waiting cures. */
class WrongNetworkError extends IngestError {
  override name = 'WrongNetworkError';
}

async function applySessions(
  writer: Writer,
  options: {
    readonly spool: Spool;
    readonly onUpgrade: (notice: UpgradeNotice) => void;
    readonly onBlock: () => void;
    readonly state: ApplyState;
    readonly signal: AbortSignal;
    readonly logger: Logger;
  },
): Promise<void> {
  const { spool, onUpgrade, state, signal, logger } = options;
  state.height = heightOf(writer);
  state.counts.newest = writer.lastBlock;
  for await (const source of readSessions(spool, onUpgrade, signal)) {
    try {
      await applySession(source, writer, options);
    } catch (error) {
      if (!(error instanceof IngestError) || error instanceof WrongNetworkError) throw error;
      state.trouble = error.message;
      spool.leave(source.session);
      logger.error(
        { reason: error.message, folder: spool.folder },
        'cannot go on with these events: they stay in the spool until the core begins again at an earlier block',
      );
    }
  }
}

async function applySession(
  source: SessionSource,
  writer: Writer,
  options: {
    readonly spool: Spool;
    readonly onBlock: () => void;
    readonly state: ApplyState;
    readonly signal: AbortSignal;
    readonly logger: Logger;
  },
): Promise<void> {
  const { spool, state, signal, logger } = options;
  await writer.claimNetwork(source.chainId).catch((error) => {
    if (!(error instanceof GatewayError)) throw error;
    throw new WrongNetworkError(`${error.message} (The events are in the spool, ${spool.folder}.)`);
  });
  let { applied, skipped, events } = NOTHING_APPLIED;
  const onBlock = (latest: IngestSummary) => {
    options.onBlock();
    state.counts.applied += latest.applied - applied;
    state.counts.skipped += latest.skipped - skipped;
    state.counts.events += latest.events - events;
    ({ applied, skipped, events } = latest);
    state.counts.newest = writer.lastBlock;
    state.height = heightOf(writer);
    state.trouble = null;
    if (source.segment) spool.trimBefore(source.segment);
  };
  const onUnknowns = (unknowns: BlockUnknowns) => {
    for (const sentence of state.counts.unknowns.add(unknowns)) logger.warn(sentence);
  };
  await applySource(source, writer, { pace: 'max', signal, onBlock, onUnknowns });
}

function heightOf({ lastBlock }: Writer): number | null {
  return lastBlock && Number(lastBlock.height);
}
