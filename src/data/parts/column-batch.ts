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
  readonly #readers: readonly Reader[];

  constructor(columns: readonly PartColumn[]) {
    this.values = columns.map(() => []);
    this.#readers = columns.map(({ form }) => (form === 'text' ? readTexts() : READ[form]));
  }

  get isFull(): boolean {
    return this.rows >= MOST_ROWS || this.#bytes >= MOST_BYTES;
  }

  /** Takes the row that begins at a place of what COPY sends, and gives its end; null where it is not all there yet, or there is none. */
  take(from: Buffer, start: number): number | null {
    const end = findEnd(from, start);
    if (end === null) return null;
    let at = start + 2;
    for (let index = 0; index < this.#readers.length; index += 1) {
      const length = from.readInt32BE(at);
      at += 4;
      const value = length < 0 ? null : (this.#readers[index]?.(from, at, at + length) ?? null);
      (this.values[index] as PartValue[]).push(value);
      if (length > 0) at += length;
    }
    this.rows += 1;
    this.#bytes += end - start + this.#readers.length * BYTES_OF_VALUE;
    return end;
  }
}

type Reader = (from: Buffer, at: number, end: number) => PartValue;

const READ: Readonly<Record<Exclude<PartColumn['form'], 'text'>, Reader>> = {
  bigint: (from, at) => from.readBigInt64BE(at),
  integer: (from, at) => from.readInt32BE(at),
  boolean: (from, at) => from[at] === 1,
};

/** Many rows have what the one before them has, as an asset or a market: it is one text then, whose hash is known. */
function readTexts(): Reader {
  let held: Buffer | null = null;
  let [start, stop] = [0, 0];
  let text = '';
  return (from, at, end) => {
    if (held !== from || end - at !== stop - start || from.compare(from, start, stop, at, end) !== 0)
      text = from.toString('utf8', at, end);
    [held, start, stop] = [from, at, end];
    return text;
  };
}

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
