import pg from 'pg';
import { HANG_MS } from './limits.ts';

/** Everything that a database holds: each table's rows as JSON texts, in one order whatever the server's locale. */
export type State = Readonly<Record<string, readonly string[]>>;

/** Reads every table, whatever its partitions, but the list of migrations, whose times differ. */
export async function readState(url: string): Promise<State> {
  return withClient(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows: tables } = await client.query<{ name: string }>(`
      SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname NOT IN ('_prisma_migrations', ${MADE_BESIDE.map((name) => `'${name}'`).join()})
      ORDER BY 1`);
    const state: Record<string, readonly string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `SELECT to_jsonb(t)::text AS text FROM "${name}" AS t`,
      );
      state[name] = rows.map(({ text }) => text).sort();
    }
    await client.query('COMMIT');
    return state;
  });
}

/** The rows of one table; integers beyond 32 bits come as text. */
export async function readTable(url: string, name: string): Promise<readonly Record<string, unknown>[]> {
  return withClient(url, async (client) => (await client.query(`SELECT * FROM "${name}"`)).rows);
}

/** What is made beside the writer comes a while later, and in other parts each time; its tests are elsewhere. */
const MADE_BESIDE = ['rollups', 'trade_rollups', 'rollup_levels', 'account_ranks', 'rank_levels'];

/** The height that a database stands at; 0 while it is empty. */
export async function readHeight(url: string): Promise<number> {
  return withClient(url, heightIn);
}

/** The same, on a connection that is there. */
export async function heightIn(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ height: string }>(
    'SELECT coalesce(max(height), 0) AS height FROM blocks',
  );
  return Number(rows[0]?.height);
}

/** Lets a connection write blocks itself: the database takes them from those alone who know its newest migration. */
export const WRITES_BLOCKS = "SET periscope.migration = '9'";

/** The rows that a statement gives on a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly Row[]> {
  return withClient(url, async (client) => (await client.query<Row>(sql)).rows);
}

/** Lends a connection of its own. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: HANG_MS,
    query_timeout: HANG_MS,
  });
  client.on('error', () => {}); // What is lost here fails the query that waits for it.
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Has a database, which is one test's alone, do something when rows are copied into a table. */
export async function onCopyInto(url: string, table: string, statements: string): Promise<void> {
  await ask(
    url,
    `CREATE FUNCTION on_copy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statements} RETURN NULL; END $$;
    CREATE TRIGGER on_copy AFTER INSERT ON ${table} EXECUTE FUNCTION on_copy()`,
  );
}
