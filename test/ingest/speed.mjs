// How fast blocks are taken in, beside what COPY of the same rows into the same tables takes, in one run:
//   npm run build && node test/ingest/speed.mjs [--blocks 1000] [--parties 800] [--markets 5] [--recording FILE]
// Prints events a second, and the CPU that an event costs this process and PostgreSQL's. A simulated network is made
// before the clock starts; what its making costs is shown apart. A recording is taken in again and again, each time
// with the heights that follow. PostgreSQL is the embedded one, as it is installed: what is committed is on the disk.
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import pg from 'pg';
import { openPlace } from '../../dist/data/open.js';
import { Writer } from '../../dist/data/writing/writer.js';
import { applySource } from '../../dist/ingest/apply.js';
import { BusEventSchema } from '../../dist/ingest/protocol/generated/bus-event_pb.js';
import { openRecordedFile } from '../../dist/ingest/recorded-file.js';
import { openSimulation } from '../../dist/simulation/simulate.js';

const { values: options } = parseArgs({
  options: {
    blocks: { type: 'string', default: '1000' },
    parties: { type: 'string', default: '800' },
    markets: { type: 'string', default: '5' },
    recording: { type: 'string' },
    copies: { type: 'string', default: '20' },
  },
});
let databases = 0;
const { signal } = new AbortController();
const folder = await mkdtemp(join(tmpdir(), 'periscope-speed-'));
// PostgreSQL may run as another user.
await chmod(folder, 0o777);
try {
  const network = {
    seed: 1,
    blocks: Number(options.blocks),
    parties: Number(options.parties),
    markets: Number(options.markets),
  };
  await compare('simulated network, made before', async () => keepEvents(openSimulation(network)));
  await compare('simulated network, made meanwhile', async () => openSimulation(network), { copy: false });
  if (options.recording !== undefined) {
    const path = join(folder, 'recording.evt');
    await writeFile(path, repeatRecording(options.recording, Number(options.copies)));
    await compare('recording', () => openRecordedFile(path));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Takes a source into a new database, and then its tables' rows into another by COPY. */
async function compare(name, open, { copy = true } = {}) {
  databases += 1;
  const dataDir = join(folder, `data-${databases}`);
  const place = await openPlace({ url: null, dataDir });
  try {
    const source = await measure(`${name}: opened`, place.url, open);
    const writer = await Writer.open(place.url);
    let blocks = 0;
    const events = await measure(
      name,
      place.url,
      () =>
        applySource(source, writer, {
          pace: 'max',
          signal,
          onBlock: () => {
            blocks += 1;
          },
        }),
      (summary) => summary.events,
    ).then((summary) => summary.events);
    await writer.close();
    console.log(`  ${blocks} blocks of ${(events / blocks).toFixed(0)} events`);
    if (copy) await copyTables(place.url, events, join(dataDir, '..'));
  } finally {
    await place[Symbol.asyncDispose]();
  }
}

/** Writes every table to a file, empties it, and reads the files back, in one transaction and indexes as they are. */
async function copyTables(url, events, to) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  );
  const tables = rows.map(({ name }) => ({ name, program: `'cat > ${to}/${name}.copy'` }));
  let count = 0;
  for (const { name, program } of tables) {
    count += (await client.query(`COPY ${name} TO PROGRAM ${program}`)).rowCount;
  }
  await client.query(`TRUNCATE ${tables.map(({ name }) => name).join()}; CHECKPOINT`);
  await measure(
    `  COPY of its ${count} rows`,
    url,
    async () => {
      await client.query('BEGIN');
      for (const { name } of tables) await client.query(`COPY ${name} FROM PROGRAM 'cat ${to}/${name}.copy'`);
      await client.query('COMMIT');
    },
    () => events,
  );
  await client.end();
}

async function measure(name, url, work, count = () => 0) {
  const before = await cpuOfPostgres(url);
  const own = process.cpuUsage();
  const start = performance.now();
  const result = await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(own);
  const postgres = (await cpuOfPostgres(url)) - before;
  const events = count(result);
  const each = (us) => (events === 0 ? `${(us / 1e6).toFixed(2)} s` : `${(us / events).toFixed(1)} us`);
  const rate = events === 0 ? '' : `${Math.round(events / seconds)} events/s, `;
  console.log(
    `${name}: ${rate}${seconds.toFixed(2)} s; CPU of Node ${each(user + system)}, of PostgreSQL ${each(postgres)}`,
  );
  return result;
}

/** What all processes of the server have used, in microseconds. */
async function cpuOfPostgres(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const postmaster = statOf(rows[0].pid).parent;
  let ticks = 0;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const stat = statOf(pid);
      // What has ended is counted with its parent.
      if (Number(pid) === postmaster) ticks += stat.own + stat.ended;
      else if (stat.parent === postmaster) ticks += stat.own;
    } catch {}
  }
  await client.end();
  return ticks * 10_000;
}

function statOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  return { parent: fields[1], own: fields[11] + fields[12], ended: fields[13] + fields[14] };
}

/** A source whose events are there already. */
async function keepEvents(source) {
  const events = [];
  for await (const event of source.events(signal)) events.push(event);
  return {
    ...source,
    async *events() {
      yield* events;
    },
  };
}

/** A recording's records some times over, each time with the heights that follow. */
function repeatRecording(path, times) {
  const bytes = gunzipSync(readFileSync(path));
  const records = [];
  for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt32BE(at)) {
    records.push(fromBinary(BusEventSchema, bytes.subarray(at + 12, at + 4 + bytes.readUInt32BE(at))));
  }
  const begins = records.findIndex(({ event }) => event.case === 'beginBlock');
  const ends = records.findLastIndex(({ event }) => event.case === 'endBlock');
  const whole = records.slice(begins, ends + 1);
  const heights = whole.flatMap(({ event }) => (event.case === 'beginBlock' ? [event.value.height] : []));
  const length = heights.at(-1) - heights[0] + 1n;
  const seconds = whole.flatMap(({ event }) => (event.case === 'beginBlock' ? [event.value.timestamp] : []));
  const duration = seconds.at(-1) - seconds[0] + 1_000_000_000n;
  const parts = [];
  for (let time = 0; time < times; time += 1) {
    for (const { event } of time === 0 ? [] : whole) {
      if (event.case === 'beginBlock') {
        event.value.height += length;
        event.value.timestamp += duration;
      } else if (event.case === 'endBlock' && event.value.height !== 0n) event.value.height += length;
    }
    for (const record of whole) {
      const payload = toBinary(BusEventSchema, record);
      const head = Buffer.alloc(4);
      head.writeUInt32BE(payload.length);
      parts.push(head, payload);
    }
  }
  return Buffer.concat(parts);
}
