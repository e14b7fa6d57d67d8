#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander';
import type { Logger } from 'pino';
import { type Config, ConfigError, configOptions, readConfig } from './config.ts';
import { migrate } from './data/migrate.ts';
import { openPlace, openReadingPlace } from './data/open.ts';
import { defaultDataDir } from './data/postgres.ts';
import { grantReader, readExcessAt } from './data/readers.ts';
import { describeRefusal } from './data/refusals.ts';
import { isUnavailable } from './data/unavailable.ts';
import { GatewayError } from './errors.ts';
import type { Pace } from './ingest/apply.ts';
import { type EventSource, IngestError } from './ingest/events.ts';
import { readPeerAddress } from './ingest/socket/address.ts';
import type { PeerAddress } from './ingest/socket/listen.ts';
import { createLogger, ignoreLostOutput } from './log.ts';
import type { SimulationOptions } from './simulation/simulate.ts';
import { Stop } from './stop.ts';

const PACE_HELP = 'max, realtime (by the times of the blocks) or blocks a second';

const WIDE_ROLE =
  'the role that serves may do more than read; "npm run migrate -- --reader NAME" makes one that may not';

const EMBEDDED_READER =
  '--reader is for a server at DATABASE_URL; the embedded database has its own role that only reads.';

const program = new Command('periscope')
  .description('A read-only query gateway for a trading network: GraphQL and REST over PostgreSQL.')
  .addHelpText('after', describeEnvironment);

program
  .command('serve')
  .description('serve what the database holds')
  .option(
    '--ingest <address>',
    'take in what a core node sends as well, as "ingest socket" does',
    readAddress,
  )
  .action(({ ingest: address }: { ingest?: PeerAddress }) => run((job) => serve(job, address)));

program
  .command('demo')
  .description('serve a simulated network that goes on producing blocks')
  .action(() => run(demo));

program
  .command('migrate')
  .description("make this version's tables in the database")
  .option('--reader <role>', 'let this role read them, and nothing else; it is made where it is not there')
  .action(({ reader }: { reader?: string }) => run((job) => migrateDatabase(job, reader)));

const ingest = program.command('ingest').description('take events into the database, from where it stands');

ingest
  .command('file')
  .description('a recorded event file, plain or gzip')
  .argument('<path>', 'the file')
  .option('--pace <pace>', PACE_HELP, readPace, 'max')
  .option('--follow', 'go on with what a core node adds to the file (a plain one), until stopped')
  .action((path: string, { pace, follow }: { pace: Pace; follow?: true }) =>
    run((job) => ingestSource(job, follow ? followFile(path, job) : openFile(path), pace)),
  );

ingest
  .command('socket')
  .description(
    'what a core node sends that dials this address, until stopped; kept on disk until it is applied',
  )
  .argument('<address>', 'where to listen: tcp://host:port', readAddress)
  .action((address: PeerAddress) => run((job) => ingestSocket(job, address)));

ingest
  .command('ndjson')
  .description('events as lines of JSON, plain or gzip (docs/feeding.md has the format)')
  .argument('<path>', 'the file, or - for standard input')
  .option('--pace <pace>', PACE_HELP, readPace, 'max')
  .action((path: string, { pace }: { pace: Pace }) =>
    run((job) => ingestSource(job, openLines(path, job), pace)),
  );

ingest
  .command('simulate')
  .description('a simulated network, the same for the same seed, parties and markets')
  .option('--seed <number>', 'what decides everything', readWhole, 1)
  .option('--blocks <number>', 'how many blocks', readWhole, 1000)
  .option('--parties <number>', 'how many parties', readWhole, 100)
  .option('--markets <number>', 'how many markets', readWhole, 5)
  .option('--pace <pace>', PACE_HELP, readPace, 'max')
  .action(({ pace, ...options }: SimulationOptions & { pace: Pace }) =>
    run((job) => ingestSource(job, openSimulated(options), pace)),
  );

await program.parseAsync();

/** What every command works with. The signal is that of the stop. */
interface Job {
  readonly config: Config;
  readonly stop: Stop;
  readonly signal: AbortSignal;
}

/** With a core node to listen for, either both run or neither: what stops the ingest for good stops the serving. */
async function serve(job: Job, address: PeerAddress | undefined): Promise<void> {
  const { config, stop, signal } = job;
  const logger = createLogger(config.log.level);
  // What serves takes as long to load as PostgreSQL to start: meanwhile.
  const meanwhile = () => void loadGateway().catch(() => {});
  await using place = await openReadingPlace(config.database, { stop, meanwhile });
  const rights = await readExcessAt(place.url);
  if (rights.length > 0) logger.warn({ rights }, WIDE_ROLE);
  await using core = address ? await startSocket(socketOptions(job, address, logger)) : null;
  const startGateway = await loadGateway();
  await using gateway = await startGateway({ config, databaseUrl: place.url, logger });
  const { url } = gateway;
  logger.info({ url, graphql: `${url}/graphql`, database: place.name }, 'listening');
  await (core ? Promise.race([aborted(signal), core.failed]) : aborted(signal));
  logger.info('stopping');
}

async function ingestSocket(job: Job, address: PeerAddress): Promise<void> {
  const { config, signal } = job;
  const logger = createLogger(config.log.level);
  await using core = await startSocket(socketOptions(job, address, logger));
  await Promise.race([aborted(signal), core.failed]);
  logger.info('stopping');
}

