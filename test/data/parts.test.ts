import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nounNames } from '../../src/data/nouns/index.ts';
import { readColumns } from '../../src/data/parts/columns.ts';
import { readDecimal } from '../../src/data/parts/decimals.ts';
import { exportParts } from '../../src/data/parts/export.ts';
import { type Manifest, writeManifest } from '../../src/data/parts/manifest.ts';
import { PartFolder } from '../../src/data/parts/part-folder.ts';
import { PART_TABLES, readBaseTables } from '../../src/data/parts/tables.ts';
import type { BlockChanges } from '../../src/data/writing/block-changes.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { createTestDatabase, readerUrlOf } from '../support/database.ts';
import {
  createFolder,
  EXPORT,
  exportToFolder,
  type Folder,
  readHashes,
  readManifestOf,
} from '../support/part-folders.ts';
import { startProgram } from '../support/program.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';
import { ask, withClient } from '../support/state.ts';

const BLOCKS = 120;
const NETWORK = { seed: 11, blocks: BLOCKS, parties: 25, markets: 3, release: '0.79' } as const;

const NOTHING = Object.fromEntries(nounNames.map((name) => [name, []])) as unknown as BlockChanges;

/** Blocks 1 to 6 of a network in which nothing happens. */
async function writeSix(url: string): Promise<void> {
  for (const height of [1n, 2n, 3n, 4n, 5n, 6n]) await writeBlock(url, height, 1n);
}

/** Has the last of them begin again, and end later. */
function goOnWithinSixth(url: string): Promise<void> {
  return writeBlock(url, 6n, 9n);
}

async function writeBlock(url: string, height: bigint, index: bigint): Promise<void> {
  await using writer = await Writer.open(url);
  await writer.claimNetwork('c');
  await writer.write({ height, hash: '', timestamp: height, lastPosition: (height << 20n) + index }, NOTHING);
}

