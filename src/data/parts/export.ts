import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { Backoff } from '../../backoff.ts';
import { max, min } from '../../domain/bigints.ts';
import { positionsOf } from '../../domain/positions.ts';
import { GatewayError } from '../../errors.ts';
import { createConnection } from '../servers/connect.ts';
import { destroy } from '../servers/presence.ts';
import { beginReading } from '../upkeep/backup.ts';
import { checkRequirements } from '../upkeep/requirements.ts';
import { type ColumnBatch, readBatches } from './column-batch.ts';
import { type PartColumn, readColumns } from './columns.ts';
import { LAST_WITHIN, type NetworkFacts, readNetwork, readSame } from './exported-network.ts';
import type { Base, Manifest, Part, PartFile } from './manifest.ts';
import type { BucketSettings } from './object-store.ts';
import { PartBucket } from './part-bucket.ts';
import { PartFolder } from './part-folder.ts';
import { copyAll, copyWithin, type Packed, type PositionRange } from './part-statements.ts';
import type { PartTarget } from './part-target.ts';
import { readPlace } from './place.ts';
import { refuseHalfIngested } from './progress-table.ts';
import type { Retries } from './retrying.ts';
import { sideBySide } from './side-by-side.ts';
import { ADDED_TABLES, PART_TABLES, readBaseTables } from './tables.ts';

const KEEP_ALIVE_MS = 10_000;
/** One waits in its transaction while the other reads the last table of a part. */
const SETTINGS = "SET LOCAL client_encoding = 'UTF8'; SET LOCAL idle_in_transaction_session_timeout = 0";
/** Whoever began to read a base can read it to its end, while the next one is written. */
const BASES_KEPT = 2;
/** Two exports into one bucket would write each other's files twice; a folder has a lock of its own. */
const EXPORT_LOCK = 0x70657278; // 'perx'

export interface ExportOptions extends Retries {
  /** A part ends where the height is a multiple of it. */
  readonly blocksPerPart: bigint;
  /** Whether ranges are written that are closed, and no others, and no base. */
  readonly isClosedOnly: boolean;
  /** Who writes to a bucket; of a folder none. */
  readonly bucket?: BucketSettings;
}

/** Two connections that read one snapshot: while the rows of one table become a file, the server puts those of the next in order. */
type Readers = readonly [pg.Client, pg.Client];

/** What a run has written. */
export interface ExportSummary {
  readonly chain: string;
  /** Up to where there are parts now; null where there are none. */
  readonly height: bigint | null;
  readonly parts: number;
  readonly base: bigint | null;
  readonly files: number;
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Writes what a database holds beyond the parts that a folder has, as it is at one moment, while others write to it: parts, each of a range of
 * blocks, and a base at the newest. What was written stays, whoever is ended in the middle. Throws FAILED_PRECONDITION where the
 * folder has another network's parts, or those of blocks that this database knows otherwise.
 */
export async function exportParts(url: string, path: string, options: ExportOptions): Promise<ExportSummary> {
  const createReader = () =>
    createConnection(url, { purpose: 'export', keepAliveInitialDelayMillis: KEEP_ALIVE_MS });
  const readers: Readers = [createReader(), createReader()];
  const cut = () => readers.forEach(destroy);
  options.signal.addEventListener('abort', cut);
  let isWhole = false;
  try {
    for (const reader of readers) await reader.connect();
    const [client] = readers;
    await checkRequirements(client);
    await takeExportLock(client);
    await beginReading(client);
    await shareSnapshot(readers);
    for (const reader of readers) await reader.query(SETTINGS);
    await refuseHalfIngested(client);
    await using target = await openTarget(path, options);
    const summary = await writeParts(readers, target, options);
    for (const reader of readers) await reader.query('COMMIT');
    isWhole = true;
    return summary;
  } finally {
    options.signal.removeEventListener('abort', cut);
    // In the middle of a COPY, a connection takes no word.
    if (!isWhole) cut();
    await Promise.all(readers.map((reader) => reader.end().catch(() => undefined)));
  }
}

/** Has the other read what the first does. */
async function shareSnapshot([first, other]: Readers): Promise<void> {
  const { rows } = await first.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot');
  await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  await other.query(`SET TRANSACTION SNAPSHOT '${rows[0]?.snapshot}'`);
}

/** Takes it until the connection ends. Throws FAILED_PRECONDITION where another process has it. */
async function takeExportLock(client: pg.Client): Promise<void> {
  // The server notices a little late that somebody was killed.
  const backoff = new Backoff({ firstMs: 25, deadlineMs: 3_000 });
  do {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      EXPORT_LOCK,
    ]);
    if (rows[0]?.locked === true) return;
  } while (await backoff.wait());
  throw new GatewayError(
    'FAILED_PRECONDITION',
    'Another process is exporting this database. There can be one at a time.',
  );
}

/** Throws INVALID_ARGUMENT where nobody could write. */
async function openTarget(text: string, options: ExportOptions): Promise<PartTarget> {
  const place = readPlace(text);
  if (place.kind === 'folder') return PartFolder.open(place.name);
  if (place.kind === 'web')
    throw new GatewayError(
      'INVALID_ARGUMENT',
      `${place.name} is not written to: it takes a folder, or s3://BUCKET/FOLDER.`,
    );
  if (options.bucket === undefined) throw new Error(`Nobody said who writes to ${place.name}.`);
  return new PartBucket(place, options.bucket, options);
}