function socketOptions({ config, stop }: Job, address: PeerAddress, logger: Logger) {
  const { database, ingest } = config;
  const folder = ingest.spoolDir ?? `${database.dataDir ?? defaultDataDir()}-spool`;
  const spool = { folder, limit: ingest.spoolLimit };
  const { historyBlocks } = ingest;
  return { address, spool, openPlace: () => openPlace(database, { stop }), historyBlocks, logger };
}

async function followFile(path: string, { signal }: Job): Promise<EventSource> {
  const { openFollowedFile } = await import('./ingest/follow.ts');
  const onWaiting = () => process.stderr.write(`${path} is not there yet; waiting for it.\n`);
  return openFollowedFile(path, { signal, onWaiting });
}

async function openFile(path: string): Promise<EventSource> {
  const { openRecordedFile } = await import('./ingest/recorded-file.ts');
  return openRecordedFile(path);
}

async function openLines(path: string, { signal }: Job): Promise<EventSource> {
  const { openNdjson } = await import('./ingest/ndjson.ts');
  return openNdjson(path, process.stdin, signal);
}

async function openSimulated(options: SimulationOptions): Promise<EventSource> {
  const { openSimulation } = await import('./simulation/simulate.ts');
  return openSimulation(options);
}

/**
 * What serves is loaded where it is wanted, and so is what takes in: either starts sooner without the other. (Not within
 * `serve`: in a function that has `await using`, TypeScript 6 leaves the path of an `import()` as it is.)
 */
async function loadGateway() {
  const { startGateway } = await import('./server.ts');
  return startGateway;
}

async function loadIngest() {
  const { runIngest } = await import('./ingest/run.ts');
  return runIngest;
}

async function startSocket(options: ReturnType<typeof socketOptions>) {
  const { startSocketIngest } = await import('./ingest/socket/run.ts');
  return startSocketIngest(options);
}

async function demo({ config, stop }: Job): Promise<void> {
  const { runDemo } = await import('./demo.ts');
  await runDemo(config, stop);
}

async function migrateDatabase({ config, stop }: Job, reader: string | undefined): Promise<void> {
  const { url } = config.database;
  if (url === null) {
    if (reader !== undefined) throw new RangeError(EMBEDDED_READER);
    // Opening the embedded database brings it up to date.
    await using place = await openPlace(config.database, { stop });
    process.stdout.write(`The embedded database in ${place.name} is up to date.\n`);
    return;
  }
  const applied = await migrate(url);
  process.stdout.write(applied.length === 0 ? 'Up to date already.\n' : `Applied ${applied.join(', ')}.\n`);
  if (reader === undefined) return;
  const isNew = await grantReader(url, reader);
  process.stdout.write(`The role ${reader} may read the tables.\n`);
  if (isNew) process.stdout.write(`It is new and has no password; \\password in psql gives it one.\n`);
}

async function ingestSource(
  { config, stop, signal }: Job,
  source: EventSource | Promise<EventSource>,
  pace: Pace,
): Promise<void> {
  const opened = await source;
  await using place = await openPlace(config.database, { stop });
  const { historyBlocks } = config.ingest;
  const output = process.stderr;
  const runIngest = await loadIngest();
  try {
    await runIngest({ source: opened, databaseUrl: place.url, historyBlocks, pace, signal, output });
  } catch (error) {
    const explained = (await place.explain(error)) as Error;
    if (explained === error && !isUnavailable(error)) throw error;
    const message = `${explained === error ? describeLoss(explained) : explained.message} All blocks applied so far are kept.`;
    throw new GatewayError('UNAVAILABLE', message);
  }
}

/** Runs a command with the settings of the environment, and turns what it throws into words and an exit code. */
async function run(command: (job: Job) => Promise<void>): Promise<void> {
  ignoreLostOutput();
  const stop = Stop.listen();
  const { signal, hurry } = stop;
  try {
    await command({ config: readConfig(process.env), stop, signal });
  } catch (error) {
    // What is stopped while it still waits to begin, has done what it was asked.
    if (signal.aborted && (error as Error).name === 'AbortError') return;
    process.stderr.write(`periscope: ${explain(error as Error)}\n`);
    if (!hurry.aborted) process.exitCode = 1;
  }
}

function explain(error: Error): string {
  if ([ConfigError, IngestError, GatewayError, RangeError].some((known) => error instanceof known)) {
    return error.message;
  }
  if (isUnavailable(error)) return describeLoss(error);
  const refusal = describeRefusal(error);
  return refusal === null
    ? (error.stack ?? error.message)
    : `The database server at DATABASE_URL refuses: ${refusal}.`;
}

function describeLoss(error: Error): string {
  // A name with several addresses fails with an error for each, and none of its own.
  const reasons =
    error instanceof AggregateError ? error.errors.map(({ message }) => message) : [error.message];
  return `The database cannot be reached, or was lost: ${reasons.join(', ')}.`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function readPace(text: string): Pace {
  if (text === 'max' || text === 'realtime') return text;
  const pace = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (pace > 0) return pace;
  throw new InvalidArgumentError('It takes max, realtime or a number of blocks a second above 0.');
}

function readAddress(text: string): PeerAddress {
  try {
    return readPeerAddress(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

function readWhole(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number.');
}

function describeEnvironment(): string {
  const options = Object.values(configOptions).flatMap((group) => Object.values(group));
  const width = Math.max(...options.map(({ name }) => name.length));
  const lines = options.map(({ name, what, takes, default: initial }) => {
    const preset = initial === null ? '' : ` (${initial})`;
    return `  ${name.padEnd(width)}  ${what}${preset}; takes ${takes}`;
  });
  return `\nEnvironment:\n${lines.join('\n')}`;
}