describe('the parts of a network', () => {
  let network: SimulatedDatabase;
  let folder: Folder;

  beforeAll(async () => {
    network = await createSimulatedDatabase({ ...NETWORK, blocks: 70 });
    folder = await exportToFolder(network.url);
    await network.advanceTo(BLOCKS);
  });

  afterAll(async () => {
    await network[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test('go on behind those that are there, whose files stay as they are', async () => {
    const before = await readManifestOf(folder);
    const files = await readHashes(folder);
    expect(ranges(before)).toEqual([
      ['1', '50'],
      ['51', '70'],
    ]);
    const summary = await exportParts(network.url, folder.path, EXPORT);
    expect(summary).toMatchObject({ parts: 2, base: BigInt(BLOCKS), height: BigInt(BLOCKS) });
    const after = await readManifestOf(folder);
    expect(ranges(after)).toEqual([...ranges(before), ['71', '100'], ['101', '120']]);
    expect(after.parts.slice(0, 2)).toEqual(before.parts);
    const now = await readHashes(folder);
    for (const [name, hash] of files) if (name !== 'manifest.json') expect(now.get(name), name).toBe(hash);
    for (const { name, sha256 } of [...after.parts, ...after.bases].flatMap(({ files }) => files)) {
      expect(now.get(name), name).toBe(sha256);
    }
    // Once more there is nothing to do.
    expect(await exportParts(network.url, folder.path, EXPORT)).toMatchObject({
      parts: 0,
      base: null,
      files: 0,
    });
  });

  test('end with the digests that the blocks have', async () => {
    const { parts } = await readManifestOf(folder);
    const blocks = await ask<{ height: string; digest: string }>(
      network.url,
      'SELECT height, digest FROM blocks',
    );
    const digests = new Map(blocks.map(({ height, digest }) => [height, digest]));
    expect(parts.map(({ digest }) => digest)).toEqual(parts.map(({ to }) => digests.get(`${to}`)));
  });

  test.each(PART_TABLES.map((one) => [one.table, one] as const))(
    'have all rows of %s, as DuckDB reads them',
    async (table, { history, position }) => {
      const columns = await readColumnsOf(network.url, table);
      const rows = await readParts(folder, table, position);
      const key = history === 'added' ? position : 'created_position';
      const latest = [...new Map(rows.map((row) => [row[key], row])).values()].toSorted(by(key));
      const wanted = await ask<Row>(
        network.url,
        `SELECT ${columns.map(asText).join()} FROM ${table} AS t ORDER BY t.${key}`,
      );
      expect(latest.map((row) => pick(row, columns))).toEqual(wanted);
    },
  );

  test('have every version of what changes', async () => {
    let count = 0;
    for (const { table, history } of PART_TABLES) {
      if (history === 'added') continue;
      const rows = await readParts(folder, table, 'updated_position');
      const found = rows.map((row) => [row['created_position'], row['updated_position']]);
      const wanted = await ask<{ row: string; position: string }>(
        network.url,
        history === 'balances'
          ? 'SELECT account_position AS row, position FROM balance_changes ORDER BY position'
          : `SELECT row_position AS row, position FROM changes WHERE noun = '${table}' ORDER BY position`,
      );
      expect(found, table).toEqual(wanted.map(({ row, position }) => [row, position]));
      count += found.length;
    }
    expect(count).toBeGreaterThan(1000);
  });

  test('say what accounts held at a block, as docs/parts.md asks for it', async () => {
    const asked = /SELECT owner, asset_id[^;]+/.exec(readFileSync('docs/parts.md', 'utf8'))?.[0] ?? '';
    const sql = asked.replace('/srv/parts', folder.path).replace('<= 2000', '<= 60');
    const found = await query(`SELECT owner, asset_id, market_id, type, balance FROM (${sql}) ORDER BY ALL`);
    expect(found.length).toBeGreaterThan(20);
    const wanted = await ask<Row>(
      network.url,
      `SELECT owner, asset_id, market_id, type::text, past.balance FROM accounts CROSS JOIN LATERAL (
         SELECT balance FROM balance_changes AS change WHERE account_position = created_position AND position >> 20 <= 60
         ORDER BY position DESC LIMIT 1
       ) AS past ORDER BY owner COLLATE "C", asset_id COLLATE "C", market_id COLLATE "C", accounts.type`,
    );
    expect(found).toEqual(wanted);
  });

  test('have numbers and times in types to compute with', async () => {
    const [sum] = await query(
      `SELECT sum(amount_decimal)::VARCHAR AS amount, count(amount_decimal) AS numbers, min(received_time)::VARCHAR AS first, typeof(any_value(amount_decimal)) AS type
       FROM read_parquet('${folder.path}/rewards/*.parquet')`,
    );
    const [wanted] = await ask<Record<string, string>>(
      network.url,
      `SELECT sum(amount::numeric)::text AS amount, count(*)::text AS numbers FROM rewards`,
    );
    expect(sum).toMatchObject({ ...wanted, type: 'DECIMAL(38,0)' });
    const [time] = await query(
      `SELECT bool_and(epoch_us(received_time) = received_at // 1000) AS equal FROM read_parquet('${folder.path}/rewards/*.parquet')`,
    );
    expect(time).toEqual({ equal: 'true' });
    const [fraction] = await query(
      `SELECT bool_and(percentage_of_total_decimal = percentage_of_total::DECIMAL(38,18)) AS equal FROM read_parquet('${folder.path}/rewards/*.parquet')`,
    );
    expect(fraction).toEqual({ equal: 'true' });
  });
});

describe('a folder of parts', () => {
  test('has closed ranges alone, and no base, where that is asked for', async () => {
    await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 60 });
    // Who reads it may do no more.
    await using folder = await exportToFolder(readerUrlOf(network.url), { isClosedOnly: true });
    const manifest = await readManifestOf(folder);
    expect([ranges(manifest), manifest.bases]).toEqual([[['1', '50']], []]);
  });

  test('loses what somebody was ended at, and nothing else', async () => {
    await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 20 });
    await using folder = await exportToFolder(network.url);
    const before = await readHashes(folder);
    const file = `votes/${'0'.repeat(64)}.parquet`;
    const strays = ['.partial-1-votes', file, `bases/7/${file}`];
    // Below may be the parts of another network, or a copy of these.
    const others = [
      'notes.txt',
      `old/${file}`,
      `old/bases/7/${file}`,
      'old/.partial-1-votes',
      `bases/${file}`,
    ];
    for (const name of [...strays, ...others]) {
      await mkdir(dirname(join(folder.path, name)), { recursive: true });
      await writeFile(join(folder.path, name), 'x');
    }
    await exportParts(network.url, folder.path, EXPORT);
    expect([...(await readHashes(folder)).keys()].sort()).toEqual([...before.keys(), ...others].sort());
  });

  test('has whole files alone when a run is killed in the middle, and ends as one that was not', async () => {
    await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 100 });
    await using undisturbed = await exportToFolder(network.url, { blocksPerPart: 5n });
    await using folder = await createFolder();
    let kills = 0;
    for (let isDone = false; !isDone; ) {
      const before = (await readHashes(folder)).size;
      const environment = { DATABASE_URL: network.url };
      await using program = startProgram(['export', folder.path, '--blocks-per-part', '5'], environment);
      const done = program.ended.then(() => true);
      while ((await readHashes(folder)).size < before + 40)
        if (await Promise.race([done, sleep(2, false)])) break;
      program.process.kill('SIGKILL');
      const { code, stderr } = await program.ended;
      expect([code, stderr]).toEqual([code === 0 ? 0 : null, '']);
      isDone = code === 0;
      if (!isDone) kills += 1;
      for (const [name, hash] of await readHashes(folder))
        if (name.endsWith('.parquet')) expect(name).toContain(hash);
    }
    expect(kills).toBeGreaterThan(1);
    expect((await readManifestOf(folder)).parts).toEqual((await readManifestOf(undisturbed)).parts);
    expect(await readHashes(folder)).toEqual(await readHashes(undisturbed));
  });

  test('that takes one file of two has nothing that is unfinished, and is gone on with', async () => {
    await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 20 });
    await using folder = await createFolder();
    const inTheWay = join(folder.path, 'rewards');
    await writeFile(inTheWay, '');
    await expect(exportParts(network.url, folder.path, EXPORT)).rejects.toThrow('EEXIST');
    const left = await readdir(folder.path);
    expect(left.filter((name) => name.includes('partial'))).toEqual([]);
    expect(left).not.toContain('manifest.json');
    await rm(inTheWay);
    expect(await exportParts(network.url, folder.path, EXPORT)).toMatchObject({ parts: 1, base: 20n });
  });

  test('is written to by one process at a time', async () => {
    await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 20 });
    await using folder = await createFolder();
    await withClient(network.url, async (client) => {
      await client.query(`SELECT pg_advisory_lock(${0x70657278})`);
      await expect(exportParts(network.url, folder.path, EXPORT)).rejects.toThrow(
        'Another process is exporting this database',
      );
    });
    const parts = await PartFolder.open(folder.path);
    const manifest = { chain: 'c', pastFrom: 0n, parts: [], bases: [] };
    await parts.writeManifest(manifest);
    await writeFile(join(folder.path, 'manifest.json'), '{}');
    await expect(parts.writeManifest(manifest)).rejects.toThrow(`Another process writes to ${folder.path}`);
  });

  test('of another network, or of other blocks, is refused by what is in it', async () => {
    await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 20 });
    await using folder = await exportToFolder(network.url);
    await using other = await createSimulatedDatabase({ ...NETWORK, seed: 12, blocks: 20 });
    await expect(exportParts(other.url, folder.path, EXPORT)).rejects.toThrow(
      'has the parts of simulated-0.79-11-25p-3m, and the database holds simulated-0.79-12-25p-3m',
    );
    await using behind = await createSimulatedDatabase({ ...NETWORK, blocks: 19 });
    await expect(exportParts(behind.url, folder.path, EXPORT)).rejects.toThrow(
      /ends with block 20, whose digest is \w{64}; the database has block 19 with \w{64} there/,
    );
    await using empty = await createTestDatabase();
    await expect(exportParts(empty.url, folder.path, EXPORT)).rejects.toThrow('holds no blocks yet');
  });

  test.each([50n, 5n])(
    'is gone on with where a height begins again, with %s blocks in each part',
    async (blocksPerPart) => {
      await using database = await createTestDatabase();
      await writeSix(database.url);
      await using folder = await exportToFolder(database.url, { blocksPerPart });
      await goOnWithinSixth(database.url);
      await exportParts(database.url, folder.path, { ...EXPORT, blocksPerPart });
      const manifest = await readManifestOf(folder);
      await using anew = await exportToFolder(database.url, { blocksPerPart });
      expect(manifest).toEqual(await readManifestOf(anew));
      expect(await readHashes(folder)).toEqual(await readHashes(anew));
      expect(manifest.parts.at(-1)).toMatchObject({ to: 6n, upTo: (6n << 20n) + 9n });
    },
  );

  test('of one part that goes on is written anew where rows were dropped before it, and no others since', async () => {
    await using database = await createTestDatabase();
    await writeSix(database.url);
    const keepFrom = (height: bigint) =>
      ask(database.url, `UPDATE networks SET kept_from_of = '{"rewards": ${height << 20n}}'`);
    await keepFrom(3n);
    await using folder = await exportToFolder(database.url);
    await using other = await exportToFolder(database.url);
    await goOnWithinSixth(database.url);
    await exportParts(database.url, folder.path, EXPORT);
    const manifest = await readManifestOf(folder);
    expect(manifest.parts).toMatchObject([{ from: 1n, to: 6n, upTo: (6n << 20n) + 9n }]);
    const forgotten = (height: bigint) =>
      `has forgotten what was before block ${height}, and ${other.path} is gone on with from 1:`;
    await keepFrom(4n);
    await expect(exportParts(database.url, other.path, EXPORT)).rejects.toThrow(forgotten(3n));
    await ask(database.url, `UPDATE networks SET history_from = ${5n << 20n}, past_from = ${5n << 20n}`);
    await expect(exportParts(database.url, other.path, EXPORT)).rejects.toThrow(forgotten(5n));
  });

  test('of one part that goes on, and no base as its run was killed, begins anew', async () => {
    await using database = await createTestDatabase();
    await writeSix(database.url);
    await ask(database.url, `UPDATE networks SET kept_from_of = '{"rewards": ${3n << 20n}}'`);
    await using folder = await exportToFolder(database.url);
    await writeFile(
      join(folder.path, 'manifest.json'),
      writeManifest({ ...(await readManifestOf(folder)), bases: [] }),
    );
    await goOnWithinSixth(database.url);
    await exportParts(database.url, folder.path, EXPORT);
    await using anew = await exportToFolder(database.url);
    expect(await readManifestOf(folder)).toEqual(await readManifestOf(anew));
    expect(await readHashes(folder)).toEqual(await readHashes(anew));
  });

  test.each([
    ['"format": "periscope parts"', '"format": "x"', 'it is no manifest of parts'],
    ['"version": 1', '"version": 2', 'its version is 2, and this Periscope reads 1'],
    ['"name": "blocks/', '"name": "../', 'name of files[0] is "../'],
    ['"rows": ', '"rows": -', 'rows of files[0] is -'],
  ])('is not read where %s became %s', async (was, is, message) => {
    await using network = await createSimulatedDatabase({ ...NETWORK, blocks: 5 });
    await using folder = await exportToFolder(network.url);
    const path = join(folder.path, 'manifest.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace(was, is));
    await expect(exportParts(network.url, folder.path, EXPORT)).rejects.toThrow(message);
  });
});

