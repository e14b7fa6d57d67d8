import { type OpenPlace, openPlace } from '../data/open.ts';
import { checkDatabaseIsThere } from './existing-database.ts';
import type { Job } from './run.ts';

/** Opens the database of the settings, to read it. Throws where there is none, instead of making one. */
export async function openReadable({ database }: Job['config'], stop: Job['stop']): Promise<OpenPlace> {
  checkDatabaseIsThere(database);
  return openPlace({ ...database, url: database.readerUrl ?? database.url }, { stop });
}
