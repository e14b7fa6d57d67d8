import { makeData, RecordBatch, Schema, Struct } from 'apache-arrow';
import type { ArrowColumn } from './arrow-columns.ts';
import type { PartColumn } from './columns.ts';
import { fileColumnsOf } from './file-columns.ts';

/** So many rows are held at once at most, and about so many bytes of them: a row group of a file. */
export const MOST_ROWS = 65_536;
const MOST_BYTES = 32 * 2 ** 20;
/** What a row takes beside its values' bytes. */
const BYTES_OF_VALUE = 16;

/** Some rows of a table, as its file has them: those since it was cleared. */
export class ColumnBatch {
  rows = 0;
  #bytes = 0;
  readonly #fields: Schema['fields'];
  /** What is made of each column of the table. */
  readonly #columns: readonly (readonly ArrowColumn[])[];

  constructor(columns: readonly PartColumn[]) {
    const ofFile = columns.map(fileColumnsOf);
    this.#fields = ofFile.flat().map(({ field }) => field);
    this.#columns = ofFile.map((made) => made.map(({ open }) => open()));
  }

  get isFull(): boolean {
    return this.rows >= MOST_ROWS || this.#bytes >= MOST_BYTES;
  }

  /** Takes the row that begins at a place of what COPY sends, and gives its end; null where it is not all there yet, or there is none. */
  take(from: DataView, start: number): number | null {
    const end = findEnd(from, start);
    if (end === null) return null;
    let at = start + 2;
    for (const made of this.#columns) {
      const length = from.getInt32(at);
      at += 4;
      for (const column of made) column.add(from, at, length);
      if (length > 0) at += length;
    }
    this.rows += 1;
    this.#bytes += end - start + this.#columns.length * BYTES_OF_VALUE;
    return end;
  }

  clear(): void {
    for (const made of this.#columns) for (const column of made) column.clear();
    this.rows = 0;
    this.#bytes = 0;
  }

  /** All rows. They are overwritten by what comes when it was cleared. */
  finish(): RecordBatch {
    const children = this.#columns.flat().map((column) => column.finish());
    const data = makeData({ type: new Struct(this.#fields), length: this.rows, nullCount: 0, children });
    return new RecordBatch(new Schema(this.#fields), data);
  }
}

/** Where the row ends that begins at a place: a count of values, and each with its length before it, -1 for null. */
function findEnd(from: DataView, start: number): number | null {
  if (start + 2 > from.byteLength) return null;
  const count = from.getInt16(start);
  // Behind the last row.
  if (count < 0) return null;
  let at = start + 2;
  for (let index = 0; index < count; index += 1) {
    if (at + 4 > from.byteLength) return null;
    const length = from.getInt32(at);
    at += 4 + (length > 0 ? length : 0);
  }
  return at > from.byteLength ? null : at;
}

/** The signature, flags, and the length of what may follow. */
const HEAD_BYTES = 19;

/** Reads rows as `COPY ... TO STDOUT (FORMAT binary)` sends them, some at a time: they are there until the next are asked for. */
export async function* readBatches(
  chunks: AsyncIterable<Buffer>,
  columns: readonly PartColumn[],
): AsyncGenerator<ColumnBatch, void> {
  const batch = new ColumnBatch(columns);
  let held: Buffer = Buffer.alloc(0);
  let isBegun = false;
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    if (!isBegun) {
      if (held.length < HEAD_BYTES) continue;
      at = HEAD_BYTES + held.readInt32BE(HEAD_BYTES - 4);
      isBegun = true;
    }
    const view = new DataView(held.buffer, held.byteOffset, held.length);
    for (let end = batch.take(view, at); end !== null; end = batch.take(view, at)) {
      at = end;
      if (!batch.isFull) continue;
      yield batch;
      batch.clear();
    }
    held = held.subarray(at);
  }
  if (batch.rows > 0) yield batch;
}
