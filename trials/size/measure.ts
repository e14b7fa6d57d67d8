import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ALL_OF_IT } from '../../src/data/history/retention.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { EventSource } from '../../src/ingest/events.ts';
import { ask, withClient } from '../bench/database/bench-database.ts';
import { cpuBetween, readCpu, readServerCpu } from '../bench/measure/cpu.ts';

/** What taking in a source took. */
export interface Measured {
  readonly events: number;
  readonly seconds: number;
  /** Processor time of an event, in microseconds: of this process, of the backend that writes, and of the server's others. */
  readonly nodeUs: number;
  readonly writerUs: number;
  readonly othersUs: number;
  readonly walBytes: number;
  readonly fullPages: number;
  /** Pages that were not in the server's own memory. */
  readonly reads: number;
  /** Pages that a backend had to write itself before it could read another. */
  readonly writesOfBackends: number;
  /** The share of the time that the writing backend was seen in each state, the most first. */
  readonly waits: readonly Share[];
  /** The share of the reads that each table or index has. */
  readonly readsOf: readonly Share[];
}

export type Share = readonly [name: string, share: number];

const SAMPLE_MS = 5;
/** A backend adds what it has counted when it ends, a little after its client. */
const COUNTED_MS = 300;

/** Takes a source in, and counts what the server does meanwhile. Nobody else is to use the server. */
export async function measureIngest(
  url: string,
  source: EventSource,
  { readsAhead }: { readonly readsAhead: boolean },
): Promise<Measured> {
  const before = await readCounters(url);
  const writer = await Writer.open(url, ALL_OF_IT);
  if (!readsAhead) writer.announce = () => {};
  const sampler = new Sampler(url);
  const sampling = sampler.run();
  let taken: Awaited<ReturnType<typeof take>>;
  try {
    taken = await take(url, source, writer);
  } finally {
    sampler.stop();
    await sampling;
    await writer.close();
  }
  await sleep(COUNTED_MS);
  const after = await readCounters(url);
  const since = (name: string) => (after.totals.get(name) ?? 0) - (before.totals.get(name) ?? 0);
  const readsOf = [...after.relations].map(
    ([name, reads]) => [name, reads - (before.relations.get(name) ?? 0)] as const,
  );
  return {
    ...taken,
    walBytes: since('wal_bytes'),
    fullPages: since('wal_fpi'),
    reads: since('blks_read'),
    writesOfBackends: since('writes'),
    waits: shares(sampler.counts),
    readsOf: shares(readsOf),
  };
}

async function take(url: string, source: EventSource, writer: Writer) {
  const cpu = await cpuOfBackends(url);
  const [nodeAtStart, start] = [process.cpuUsage(), performance.now()];
  const { signal } = new AbortController();
  const { events } = await applySource(source, writer, { pace: 'max', signal });
  const seconds = (performance.now() - start) / 1000;
  const node = process.cpuUsage(nodeAtStart);
  const used = cpu();
  return {
    ...{ events, seconds },
    nodeUs: (node.user + node.system) / events,
    writerUs: (used.writer * 1e6) / events,
    othersUs: ((used.all - used.writer) * 1e6) / events,
  };
}

/** Looks at what the writing backend waits for, now and then. */
class Sampler {
  readonly #url: string;
  readonly #counts = new Map<string, number>();
  #isStopped = false;

  constructor(url: string) {
    this.#url = url;
  }

  get counts(): readonly Share[] {
    return [...this.#counts];
  }

  async run(): Promise<void> {
    await withClient(this.#url, async (client) => {
      while (!this.#isStopped) {
        const { rows } = await client.query<{ state: string }>(WAITS);
        for (const { state } of rows) this.#counts.set(state, (this.#counts.get(state) ?? 0) + 1);
        await sleep(SAMPLE_MS);
      }
    });
  }

  stop(): void {
    this.#isStopped = true;
  }
}

const WAITS = {
  name: 'waits',
  text: `SELECT CASE WHEN state LIKE 'idle%' THEN 'waits for the writer' ELSE coalesce(wait_event_type || ' ' || wait_event, 'computes') END AS state
    FROM pg_stat_activity WHERE application_name = 'periscope writer' AND datname = current_database()`,
};

/** Reads the processor time of the backends of a database that write, and of all. */
async function cpuOfBackends(url: string) {
  const rows = await ask<{ pid: number; name: string }>(
    url,
    `SELECT pid, application_name AS name FROM pg_stat_activity WHERE datname = current_database()`,
  );
  const writers = rows.filter(({ name }) => name === 'periscope writer').map(({ pid }) => pid);
  const server = await findServerPid(url);
  const before = { writer: readCpu(writers), all: readServerCpu(server) };
  return () => ({
    writer: cpuBetween(before.writer, readCpu(writers)),
    all: cpuBetween(before.all, readServerCpu(server)),
  });
}

/** By the file that the server itself keeps; it runs on this machine. */
async function findServerPid(url: string): Promise<number> {
  const [row] = await ask<{ pid: string }>(
    url,
    "SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1) AS pid",
  );
  return Number(row?.pid);
}

interface Counters {
  readonly totals: ReadonlyMap<string, number>;
  readonly relations: ReadonlyMap<string, number>;
}

async function readCounters(url: string): Promise<Counters> {
  return withClient(url, async (client) => {
    await client.query('SELECT pg_stat_force_next_flush()');
    const totals = await entries(client, TOTALS);
    return { totals, relations: await entries(client, RELATIONS) };
  });
}

async function entries(client: pg.Client, text: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; value: string }>(text);
  return new Map(rows.map(({ name, value }) => [name, Number(value)]));
}

const TOTALS = `
  SELECT 'wal_bytes' AS name, wal_bytes::text AS value FROM pg_stat_wal
  UNION ALL SELECT 'wal_fpi', wal_fpi::text FROM pg_stat_wal
  UNION ALL SELECT 'blks_read', blks_read::text FROM pg_stat_database WHERE datname = current_database()
  UNION ALL SELECT 'writes', sum(writes)::text FROM pg_stat_io WHERE backend_type = 'client backend' AND object = 'relation'`;

const RELATIONS = `
  SELECT relname AS name, heap_blks_read::text AS value FROM pg_statio_user_tables
  UNION ALL SELECT indexrelname, idx_blks_read::text FROM pg_statio_user_indexes`;

const MOST_SHARES = 8;

function shares(counts: readonly Share[]): readonly Share[] {
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => [name, count / all] as const)
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_SHARES);
}
