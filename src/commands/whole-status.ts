import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { defaultDataDir, findPostgres } from '../data/embedded/postgres.ts';
import type { ServerStatus } from '../data/servers/servers.ts';
import { type DatabaseStatus, readStatus } from '../data/upkeep/status.ts';
import { describeRemedies } from '../data/writing/hold-ups.ts';
import { NEWEST_RELEASE } from '../domain/releases.ts';
import { freeBytesOf } from '../metrics/disks.ts';
import { VERSION } from '../reference/about.ts';
import { spoolFolder } from './core-socket.ts';

/** How everything stands, as `status --json` prints it. Whole numbers beyond 32 bits are text. */
export interface WholeStatus {
  /** Why ingest cannot go on; null where it can. */
  readonly heldUp: HeldUpStatus | null;
  readonly versions: {
    readonly periscope: string;
    readonly node: string;
    /** The newest release of the network that this version knows. */
    readonly newestKnownRelease: string;
    readonly postgresql: string | null;
    /** The newest migration of the database, and how many of this version's it lacks. */
    readonly migration: string | null;
    readonly pendingMigrations: number | null;
  };
  /** The one that this environment names. */
  readonly gateway: GatewayStatus;
  /** How many gateways follow the database, on this machine or others. */
  readonly gateways: number | null;
  readonly ingesting: boolean | null;
  /** How many events were passed over as damaged, and the newest of them; null where that is not known. */
  readonly skippedEvents: {
    readonly count: string;
    readonly newest: readonly {
      readonly height: string;
      readonly position: string;
      readonly kind: string;
      readonly reason: string;
    }[];
  } | null;
  readonly network: string | null;
  /** The numbers of enumerations that the database holds and this version has no name for. */
  readonly unknownNumbers: readonly {
    readonly field: string;
    readonly servedAs: string;
    readonly sinceHeight: string;
  }[];
  readonly block: {
    readonly height: string;
    readonly timestamp: string;
    readonly ageMilliseconds: number;
    /** Of the block and all before it; null where an older version wrote it. */
    readonly digest: string | null;
  } | null;
  /** The first block whose changes are all kept: streams resume from there on. */
  readonly historyFrom: { readonly height: string; readonly timestamp: string } | null;
  /** The height of the first block whose past is known of every noun, and of those that are known for longer, by their names. */
  readonly pastFrom: string | null;
  readonly pastFromOf: Readonly<Record<string, string>>;
  /** The heights of the first blocks whose rows are kept, by tables: of all others all are. */
  readonly keptFromOf: Readonly<Record<string, string>>;
  /** What of a base that is being taken in comes next: `present`, `added` (rewards and trades) or `past`; null where none is. */
  readonly base: DatabaseStatus['base'];
  readonly database: {
    /** The folder of the embedded one, or the server. */
    readonly place: string;
    readonly state: 'running' | 'stopped' | 'absent' | 'unreachable';
    /** Why it could not be asked. */
    readonly reason: string | null;
    /** Of the embedded server. */
    readonly pid: number | null;
    readonly bytes: string | null;
    readonly tables: readonly {
      readonly name: string;
      readonly rows: string | null;
      readonly bytes: string;
    }[];
  };
  /** What is on the disk of this machine: the folder of the embedded database, and of a core node's events; and what is left. */
  readonly disk: {
    readonly folderBytes: string | null;
    readonly spoolBytes: string | null;
    readonly freeBytes: string | null;
  };
}

interface HeldUpStatus {
  readonly height: string | null;
  readonly reason: string;
  /** The source, and where in it. */
  readonly place: string;
  readonly kind: string | null;
  readonly field: string | null;
  readonly value: string | null;
  /** Since when, in nanoseconds since the epoch, and which version could not go on last. */
  readonly since: string;
  readonly version: string;
  /** What can be done, in sentences. */
  readonly remedies: string;
}

interface GatewayStatus {
  readonly url: string | null;
  readonly state: 'ready' | 'not ready' | 'not running' | 'unknown';
  readonly reason: string | null;
  /** The block that its answers name, and how many blocks it is behind the database. */
  readonly height: string | null;
  readonly lagBlocks: string | null;
  /** How many processes serve there, and how many should; null where it is one, or none answers. */
  readonly workers: { readonly running: number; readonly wanted: number } | null;
  /** How the servers stand that it may read from; null where there is but one. */
  readonly servers: readonly ServerStatus[] | null;
}

/** Whoever asks how things stand is not to wait for what does not answer. */
const ANSWER_LIMIT_MS = 5_000;

