import type { Logger } from 'pino';
import { Backoff } from '../../backoff.ts';
import type { Retention } from '../../data/history/retention.ts';
import type { OpenPlace } from '../../data/open.ts';
import { IngestCounts } from '../ingest-counts.ts';
import { openFirst, openWriter } from '../open-writer.ts';
import { type RunningIngest, superviseIngest } from '../running-ingest.ts';
import { type ApplyLogOptions, applyLog } from './apply-log.ts';
import { connectToLog } from './connect.ts';
import type { LogServers } from './servers.ts';
import { untilFailed } from './until-failed.ts';

export interface LogIngestOptions {
  readonly servers: LogServers;
  /** The name of the stream that is the log. */
  readonly stream: string;
  /** What the servers know this client by, beside a user in their address; null for none. */
  readonly credentials: Uint8Array | null;
  /** Called again whenever the database was lost. */
  readonly openPlace: () => Promise<OpenPlace>;
  /** How much of the past is kept; all where it is not given. */
  readonly retention?: Retention | undefined;
  readonly skipsDamaged: boolean;
  /** Of this program, for whoever reads later what it could not go on at. */
  readonly version: string;
  /** Aborted where a stop is asked for: a database that is still being opened is not waited for then. */
  readonly asked: AbortSignal;
  readonly logger: Logger;
}

const RETRY = { firstMs: 100, limitMs: 30_000 } as const;

/**
 * Applies what a log has, and what comes, to the database. A database or servers that are away or lost are waited for, however long.
 * Throws where another process ingests into the database.
 */
export async function startLogIngest(options: LogIngestOptions): Promise<RunningIngest> {
  const { asked, logger } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const counts = new IngestCounts();
  const open = () => openWriter(options.openPlace, options.retention, signal);
  const meanwhile = 'the log keeps the blocks meanwhile';
  const opened = await openFirst(open, counts, { stop, asked, logger, meanwhile });
  const applying = readLog(options, { open, opened, counts, signal });
  return superviseIngest({
    counts,
    applying,
    report: () => describe(counts, logger),
    async end() {
      stop.abort();
      // `failed` has named a failure already.
      await applying.catch(() => undefined);
    },
  });
}

/** Connects, and applies until the signal is aborted, or the servers take this client no longer. */
async function readLog(
  options: LogIngestOptions,
  { signal, ...writing }: Pick<ApplyLogOptions, 'open' | 'opened' | 'counts' | 'signal'>,
): Promise<void> {
  const { logger, credentials, servers } = options;
  const { opened, counts } = writing;
  const onAway = (reason: string) => {
    if (counts.trouble !== reason) logger.warn({ reason }, 'the log is not there yet; it is waited for');
    counts.trouble = reason;
  };
  await using connection = await connectToLog(servers, { credentials, signal, onAway }).catch(
    async (error) => {
      await opened?.[Symbol.asyncDispose]();
      if (signal.aborted) return null;
      throw error;
    },
  );
  if (connection === null) return;
  logger.info({ servers: servers.name, stream: options.stream }, 'reads the log');
  await untilFailed(connection.failed, signal, (within) => {
    const backoff = new Backoff({ ...RETRY, signal: within });
    return applyLog({ ...options, ...writing, connection, signal: within, backoff });
  });
}

function describe({ height, applied, trouble }: IngestCounts, logger: Logger): void {
  if (trouble === null) logger.info({ height, applied }, 'taking blocks in');
  else logger.error({ height, trouble }, 'no blocks are taken in');
}
