import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { compareAt } from '../../src/data/digests/comparison.ts';
import { sideOf } from '../../src/data/digests/database-side.ts';
import { openPlace } from '../../src/data/open.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { connectToLog } from '../../src/ingest/log/connect.ts';
import { openFileFeed } from '../../src/ingest/log/file-feed.ts';
import { openCoreFeed } from '../../src/ingest/log/open-core-feed.ts';
import { RelayCounts } from '../../src/ingest/log/relay-counts.ts';
import { startLogIngest } from '../../src/ingest/log/run.ts';
import { type OpenFeed, runRelay } from '../../src/ingest/log/run-relay.ts';
import { readLogServers } from '../../src/ingest/log/servers.ts';
import { openManager, type StreamLimits } from '../../src/ingest/log/stream.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { runIngest } from '../../src/ingest/run.ts';
import type { RunningIngest } from '../../src/ingest/running-ingest.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFolder, recordingOf } from '../support/events.ts';
import type { NatsServers } from '../support/nats-servers.ts';
import { ask } from '../support/state.ts';
import { eventsOf, until } from './core-network.ts';
import { type CoreNode, dialUntilTaken } from './core-node.ts';
import type { SentBlock } from './network-blocks.ts';

export const STREAM = 'periscope';

/** What is logged, warnings and what is worse in upper case. */
function createTestLogger(onLogged: (message: string) => void = () => undefined): {
  readonly logger: Logger;
  readonly logged: readonly string[];
} {
  const logged: string[] = [];
  const write = (line: string) => {
    if (process.env['TEST_LOG_LEVEL']) process.stdout.write(line);
    const { level, msg } = JSON.parse(line) as { level: number; msg: string };
    logged.push(level >= 40 ? msg.toUpperCase() : msg);
    onLogged(msg);
  };
  return { logged, logger: pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'info' }, { write }) };
}

export interface TestRelay extends AsyncDisposable {
  readonly counts: RelayCounts;
  readonly logged: readonly string[];
  /** Settles when the relay has ended, by itself or because it was stopped. */
  readonly ended: Promise<void>;
}

const NO_LIMITS: StreamLimits = { replicas: null, maxAgeMs: null, maxBytes: null };

/** Starts a relay in this process. */
function startRelay(
  servers: NatsServers,
  open: (options: { counts: RelayCounts; logger: Logger; signal: AbortSignal }) => Promise<OpenFeed>,
  limits: Partial<StreamLimits> = {},
  onLogged?: (message: string) => void,
): TestRelay {
  const { logger, logged } = createTestLogger(onLogged);
  const counts = new RelayCounts();
  const stop = new AbortController();
  const { signal } = stop;
  const ended = runRelay({
    ...{ servers: readLogServers(servers.url), credentials: null, counts, logger, signal },
    stream: { stream: STREAM, subject: `${STREAM}.blocks`, ...NO_LIMITS, ...limits },
    openFeed: () => open({ counts, logger, signal }),
  });
  ended.catch(() => undefined);
  return {
    counts,
    logged,
    ended,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended.catch(() => undefined);
    },
  };
}

/** Relays a file to its end. */
export async function relayFile(
  servers: NatsServers,
  bytes: Uint8Array | string,
  limits: Partial<StreamLimits> = {},
): Promise<TestRelay> {
  await using folder = await createFolder();
  const path = await folder.write(bytes);
  await using relay = startRelay(
    servers,
    async ({ signal }) => ({
      feed: await openFileFeed(path, {
        ...{ follows: false, standardInput: Readable.from([]), signal, onWaiting: () => undefined },
      }),
      url: null,
      failed: new Promise<never>(() => {}),
      [Symbol.asyncDispose]: async () => {},
    }),
    limits,
  );
  await relay.ended;
  return relay;
}

export function relayBlocksOf(
  servers: NatsServers,
  blocks: readonly SentBlock[],
  limits: Partial<StreamLimits> = {},
) {
  return relayFile(servers, recordingOf(eventsOf(blocks)), limits);
}

export interface CoreRelay extends TestRelay {
  /** Its core node. */
  readonly core: CoreNode;
  /** Where the core node dials. */
  readonly url: string;
  send(blocks: readonly SentBlock[]): Promise<void>;
}