async function writeParts(
  readers: Readers,
  target: PartTarget,
  options: ExportOptions,
): Promise<ExportSummary> {
  const [client] = readers;
  const network = await readNetwork(client);
  const { chain, pastFrom } = network;
  let manifest: Manifest = (await target.readManifest()) ?? { chain, pastFrom, parts: [], bases: [] };
  const same = await readSame(client, manifest, network, target.name);
  await target.removeOthers(manifest);
  manifest = same;
  const written: PartFile[] = [];
  const before = manifest.parts.length;
  for (const range of rangesBehind(manifest.parts.at(-1), network, options)) {
    const part = await writePart(readers, target, { ...network, pastFrom: manifest.pastFrom }, range);
    written.push(...part.files);
    manifest = { ...manifest, parts: [...manifest.parts, part] };
    await target.writeManifest(manifest);
  }
  const tables = await readBaseTables(client);
  const isThere = manifest.bases.some((base) => isAsNow(base, network, tables));
  const base = options.isClosedOnly || isThere ? null : await writeBase(readers, target, network, tables);
  if (base !== null) {
    written.push(...base.files);
    const others = manifest.bases.filter(({ position }) => position !== base.position);
    manifest = { ...manifest, bases: [...others, base].slice(-BASES_KEPT) };
    await target.writeManifest(manifest);
    await target.removeOthers(manifest);
  }
  return {
    chain: manifest.chain,
    height: manifest.parts.at(-1)?.to ?? null,
    parts: manifest.parts.length - before,
    base: base?.height ?? null,
    files: written.length,
    rows: written.reduce((sum, { rows }) => sum + rows, 0),
    bytes: written.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

interface BlockRange extends PositionRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** The ranges of blocks behind a part, up to the newest block or the last one that is closed. */
function* rangesBehind(
  last: Part | undefined,
  { first, newest }: NetworkFacts,
  { blocksPerPart: span, isClosedOnly }: ExportOptions,
): Generator<BlockRange> {
  let after = last?.upTo ?? -1n;
  let from = last === undefined ? first : last.to + 1n;
  while (from <= newest.height) {
    const end = ((max(from, 1n) - 1n) / span + 1n) * span;
    // A block that is the newest may go on.
    const isClosed = end < newest.height;
    if (!isClosed && isClosedOnly) return;
    const to = min(end, newest.height);
    const upTo = isClosed ? positionsOf(end).last : newest.position;
    yield { from, to, after, upTo };
    [from, after] = [to + 1n, upTo];
  }
}

async function writePart(
  readers: Readers,
  target: PartTarget,
  network: NetworkFacts,
  range: BlockRange,
): Promise<Part> {
  const [client] = readers;
  const packed = await readPacked(client, network, range);
  const files = await sideBySide(readers, PART_TABLES, async (reader, table) => {
    const columns = await readColumns(reader, table.table);
    // What an older version wrote of a row lacks columns that came since.
    const written = ADDED_TABLES.includes(table) ? columns : columns.map(loosen);
    const rows = copyRows(
      reader,
      copyWithin(table, written, range, { packed, from: network.pastFrom }),
      written,
    );
    return target.writeFile(table.table, table.table, written, rows);
  });
  const { rows } = await client.query<{ digest: string | null }>(LAST_WITHIN, [range.upTo]);
  return { ...range, digest: rows[0]?.digest ?? null, schema: network.schema, files: withRows(files) };
}

function loosen(column: PartColumn): PartColumn {
  return { ...column, isRequired: column.name === 'created_position' || column.name === 'updated_position' };
}

/** No row of the archive has versions of two of those parts that were packed at once. */
async function readPacked(
  client: pg.Client,
  { archivedTo }: NetworkFacts,
  { after }: PositionRange,
): Promise<Packed> {
  const { rows } = await client.query<{ after: string | null }>(
    'SELECT max(position) AS after FROM archived_parts WHERE position <= $1',
    [after],
  );
  return { upTo: archivedTo, after: BigInt(rows[0]?.after ?? -1) };
}

/** Whether a base has what the database holds, as this version takes it in. An older version may have written others. */
function isAsNow(base: Base, { newest, schema }: NetworkFacts, tables: readonly string[]): boolean {
  if (base.position !== newest.position || base.schema !== schema) return false;
  return base.files.every(({ table }) => tables.includes(table));
}

async function writeBase(
  readers: Readers,
  target: PartTarget,
  network: NetworkFacts,
  tables: readonly string[],
): Promise<Base> {
  const { newest, schema, skippedEvents, keptFromOf, summedFromOf } = network;
  const files = await sideBySide(readers, tables, async (reader, table) => {
    const columns = await readColumns(reader, table);
    const rows = copyRows(reader, copyAll(table, columns), columns);
    return target.writeFile(`bases/${newest.height}/${table}`, table, columns, rows);
  });
  return { ...newest, schema, skippedEvents, keptFromOf, summedFromOf, files: withRows(files) };
}

function withRows(files: readonly (PartFile | null)[]): readonly PartFile[] {
  return files.filter((file) => file !== null);
}

function copyRows(
  client: pg.Client,
  statement: string,
  columns: readonly PartColumn[],
): AsyncGenerator<ColumnBatch, void> {
  const chunks = client.query(copyTo(statement)) as AsyncIterable<Buffer>;
  return readBatches(chunks, columns);
}
