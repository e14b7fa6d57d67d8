import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openPlace } from '../../src/data/open.ts';
import type { DecodeEvent } from '../../src/ingest/decode.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { runIngest } from '../../src/ingest/run.ts';
import { type SocketIngest, startSocketIngest } from '../../src/ingest/socket/run.ts';
import { createTestDatabase } from '../support/database.ts';
import { createFolder, recordedNetwork, recordingOf } from '../support/events.ts';
import { HANG_MS } from '../support/limits.ts';
import { type Environment, type Program, startProgram } from '../support/program.ts';
import { readHeight, readState, type State, withClient } from '../support/state.ts';
import { makeBlocks, readRecordedBlocks, type SentBlock } from './network-blocks.ts';

/** The recorded network where it is there, else one that is made up. */
export const network: readonly SentBlock[] = recordedNetwork
  ? readRecordedBlocks(recordedNetwork)
  : makeBlocks(1, 300, { accounts: 20 });

export const lastHeight = network.at(-1)?.height ?? 0;

const WARNING = 40;
const LOOK_EVERY_MS = 20;

/** The state that these blocks leave behind when they come from a file. */
export async function stateFromFile(blocks: readonly SentBlock[]): Promise<State> {
  await using folder = await createFolder();
  await using database = await createTestDatabase();
  const source = await openRecordedFile(await folder.write(recordingOf(eventsOf(blocks))));
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const { signal } = new AbortController();
  await runIngest({ source, databaseUrl: database.url, pace: 'max', signal, output });
  return await readState(database.url);
}

/** The folder of a spool, and ingests that use it one after the other. */
export interface SpoolPlace extends AsyncDisposable {
  readonly folder: string;
  /** The names of its segments. */
  segments(): Promise<string[]>;
  /** How many bytes its files have. */
  size(): Promise<number>;
  /** Starts an ingest on a free port, without a log, into a database: an address, or an embedded one's folder. */
  start(
    database: string | { readonly dataDir: string },
    options?: { readonly segmentSize?: number; readonly limit?: number; readonly decode?: DecodeEvent },
  ): Promise<SocketIngest>;
  /** The messages that all of them have logged, warnings and what is worse in upper case. */
  readonly logged: readonly string[];
}

/** On the disk of the temporary folder, or below a folder that is given. */
export async function createSpoolPlace(parent = tmpdir()): Promise<SpoolPlace> {
  const folder = await mkdtemp(join(parent, 'periscope-spool-'));
  const logged: string[] = [];
  const logger = pino(
    { level: process.env['TEST_LOG_LEVEL'] ?? 'info' },
    {
      write(line) {
        if (process.env['TEST_LOG_LEVEL']) process.stdout.write(line);
        const { level, msg } = JSON.parse(line) as { level: number; msg: string };
        logged.push(level >= WARNING ? msg.toUpperCase() : msg);
      },
    },
  );
  return {
    logged,
    folder,
    segments: async () => (await readdir(folder)).sort(),
    async size() {
      const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    start: (database, { decode, ...options } = {}) =>
      startSocketIngest({
        address: { host: '127.0.0.1', port: 0 },
        spool: { folder, limit: 2 ** 30, ...options },
        ...(decode && { decode }),
        version: '1.2.3',
        asked: new AbortController().signal,
        openPlace: () =>
          openPlace(
            typeof database === 'string' ? { url: database, dataDir: null } : { url: null, ...database },
          ),
        logger,
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface CoreProgram extends Program {
  /** Where the core node dials. */
  readonly url: string;
  /** Resolves with what the program's log has that fits. */
  logged(pattern: RegExp): Promise<string>;
}

/** Starts the program with these arguments, and waits until it listens for a core node. */
export async function startCoreProgram(
  args: readonly string[],
  environment: Environment,
  limitMs = HANG_MS,
): Promise<CoreProgram> {
  const program = startProgram(args, environment, limitMs);
  const { stdout } = program.process;
  let said = '';
  stdout?.on('data', (chunk) => {
    said += chunk;
  });
  const logged = async (pattern: RegExp): Promise<string> => {
    for (let found = pattern.exec(said); ; found = pattern.exec(said)) {
      if (found) return found[0];
      const ended = await Promise.race([program.ended, stdout && once(stdout, 'data').then(() => null)]);
      if (ended) throw new Error(`the program ended: ${ended.stderr}`);
    }
  };
  return { ...program, logged, url: await logged(/tcp:\/\/127\.0\.0\.1:\d+/) };
}

/** Starts `ingest socket` as a process of its own. */
export function startIngestProgram(databaseUrl: string, spoolDir: string): Promise<CoreProgram> {
  const environment = { DATABASE_URL: databaseUrl, SPOOL_DIR: spoolDir };
  return startCoreProgram(['ingest', 'socket', 'tcp://127.0.0.1:0'], environment);
}

/** Resolves once the database holds the block; it may be away meanwhile. */
export async function reachHeight(url: string, height: number): Promise<void> {
  const holds = async () => (await readHeight(url).catch(() => 0)) >= height;
  await until(holds, `the database holds block ${height}`);
}

export async function until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const deadline = performance.now() + HANG_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Shuts everybody out of a database, and lets them in again when it is disposed of. */
export async function shutDatabase(url: string): Promise<AsyncDisposable> {
  const name = new URL(url).pathname.slice(1);
  const server = new URL(url);
  server.pathname = '/postgres';
  const allow = (allowed: boolean) =>
    withClient(server.href, async (client) => {
      await client.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${allowed}`);
      if (allowed) return;
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    });
  await allow(false);
  return { [Symbol.asyncDispose]: () => allow(true) };
}

export function eventsOf(blocks: readonly SentBlock[]): Uint8Array[] {
  return blocks.flatMap(({ events }) => [...events]);
}
