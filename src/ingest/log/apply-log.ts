import type { Logger } from 'pino';
import type { Backoff } from '../../backoff.ts';
import { describeHindrance, describeRemedies } from '../../data/writing/hold-ups.ts';
import { describeMended } from '../../data/writing/row-counts.ts';
import type { Writer } from '../../data/writing/writer.ts';
import { GatewayError } from '../../errors.ts';
import { applySource } from '../apply.ts';
import { countBlocks } from '../count-blocks.ts';
import { FaultError, hindranceOf, IngestError } from '../events.ts';
import type { IngestCounts } from '../ingest-counts.ts';
import type { OpenWriter } from '../open-writer.ts';
import { BlockLog } from './block-log.ts';
import type { LogConnection } from './connect.ts';
import { openLogSource } from './log-source.ts';
import { awaitStream } from './stream.ts';

export interface ApplyLogOptions {
  readonly connection: LogConnection;
  /** The name of the stream. */
  readonly stream: string;
  readonly open: () => Promise<OpenWriter>;
  /** What is open already; closed here. */
  readonly opened: OpenWriter | null;
  readonly counts: IngestCounts;
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
  const { open, counts, signal, logger, backoff } = options;
  let { opened } = options;
  while (!signal.aborted) {
    try {
      await using database = opened ?? (await open());
      opened = null;
      await applyOnce(database.writer, options);
    } catch (error) {
      if (error instanceof WrongNetworkError) throw error;
      if (signal.aborted) return;
      const isNew = counts.trouble === null;
      counts.trouble = error instanceof Error ? error.message : String(error);
      if (!(error instanceof IngestError) || isNew) {
        const retrySeconds = backoff.nextMs / 1000;
        logger.warn(
          { reason: counts.trouble, retrySeconds },
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
  const { connection, stream, counts, skipsDamaged, version, signal, logger, backoff } = options;
  counts.newest = writer.lastBlock;
  counts.heldUp = writer.heldUp;
  if (writer.mended.length > 0) logger.warn(describeMended(writer.mended));
  try {
    const onWaiting = () => {
      logger.info({ stream }, 'the log has nothing for this database yet; it is waited for');
      // Nothing is there that could not be written.
      if (counts.heldUp === null) counts.trouble = null;
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
        newest: writer.lastBlock?.lastPosition ?? null,
        skipsDamaged,
        signal,
        logger,
        onWaiting,
      },
      onAway(reason) {
        if (reason === null) logger.info({ stream }, 'reads the log again');
        counts.trouble = reason;
      },
      onRead(bytes) {
        counts.bytes += bytes;
      },
    });
    const told = countBlocks({ writer, counts, logger }, (isNew) => {
      if (!isNew) return;
      if (counts.trouble !== null) logger.info('blocks are applied again');
      backoff.reset();
      counts.heldUp = null;
      counts.trouble = null;
    });
    await applySource(source, writer, { pace: 'max', signal, ...told });
  } catch (error) {
    if (!(error instanceof IngestError) || error instanceof WrongNetworkError) throw error;
    const hindrance = hindranceOf(error, writer.lastBlock);
    if (counts.heldUp?.reason !== hindrance.reason || counts.trouble === null) {
      const remedies = error instanceof FaultError ? ` ${describeRemedies(hindrance)}` : '';
      logger.error({ place: hindrance.place }, `ingest is ${describeHindrance(hindrance)}.${remedies}`);
    }
    counts.heldUp = hindrance;
    await writer.holdUp(hindrance, version);
    throw error;
  }
}