/** Looks at all of it. Starts, makes and changes nothing. */
export async function readWholeStatus(config: Config, isDemo: boolean): Promise<WholeStatus> {
  const { url } = config.database;
  const dataDir = await findDataDir(config, isDemo);
  const [asked, gateway, folderBytes, spoolBytes, freeBytes] = await Promise.all([
    url === null ? askEmbedded(dataDir) : askServer(url),
    askGateway(config),
    url === null ? sizeOf(dataDir) : null,
    sizeOf(spoolFolder(config)),
    url === null ? freeBytesOf(dataDir) : null,
  ]);
  const { status, ...database } = asked;
  const block = status?.newestBlock ?? null;
  const lag = block && gateway.height !== null ? block.height - BigInt(gateway.height) : null;
  return {
    heldUp: describeHoldUp(status?.holdUp ?? null),
    versions: {
      periscope: VERSION,
      node: process.versions.node,
      newestKnownRelease: NEWEST_RELEASE,
      postgresql: status?.server ?? null,
      migration: status?.migration ?? null,
      pendingMigrations: status?.pending ?? null,
    },
    // A block that came in between is no lag.
    gateway: { ...gateway, lagBlocks: lag === null ? null : String(lag > 0n ? lag : 0n) },
    gateways: status?.gateways ?? null,
    ingesting: status?.ingesting ?? null,
    skippedEvents: status && describeSkipped(status.skippedEvents),
    network: status?.network ?? null,
    unknownNumbers: (status?.unknownNumbers ?? []).map(({ height, ...one }) => ({
      ...one,
      sinceHeight: String(height),
    })),
    block: block && {
      height: String(block.height),
      timestamp: String(block.timestamp),
      ageMilliseconds: Date.now() - Number(block.timestamp / 1_000_000n),
      digest: block.digest,
    },
    pastFrom: status?.pastFrom ? String(status.pastFrom.height) : null,
    pastFromOf: withTexts(status?.pastFromOf),
    keptFromOf: withTexts(status?.keptFromOf),
    base: status?.base ?? null,
    historyFrom: status?.historyFrom
      ? { height: String(status.historyFrom.height), timestamp: String(status.historyFrom.timestamp) }
      : null,
    database: {
      ...database,
      bytes: status ? String(status.bytes) : null,
      tables: (status?.tables ?? []).map(({ name, rows, bytes }) => ({
        name,
        rows: rows === null ? null : String(rows),
        bytes: String(bytes),
      })),
    },
    disk: { folderBytes, spoolBytes, freeBytes: freeBytes === null ? null : String(freeBytes) },
  };
}

function withTexts(heights: Readonly<Record<string, bigint>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(heights).map(([name, height]) => [name, String(height)]));
}

function describeHoldUp(holdUp: DatabaseStatus['holdUp']): HeldUpStatus | null {
  if (holdUp === null) return null;
  const { height, since, isSkippable, ...rest } = holdUp;
  const remedies = describeRemedies(holdUp);
  return { height: height === null ? null : String(height), ...rest, since: String(since), remedies };
}

function describeSkipped({ count, newest }: DatabaseStatus['skippedEvents']): WholeStatus['skippedEvents'] {
  return {
    count: String(count),
    newest: newest.map(({ height, position, kind, reason }) => ({
      height: String(height),
      position: String(position),
      kind,
      reason,
    })),
  };
}

type FoundDatabase = Pick<WholeStatus['database'], 'place' | 'state' | 'reason' | 'pid'> & {
  readonly status: DatabaseStatus | null;
};

async function askEmbedded(dataDir: string): Promise<FoundDatabase> {
  const nothing = { place: dataDir, reason: null, pid: null, status: null };
  try {
    // Where that may not be looked at, it is not said to be absent.
    await lstat(join(dataDir, 'postgres'));
    const server = findPostgres(dataDir);
    if (server === null) return { ...nothing, state: 'stopped' };
    return { ...(await ask(server.url, dataDir)), pid: server.pid };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ...nothing, state: 'absent' };
    return { ...nothing, state: 'unreachable', reason: `it cannot be read: ${message}` };
  }
}

async function askServer(url: string): Promise<FoundDatabase> {
  return ask(url, 'the server at DATABASE_URL');
}

async function ask(url: string, place: string): Promise<FoundDatabase> {
  try {
    return { place, state: 'running', reason: null, pid: null, status: await readStatus(url) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { place, state: 'unreachable', reason: message || (code ?? 'unknown'), pid: null, status: null };
  }
}

async function askGateway({ http: { host, port } }: Config): Promise<Omit<GatewayStatus, 'lagBlocks'>> {
  const nothing = { reason: null, height: null, workers: null, servers: null };
  if (port === 0) return { ...nothing, url: null, state: 'unknown', reason: 'PORT is 0: any port' };
  const url = `http://${reachable(host)}:${port}`;
  try {
    const ready = await get(`${url}/health/ready`);
    const { message, workers, servers } = await readReadiness(ready);
    const found = { ...nothing, url, workers, servers };
    if (ready.ok) return { ...found, state: 'ready', height: await readGatewayHeight(url) };
    return { ...found, state: 'not ready', reason: message };
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    if (cause?.code === 'ECONNREFUSED') return { ...nothing, url, state: 'not running' };
    return { ...nothing, url, state: 'not ready', reason: cause?.message ?? (error as Error).message };
  }
}

async function readGatewayHeight(url: string): Promise<string | null> {
  const { headers } = await get(`${url}/api/v2/deposits?pagination.first=1`);
  const height = headers.get('X-Block-Height');
  return height !== null && /^\d+$/.test(height) ? height : null;
}

async function readReadiness(
  answer: Response,
): Promise<Pick<GatewayStatus, 'workers' | 'servers'> & { readonly message: string }> {
  const body = (await answer.json().catch(() => null)) as {
    readonly message?: unknown;
    readonly workers?: GatewayStatus['workers'];
    readonly servers?: GatewayStatus['servers'];
  } | null;
  const message = typeof body?.message === 'string' ? body.message : `it answers ${answer.status}`;
  return { message, workers: body?.workers ?? null, servers: body?.servers ?? null };
}

function get(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS), redirect: 'error' });
}

/** Where a gateway that listens there is reached from this machine. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

async function findDataDir({ database }: Config, isDemo: boolean): Promise<string> {
  if (!isDemo) return database.dataDir ?? defaultDataDir();
  const { demoDataDir } = await import('../demo.ts');
  return demoDataDir(database);
}

/** What the files of a folder hold, as text; null where there is none that may be read. */
async function sizeOf(folder: string): Promise<string | null> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return null;
  let bytes = 0;
  for (const entry of entries) {
    // Files come and go meanwhile.
    if (entry.isFile())
      bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return String(bytes);
}
