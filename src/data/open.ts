import { GatewayError } from '../errors.ts';
import { isMigrated, migrate } from './migrate.ts';
import { defaultDataDir, openPostgres } from './postgres.ts';
import { grantReader } from './readers.ts';

/** Where the tables are: on a server of the user's, or in the embedded database. */
export interface DatabasePlace {
  /** The address of a server; null for the embedded one. */
  readonly url: string | null;
  /** The folder of the embedded database; null for the usual one. */
  readonly dataDir: string | null;
}

/** The same for those who only read. */
export interface ReadingPlace extends DatabasePlace {
  /** The address of the server for a role that may do no more; null where `url` is to be used. */
  readonly readerUrl: string | null;
}

/** A database that is there and holds our tables. Whoever opens it closes it. */
export interface OpenPlace extends AsyncDisposable {
  readonly url: string;
  /** How a person would find it: the folder, or the server. */
  readonly name: string;
}

const INSUFFICIENT_PRIVILEGE = '42501';
/** The role that reads an embedded database. */
const READER = 'periscope_reader';

/**
 * Opens the embedded database, brought to the newest migration; or looks at the server named, which must have been
 * migrated. Throws FAILED_PRECONDITION where it was not, UNAVAILABLE where the embedded one cannot be opened.
 */
export async function openPlace({ url, dataDir }: DatabasePlace): Promise<OpenPlace> {
  return url === null ? openEmbedded(dataDir, 'owner') : openServer('DATABASE_URL', url);
}

/** As `openPlace`, as a role that may only read: in the embedded database always, on a server where it was given. */
export async function openReadingPlace({ url, readerUrl, dataDir }: ReadingPlace): Promise<OpenPlace> {
  if (url === null) return openEmbedded(dataDir, 'reader');
  return readerUrl === null ? openServer('DATABASE_URL', url) : openServer('DATABASE_READER_URL', readerUrl);
}

async function openServer(setting: string, url: string): Promise<OpenPlace> {
  const isReady = await isMigrated(url).catch((error: Error & { readonly code?: unknown }) => {
    if (error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new GatewayError(
      'FAILED_PRECONDITION',
      `The role that ${setting} names may not read the tables. As their owner, let it with: npm run migrate -- --reader ROLE`,
    );
  });
  if (!isReady) {
    throw new GatewayError(
      'FAILED_PRECONDITION',
      `The database at ${setting} lacks tables of this version. Make them with: npm run migrate`,
    );
  }
  return { url, name: `the server at ${setting}`, [Symbol.asyncDispose]: async () => {} };
}

async function openEmbedded(dataDir: string | null, as: 'owner' | 'reader'): Promise<OpenPlace> {
  const folder = dataDir ?? defaultDataDir();
  const postgres = await openPostgres({ dataDir: folder }).catch((error: Error) => {
    // Its message is for a person already.
    throw new GatewayError('UNAVAILABLE', error.message);
  });
  try {
    await migrate(postgres.url);
    await grantReader(postgres.url, READER);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  const url = as === 'owner' ? postgres.url : addressFor(READER, postgres.url);
  return { url, name: folder, [Symbol.asyncDispose]: () => postgres.close() };
}

/** The embedded database asks nobody for a password: the folder of its socket guards it. */
function addressFor(role: string, url: string): string {
  const address = new URL(url);
  address.username = role;
  return address.href;
}
