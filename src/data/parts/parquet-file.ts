import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Table, tableToIPC } from 'apache-arrow';
import type { RecordBatch, WriterProperties } from 'parquet-wasm';
import { failOutput } from '../output-error.ts';
import { type ColumnBatch, MOST_ROWS } from './column-batch.ts';
import type { PartColumn } from './columns.ts';
import { fileColumnsOf } from './file-columns.ts';

/** The library, which is loaded by whoever writes a file: it is 5 MB. */
type Parquet = typeof import('parquet-wasm');

/** What a file that is written comes to. */
export interface WrittenFile {
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
}

/**
 * Writes all batches to a Parquet file that is not there yet: each is a row group, which is on the disk before the next is asked
 * for. Gives null, and writes none, where there are no rows. Throws an OutputError where its folder cannot take it.
 */
export async function writeParquet(
  path: string,
  columns: readonly PartColumn[],
  batches: AsyncGenerator<ColumnBatch, void>,
): Promise<WrittenFile | null> {
  const parquet = await import('parquet-wasm');
  const source = new BatchSource(parquet, batches);
  try {
    if (await source.isEmpty()) return null;
    await using file = await FileSink.create(path);
    const groups = await parquet.transformParquetStream(source.stream, propertiesOf(parquet, columns));
    for await (const bytes of groups as ReadableStream<Uint8Array>) await file.write(bytes);
    // What ended early would be a file of fewer rows.
    source.throwIfFailed();
    return { ...(await file.settle()), rows: source.rows };
  } finally {
    await batches.return();
  }
}

/**
 * Hands batches to the library as it asks for them. An error of where they come from would be lost in it: it is told of an end, and
 * who writes the file is told of the error.
 */
class BatchSource {
  readonly #parquet: Parquet;
  readonly #batches: AsyncGenerator<ColumnBatch, void>;
  #first: IteratorResult<ColumnBatch, void> | null = null;
  #failure: { readonly error: unknown } | null = null;
  rows = 0;
  readonly stream = new ReadableStream<RecordBatch>(
    { pull: (controller) => this.#pull(controller) },
    { highWaterMark: 0 },
  );

  constructor(parquet: Parquet, batches: AsyncGenerator<ColumnBatch, void>) {
    this.#parquet = parquet;
    this.#batches = batches;
  }

  async isEmpty(): Promise<boolean> {
    this.#first = await this.#batches.next();
    return this.#first.done === true;
  }

  throwIfFailed(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  async #pull(controller: ReadableStreamDefaultController<RecordBatch>): Promise<void> {
    try {
      const { value } = this.#first ?? (await this.#batches.next());
      this.#first = null;
      if (value === undefined) return controller.close();
      this.rows += value.rows;
      controller.enqueue(moveToParquet(this.#parquet, value));
    } catch (error) {
      this.#failure = { error };
      controller.close();
    }
  }
}

/** The batch in the memory of the library, which frees it. */
function moveToParquet({ Table: ParquetTable }: Parquet, batch: ColumnBatch): RecordBatch {
  using table = ParquetTable.fromIPCStream(tableToIPC(new Table([batch.finish()]), 'stream'));
  const [only] = table.recordBatches();
  if (only === undefined) throw new Error('A batch of rows is none to the library.');
  return only;
}

function propertiesOf(
  { Compression, EnabledStatistics, Encoding, WriterPropertiesBuilder }: Parquet,
  columns: readonly PartColumn[],
): WriterProperties {
  let builder = new WriterPropertiesBuilder()
    .setCompression(Compression.SNAPPY)
    .setMaxRowGroupSize(MOST_ROWS)
    .setCreatedBy('Periscope');
  for (const { field, hasStatistics, encoding } of columns.flatMap(fileColumnsOf)) {
    const { name } = field;
    if (!hasStatistics) builder = builder.setColumnStatisticsEnabled(name, EnabledStatistics.None);
    if (encoding !== 'dictionary') builder = builder.setColumnDictionaryEnabled(name, false);
    if (encoding === 'differences') builder = builder.setColumnEncoding(name, Encoding.DELTA_BINARY_PACKED);
  }
  return builder.build();
}

class FileSink implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #fail: (error: Error) => never;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  private constructor(file: FileHandle, fail: (error: Error) => never) {
    this.#file = file;
    this.#fail = fail;
  }

  static async create(path: string): Promise<FileSink> {
    const fail = failOutput(dirname(path));
    return new FileSink(await open(path, 'wx').catch(fail), fail);
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at).catch(this.#fail);
      at += bytesWritten;
    }
    this.#bytes += bytes.length;
  }

  /** Gives what was written, once it is on the disk. */
  async settle(): Promise<Omit<WrittenFile, 'rows'>> {
    await this.#file.sync().catch(this.#fail);
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }
}
