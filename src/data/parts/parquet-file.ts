import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnBatch, PartValue } from './column-batch.ts';
import { DECIMAL_PRECISION, type PartColumn } from './columns.ts';
import { DECIMAL_BYTES, encodeDecimals } from './decimals.ts';

/** What a file that is written comes to. */
export interface WrittenFile {
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
}

/** Writes all batches to a file that is not there yet. */
export async function writeParquet(
  path: string,
  columns: readonly PartColumn[],
  batches: AsyncIterable<ColumnBatch>,
): Promise<WrittenFile> {
  await using file = await ParquetFile.create(path, columns);
  for await (const batch of batches) await file.write(batch);
  return await file.finish();
}

/** Writes a Parquet file: each batch is a row group, which is on the disk before the next is asked for. */
class ParquetFile implements AsyncDisposable {
  readonly #sink: FileSink;
  readonly #columns: readonly PartColumn[];
  readonly #parquet: ParquetWriter;
  #rows = 0;

  private constructor(sink: FileSink, columns: readonly PartColumn[]) {
    this.#sink = sink;
    this.#columns = columns;
    this.#parquet = new ParquetWriter({
      writer: sink,
      schema: schemaOf(columns, false),
      createdBy: 'Periscope',
    });
  }

  /** Begins a file that is not there yet. */
  static async create(path: string, columns: readonly PartColumn[]): Promise<ParquetFile> {
    return new ParquetFile(new FileSink(await open(path, 'wx')), columns);
  }

  async write(batch: ColumnBatch): Promise<void> {
    const columnData = this.#columns.flatMap((column, index) => sourcesOf(column, batch.values[index] ?? []));
    await this.#parquet.write({ columnData, rowGroupSize: batch.rows });
    this.#rows += batch.rows;
  }

  /** Writes the end, and resolves when all of it is on the disk. */
  async finish(): Promise<WrittenFile> {
    this.#parquet.schema = schemaOf(this.#columns, true);
    await this.#parquet.finish();
    return { sha256: await this.#sink.settle(), bytes: this.#sink.offset, rows: this.#rows };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sink.close();
  }
}

/** What the library writes into: a row group at a time goes to the file. */
class FileSink extends ByteWriter {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');

  constructor(file: FileHandle) {
    super();
    this.#file = file;
  }

  async flush(): Promise<void> {
    const bytes = this.getBytes();
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length; ) {
      at += (await this.#file.write(bytes, at, bytes.length - at)).bytesWritten;
    }
    this.index = 0;
  }

  override finish(): Promise<void> {
    return this.flush();
  }

  /** Gives the hash of all that was written, once it is on the disk. */
  async settle(): Promise<string> {
    await this.#file.sync();
    return this.#hash.digest('hex');
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/**
 * The columns of a file, as Parquet describes them. The library would compute decimals itself, digit by digit, where they are called so
 * by their older name: they get it at the end only (`isEnd`).
 */
function schemaOf(columns: readonly PartColumn[], isEnd: boolean): SchemaElement[] {
  const elements = columns.flatMap(({ name, form, isRequired, time, decimal }): readonly SchemaElement[] => [
    { name, repetition_type: isRequired ? 'REQUIRED' : 'OPTIONAL', ...EXACT[form] },
    ...(time === null ? [] : [{ ...TIME, name: time }]),
    ...(decimal === null ? [] : [decimalElement(decimal, isEnd)]),
  ]);
  return [{ name: 'root', num_children: elements.length }, ...elements];
}

const EXACT = {
  bigint: { type: 'INT64' },
  integer: { type: 'INT32' },
  boolean: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const satisfies Readonly<Record<PartColumn['form'], Partial<SchemaElement>>>;

const TIME = {
  type: 'INT64',
  repetition_type: 'OPTIONAL',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
} as const satisfies Partial<SchemaElement>;

function decimalElement({ name, scale }: { name: string; scale: number }, isEnd: boolean): SchemaElement {
  return {
    ...{
      name,
      scale,
      precision: DECIMAL_PRECISION,
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: DECIMAL_BYTES,
    },
    ...{
      repetition_type: 'OPTIONAL',
      logical_type: { type: 'DECIMAL', scale, precision: DECIMAL_PRECISION },
    },
    ...(isEnd && { converted_type: 'DECIMAL' }),
  };
}

interface Source {
  readonly name: string;
  readonly data: (PartValue | Uint8Array)[];
  readonly statistics?: boolean;
}

/** A column as it is, and in its other types. */
function sourcesOf({ name, form, time, decimal }: PartColumn, data: PartValue[]): readonly Source[] {
  return [
    // The least and the greatest of identifiers and amounts as texts say nothing.
    { name, data, statistics: form !== 'text' },
    ...(time === null ? [] : [{ name: time, data: data.map(toMicroseconds) }]),
    // Statistics would order bytes, and so put what is negative behind what is not.
    ...(decimal === null
      ? []
      : [{ name: decimal.name, data: encodeDecimals(data, decimal.scale), statistics: false }]),
  ];
}

/** A time of 0 is none. */
function toMicroseconds(nanoseconds: PartValue): bigint | null {
  return typeof nanoseconds === 'bigint' && nanoseconds !== 0n ? floorDivide(nanoseconds, 1000n) : null;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
