import { GatewayError } from '../errors.ts';
import { isDiskFull } from './embedded/disk-full.ts';
import { defaultDataDir, openPostgres, type PostgresOptions } from './embedded/postgres.ts';
import { connectionsFor, type Settings } from './embedded/server-settings.ts';
import { isMigrated, migrate, nameMigrate } from './migrate.ts';
import { OutputError } from './output-error.ts';
import { isUnavailable } from './servers/unavailable.ts';
import { grantReader } from './upkeep/readers.ts';

/** Where the tables are: on a server of the user's, or in the embedded database. */
export interface DatabasePlace {
  /** The address of a server; null for the embedded one. */
  readonly url: string | null;
  /** The folder of the embedded database; null for the usual one. */
  readonly dataDir: string | null;
  /** Settings of the embedded server on top of ours. */
  readonly postgresSettings?: Settings | null;
  /** How many connections a gateway may have: the embedded server has room for them, if it is started. */
  readonly poolSize?: number;
}

/** Which database is opened by those who only read. */
export interface ReadingPlace extends DatabasePlace {
  /** The address of the server for a role that may do no more; null where `url` is to be used. */
  readonly readerUrl: string | null;
  /** Servers that repeat its writes, of which one will do while it is away; null where there are none. */
  readonly replicaUrls?: readonly string[] | null;
}

/** A database that is there and holds our tables. Whoever opens it closes it. */
export interface OpenPlace extends AsyncDisposable {
  readonly url: string;
  /** How a person would find it: the folder, or the server. */
  readonly name: string;
  /** The folder of the embedded database; null where the disk is a server's. */
  readonly folder: string | null;
  /** An error for a person instead of one that comes of a full disk of the database; any other, as one of an output, as it is. */
  explain(error: unknown): Promise<unknown>;
}

export type OpenOptions = Pick<PostgresOptions, 'stop' | 'meanwhile' | 'readsOnly' | 'setting'>;

const INSUFFICIENT_PRIVILEGE = '42501';
/** The role that reads an embedded database. */
const READER = 'periscope_reader';

/**
 * Opens the embedded database, brought to the newest migration; or looks at the server named, which must have been
 * migrated. Throws FAILED_PRECONDITION where it was not, UNAVAILABLE where the embedded one cannot be opened, and an
 * AbortError where it is asked to stop before.
 */
export async function openPlace(
  { url, ...embedded }: DatabasePlace,
  options: OpenOptions = {},
): Promise<OpenPlace> {
  if (url !== null) {
    const checked = checkMigrated(url, { signal: options.stop?.signal });
    options.meanwhile?.();
    await checked;
    return openServer(url);
  }
  return prepare(await openEmbedded(embedded, options), async (opened) => {
    await migrate(opened, { signal: options.stop?.signal });
    await grantReader(opened, READER);
  });
}

/** Opens a database to read alone: it makes no tables in the embedded one either, where a writer of another version may be at work. */
export async function openMigrated(place: DatabasePlace, options: OpenOptions = {}): Promise<OpenPlace> {
  if (place.url !== null) return openPlace(place, options);
  const opened = await openEmbedded(place, options);
  return prepare(opened, (url) => checkMigrated(url, { name: `The database in ${opened.name}` }));
}

/** Closes what was opened where it cannot be used. */
async function prepare(place: OpenPlace, use: (url: string) => Promise<void>): Promise<OpenPlace> {
  try {
    await use(place.url);
    return place;
  } catch (error) {
    const explained = await place.explain(error);
    await place[Symbol.asyncDispose]();
    throw explained;
  }
}

/** Throws FAILED_PRECONDITION where the database of a server lacks tables of this version, or may not be read. */
export async function checkMigrated(
  url: string,
  {
    name = 'The database at DATABASE_URL',
    signal,
  }: { readonly name?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  if (await isMigrated(url, signal).catch(explainDenial)) return;
  throw new GatewayError(
    'FAILED_PRECONDITION',
    `${name} lacks tables of this version. Make them with: ${nameMigrate()}`,
  );
}

/** Opens a database with the tables as they are, of whatever version, or with none. */
export async function openPlaceAsItIs(
  { url, ...embedded }: DatabasePlace,
  options: OpenOptions = {},
): Promise<OpenPlace> {
  return url === null ? openEmbedded(embedded, options) : openServer(url);
}

async function openEmbedded(
  { dataDir, postgresSettings, poolSize }: Omit<DatabasePlace, 'url'>,
  options: OpenOptions,
): Promise<OpenPlace> {
  const folder = dataDir ?? defaultDataDir();
  const postgres = await openPostgres({
    dataDir: folder,
    settings: { ...connectionsFor(poolSize), ...postgresSettings },
    ...options,
  }).catch((error: Error) => {
    if (error.name === 'AbortError') throw error;
    // Its message is for a person already.
    throw Object.assign(new GatewayError('UNAVAILABLE', error.message), { cause: error });
  });
  const { url, explain, close } = postgres;
  return { url, name: folder, folder, explain, [Symbol.asyncDispose]: close };
}

function openServer(url: string): OpenPlace {
  const name = 'the server at DATABASE_URL';
  return { url, name, folder: null, explain: explainServer, [Symbol.asyncDispose]: async () => {} };
}

async function explainServer(error: unknown): Promise<unknown> {
  if (error instanceof OutputError || !isDiskFull(error)) return error;
  const { message } = error as Error;
  return new GatewayError(
    'UNAVAILABLE',
    `The disk of the database server at DATABASE_URL is full: ${message}.`,
  );
}

/** Opens a database as a role that may only read: in the embedded one always, on a server where it was given. */
export async function openReadingPlace(
  { readerUrl, replicaUrls, ...place }: ReadingPlace,
  options?: OpenOptions,
): Promise<OpenPlace> {
  if (place.url !== null)
    return openFirst([readerUrl ?? place.url, ...(replicaUrls ?? [])], { ...place, ...options });
  const opened = await openPlace(place, { ...options, readsOnly: true });
  // It asks nobody for a password: the folder of its socket guards it.
  const address = Object.assign(new URL(opened.url), { username: READER });
  return { ...opened, url: address.href };
}

/** Opens the first of some servers that is there. Throws why the last is not. */
async function openFirst(
  [url = '', ...others]: readonly string[],
  options: OpenOptions & Pick<DatabasePlace, 'dataDir'>,
): Promise<OpenPlace> {
  try {
    return await openPlace({ url, dataDir: options.dataDir }, options);
  } catch (error) {
    if (others.length === 0 || !isUnavailable(error)) throw error;
    return openFirst(others, options);
  }
}

function explainDenial(error: Error & { readonly code?: unknown }): never {
  if (error.code !== INSUFFICIENT_PRIVILEGE) throw error;
  throw new GatewayError(
    'FAILED_PRECONDITION',
    `The role of the database's address may not read the tables. As their owner, let it with: ${nameMigrate('--reader ROLE')}`,
  );
}
