import type pg from 'pg';
import { heightOf } from '../../domain/positions.ts';
import { FORGOTTEN_NOUNS } from '../history/archives.ts';
import { readAppliedMigrations, readMigrations } from '../migrate.ts';
import { readStage, type Stage } from '../parts/ingest-progress.ts';
import { createConnection } from '../servers/connect.ts';
import { TABLE_SIZES } from '../table-sizes.ts';
import { type HoldUp, readHoldUp, type SkippedEvent } from '../writing/hold-ups.ts';
import { unknownNameOf } from '../writing/unknown-numbers.ts';
import { WRITER_LOCK } from '../writing/writer-lock.ts';
import { checkRequirements } from './requirements.ts';

/** Whoever asks how things stand is not to wait for a server that does not answer. */
const LIMIT_MS = 10_000;

/** How a database stands. */
export interface DatabaseStatus {
  /** Of the server, as in `18.4`. */
  readonly server: string;
  /** The newest migration that it has, and how many of this version's it lacks. */
  readonly migration: string | null;
  readonly pending: number;
  readonly network: string | null;
  /** The numbers of enumerations that it holds and this version has no name for, and what they are served as. */
  readonly unknownNumbers: readonly {
    readonly field: string;
    readonly servedAs: string;
    readonly height: bigint;
  }[];
  readonly newestBlock: {
    readonly height: bigint;
    readonly timestamp: bigint;
    /** Null where an older version wrote it. */
    readonly digest: string | null;
  } | null;
  /** The first block whose changes are all kept: streams resume from there on. */
  readonly historyFrom: { readonly height: bigint; readonly timestamp: bigint } | null;
  /** The first block whose past is known of every noun, and of those that are known for longer, by their names. */
  readonly pastFrom: DatabaseStatus['historyFrom'];
  readonly pastFromOf: Readonly<Record<string, bigint>>;
  /** The heights of the first blocks whose rows are kept, by the names of those tables of which rows were dropped. */
  readonly keptFromOf: Readonly<Record<string, bigint>>;
  /** What of a base that is being taken in comes next; null where none is. */
  readonly base: Stage | null;
  /** Why ingest cannot go on; null where it can, as far as anybody has noted. */
  readonly holdUp: HoldUp | null;
  /** How many events were passed over as damaged, and the newest of them. */
  readonly skippedEvents: {
    readonly count: bigint;
    readonly newest: readonly (SkippedEvent & { readonly height: bigint })[];
  };
  /** Who is connected: the gateways that follow new blocks, each one however many workers it has, and whoever writes them. */
  readonly gateways: number;
  readonly ingesting: boolean;
  readonly bytes: bigint;
  readonly tables: readonly TableStatus[];
}

export interface TableStatus {
  readonly name: string;
  /** As the server last counted them, which is about so many; null where it has not yet. */
  readonly rows: bigint | null;
  /** Its indexes included. */
  readonly bytes: bigint;
}

