import type { Command } from 'commander';
import type { Logger } from 'pino';
import { refuseSamePort, withWorkers } from '../config.ts';
import { nameMigrate } from '../data/migrate.ts';
import { openReadingPlace } from '../data/open.ts';
import { readBaseStanding } from '../data/parts/progress-table.ts';
import { readExcessAt } from '../data/upkeep/readers.ts';
import { type LogServers, namesLog } from '../ingest/log/servers.ts';
import type { PeerAddress } from '../ingest/socket/listen.ts';
import { createLogger } from '../log.ts';
import { checkServing, loadServing, startServing } from '../serving.ts';
import { readAddress, readPartsPlace, readWorkers } from './arguments.ts';
import { type BaseProcess, startBaseProcess } from './base-process.ts';
import { addSkipDamaged, type SkipOptions, skipsDamaged, startCoreSocket } from './core-socket.ts';
import { RUNS_UNTIL_STOPPED } from './ending.ts';
import { addExamples } from './help.ts';
import { refuseLaterBlocks } from './later-blocks.ts';
import { addLogOptions, type LogOptions, readServers } from './log.ts';
import { openProcessMetrics } from './process-metrics.ts';
import { aborted, type Job, type Run, UsageError } from './run.ts';

const WIDE_ROLE = `the role that serves may do more than read; one that may not is made by ${nameMigrate('--reader ROLE')}`;

const STREAM_OF_LOG = '--stream is for a log that --ingest takes in, as in --ingest nats://host:port.';

export function addServe(program: Command, run: Run): void {
  const command = program
    .command('serve')
    .description('serve what the database holds')
    .option(
      '--ingest <address>',
      'take in what a core node sends (tcp://host:port) or what a log has (nats://host:port) as well, as "ingest" does',
      readSource,
    )
    .option(
      '--from <place>',
      'begin with what export wrote, a folder, its address or a bucket, where the database is empty: the present is served as soon as it is there',
      readPartsPlace,
    )
    .option('--workers <number>', 'by so many processes on one port, or auto: one for each core', readWorkers)
    .action((options: ServeOptions) =>
      run((job) => {
        const isLog = options.ingest !== undefined && 'hosts' in options.ingest;
        if (!isLog && command.getOptionValueSource('stream') !== 'default')
          throw new UsageError(STREAM_OF_LOG);
        return serve(job, options);
      }, RUNS_UNTIL_STOPPED),
    );
  addExamples(addSkipDamaged(addLogOptions(command)), [
    ['periscope serve', 'on http://127.0.0.1:3008, from the embedded database'],
    ['PORT=8080 DATABASE_URL=postgres://… periscope serve', 'from a server of your own'],
    ['periscope serve --workers auto', 'with all cores'],
    ['periscope serve --from https://files.example/parts', 'an empty database, from what export wrote'],
    ['periscope serve --ingest tcp://127.0.0.1:3005', 'and take in a live network besides'],
    ['periscope serve --ingest nats://one,two,three', 'or from a log'],
  ]);
}

interface ServeOptions extends SkipOptions, LogOptions {
  readonly ingest?: PeerAddress | LogServers;
  readonly from?: string;
  /** Instead of WORKERS. */
  readonly workers?: number | 'auto';
}

/** With a core node to listen for, either both run or neither: what stops the ingest for good stops the serving. */
async function serve(job: Job, options: ServeOptions): Promise<void> {
  const { ingest: source, workers: count } = options;
  const { stop, signal } = job;
  if (options.skipDamaged && !source) throw new UsageError('--skip-damaged is for what --ingest takes in.');
  const config = count === undefined ? job.config : withWorkers(job.config, count);
  refuseSamePort(config);
  const logger = createLogger(config.log.level);
  // What serves takes as long to load as PostgreSQL to start: meanwhile.
  const meanwhile = () => loadServing(config);
  await using place = await openReadingPlace(config.database, { stop, meanwhile });
  const rights = await readExcessAt(place.url);
  if (rights.length > 0) logger.warn({ rights }, WIDE_ROLE);
  await checkServing(config);
  await using base = await startBase(job, options.from, place.url, logger);
  await using core = source ? await startIngest(job, source, options, { logger, base }) : null;
  await using metrics = await openProcessMetrics(config, logger, place, core && (() => core.counts));
  // Until then there is nothing to serve, and nobody is to be sent here.
  if (base !== null) {
    await Promise.race([base.present, base.done, aborted(signal), ...(core ? [core.failed] : [])]);
    signal.throwIfAborted();
  }
  await using serving = await startServing({
    ...{ config, databaseUrl: place.url, logger, stop, metrics },
    ...(core && { findHindrance: () => core.counts.heldUp }),
  });
  const { url, metricsUrl, workers, failed } = serving;
  const links = { url, graphql: `${url}/graphql`, ...(metricsUrl && { metrics: metricsUrl }) };
  logger.info({ ...links, database: place.name, ...(workers > 1 && { workers }) }, 'listening');
  const baseFailed = base === null ? [] : [base.done.then(() => new Promise<never>(() => {}))];
  await Promise.race([aborted(signal), failed, ...(core ? [core.failed] : []), ...baseFailed]);
  logger.info('stopping');
}

/** Begins with a base, or goes on with one; null where none is wanted, or the database has its blocks. Throws where these are others. */
async function startBase(
  job: Job,
  from: string | undefined,
  url: string,
  logger: Logger,
): Promise<BaseProcess | null> {
  if (from === undefined) return null;
  const { isBegun, holdsBlocks } = await readBaseStanding(url);
  if (isBegun || !holdsBlocks) return startBaseProcess(from, url, logger, isBegun);
  await refuseLaterBlocks(job, from, url, logger);
  return null;
}

function readSource(text: string): PeerAddress | LogServers {
  return namesLog(text) ? readServers(text) : readAddress(text);
}

/** What comes before the base is there waits: in the spool, or in the log. */
async function startIngest(
  job: Job,
  source: PeerAddress | LogServers,
  options: ServeOptions,
  { logger, base }: { readonly logger: Logger; readonly base: BaseProcess | null },
) {
  const skips = skipsDamaged(job, options);
  const check = () => base?.check();
  if (!('hosts' in source)) return startCoreSocket(job, source, { logger, skipDamaged: skips, check });
  const { startLog } = await import('./logs.ts');
  return startLog(job, source, { stream: options.stream, logger, skipsDamaged: skips, check });
}
