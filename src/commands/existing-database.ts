import type { Config } from '../config.ts';
import { defaultDataDir, holdsDatabase } from '../data/embedded/postgres.ts';
import { UsageError } from './run.ts';

/** Throws where the database of the settings is an embedded one that nobody has made: who only reads makes none. */
export function checkDatabaseIsThere({ url, dataDir }: Config['database']): void {
  const folder = dataDir ?? defaultDataDir();
  if (url === null && !holdsDatabase(folder)) throw new UsageError(`There is no database in ${folder}.`);
}