/** Reads it, and changes nothing. Throws FAILED_PRECONDITION where the tables are a newer version's. */
export async function readStatus(url: string): Promise<DatabaseStatus> {
  const client = createConnection(url, {
    purpose: 'status',
    connectionTimeoutMillis: LIMIT_MS,
    query_timeout: LIMIT_MS,
  });
  try {
    await client.connect();
    await checkRequirements(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    const applied = await readAppliedMigrations(client);
    const migration = applied.at(-1)?.name ?? null;
    const pending = (await readMigrations()).length - applied.length;
    const server = await readServer(client);
    const held = applied.length === 0 ? NOTHING : await readHeld(client);
    return { ...server, migration, pending, ...held };
  } finally {
    await client.end().catch(() => undefined);
  }
}

const NOTHING = {
  network: null,
  newestBlock: null,
  historyFrom: null,
  pastFrom: null,
  pastFromOf: {},
  keptFromOf: {},
  base: null,
  holdUp: null,
  skippedEvents: { count: 0n, newest: [] },
  tables: [],
  unknownNumbers: [],
};
/** As many of the events that were passed over as a person may want to look at. */
const SHOWN_SKIPPED = 10;

async function readServer(client: pg.Client) {
  const { rows } = await client.query<{
    server: string;
    bytes: string;
    gateways: number;
    ingesting: boolean;
  }>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS server,
       pg_database_size(current_database())::text AS bytes,
       (SELECT count(DISTINCT application_name)::int FROM pg_stat_activity
        WHERE datname = current_database() AND starts_with(application_name, 'periscope listener ')) AS gateways,
       EXISTS (
         SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
         WHERE locktype = 'advisory' AND datname = current_database() AND classid = 0 AND objid = $1 AND granted
       ) AS ingesting`,
    [WRITER_LOCK],
  );
  const [row] = rows as [(typeof rows)[0]];
  return { ...row, bytes: BigInt(row.bytes) };
}

async function readHeld(client: pg.Client): Promise<Pick<DatabaseStatus, keyof typeof NOTHING>> {
  const { rows: networks } = await client.query<{ network: string }>(
    'SELECT chain_id AS network FROM networks LIMIT 1',
  );
  const { rows: blocks } = await client.query<{ height: string; timestamp: string; digest: string | null }>(
    // An older version's tables have no digests.
    `SELECT height::text, timestamp::text, to_jsonb(blocks) ->> 'digest' AS digest
     FROM blocks ORDER BY blocks.height DESC LIMIT 1`,
  );
  const { rows: firsts } = await client.query<{ height: string; timestamp: string }>(
    `SELECT height::text, timestamp::text FROM blocks
     WHERE last_position > (SELECT history_from FROM networks LIMIT 1) ORDER BY last_position LIMIT 1`,
  );
  const { pastFrom, pastFromOf } = await readPast(client);
  const hasHoldUps = await hasTable(client, 'hold_ups');
  const { rows: tables } = await client.query<{ name: string; rows: string; bytes: string }>(TABLE_SIZES);
  const [newestBlock = null] = blocks.map((block) => ({ ...readBlock(block), digest: block.digest }));
  const [historyFrom = null] = firsts.map(readBlock);
  return {
    unknownNumbers: await readUnknownNumbers(client),
    network: networks[0]?.network ?? null,
    newestBlock,
    historyFrom,
    pastFrom,
    pastFromOf,
    keptFromOf: await readKept(client),
    base: await readStage(client),
    ...(hasHoldUps
      ? { holdUp: await readHoldUp(client), skippedEvents: await readSkipped(client) }
      : { holdUp: null, skippedEvents: NOTHING.skippedEvents }),
    tables: tables.map(({ name, rows, bytes }) => ({
      name,
      rows: rows === '-1' ? null : BigInt(rows),
      bytes: BigInt(bytes),
    })),
  };
}

async function readPast(client: pg.Client): Promise<Pick<DatabaseStatus, 'pastFrom' | 'pastFromOf'>> {
  const { rows } = await client.query<{ noun: string; height: string; timestamp: string }>(
    // An older version's tables say nothing, or nothing of single nouns.
    `SELECT noun, block.height::text, block.timestamp::text
     FROM (SELECT to_jsonb(networks) AS known FROM networks LIMIT 1) AS network, unnest($1::text[]) AS noun
     CROSS JOIN LATERAL (
       SELECT * FROM blocks
       WHERE last_position >= greatest((known ->> 'past_from')::bigint, (known -> 'past_from_of' ->> noun)::bigint)
       ORDER BY last_position LIMIT 1
     ) AS block ORDER BY block.height DESC, noun`,
    [FORGOTTEN_NOUNS.map(({ table }) => table.name.text)],
  );
  const [last] = rows;
  if (last === undefined) return { pastFrom: null, pastFromOf: {} };
  const names = new Map(FORGOTTEN_NOUNS.map(({ name, table }) => [table.name.text, name]));
  const earlier = rows.filter(({ height }) => height !== last.height);
  return {
    pastFrom: readBlock(last),
    pastFromOf: Object.fromEntries(earlier.map(({ noun, height }) => [names.get(noun), BigInt(height)])),
  };
}

async function readKept(client: pg.Client): Promise<DatabaseStatus['keptFromOf']> {
  // An older version's tables have all of it.
  const { rows } = await client.query<{ name: string; position: string }>(
    `SELECT name, position FROM networks
     CROSS JOIN LATERAL jsonb_each_text(to_jsonb(networks) -> 'kept_from_of') AS kept (name, position) ORDER BY name`,
  );
  return Object.fromEntries(rows.map(({ name, position }) => [name, heightOf(BigInt(position))]));
}

function readBlock({ height, timestamp }: { readonly height: string; readonly timestamp: string }) {
  return { height: BigInt(height), timestamp: BigInt(timestamp) };
}

async function readUnknownNumbers(client: pg.Client): Promise<DatabaseStatus['unknownNumbers']> {
  if (!(await hasTable(client, 'unknown_numbers'))) return [];
  const { rows } = await client.query<{ field: string; number: number; position: string }>(
    'SELECT field, number, created_position::text AS position FROM unknown_numbers ORDER BY created_position LIMIT 1000',
  );
  return rows.flatMap(({ position, ...one }) => {
    const servedAs = unknownNameOf(one);
    return servedAs === null ? [] : [{ field: one.field, servedAs, height: heightOf(BigInt(position)) }];
  });
}

/** Of a database that an older version migrated last there are not all. */
async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    name,
  ]);
  return rows[0]?.there ?? false;
}

async function readSkipped(client: pg.Client): Promise<DatabaseStatus['skippedEvents']> {
  const { rows: counts } = await client.query<{ count: string }>(
    'SELECT skipped_events::text AS count FROM networks LIMIT 1',
  );
  const { rows } = await client.query<{ position: string; kind: string; reason: string }>(
    `SELECT position::text, kind, reason FROM skipped_events
     ORDER BY skipped_events.position DESC LIMIT ${SHOWN_SKIPPED}`,
  );
  const newest = rows.map(({ position, kind, reason }) => {
    const at = BigInt(position);
    return { position: at, height: heightOf(at), kind, reason };
  });
  return { count: BigInt(counts[0]?.count ?? 0), newest };
}
