import { type Command, InvalidArgumentError } from 'commander';
import type { RelayCounts as Counts } from '../ingest/log/relay-counts.ts';
import type { OpenFeed } from '../ingest/log/run-relay.ts';
import type { LogServers } from '../ingest/log/servers.ts';
import { type PeerAddress, readPeerAddress } from '../ingest/socket/listen.ts';
import { createLogger } from '../log.ts';
import { readWhole } from './arguments.ts';
import { spoolFolder } from './core-socket.ts';
import { addExamples } from './help.ts';
import { addLogOptions, type LogOptions, readCredentials, readServers } from './log.ts';
import { openRelayMetrics } from './process-metrics.ts';
import { type Job, type Run, UsageError } from './run.ts';

export function addRelay(program: Command, run: Run): void {
  const command = program
    .command('relay')
    .description('put blocks into a log of NATS JetStream, from which any number of databases take them')
    .requiredOption(
      '--from <source>',
      'tcp://host:port, where a core node dials; or a recorded file or one of lines of JSON, - for lines of standard input',
    )
    .requiredOption('--to <servers>', 'the servers of the log: nats://host:port[,host:port]', readServers);
  addLogOptions(command)
    .option(
      '--subject <name>',
      'the subject of its messages; the stream and .blocks where none is given',
      readSubject,
    )
    .option(
      '--replicas <number>',
      'on how many servers the log is kept: 1, 3 or 5; a new one on 1',
      readReplicas,
    )
    .option('--max-age <age>', 'how long a block is kept, as in 12h or 30d; a new log keeps all', readAge)
    .option('--max-bytes <number>', 'how many bytes are kept, the newest; a new log keeps all', readWhole)
    .option('--follow', 'go on with what is added to the file (a plain recorded one), until stopped')
    .action((options: RelayOptions) => run((job) => relay(job, options)));
  addExamples(command, [
    ['periscope relay --from tcp://127.0.0.1:3005 --to nats://127.0.0.1:4222', 'what a core node sends'],
    [
      'periscope relay --from tcp://0.0.0.0:3005 --to nats://one,two,three --replicas 3 --max-age 30d',
      'on three servers, for a month',
    ],
    ['periscope relay --from events.evt.gz --to nats://127.0.0.1:4222', 'a recorded network'],
  ]);
}

interface RelayOptions extends LogOptions {
  readonly from: string;
  readonly to: LogServers;
  readonly subject?: string;
  readonly replicas?: number;
  readonly maxAge?: number;
  readonly maxBytes?: number;
  readonly follow?: true;
}

async function relay(job: Job, options: RelayOptions): Promise<void> {
  const { config, signal } = job;
  const {
    to: servers,
    stream,
    subject = `${stream}.blocks`,
    replicas = null,
    maxAge,
    maxBytes = null,
  } = options;
  const isCore = options.from.startsWith('tcp:');
  // What is wrong is told before anything is begun.
  const address = isCore ? readFrom(options.from) : null;
  if (isCore && options.follow) throw new UsageError('--follow is for a file that --from names.');
  const { runRelay, RelayCounts } = await loadRelay();
  const logger = createLogger(config.log.level);
  const counts = new RelayCounts();
  await using metrics = await openRelayMetrics(config, logger, counts);
  if (metrics !== null) logger.info({ url: metrics.url }, 'metrics are served');
  await runRelay({
    ...{ servers, counts, logger, signal, credentials: await readCredentials(job) },
    stream: { stream, subject, replicas, maxAgeMs: maxAge ?? null, maxBytes },
    openFeed: () => (address ? openCore(job, address, counts) : openFile(job, options)),
  });
}

/** By itself, as TypeScript leaves the name of the file as it is where a function has `await using`. */
async function loadRelay() {
  const [{ runRelay }, { RelayCounts }] = await Promise.all([
    import('../ingest/log/run-relay.ts'),
    import('../ingest/log/relay-counts.ts'),
  ]);
  return { runRelay, RelayCounts };
}

async function openCore({ config }: Job, address: PeerAddress, counts: Counts): Promise<OpenFeed> {
  const { openCoreFeed } = await import('../ingest/log/open-core-feed.ts');
  const spool = { folder: spoolFolder(config), limit: config.ingest.spoolLimit };
  return openCoreFeed({ address, spool, counts, logger: createLogger(config.log.level) });
}

async function openFile({ signal }: Job, { from, follow }: RelayOptions): Promise<OpenFeed> {
  const { openFileFeed } = await import('../ingest/log/file-feed.ts');
  const onWaiting = () => process.stderr.write(`${from} is not there yet; waiting for it.\n`);
  const feed = await openFileFeed(from, {
    ...{ follows: follow === true, standardInput: process.stdin, signal, onWaiting },
  });
  return { feed, url: null, failed: new Promise<never>(() => {}), [Symbol.asyncDispose]: async () => {} };
}

function readFrom(text: string) {
  try {
    return readPeerAddress(text);
  } catch (error) {
    throw new UsageError(`--from is ${text}. ${(error as Error).message}`);
  }
}

function readSubject(text: string): string {
  if (/^[\w-]+(\.[\w-]+)*$/.test(text) && text.length <= 128) return text;
  throw new InvalidArgumentError('It takes words of letters, digits, - and _ with dots between them.');
}

function readReplicas(text: string): number {
  if (/^[135]$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes 1, 3 or 5.');
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** As in `90s`, `12h` or `30d`; gives milliseconds. */
function readAge(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const age = Number(number) * (UNITS_MS[unit ?? ''] ?? 0);
  if (age > 0) return age;
  throw new InvalidArgumentError('It takes a number with s, m, h or d, as in 12h or 30d.');
}
