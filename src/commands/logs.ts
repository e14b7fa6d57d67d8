import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { openPlace } from '../data/open.ts';
import { openFileFeed } from '../ingest/log/file-feed.ts';
import { openCoreFeed } from '../ingest/log/open-core-feed.ts';
import { RelayCounts } from '../ingest/log/relay-counts.ts';
import { startLogIngest } from '../ingest/log/run.ts';
import { type OpenFeed, runRelay } from '../ingest/log/run-relay.ts';
import type { LogServers } from '../ingest/log/servers.ts';
import type { RunningIngest } from '../ingest/running-ingest.ts';
import { type PeerAddress, readPeerAddress } from '../ingest/socket/listen.ts';
import { createLogger } from '../log.ts';
import { defineRelayMetrics } from '../metrics/relay.ts';
import { createRelayHealth } from '../metrics/relay-health.ts';
import { VERSION } from '../reference/about.ts';
import { spoolFolder } from './core-socket.ts';
import type { LogOptions, RelayOptions } from './log.ts';
import { openProcessMetrics } from './process-metrics.ts';
import { type Job, UsageError } from './run.ts';

/** What has to do with a log, and loads the client of its servers: loaded when it is asked for. */

/** What `relay` does. */
export async function relay(job: Job, options: RelayOptions): Promise<void> {
  const { config, signal } = job;
  const { to: servers, stream, subject = `${stream}.blocks`, follow } = options;
  const { replicas = null, maxAge: maxAgeMs = null, maxBytes = null } = options;
  // What is wrong is told before anything is begun.
  const address = options.from.startsWith('tcp:') ? readFrom(options.from) : null;
  if (address !== null && follow) throw new UsageError('--follow is for a file that --from names.');
  const credentials = await readCredentials(job);
  const logger = createLogger(config.log.level);
  const counts = new RelayCounts();
  await using metrics = await openMetrics(job, logger, counts);
  if (metrics !== null) logger.info({ url: metrics.url }, 'metrics are served');
  await runRelay({
    ...{ servers, counts, logger, signal, credentials },
    stream: { stream, subject, replicas, maxAgeMs, maxBytes },
    openFeed: () => (address === null ? openFile(job, options) : openCore(job, { address, counts, logger })),
  });
}

function openCore(
  { config }: Job,
  options: { readonly address: PeerAddress; readonly counts: RelayCounts; readonly logger: Logger },
): Promise<OpenFeed> {
  const spool = { folder: spoolFolder(config), limit: config.ingest.spoolLimit };
  return openCoreFeed({ ...options, spool });
}

async function openFile({ signal }: Job, { from, follow }: RelayOptions): Promise<OpenFeed> {
  const onWaiting = () => process.stderr.write(`${from} is not there yet; waiting for it.\n`);
  const feed = await openFileFeed(from, {
    ...{ follows: follow === true, standardInput: process.stdin, signal, onWaiting },
  });
  return { feed, url: null, failed: new Promise<never>(() => {}), [Symbol.asyncDispose]: async () => {} };
}

/** The metrics and the health of a relay: on METRICS_PORT, or nowhere, null then. */
async function openMetrics({ config }: Job, logger: Logger, counts: RelayCounts) {
  if (config.metrics.port === null) return null;
  const health = createRelayHealth(counts, logger);
  const metrics = await openProcessMetrics(config, logger, { folder: null }, null, health);
  defineRelayMetrics(metrics.registry, counts);
  return metrics;
}

function readFrom(text: string): PeerAddress {
  try {
    return readPeerAddress(text);
  } catch (error) {
    throw new UsageError(`--from is ${text}. ${(error as Error).message}`);
  }
}

/** A part with a JWT, and behind it one with a seed. */
const CREDENTIALS = /^-{3,}.*JWT-{3,}\r?\n[^-]\S+\s+-{3,}[\s\S]*^-{3,}.*SEED-{3,}\r?\n[^-]\S+\s+-{3,}/m;

/** What the servers know this client by, where the settings name a file of it. */
async function readCredentials({ config }: Job): Promise<Uint8Array | null> {
  const path = config.ingest.natsCredentials;
  if (path === null) return null;
  const bytes = await readFile(path).catch((error: Error) => {
    throw new UsageError(`NATS_CREDENTIALS is ${path}, which cannot be read: ${error.message}`);
  });
  if (CREDENTIALS.test(bytes.toString())) return bytes;
  throw new UsageError(
    `NATS_CREDENTIALS is ${path}, which holds no credentials: it takes a file with the JWT and the seed of a user, as nsc writes it.`,
  );
}

/** Reads a log, and applies what it has. Whoever starts it closes it. */
export async function startLog(
  job: Job,
  servers: LogServers,
  options: LogOptions & {
    readonly logger: Logger;
    readonly skipsDamaged: boolean;
    /** Throws while the database takes no blocks yet; they wait in the log. */
    readonly check?: () => void;
  },
): Promise<RunningIngest> {
  const { config, stop } = job;
  const { check = () => undefined } = options;
  return startLogIngest({
    ...options,
    servers,
    credentials: await readCredentials(job),
    async openPlace() {
      check();
      return openPlace(config.database, { stop });
    },
    retention: config.ingest,
    version: VERSION,
    asked: stop.signal,
  });
}
