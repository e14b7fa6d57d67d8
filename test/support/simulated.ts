import pg from 'pg';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation, type SimulationOptions } from '../../src/simulation/simulate.ts';
import { createTestDatabase } from './database.ts';
import { HANG_MS } from './limits.ts';
import { withNames } from './named-rows.ts';

/** A database with the simulated network in it, whole up to a block, that further blocks can be applied to. */
export interface SimulatedDatabase extends AsyncDisposable {
  readonly url: string;
  /** Applies what follows, up to and with this block. */
  advanceTo(block: number): Promise<void>;
  /** Every row of a table, by an independent read: snake_case columns as PostgreSQL's text has them, enumerations by name. */
  readTable(table: string): Promise<readonly TableRow[]>;
}

/** A row with its columns as text; null for NULL. */
export type TableRow = Readonly<Record<string, string | null>>;

/** Takes a simulated network into a database of its own. */
export async function createSimulatedDatabase(options: SimulationOptions): Promise<SimulatedDatabase> {
  const database = await createTestDatabase();
  const writer = await Writer.open(database.url);
  const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: HANG_MS });
  await client.connect();
  const advanceTo = async (blocks: number) => {
    const source = openSimulation({ ...options, blocks });
    await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
    // What is made beside the writer sends statements of its own, which tests would count.
    await writer.histories.settled();
  };
  await advanceTo(options.blocks);
  return {
    url: database.url,
    advanceTo,
    async readTable(table) {
      const { rows } = await client.query({ text: `SELECT * FROM ${table}`, types: asText });
      return rows.map((row) => withNames(table, row) as TableRow);
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await writer.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

const asText: pg.CustomTypesConfig = { getTypeParser: () => String };
