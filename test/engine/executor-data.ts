import { type Database, openDatabase } from '../../src/data/servers/client.ts';
import { mendCounts } from '../../src/data/writing/row-counts.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource } from '../../src/ingest/events.ts';
import { openRecordedFile } from '../../src/ingest/recorded-file.ts';
import { openSimulation, type SimulationOptions } from '../../src/simulation/simulate.ts';
import type { Tables } from '../graphql/simulated-lists.ts';
import { createTestDatabase } from '../support/database.ts';
import { recordedNetwork } from '../support/events.ts';
import { withNames } from '../support/named-rows.ts';
import { writeNewerFields } from '../support/newer-fields.ts';
import { newerRecordings } from '../support/newer-networks.ts';
import { withClient } from '../support/state.ts';
import { writeUnknownNumbers } from '../support/unknown-numbers.ts';
import { writeOddTexts } from './odd-texts.ts';

const TABLES = [
  'parties',
  'assets',
  'markets',
  'market_data',
  'accounts',
  'deposits',
  'trades',
  'rewards',
  'proposals',
  'votes',
  'margin_levels',
  'blocks',
];

/** A network that operations are asked of: a database, and its rows by an independent read. */
export interface ExecutorData extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
  readonly tables: Tables;
}

/** What the network is called in a test's name, and what fills a database with it. */
export interface ExecutorNetwork {
  readonly name: string;
  readonly open: () => Promise<ExecutorData>;
}

/** One as its events tell it, which can be read again. */
export interface SoundNetwork extends ExecutorNetwork {
  readonly openSource: () => Promise<EventSource>;
}

export const SIMULATED: SimulationOptions = { seed: 5, blocks: 90, parties: 12, markets: 3 };

/** A simulated network whose texts, newer fields and numbers are as odd as a network can have them. */
export const oddNetwork: ExecutorNetwork = {
  name: 'odd',
  open: () =>
    openNetwork(openSimulation(SIMULATED), async (url) => {
      await writeOddTexts(url);
      await writeNewerFields(url);
      await writeUnknownNumbers(url);
    }),
};

/** Networks as they are: simulated ones, and those that are recorded, where they are there. */
export const soundNetworks: readonly SoundNetwork[] = [
  sound('simulated', async () => openSimulation(SIMULATED)),
  sound('simulated, of release 0.79', async () =>
    openSimulation({ ...SIMULATED, markets: 5, release: '0.79' }),
  ),
  ...(recordedNetwork === null ? [] : [recorded('recorded, of release 0.69', recordedNetwork)]),
  ...newerRecordings.map(({ name, path }) => recorded(`recorded, ${name}`, path)),
];

function recorded(name: string, path: string): SoundNetwork {
  return sound(name, () => openRecordedFile(path));
}

function sound(name: string, openSource: () => Promise<EventSource>): SoundNetwork {
  return { name, openSource, open: async () => openNetwork(await openSource()) };
}

async function openNetwork(
  source: EventSource,
  change: (url: string) => Promise<void> = async () => {},
): Promise<ExecutorData> {
  const stored = await createTestDatabase();
  const writer = await Writer.open(stored.url);
  try {
    await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  } finally {
    await writer.close();
  }
  await change(stored.url);
  // What was changed by hand is counted anew.
  await withClient(stored.url, async (client) => {
    await client.query('DELETE FROM row_counts');
    await mendCounts(client);
  });
  const database = openDatabase({ url: stored.url, readOnly: true });
  return {
    url: stored.url,
    database,
    tables: await readTables(stored.url),
    async [Symbol.asyncDispose]() {
      await database.close();
      await stored[Symbol.asyncDispose]();
    },
  };
}

function readTables(url: string): Promise<Tables> {
  return withClient(url, async (client) => {
    const tables: Record<string, Tables[string]> = {};
    for (const name of TABLES) {
      const { rows } = await client.query({ text: `SELECT * FROM ${name}`, types: asText });
      tables[name] = rows.map((row) => withNames(name, row)) as Tables[string];
    }
    return tables;
  });
}

const asText = { getTypeParser: () => String };