test('a base and the parts before it have every table, or say why not', async () => {
  await using database = await createTestDatabase();
  const tables = await ask<{ name: string }>(
    database.url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const ofBase = await withClient(database.url, readBaseTables);
  const told = new Set([...ofBase, ...PART_TABLES.map(({ table }) => table)]);
  expect(
    tables
      .map(({ name }) => name)
      .filter((name) => !told.has(name))
      .sort(),
  ).toEqual([
    ...['_prisma_migrations', 'account_ranks', 'archived_balances', 'archived_changes', 'archived_parts'],
    ...['archived_rows', 'balance_changes', 'changes', 'hold_ups', 'networks', 'rank_levels'],
    ...['rollup_levels', 'rollups', 'trade_rollups'],
  ]);
});

test('the columns that are numbers and times are those that readers of SQL have as such', async () => {
  await using database = await createTestDatabase();
  for (const { table } of PART_TABLES) {
    const columns = await withClient(database.url, (client) => readColumns(client, table));
    const views = await ask<{ name: string; type: string }>(
      database.url,
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'api_v1_${table}'`,
    );
    const ofType = (type: string) => views.filter((one) => one.type === type).map(({ name }) => name);
    const numbers = ofType('numeric').filter((name) => !name.endsWith('_in_units'));
    expect(
      columns
        .filter(({ decimal }) => decimal)
        .map(({ name }) => name)
        .sort(),
      table,
    ).toEqual(numbers.sort());
    const times = columns.flatMap(({ time }) => (time === null ? [] : [time]));
    // The time of a trade has the name that GraphQL has for it besides.
    const twice = table === 'trades' ? ['time'] : [];
    expect([...times, ...twice].sort(), table).toEqual(ofType('timestamp with time zone').sort());
  }
});

test.each([
  ['0', 0, 0n],
  ['-1', 0, -1n],
  ['9'.repeat(38), 0, 10n ** 38n - 1n],
  [`-${'9'.repeat(38)}`, 0, 1n - 10n ** 38n],
  ['9'.repeat(39), 0, null],
  ['0.5', 18, 5n * 10n ** 17n],
  ['0.5', 0, null],
  ['1.000', 0, 1n],
  ['-0.000000000000000001', 18, -1n],
  ['12345678901234567890.123456789012345678', 18, 12345678901234567890123456789012345678n],
  ['123456789012345678901.1', 18, null],
  [`${'0'.repeat(40)}1`, 18, 10n ** 18n],
  ['', 0, null],
  ['-', 0, null],
  ['.5', 18, null],
  ['5.', 18, null],
  ['1.2.3', 18, null],
  ['1e3', 0, null],
])('%s with %i digits behind the point is the decimal %s', (text, scale, wanted) => {
  const { buffer, length } = new TextEncoder().encode(`7${text}7`);
  expect(readDecimal(new DataView(buffer), 1, length - 1, scale)).toBe(wanted);
});

/** What DuckDB says, with every value as text. */
async function query(sql: string): Promise<readonly Row[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const result = await connection.runAndReadAll(sql);
    return result
      .getRowObjects()
      .map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
        ),
      );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** What all parts have of a table, in the order of positions. */
async function readParts(folder: Folder, table: string, position: string): Promise<readonly Row[]> {
  const { parts } = await readManifestOf(folder);
  const files = parts.flatMap(({ files }) => files).filter((file) => file.table === table);
  if (files.length === 0) return [];
  const names = files.map(({ name }) => `'${folder.path}/${name}'`);
  const rows = await query(`SELECT * FROM read_parquet([${names.join()}])`);
  expect(rows.length).toBe(files.reduce((sum, { rows }) => sum + rows, 0));
  return rows.toSorted(by(position));
}

function by(position: string) {
  return (one: Row, other: Row) =>
    BigInt(one[position] as string) < BigInt(other[position] as string) ? -1 : 1;
}

type Row = Record<string, string | null>;

function pick(row: Row, columns: readonly Column[]) {
  return Object.fromEntries(columns.map(({ name }) => [name, row[name]]));
}

interface Column {
  readonly name: string;
  readonly type: string;
}

function readColumnsOf(url: string, table: string): Promise<readonly Column[]> {
  return ask<{ name: string; type: string }>(
    url,
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
}

function asText({ name, type }: Column): string {
  return type.endsWith('[]') ? `to_json("${name}")::text AS "${name}"` : `"${name}"::text AS "${name}"`;
}

function ranges({ parts }: Manifest) {
  return parts.map(({ from, to }) => [`${from}`, `${to}`]);
}
