import type { PartColumn } from './columns.ts';

export type PartValue = bigint | number | boolean | string | null;

/** So many rows are held at once at most, and about so many bytes of them: a row group of a file. */
const MOST_ROWS = 32_768;
const MOST_BYTES = 16 * 2 ** 20;
/** What a row takes beside its values' bytes. */
const BYTES_OF_VALUE = 16;

/** Rows, a list for each column. */
export class ColumnBatch {
  readonly values: readonly PartValue[][];
  rows = 0;
  #bytes = 0;
  readonly #columns: readonly PartColumn[];

  constructor(columns: readonly PartColumn[]) {
    this.#columns = columns;
    this.values = columns.map(() => []);
  }

  get isFull(): boolean {
    return this.rows >= MOST_ROWS || this.#bytes >= MOST_BYTES;
  }

  /** Takes the row that begins at a place of what COPY sends, and gives its end; null where it is not all there yet, or there is none. */
  take(from: Buffer, start: number): number | null {
    const end = findEnd(from, start);
    if (end === null) return null;
    let at = start + 2;
    for (const [index, { form }] of this.#columns.entries()) {
      const length = from.readInt32BE(at);
      at += 4;
      (this.values[index] as PartValue[]).push(length < 0 ? null : READ[form](from, at, at + length));
      if (length > 0) at += length;
    }
    this.rows += 1;
    this.#bytes += end - start + this.#columns.length * BYTES_OF_VALUE;
    return end;
  }
}

const READ: Readonly<Record<PartColumn['form'], (from: Buffer, at: number, end: number) => PartValue>> = {
  bigint: (from, at) => from.readBigInt64BE(at),
  integer: (from, at) => from.readInt32BE(at),
  boolean: (from, at) => from[at] === 1,
  text: (from, at, end) => from.toString('utf8', at, end),
};

/** Where the row ends that begins at a place: a count of values, and each with its length before it, -1 for null. */
function findEnd(from: Buffer, start: number): number | null {
  if (start + 2 > from.length) return null;
  const count = from.readInt16BE(start);
  // Behind the last row.
  if (count < 0) return null;
  let at = start + 2;
  for (let index = 0; index < count; index += 1) {
    if (at + 4 > from.length) return null;
    const length = from.readInt32BE(at);
    at += 4 + (length > 0 ? length : 0);
  }
  return at > from.length ? null : at;
}

/** The signature, flags, and the length of what may follow. */
const HEAD_BYTES = 19;

/** Reads rows as `COPY ... TO STDOUT (FORMAT binary)` sends them, some at a time. */
export async function* readBatches(
  chunks: AsyncIterable<Buffer>,
  columns: readonly PartColumn[],
): AsyncGenerator<ColumnBatch, void> {
  let batch = new ColumnBatch(columns);
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
    for (let end = batch.take(held, at); end !== null; end = batch.take(held, at)) {
      at = end;
      if (!batch.isFull) continue;
      yield batch;
      batch = new ColumnBatch(columns);
    }
    held = held.subarray(at);
  }
  if (batch.rows > 0) yield batch;
}
