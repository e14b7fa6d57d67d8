import type { Logger } from 'pino';
import { BlockLog } from './block-log.ts';
import { connectToLog } from './connect.ts';
import type { BlockFeed } from './feed.ts';
import { relayBlocks } from './relay.ts';
import type { RelayCounts } from './relay-counts.ts';
import type { LogServers } from './servers.ts';
import { ensureStream, type StreamLimits, type StreamName } from './stream.ts';
import { untilFailed } from './until-failed.ts';

/** A feed, and what stands behind it. Whoever opens it closes it. */
export interface OpenFeed extends AsyncDisposable {
  readonly feed: BlockFeed;
  /** Where a core node dials: `tcp://host:port`; null for a file. */
  readonly url: string | null;
  /** Rejects when the feed takes nothing in any more; never resolves. */
  readonly failed: Promise<never>;
}

const REPORT_EVERY_MS = 60_000;

interface RunRelayOptions {
  readonly servers: LogServers;
  readonly stream: StreamName & StreamLimits;
  readonly credentials: Uint8Array | null;
  readonly openFeed: () => Promise<OpenFeed>;
  readonly counts: RelayCounts;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Puts the blocks of a feed into a log: until the feed ends, or the signal is aborted. A core node finds it listening whether or not
 * the log is there, which is waited for; what it sends is kept meanwhile. Throws an IngestError where the servers refuse, or the log
 * is of another network, and for a file where they do not answer at the start.
 */
export async function runRelay(options: RunRelayOptions): Promise<void> {
  const { counts, logger, signal } = options;
  await using source = await options.openFeed();
  const { feed } = source;
  const report = setInterval(() => describe(counts, logger), REPORT_EVERY_MS);
  try {
    await untilFailed(source.failed, signal, (within) => relayFrom(source, { ...options, signal: within }));
    const figures = { blocks: counts.settled, height: counts.newest && Number(counts.newest.height) };
    logger.info(figures, signal.aborted ? 'stopping' : `the log has all blocks of ${feed.name}`);
  } finally {
    clearInterval(report);
  }
}

async function relayFrom({ feed, url }: OpenFeed, options: RunRelayOptions): Promise<void> {
  const { servers, stream, credentials, counts, logger } = options;
  const onAway = url === null ? null : (reason: string) => noteAway(reason, options);
  await using connection = await connectToLog(servers, { credentials, signal: options.signal, onAway });
  await untilFailed(connection.failed, options.signal, async (signal) => {
    await ensureStream(connection, stream, { signal, onAway });
    counts.watchLog(() => connection.isConnected);
    counts.trouble = null;
    const log = await BlockLog.open(connection, stream);
    logger.info({ from: feed.name, to: servers.name, stream: stream.stream }, 'relays blocks');
    await relayBlocks({ feed, log, counts, logger, signal });
  });
}

function noteAway(reason: string, { counts, logger }: RunRelayOptions): void {
  if (counts.trouble === null) logger.warn({ reason }, 'the log is not there yet; blocks are kept meanwhile');
  counts.trouble = reason;
}

/** Once a minute, so that a silent source or a log that takes nothing does not go unnoticed. */
function describe({ newest, isLeading, waiting, trouble }: RelayCounts, logger: Logger): void {
  const figures = { height: newest && Number(newest.height), isLeading, waiting };
  if (trouble !== null) logger.error({ ...figures, trouble }, 'blocks wait');
  else logger.info(figures, isLeading ? 'publishes blocks' : 'follows another relay, or waits for blocks');
}
