import { randomUUID } from 'node:crypto';
import type { Bench } from '../bench.ts';
import { ask, type BenchDatabase, withClient } from '../database/bench-database.ts';
import { type BenchServer, migrateWith, startPeriscope } from '../servers/start-server.ts';

/** A Periscope that is overloaded, of this checkout or of an older one: each measure starts one of its own. */
export interface Subject extends AsyncDisposable {
  readonly name: 'now' | 'before';
  readonly databaseUrl: string;
  start(flags?: readonly string[]): Promise<BenchServer>;
}

/** Every client of the load comes through one proxy. An older Periscope that does not know it counts them all as one. */
const BEHIND_A_PROXY = { TRUSTED_PROXIES: '1' };

export async function openNow(bench: Bench): Promise<Subject> {
  const { url, readerUrl } = await bench.database();
  return {
    name: 'now',
    databaseUrl: url,
    start: (flags = []) => startPeriscope({ ...BEHIND_A_PROXY, DATABASE_URL: readerUrl }, { flags }),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** An older checkout has the same rows in a database that it has migrated itself. */
export async function openBefore(bench: Bench, checkout: string): Promise<Subject> {
  const source = await bench.database();
  const database = await bench.postgres.createBare();
  try {
    await migrateWith(checkout, database.url);
    await copyRows(source, database);
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
  return {
    name: 'before',
    databaseUrl: database.url,
    start: (flags = []) =>
      startPeriscope({ ...BEHIND_A_PROXY, DATABASE_URL: database.url }, { flags, checkout }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** Copies what both databases have, through files on their server. */
async function copyRows(from: Pick<BenchDatabase, 'url'>, to: BenchDatabase): Promise<void> {
  const known = new Map((await listColumns(from.url)).map((one) => [one.table, one.columns]));
  const tables = (await listColumns(to.url)).flatMap(({ table, columns }) => {
    const shared = columns.filter((column) => known.get(table)?.includes(column));
    return shared.length === 0 ? [] : [{ table, shared: shared.join(', ') }];
  });
  await withClient(to.url, async (client) => {
    // Rows come in any order of the tables.
    await client.query('SET session_replication_role = replica');
    for (const { table, shared } of tables) {
      const file = `copy_${randomUUID()}`;
      await ask(from.url, `COPY (SELECT ${shared} FROM ${table}) TO PROGRAM 'cat > ${file}'`);
      await client.query(`COPY ${table} (${shared}) FROM PROGRAM 'cat ${file}; rm ${file}'`);
    }
    await client.query('VACUUM ANALYZE');
  });
}

function listColumns(url: string) {
  return ask<{ table: string; columns: readonly string[] }>(
    url,
    `SELECT table_name AS table, array_agg('"' || column_name || '"' ORDER BY ordinal_position) AS columns
     FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name NOT LIKE '\\_prisma%' AND is_generated = 'NEVER'
     GROUP BY table_name`,
  );
}
