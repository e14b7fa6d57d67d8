import { GatewayError } from '../errors.ts';
import { isMigrated, migrate } from './migrate.ts';
import { defaultDataDir, openPostgres } from './postgres.ts';

/** Where the tables are: on a server of the user's, or in the embedded database. */
export interface DatabasePlace {
  /** The address of a server; null for the embedded one. */
  readonly url: string | null;
  /** The folder of the embedded database; null for the usual one. */
  readonly dataDir: string | null;
}

/** A database that is there and holds our tables. Whoever opens it closes it. */
export interface OpenPlace extends AsyncDisposable {
  readonly url: string;
  /** How a person would find it: the folder, or the server. */
  readonly name: string;
}

/**
 * Opens the embedded database, brought to the newest migration; or looks at the server named, which must have been
 * migrated. Throws FAILED_PRECONDITION where it was not, UNAVAILABLE where the embedded one cannot be opened.
 */
export async function openPlace({ url, dataDir }: DatabasePlace): Promise<OpenPlace> {
  if (url !== null) {
    if (!(await isMigrated(url))) {
      throw new GatewayError(
        'FAILED_PRECONDITION',
        'The database at DATABASE_URL lacks tables of this version. Make them with: npm run migrate',
      );
    }
    return { url, name: 'the server at DATABASE_URL', [Symbol.asyncDispose]: async () => {} };
  }
  const folder = dataDir ?? defaultDataDir();
  const postgres = await openPostgres({ dataDir: folder }).catch((error: Error) => {
    // Its message is for a person already.
    throw new GatewayError('UNAVAILABLE', error.message);
  });
  try {
    await migrate(postgres.url);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return { url: postgres.url, name: folder, [Symbol.asyncDispose]: () => postgres.close() };
}
