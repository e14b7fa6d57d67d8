import { defaultDataDir, holdsDatabase } from '../data/embedded/postgres.ts';
import { type OpenPlace, openMigrated } from '../data/open.ts';
import { type Job, UsageError } from './run.ts';

/** Opens the database of the settings, to read it, on a full disk too. Throws where there is none, instead of making one. */
export async function openReadable(
  { database }: Job['config'],
  stop: Job['stop'],
  open: typeof openMigrated = openMigrated,
): Promise<OpenPlace> {
  const { url, readerUrl, dataDir } = database;
  const folder = dataDir ?? defaultDataDir();
  if (url === null && !holdsDatabase(folder)) throw new UsageError(`There is no database in ${folder}.`);
  return open({ ...database, url: readerUrl ?? url }, { stop, readsOnly: true });
}
