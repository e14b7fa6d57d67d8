import type { Logger } from 'pino';
import { BlockLog } from './block-log.ts';
import { connectToLog } from './connect.ts';
import type { BlockFeed } from './feed.ts';
import { relayBlocks } from './relay.ts';
import type { RelayCounts } from './relay-counts.ts';
import type { LogServers } from './servers.ts';
import { ensureStream, type StreamLimits, type StreamName } from './stream.ts';

/** A feed, and what stands behind it. Whoever opens it closes it. */
export interface OpenFeed extends AsyncDisposable {
  readonly feed: BlockFeed;
  /** Where a core node dials: `tcp://host:port`; null for a file. */
  readonly url: string | null;
  /** Rejects when the feed takes nothing in any more; never resolves. */
  readonly failed: Promise<never>;
}

const REPORT_EVERY_MS = 60_000;

/**
 * Puts the blocks of a feed into a log: until the feed ends, or the signal is aborted. Throws an IngestError where the servers do not
 * answer at the start, or the log is of another network.
 */
export async function runRelay(options: {
  readonly servers: LogServers;
  readonly stream: StreamName & StreamLimits;
  readonly credentials: Uint8Array | null;
  readonly openFeed: () => Promise<OpenFeed>;
  readonly counts: RelayCounts;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { servers, stream, credentials, counts, logger } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  await using connection = await connectToLog(servers, { credentials, signal });
  counts.watchLog(() => connection.isConnected);
  await ensureStream(connection, stream, signal);
  const log = await BlockLog.open(connection, stream);
  await using source = await options.openFeed();
  const { feed } = source;
  logger.info({ from: feed.name, to: servers.name, stream: stream.stream }, 'relays blocks');
  const report = setInterval(() => describe(counts, logger), REPORT_EVERY_MS);
  const relaying = relayBlocks({ feed, log, counts, logger, signal });
  try {
    await Promise.race([relaying, connection.failed, source.failed]);
    const figures = { blocks: counts.settled, height: counts.newest && Number(counts.newest.height) };
    logger.info(figures, options.signal.aborted ? 'stopping' : `the log has all blocks of ${feed.name}`);
  } finally {
    clearInterval(report);
    stop.abort();
    await relaying.catch(() => undefined);
  }
}

/** Once a minute, so that a silent source or a log that takes nothing does not go unnoticed. */
function describe({ newest, isLeading, waiting, trouble }: RelayCounts, logger: Logger): void {
  const figures = { height: newest && Number(newest.height), isLeading, waiting };
  if (trouble !== null) logger.error({ ...figures, trouble }, 'blocks wait');
  else logger.info(figures, isLeading ? 'publishes blocks' : 'follows another relay, or waits for blocks');
}
