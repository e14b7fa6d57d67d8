import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { wasmMemory } from 'parquet-wasm';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ColumnBatch, MOST_ROWS, readBatches } from '../../src/data/parts/column-batch.ts';
import type { PartColumn } from '../../src/data/parts/columns.ts';
import { readLines } from '../../src/data/parts/copied-text.ts';
import { readLinesAside } from '../../src/data/parts/lines-aside.ts';
import { writeParquet } from '../../src/data/parts/parquet-file.ts';
import { seed } from '../support/seed.ts';

const plain = { isRequired: false, time: null, decimal: null };
const COLUMNS: readonly PartColumn[] = [
  { ...plain, name: 'position', type: 'bigint', form: 'bigint', isRequired: true },
  { ...plain, name: 'count', type: 'integer', form: 'integer' },
  { ...plain, name: 'truth', type: 'boolean', form: 'boolean' },
  { ...plain, name: 'at', type: 'bigint', form: 'bigint', time: 'at_time' },
  { ...plain, name: 'amount', type: 'text', form: 'text', decimal: { name: 'amount_decimal', scale: 2 } },
];

interface Row {
  readonly position: bigint;
  readonly count: number | null;
  readonly truth: boolean | null;
  readonly at: bigint | null;
  readonly amount: string | null;
}

const bigint = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const anyRow: fc.Arbitrary<Row> = fc.record({
  position: bigint,
  count: fc.option(fc.integer()),
  truth: fc.option(fc.boolean()),
  at: fc.option(fc.oneof(bigint, fc.constant(0n))),
  amount: fc.option(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom('1.5', '-0.01'))),
});

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parquet-'));
  path = join(folder, 'file');
  return () => rm(folder, { recursive: true });
});

test('rows come out of a file as COPY sent them, whatever they are and wherever its pieces are cut', async () => {
  const anyRows = fc.array(anyRow, { minLength: 1, maxLength: 40 });
  const property = fc.asyncProperty(anyRows, fc.integer({ min: 1, max: 500 }), async (rows, size) => {
    const written = await writeParquet(path, COLUMNS, batchesOf(copyOf(rows), size));
    const read = await readFile();
    await rm(path);
    expect(written?.rows).toBe(rows.length);
    expect(read.map(exactly)).toEqual(rows.map(exactly));
  });
  await fc.assert(property, { seed, numRuns: 200 });
});

test('a file has as many row groups as its rows need, and the same bytes each time', async () => {
  const rows = Array.from(
    { length: 2 * MOST_ROWS + 5 },
    (_, n): Row => ({
      ...{ position: BigInt(n), count: n % 7 === 0 ? null : n, truth: n % 3 === 0 },
      ...{ at: 1_700_000_000_000_000_000n + BigInt(n) * 1000n, amount: n % 11 === 0 ? null : `${n}.25` },
    }),
  );
  const copy = copyOf(rows);
  const first = await writeParquet(path, COLUMNS, batchesOf(copy, 65_536));
  const read = await readFile();
  expect(read.length).toBe(rows.length);
  for (const n of [0, 7, 11, MOST_ROWS - 1, MOST_ROWS, 2 * MOST_ROWS + 4])
    expect(exactly(read[n] as object), `row ${n}`).toEqual(exactly(rows[n] as Row));
  expect(read[1]).toMatchObject({ at_time: new Date(1_700_000_000_000), amount_decimal: 1.25 });
  expect(read[11]).toMatchObject({ amount: null, amount_decimal: null });
  await rm(path);
  expect(await writeParquet(path, COLUMNS, batchesOf(copy, 1000))).toEqual(first);
});

test('what is on the disk is not held any more', async () => {
  const row: Row = { position: 1n, count: 1, truth: true, at: 1n, amount: '12345678901234567890.12' };
  const group = copyOf(
    Array.from({ length: MOST_ROWS }, (_, n) => ({ ...row, amount: `${n}${row.amount}` })),
  );
  const held: number[] = [];
  const groups = (async function* () {
    for (let n = 0; n < 12; n += 1) {
      held.push(wasmMemory().buffer.byteLength);
      yield* batchesOf(group, 65_536);
    }
  })();
  expect((await writeParquet(path, COLUMNS, groups))?.rows).toBe(12 * MOST_ROWS);
  // The least and the greatest of its decimals alone would hold 512 kB of each.
  expect((held[11] as number) - (held[4] as number)).toBeLessThan(2 ** 20);
});

test('no rows are no file', async () => {
  expect(await writeParquet(path, COLUMNS, batchesOf(copyOf([]), 100))).toBeNull();
  expect(await readdir(folder)).toEqual([]);
});

