import type { Logger } from 'pino';
import type { Backoff } from '../../backoff.ts';
import {
  describeHindrance,
  describeRemedies,
  type Hindrance,
  type SkippedEvent,
} from '../../data/writing/hold-ups.ts';
import { describeMended } from '../../data/writing/row-counts.ts';
import type { Writer } from '../../data/writing/writer.ts';
import { GatewayError } from '../../errors.ts';
import { applySource, type IngestSummary, NOTHING_APPLIED } from '../apply.ts';
import { FaultError, hindranceOf, IngestError } from '../events.ts';
import type { IngestCounts } from '../ingest-counts.ts';
import type { OpenWriter } from '../open-writer.ts';
import type { BlockUnknowns } from '../unknowns.ts';
import { BlockLog } from './block-log.ts';
import type { LogConnection } from './connect.ts';
import { openLogSource } from './log-source.ts';
import { awaitStream } from './stream.ts';

/** How the applying stands, for a person who watches. */
export interface LogApplyState {
  readonly counts: IngestCounts;
  /** Why no blocks are applied at the moment; null while they are. */
  trouble: string | null;
  /** What the next block cannot be applied for, until it is. */
  heldUp: Hindrance | null;
}

export interface ApplyLogOptions {
  readonly connection: LogConnection;
  /** The name of the stream. */
  readonly stream: string;
  readonly open: () => Promise<OpenWriter>;
  /** What is open already; closed here. */
  readonly opened: OpenWriter | null;
  readonly state: LogApplyState;
  readonly skipsDamaged: boolean;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly backoff: Backoff;
  readonly logger: Logger;
}

/**
 * Applies the blocks of a log until the signal is aborted. A database that is lost is opened again, however long that takes. A
 * block that cannot be applied, or is missing, is told to the database; it is tried again, with the database free for others
 * in between, as whoever runs it may have seen to it. Throws only where the database belongs to another network.
 */
export async function applyLog(options: ApplyLogOptions): Promise<void> {
  const { open, state, signal, logger, backoff } = options;
  let { opened } = options;
  while (!signal.aborted) {
    try {
      await using database = opened ?? (await open());
      opened = null;
      await applyOnce(database.writer, options);
    } catch (error) {
      if (error instanceof WrongNetworkError) throw error;
      if (signal.aborted) return;
      const isNew = state.trouble === null;
      state.trouble = error instanceof Error ? error.message : String(error);
      if (!(error instanceof IngestError) || isNew) {
        const retrySeconds = backoff.nextMs / 1000;
        logger.warn(
          { reason: state.trouble, retrySeconds },
          'no blocks are applied at the moment; the log keeps them',
        );
      }
    }
    if (!signal.aborted) await backoff.wait();
  }
}

/** The database holds another network, which no waiting cures. */
class WrongNetworkError extends IngestError {
  override name = 'WrongNetworkError';
}

async function applyOnce(writer: Writer, options: ApplyLogOptions): Promise<void> {
  const { connection, stream, state, skipsDamaged, version, signal, logger } = options;
  const { counts } = state;
  counts.newest = writer.lastBlock;
  state.heldUp = writer.heldUp;
  if (writer.mended.length > 0) logger.warn(describeMended(writer.mended));
  try {
    const onWaiting = () => {
      logger.info({ stream }, 'the log has nothing for this database yet; it is waited for');
      // Nothing is there that could not be written.
      if (state.heldUp === null) state.trouble = null;
    };
    const log = await BlockLog.open(connection, await awaitStream(connection, stream, { signal, onWaiting }));
    const checkChain = (chainId: string) =>
      writer.claimNetwork(chainId).catch((error) => {
        if (!(error instanceof GatewayError)) throw error;
        throw new WrongNetworkError(`${error.message} (The blocks are those of the ${log.name}.)`);
      });
    const source = await openLogSource({
      ...{
        checkChain,
        log,
        newest: writer.lastBlock?.height ?? null,
        skipsDamaged,
        signal,
        logger,
        onWaiting,
      },
      onRead(bytes) {
        counts.bytes += bytes;
      },
    });
    await applySource(source, writer, { pace: 'max', signal, ...watch(writer, options) });
  } catch (error) {
    if (!(error instanceof IngestError) || error instanceof WrongNetworkError) throw error;
    const hindrance = hindranceOf(error, writer.lastBlock);
    if (state.heldUp?.reason !== hindrance.reason || state.trouble === null) {
      const remedies = error instanceof FaultError ? ` ${describeRemedies(hindrance)}` : '';
      logger.error({ place: hindrance.place }, `ingest is ${describeHindrance(hindrance)}.${remedies}`);
    }
    state.heldUp = hindrance;
    await writer.holdUp(hindrance, version);
    throw error;
  }
}

function watch(writer: Writer, { state, logger, backoff }: ApplyLogOptions) {
  const { counts } = state;
  let before = NOTHING_APPLIED;
  return {
    onBlock(latest: IngestSummary) {
      if (latest.applied > before.applied) {
        if (state.trouble !== null) logger.info('blocks are applied again');
        backoff.reset();
        state.heldUp = null;
        state.trouble = null;
      }
      counts.applied += latest.applied - before.applied;
      counts.skipped += latest.skipped - before.skipped;
      counts.events += latest.events - before.events;
      counts.skippedEvents += latest.skippedEvents - before.skippedEvents;
      before = latest;
      counts.newest = writer.lastBlock;
    },
    onUnknowns(unknowns: BlockUnknowns) {
      for (const sentence of counts.unknowns.add(unknowns)) logger.warn(sentence);
    },
    onSkipped(skipped: readonly SkippedEvent[], height: bigint) {
      const [first] = skipped;
      const figures = {
        block: Number(height),
        events: skipped.length,
        ...(first && { kind: first.kind, reason: first.reason }),
      };
      logger.warn(figures, 'passed over what cannot be taken (--skip-damaged)');
    },
  };
}
