import { type Command, Option } from 'commander';
import type { Logger } from 'pino';
import { defaultDataDir } from '../data/embedded/data-folder.ts';
import { openPlace } from '../data/open.ts';
import { isUnavailable } from '../data/servers/unavailable.ts';
import { GatewayError } from '../errors.ts';
import type { Pace } from '../ingest/apply.ts';
import type { EventSource } from '../ingest/events.ts';
import type { LogServers } from '../ingest/log/servers.ts';
import type { RunningIngest } from '../ingest/running-ingest.ts';
import type { PeerAddress } from '../ingest/socket/listen.ts';
import { createLogger } from '../log.ts';
import { VERSION } from '../reference/about.ts';
import type { SimulationOptions } from '../simulation/simulate.ts';
import { PACE_HELP, readAddress, readPace, readWhole } from './arguments.ts';
import {
  addSkipDamaged,
  findDecode,
  type SkipOptions,
  skipsDamaged,
  startCoreSocket,
} from './core-socket.ts';
import { RUNS_UNTIL_STOPPED } from './ending.ts';
import { addExamples } from './help.ts';
import { addBase } from './ingest-base.ts';
import { addLogOptions, type LogOptions, readServers } from './log.ts';
import { openIngestMetrics } from './process-metrics.ts';
import { aborted, describeLoss, type Job, leavingInput, type Run, UsageError } from './run.ts';

export function addIngest(program: Command, run: Run): void {
  const ingest = program.command('ingest').description('take events into the database, from where it stands');
  addExamples(ingest, [
    ['periscope ingest file events.evt.gz', 'a recorded event file'],
    ['some-program | periscope ingest ndjson -', 'lines of JSON, as they are written'],
    ['periscope ingest socket tcp://127.0.0.1:3005', 'what a core node sends'],
    ['periscope ingest jetstream nats://127.0.0.1:4222', 'what relays put into a log'],
  ]);
  addFile(ingest, run);
  addSocket(ingest, run);
  addJetstream(ingest, run);
  addNdjson(ingest, run);
  addSimulate(ingest, run);
  addBase(ingest, run);
}

function addFile(ingest: Command, run: Run): void {
  const command = ingest
    .command('file')
    .description('a recorded event file, plain or gzip')
    .argument('<path>', 'the file')
    .option('--pace <pace>', PACE_HELP, readPace, 'max')
    .option('--follow', 'go on with what a core node adds to the file (a plain one), until stopped')
    .addOption(
      new Option(
        '--to <address>',
        'send it to an ingest that listens there, as a core node does: tcp://host:port',
      )
        .argParser(readAddress)
        // These are for what is taken in here.
        .conflicts(['pace', 'follow', 'skipDamaged']),
    )
    .action((path: string, { pace, follow, to, ...skip }: FileOptions) =>
      run((job) => {
        if (to !== undefined) return replay(job, path, to);
        const skips = skipsDamaged(job, skip);
        return ingestSource(job, follow ? followFile(path, job, skips) : openFile(path, skips), pace);
      }, RUNS_UNTIL_STOPPED),
    );
  addExamples(addSkipDamaged(command), [
    ['periscope ingest file events.evt.gz', 'as fast as the database takes it'],
    ['periscope ingest file events.evt.gz --pace realtime', 'by the times of the blocks'],
    ['periscope ingest file events.evt --follow', 'and what is added to it from then on'],
    ['periscope ingest file events.evt --to tcp://127.0.0.1:3005', 'to try a socket without a core node'],
  ]);
}

interface FileOptions extends SkipOptions {
  readonly pace: Pace;
  readonly follow?: true;
  readonly to?: PeerAddress;
}

async function replay({ signal }: Job, path: string, to: PeerAddress): Promise<void> {
  const { replayFile } = await import('../ingest/socket/replay.ts');
  const sent = await replayFile(path, to, signal);
  process.stderr.write(
    `Sent ${sent.toLocaleString('en')} events of ${path} to tcp://${to.host}:${to.port}.\n`,
  );
}

function addSocket(ingest: Command, run: Run): void {
  const command = ingest
    .command('socket')
    .description(
      'what a core node sends that dials this address, until stopped; kept on disk until it is applied',
    )
    .argument('<address>', 'where to listen: tcp://host:port', readAddress)
    .action((address: PeerAddress, skip: SkipOptions) =>
      run((job) => ingestSocket(job, address, skipsDamaged(job, skip)), RUNS_UNTIL_STOPPED),
    );
  addExamples(addSkipDamaged(command), [
    ['periscope ingest socket tcp://127.0.0.1:3005', 'from a core node on this machine'],
    ['SPOOL_DIR=/srv/spool periscope ingest socket tcp://0.0.0.0:3005', 'from another, through a disk'],
  ]);
}

function addJetstream(ingest: Command, run: Run): void {
  const command = ingest
    .command('jetstream')
    .description(
      'what relays put into a log of NATS JetStream, from where the database stands, until stopped',
    )
    .argument('<servers>', 'the servers of the log: nats://host:port[,host:port]', readServers)
    .action((servers: LogServers, { stream, ...skip }: LogOptions & SkipOptions) =>
      run(
        (job) => ingestLog(job, servers, { stream, skipsDamaged: skipsDamaged(job, skip) }),
        RUNS_UNTIL_STOPPED,
      ),
    );
  addExamples(addSkipDamaged(addLogOptions(command)), [
    ['periscope ingest jetstream nats://127.0.0.1:4222', 'from a server on this machine'],
    [
      'NATS_CREDENTIALS=region.creds periscope ingest jetstream tls://one,two,three',
      'from any of three others',
    ],
  ]);
}