/**
 * Starts a relay for a core node; a spool that is given is kept. `onRelays` is called when it has found the log, before its first record
 * is read.
 */
export async function startCoreRelay(
  servers: NatsServers,
  limits: Partial<StreamLimits> = {},
  spoolFolder?: string,
  onRelays: () => unknown = () => undefined,
): Promise<CoreRelay> {
  const folder = spoolFolder ?? (await mkdtemp(join(tmpdir(), 'periscope-relay-')));
  let url = '';
  const relay = startRelay(
    servers,
    async ({ counts, logger }) => {
      const address = { host: '127.0.0.1', port: 0 };
      const feed = await openCoreFeed({ address, spool: { folder, limit: 2 ** 30 }, counts, logger });
      url = feed.url ?? '';
      return feed;
    },
    limits,
    (message) => message === 'relays blocks' && onRelays(),
  );
  await Promise.race([relay.ended, until(() => url !== '', 'the relay listens')]);
  const core: CoreNode = await dialUntilTaken(url);
  return {
    ...relay,
    core,
    url,
    async send(blocks) {
      await core.send(eventsOf(blocks));
    },
    async [Symbol.asyncDispose]() {
      await core[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
      if (spoolFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Region extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly ingest: RunningIngest;
  readonly logged: readonly string[];
}

/** A database that takes in what the log has. */
export async function startRegion(
  servers: NatsServers,
  given?: TestDatabase,
  skipsDamaged = false,
  stream = STREAM,
): Promise<Region> {
  const database = given ?? (await createTestDatabase());
  const { logger, logged } = createTestLogger();
  const ingest = await startLogIngest({
    ...{ servers: readLogServers(servers.url), stream, credentials: null, skipsDamaged },
    asked: new AbortController().signal,
    ...{ version: '1.2.3', logger, openPlace: () => openPlace({ url: database.url, dataDir: null }) },
  });
  return {
    database,
    ingest,
    logged,
    async [Symbol.asyncDispose]() {
      await ingest.close();
      if (given === undefined) await database[Symbol.asyncDispose]();
    },
  };
}

/** A database with these blocks out of a file. */
export async function createFileDatabase(blocks: readonly SentBlock[]): Promise<TestDatabase> {
  await using folder = await createFolder();
  const database = await createTestDatabase();
  const source = await openRecordedFile(await folder.write(recordingOf(eventsOf(blocks))));
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const { signal } = new AbortController();
  await runIngest({ source, databaseUrl: database.url, pace: 'max', signal, output });
  return database;
}

/** The digests of all blocks. */
export async function readDigests(url: string): Promise<readonly string[]> {
  const rows = await ask<{ digest: string }>(
    url,
    "SELECT height || ' ' || digest AS digest FROM blocks ORDER BY height",
  );
  return rows.map(({ digest }) => digest);
}

/** How two databases stand beside each other, as `verify` says it. */
export async function compareDatabases(
  first: { readonly url: string },
  second: { readonly url: string },
  height: number,
) {
  const databases = [first, second].map(({ url }) => openDatabase({ url, readOnly: true }));
  try {
    const [one, other] = databases.map((database, n) => sideOf(`${n}`, database.statements));
    if (one === undefined || other === undefined) throw new Error('there are two');
    return await compareAt(one, other, BigInt(height));
  } finally {
    for (const database of databases) await database.close();
  }
}

/**
 * How many messages the log has. Asked as a region asks it: nobody answers while servers elect a leader, 4 to 11 seconds after theirs
 * was killed, and nobody is asked whether the account may use JetStream, which one leader for all streams alone answers.
 */
export async function countMessages(servers: NatsServers): Promise<number> {
  const { signal } = new AbortController();
  const found = readLogServers(servers.url);
  await using connection = await connectToLog(found, { credentials: null, signal, onAway: null });
  const manager = await openManager(connection);
  let count = 0;
  await until(async () => {
    try {
      count = (await manager.streams.info(STREAM)).state.messages;
      return true;
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') return false;
      throw error;
    }
  }, 'the servers have a leader');
  return count;
}