test('an error of where rows come from is told as it is, at the beginning and later, and a file that cannot be written ends them', async () => {
  const row: Row = { position: 1n, count: 1, truth: true, at: 0n, amount: '1' };
  for (const batches of [0, 1, 3]) {
    const failing = (async function* () {
      for (let n = 0; n < batches; n += 1) yield* batchesOf(copyOf([row]), 100);
      throw new Error('the database is away');
    })();
    await expect(writeParquet(`${path}-${batches}`, COLUMNS, failing)).rejects.toThrow(
      'the database is away',
    );
  }
  const rows = batchesOf(copyOf([row]), 100);
  await expect(writeParquet(join(folder, 'none', 'file'), COLUMNS, rows)).rejects.toThrow('ENOENT');
  expect(await rows.next()).toMatchObject({ done: true });
});

describe('a thread that reads a file', () => {
  const lines = { kind: 'rows', columns: COLUMNS } as const;
  const write = (count: number, amountOf: (n: number) => string | null) => {
    const row: Row = { position: 1n, count: 1, truth: true, at: 1n, amount: null };
    const rows = Array.from({ length: count }, (_, n) => ({
      ...row,
      position: BigInt(n),
      amount: amountOf(n),
    }));
    return writeParquet(path, COLUMNS, batchesOf(copyOf(rows), 65_536));
  };
  const gather = async (texts: AsyncIterable<string | Uint8Array>) => {
    const gathered: Buffer[] = [];
    for await (const text of texts) gathered.push(Buffer.from(text));
    return Buffer.concat(gathered).toString();
  };
  const threads = () => readdirSync('/proc/self/task').length;

  test('gives the lines of all its row groups, in their order and as they are without it', async () => {
    const amounts = [null, '1.25', 'ä\t€\n\\N', '\ufeff0'];
    await write(2 * MOST_ROWS + 5, (n) => amounts[n % amounts.length] ?? null);
    const text = await gather(readLinesAside(path, lines));
    expect(text.split('\n').slice(0, 3)).toEqual([
      '0\t1\ttrue\t1\t\\N',
      '1\t1\ttrue\t1\t1.25',
      '2\t1\ttrue\t1\tä\\t€\\n\\\\N',
    ]);
    expect(text.match(/\n/g)).toHaveLength(2 * MOST_ROWS + 5);
    expect(text === (await gather(readLines(path, lines)))).toBe(true);
  });

  test.runIf(process.platform === 'linux')(
    'goes ahead of who reads by some megabytes, and ends with him',
    async () => {
      const long = 'x'.repeat(1_000);
      await write(40_000, (n) => `${n}${long}`);
      const before = threads();
      const reading = readLinesAside(path, lines);
      await reading.next();
      // The lines of all rows are 40 MB: it would be through with them by then.
      await sleep(2_000);
      expect(threads()).toBeGreaterThan(before);
      await reading.return();
      expect(threads()).toBeLessThanOrEqual(before);
    },
  );

  test('tells what is wrong', async () => {
    await writeFile(path, 'PAR1 and no more');
    await expect(gather(readLinesAside(path, lines))).rejects.toThrow('parquet');
    await expect(gather(readLinesAside(`${path}-none`, lines))).rejects.toThrow('ENOENT');
  });
});

async function readFile(): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({
    file: await asyncBufferFromFile(path),
    parsers: { stringFromBytes: (bytes: Uint8Array) => Buffer.from(bytes).toString() },
  });
}

/** What COPY sends, in pieces of a size. */
async function* batchesOf(copy: Buffer, size: number): AsyncGenerator<ColumnBatch, void> {
  async function* pieces() {
    for (let at = 0; at < copy.length; at += size) yield copy.subarray(at, at + size);
  }
  yield* readBatches(pieces(), COLUMNS);
}

/** As PostgreSQL writes rows in its binary form. */
function copyOf(rows: readonly Row[]): Buffer {
  const head = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
  const count = Buffer.from([0, COLUMNS.length]);
  const lines = rows.map((row) =>
    Buffer.concat([count, ...COLUMNS.map(({ name }) => bytesOf(row[name as keyof Row]))]),
  );
  return Buffer.concat([head, ...lines, Buffer.from([0xff, 0xff])]);
}

function bytesOf(value: Row[keyof Row]): Buffer {
  const length = Buffer.alloc(4);
  if (value === null) return Buffer.from([0xff, 0xff, 0xff, 0xff]);
  const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.alloc(BYTES[typeof value] ?? 0);
  if (typeof value === 'bigint') bytes.writeBigInt64BE(value);
  if (typeof value === 'number') bytes.writeInt32BE(value);
  if (typeof value === 'boolean') bytes[0] = value ? 1 : 0;
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const BYTES: Readonly<Record<string, number>> = { bigint: 8, number: 4, boolean: 1 };

/** The exact values alone. */
function exactly({ position, count, truth, at, amount }: Partial<Record<keyof Row, unknown>>): Row {
  return { position, count, truth, at, amount } as Row;
}