function addNdjson(ingest: Command, run: Run): void {
  const command = ingest
    .command('ndjson')
    .description('events as lines of JSON, plain or gzip (docs/feeding.md has the format)')
    .argument('<path>', 'the file, or - for standard input')
    .option('--pace <pace>', PACE_HELP, readPace, 'max')
    .action((path: string, { pace, ...skip }: { pace: Pace } & SkipOptions) =>
      run(
        (job) => leavingInput(path, ingestSource(job, openLines(path, job, skipsDamaged(job, skip)), pace)),
        RUNS_UNTIL_STOPPED,
      ),
    );
  addExamples(addSkipDamaged(command), [
    ['periscope ingest ndjson events.ndjson', 'a file, plain or gzip'],
    ['some-program | periscope ingest ndjson -', 'standard input, until it ends'],
  ]);
}

function addSimulate(ingest: Command, run: Run): void {
  const command = ingest
    .command('simulate')
    .description('a simulated network, the same for the same seed, parties, markets and release')
    .option('--seed <number>', 'what decides everything', readWhole, 1)
    .option('--blocks <number>', 'how many blocks', readWhole, 1000)
    .option('--parties <number>', 'how many parties', readWhole, 100)
    .option('--markets <number>', 'how many markets', readWhole, 5)
    .addOption(
      new Option('--release <release>', 'what it behaves as: 0.79 has perpetuals, spots and capped futures')
        .choices(['0.71', '0.79'])
        .default('0.71'),
    )
    .option('--pace <pace>', PACE_HELP, readPace, 'max')
    .action(({ pace, ...options }: SimulationOptions & { pace: Pace }) =>
      run((job) => ingestSource(job, openSimulated(options), pace), RUNS_UNTIL_STOPPED),
    );
  addExamples(command, [
    ['periscope ingest simulate', 'a thousand blocks of a hundred parties'],
    [
      'periscope ingest simulate --seed 7 --blocks 150 --parties 40 --markets 4 --release 0.79',
      'the network of the demo',
    ],
  ]);
}

async function ingestLog(
  job: Job,
  servers: LogServers,
  options: LogOptions & { readonly skipsDamaged: boolean },
): Promise<void> {
  const logger = createLogger(job.config.log.level);
  await using log = await openLog(job, servers, { ...options, logger });
  await watchIngest(job, log, logger);
}

async function openLog(
  job: Job,
  servers: LogServers,
  options: LogOptions & { readonly skipsDamaged: boolean; readonly logger: Logger },
): Promise<RunningIngest> {
  const { startLog } = await import('./logs.ts');
  return startLog(job, servers, options);
}

async function ingestSocket(job: Job, address: PeerAddress, skipDamaged: boolean): Promise<void> {
  const logger = createLogger(job.config.log.level);
  await using core = await startCoreSocket(job, address, { logger, skipDamaged });
  await watchIngest(job, core, logger);
}

/** Serves the metrics of an ingest until it is stopped, or fails. */
async function watchIngest({ config, signal }: Job, ingest: RunningIngest, logger: Logger): Promise<void> {
  const folder = config.database.url === null ? (config.database.dataDir ?? defaultDataDir()) : null;
  await using metrics = await openIngestMetrics(config, logger, { folder }, () => ingest.counts);
  if (metrics !== null) logger.info({ url: metrics.url }, 'metrics are served');
  await Promise.race([aborted(signal), ingest.failed]);
  logger.info('stopping');
}

async function ingestSource(
  { config, stop, signal }: Job,
  source: EventSource | Promise<EventSource>,
  pace: Pace,
): Promise<void> {
  const opened = await source;
  await using place = await openPlace(config.database, { stop });
  const retention = config.ingest;
  const output = process.stderr;
  const { runIngest, IngestCounts } = await loadIngest();
  const counts = new IngestCounts();
  await using metrics = await openIngestMetrics(config, createLogger('warn'), place, () => counts);
  if (metrics !== null) output.write(`Metrics are at ${metrics.url}.\n`);
  try {
    const ingest = { source: opened, databaseUrl: place.url, retention, pace, signal, output, counts };
    await runIngest({ ...ingest, version: VERSION });
  } catch (error) {
    const explained = (await place.explain(error)) as Error;
    if (explained === error && !isUnavailable(error)) throw error;
    const message = `${explained === error ? describeLoss(explained) : explained.message} All blocks applied so far are kept.`;
    throw new GatewayError('UNAVAILABLE', message);
  }
}

async function followFile(path: string, { signal }: Job, skips: boolean): Promise<EventSource> {
  const { openFollowedFile } = await import('../ingest/follow.ts');
  const onWaiting = () => process.stderr.write(`${path} is not there yet; waiting for it.\n`);
  return openFollowedFile(path, { signal, onWaiting, decode: await findDecode(skips) });
}

async function openFile(path: string, skips: boolean): Promise<EventSource> {
  const { openRecordedFile } = await import('../ingest/recorded-file.ts');
  return openRecordedFile(path, await findDecode(skips));
}

async function openLines(path: string, { signal }: Job, skipsDamaged: boolean): Promise<EventSource> {
  const { openNdjson } = await import('../ingest/ndjson.ts');
  return openNdjson(path, process.stdin, signal, { skipsDamaged });
}

async function openSimulated(options: SimulationOptions): Promise<EventSource> {
  const { openSimulation } = await import('../simulation/simulate.ts');
  try {
    return openSimulation(options);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(`--${error.message}.`) : error;
  }
}

/** Not within what has `using`: as in `worker.ts`. */
async function loadIngest() {
  const [{ runIngest }, { IngestCounts }] = await Promise.all([
    import('../ingest/run.ts'),
    import('../ingest/ingest-counts.ts'),
  ]);
  return { runIngest, IngestCounts };
}
