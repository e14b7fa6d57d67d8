import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { introduceWriter } from '../../../src/data/migrate.ts';
import type { Bench, BenchCase } from '../bench.ts';
import { ask, type BenchDatabase, withClient } from '../database/bench-database.ts';
import { cpuBetween, readBackendCpu, readCpu } from '../measure/cpu.ts';
import { median, spreadOf } from '../measure/figures.ts';
import { count, describeUs } from '../report/describe.ts';

const MARKETS = 5;
const POLL_MS = 10;
/** The role that owns the tables and writes them. */
const OWNER = 'periscope';

/** What an ingest took, from its first block to its end. */
interface Ingested {
  readonly events: number;
  readonly seconds: number;
  /** CPU of an event, in microseconds. */
  readonly nodeUs: number;
  readonly databaseUs: number;
  /** What an event makes the database larger by, and PostgreSQL's log of writes. */
  readonly diskBytes: number;
  readonly walBytes: number;
  /** What COPY takes of the same rows. */
  readonly copySeconds: number;
}

export const ingest: BenchCase = {
  name: 'ingest',
  title: 'ingest of a simulated network into PostgreSQL',
  async run(bench) {
    const rounds: Ingested[] = [];
    for (let round = 0; round < bench.size.ingests; round += 1) rounds.push(await ingestOnce(bench));
    const of = (pick: (round: Ingested) => number) => median(rounds.map(pick));
    const cpuUs = of(({ nodeUs, databaseUs }) => nodeUs + databaseUs);
    const perSecond = of(({ events, seconds }) => events / seconds);
    const common = {
      what: `${this.title} (${count(of(({ events }) => events))} events)`,
      figure: `${count(perSecond)} events/s, ${describeUs(cpuUs)} CPU each (${describeUs(of(({ nodeUs }) => nodeUs))} + ${describeUs(of(({ databaseUs }) => databaseUs))})`,
      beside: `COPY of the same rows: ${of(({ copySeconds }) => copySeconds).toFixed(1)} s of ${of(({ seconds }) => seconds).toFixed(1)} s`,
      peerCpuUs: null,
      spread: spreadOf(rounds.map(({ nodeUs, databaseUs }) => nodeUs + databaseUs)),
      note: 'one of the two is enough',
    };
    return [
      {
        id: this.name,
        ...common,
        value: perSecond,
        unit: 'events/s',
        target: { least: 40_000 },
        cpuUs,
        serverUs: of(({ nodeUs }) => nodeUs),
        databaseUs: of(({ databaseUs }) => databaseUs),
      },
      {
        id: `${this.name}/copy`,
        ...common,
        value: of(({ copySeconds, seconds }) => copySeconds / seconds),
        unit: 'x COPY',
        target: { least: 0.6 },
        cpuUs: null,
      },
      ...(['diskBytes', 'walBytes'] as const).map((name) => ({
        id: `${this.name}/${name === 'diskBytes' ? 'disk' : 'wal'}`,
        ...common,
        value: of((round) => round[name]),
        unit: name === 'diskBytes' ? 'bytes of disk an event' : "bytes of PostgreSQL's log an event",
        target: null,
        cpuUs: null,
      })),
    ];
  },
};

/** Into a database of its own. */
async function ingestOnce(bench: Bench): Promise<Ingested> {
  await using database = await bench.postgres.createEmpty();
  const before = await readSizes(database);
  const ingested = await ingestSimulation(bench, database);
  const after = await readSizes(database);
  const each = (name: keyof typeof after) => (after[name] - before[name]) / ingested.events;
  const sizes = { diskBytes: each('disk'), walBytes: each('wal') };
  return { ...ingested, ...sizes, copySeconds: await copyRows(bench, database) };
}

/** Runs `ingest simulate` as fast as it goes. Its start is not counted: the time begins with the first block. */
async function ingestSimulation(
  { size, postgres }: Bench,
  { url }: BenchDatabase,
): Promise<Pick<Ingested, 'events' | 'seconds' | 'nodeUs' | 'databaseUs'>> {
  const { ingestBlocks, ingestParties } = size;
  const options = [
    '--seed',
    '1',
    '--blocks',
    `${ingestBlocks}`,
    '--parties',
    `${ingestParties}`,
    '--markets',
    `${MARKETS}`,
  ];
  const program = spawn(
    process.env['BENCH_NODE'] ?? process.execPath,
    [join('dist', 'bundle', 'cli.js'), 'ingest', 'simulate', ...options],
    {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const ended = once(program, 'exit');
  const cpu = () => ({
    node: readCpu([program.pid as number]),
    database: readBackendCpu(postgres.pid, OWNER),
  });
  let start: { readonly at: number; readonly cpu: ReturnType<typeof cpu> } | null = null;
  let latest = cpu();
  let end = 0;
  while (program.exitCode === null && program.signalCode === null) {
    end = performance.now();
    const used = cpu();
    // A process that has ended is not in the table any more: what it used last is kept.
    latest = {
      node: new Map([...latest.node, ...used.node]),
      database: new Map([...latest.database, ...used.database]),
    };
    if (start === null && (await hasBlock(url))) start = { at: performance.now(), cpu: cpu() };
    await Promise.race([sleep(POLL_MS), ended]);
  }
  const [code] = await ended;
  const events = Number(/with ([\d,.]+) events?/.exec(said)?.[1]?.replace(/\D/g, ''));
  if (code !== 0 || !(events > 0) || start === null)
    throw new Error(`The ingest failed: ${said.slice(-1_000)}`);
  return {
    events,
    seconds: (end - start.at) / 1000,
    nodeUs: (cpuBetween(start.cpu.node, latest.node) * 1e6) / events,
    databaseUs: (cpuBetween(start.cpu.database, latest.database) * 1e6) / events,
  };
}

/** What the database has on disk, and how far its server has written its log, in bytes. */
async function readSizes({ url }: BenchDatabase) {
  const [row] = await ask<{ disk: number; wal: number }>(
    url,
    `SELECT pg_database_size(current_database())::float8 AS disk,
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS wal`,
  );
  if (row === undefined) throw new Error('The database does not say how large it is.');
  return row;
}

async function hasBlock(url: string): Promise<boolean> {
  const [row] = await ask<{ has: boolean }>(url, 'SELECT EXISTS (SELECT FROM blocks) AS has');
  return row?.has ?? false;
}

/** Copies every table's rows into the tables of a database that was emptied, one table after the other, and gives the seconds. */
async function copyRows({ postgres }: Bench, database: BenchDatabase): Promise<number> {
  const { url } = database;
  // Its partitions are there already.
  await using target = await postgres.createCopyOf(database);
  const folder = join(postgres.dataFolder, 'bench-copy');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const { uid, gid } = statSync(postgres.dataFolder);
  chownSync(folder, uid, gid);
  try {
    const tables = await ask<{ name: string; rows: string }>(url, TABLES);
    await withClient(url, async (client) => {
      for (const { name } of tables) await client.query(`COPY "${name}" TO '${join(folder, name)}'`);
    });
    return await withClient(target.url, async (client) => {
      await introduceWriter(client);
      for (const { name } of tables) await client.query(`TRUNCATE "${name}"`);
      const start = performance.now();
      for (const { name } of tables) await client.query(`COPY "${name}" FROM '${join(folder, name)}'`);
      return (performance.now() - start) / 1000;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those that hold rows: the partitions, not what is divided into them. */
const TABLES = `SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations' ORDER BY 1`;
