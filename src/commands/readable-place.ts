import { defaultDataDir, holdsDatabase } from '../data/embedded/postgres.ts';
import { type OpenPlace, openPlace } from '../data/open.ts';
import type { Database } from '../data/servers/client.ts';
import { type Job, UsageError } from './run.ts';

/** A page of rows as of a block is read by one statement, on a machine with other work. */
const STATEMENT_LIMIT_MS = 120_000;

/** Opens the database of the settings for a command that only reads it. Throws where there is none, instead of making one. */
export async function openReadable({ database }: Job['config'], stop: Job['stop']): Promise<OpenPlace> {
  const { url, readerUrl, dataDir } = database;
  const folder = dataDir ?? defaultDataDir();
  if (url === null && !holdsDatabase(folder)) throw new UsageError(`There is no database in ${folder}.`);
  return openPlace({ url: readerUrl ?? url, dataDir }, { stop });
}

/** Opens the tables of a database, to read all of them. */
export async function openReader(url: string): Promise<Database> {
  const { openDatabase } = await import('../data/servers/client.ts');
  return openDatabase({ url, readOnly: true, statementTimeoutMs: STATEMENT_LIMIT_MS });
}

/** Loads what compares. Not within those who need it: as in `serve.ts`. */
export function loadSides() {
  return import('../data/digests/database-side.ts');
}
