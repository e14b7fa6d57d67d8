const VERSION = '1';

/** Where a walk through a list stands: just at the row with this position. */
export interface Cursor {
  /** The list's name, as in `deposits`; a cursor of one list is refused by every other. */
  readonly list: string;
  readonly position: bigint;
}

/** The name of a list as it was at a block, whose walk goes on as of that block alone; null is the present. */
export function nameListAt(list: string, height: bigint | null): string {
  return height === null ? list : `${list}@${height}`;
}

/** The name of a list in another order than that of creation, which cursors of that order alone carry. */
export function nameListBy(list: string, order: string | null | undefined): string {
  return order ? `${list} by ${order}` : list;
}

/** The cursor as clients see it: opaque text, safe in a URL as it stands. */
export function writeCursor({
  list,
  position,
}: Omit<Cursor, 'position'> & { readonly position: bigint | string }): string {
  return Buffer.from(`${VERSION}.${list}.${position}`).toString('base64url');
}

/** The cursors of many rows of a list, as `writeCursor` writes each. Encoded at once they take a fraction of the time. */
export function writeCursors(list: string, positions: readonly string[]): readonly string[] {
  const head = `${VERSION}.${list}.`;
  // Three bytes become four characters. What fills the last three up is in characters that are left out.
  const groups = positions.map((position) => Math.ceil((head.length + position.length) / 3));
  let plain = '';
  for (const [index, position] of positions.entries())
    plain += (head + position).padEnd(3 * (groups[index] ?? 0), '\0');
  const encoded = Buffer.from(plain, 'latin1').toString('base64url');
  let start = 0;
  return positions.map((position, index) => {
    const cursor = encoded.slice(start, start + Math.ceil(((head.length + position.length) * 4) / 3));
    start += 4 * (groups[index] ?? 0);
    return cursor;
  });
}

/** A cursor that was read back: the position, and the height of the block that its walk is of; null is the present. */
export interface ReadCursor {
  readonly position: bigint;
  readonly asOf: bigint | null;
}

/** Reads a cursor of the given list back; null for any text that `writeCursor` does not write for that list. */
export function readCursor(list: string, text: string): ReadCursor | null {
  const [version, name = '', digits, ...rest] = Buffer.from(text, 'base64url').toString('utf8').split('.');
  const [of, height] = name.split('@');
  if (version !== VERSION || of !== list || rest.length > 0) return null;
  if (height !== undefined && !/^\d{1,19}$/.test(height)) return null;
  if (digits === undefined || !/^\d{1,16}$/.test(digits)) return null;
  const position = BigInt(digits);
  // Whatever does not read back to itself was tampered with: padding, white space, leading zeros.
  const asOf = height === undefined ? null : BigInt(height);
  return writeCursor({ list: nameListAt(list, asOf), position }) === text ? { position, asOf } : null;
}

/**
 * The cursor of a page of the present as one of a page as of a block; any other as it is. Both stand at the same place where nothing
 * that the list is in the order of ever changes.
 */
export function cursorAt(text: string, height: bigint): string {
  const plain = Buffer.from(text, 'base64url').toString('utf8');
  const [, list = ''] = plain.split('.');
  const cursor = readCursor(list, text);
  if (cursor !== null) return writeCursor({ list: nameListAt(list, height), position: cursor.position });
  const [, sums] = readJsonArray(plain);
  const sum = typeof sums === 'string' ? readSumCursor(sums, text) : null;
  return sum === null ? text : writeSumCursor({ ...sum, list: nameListAt(sum.list, height) });
}

/** Where a walk through sums stands: just at the group with this key and this amount, whose list and block `list` names. */
export interface SumCursor {
  readonly list: string;
  /** By what the groups are made: the names of the parts of their keys. */
  readonly by: readonly string[];
  readonly amount: string;
  readonly key: readonly string[];
}

/** The cursor as clients see it: opaque text, safe in a URL as it stands. */
export function writeSumCursor({ list, by, amount, key }: SumCursor): string {
  return Buffer.from(JSON.stringify([`sums${VERSION}`, list, by, amount, key])).toString('base64url');
}

/** Reads a cursor of sums of the given list back, with the height of its block; null for any other text. */
export function readSumCursor(
  list: string,
  text: string,
): (SumCursor & { readonly asOf: bigint | null }) | null {
  const [, of, by, amount, key] = readJsonArray(Buffer.from(text, 'base64url').toString('utf8'));
  if (typeof of !== 'string' || !areTexts(by) || !areTexts(key) || by.length !== key.length) return null;
  if (typeof amount !== 'string' || !/^-?\d{1,1000}$/.test(amount)) return null;
  const [name, height] = of.split('@');
  if (name !== list || (height !== undefined && !/^\d{1,19}$/.test(height))) return null;
  const asOf = height === undefined ? null : BigInt(height);
  const cursor = { list: nameListAt(list, asOf), by, amount, key };
  return writeSumCursor(cursor) === text ? { ...cursor, asOf } : null;
}

function readJsonArray(text: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** How far a stream has come: what a client hands in to go on from there, on whatever transport. */
export interface StreamCursor {
  /** The stream's name, as in `accounts`; a cursor of one stream is refused by every other. */
  readonly stream: string;
  /** Everything up to this position has been sent. */
  readonly position: bigint;
  /** Within a snapshot: the createdPosition of the last row sent; null once the snapshot is complete. */
  readonly row: bigint | null;
}

/** The cursor as clients see it: opaque text, safe in a URL as it stands. */
export function writeStreamCursor({ stream, position, row }: StreamCursor): string {
  const parts = [`stream${VERSION}`, stream, position, ...(row === null ? [] : [row])];
  return Buffer.from(parts.join('.')).toString('base64url');
}

/** The stream of blocks, whose cursors every stream goes on after: all of a block is told of then. */
export const BLOCK_STREAM = 'blocks';

/** Reads a cursor of the given stream back, or of a block; null for any text that `writeStreamCursor` does not write for it. */
export function readStreamCursor(stream: string, text: string): StreamCursor | null {
  const parts = Buffer.from(text, 'base64url').toString('utf8').split('.');
  const [version, name = '', position, row, ...rest] = parts;
  if (version !== `stream${VERSION}` || rest.length > 0) return null;
  if (name !== stream && (name !== BLOCK_STREAM || row !== undefined)) return null;
  if (!isPosition(position) || (row !== undefined && !isPosition(row))) return null;
  const cursor = { stream: name, position: BigInt(position), row: row === undefined ? null : BigInt(row) };
  // Whatever does not read back to itself was tampered with: padding, white space, leading zeros.
  return writeStreamCursor(cursor) === text ? cursor : null;
}

function isPosition(digits: string | undefined): digits is string {
  // Positions have 16 digits at most; the place of a row among those of several nouns has two more.
  return digits !== undefined && /^\d{1,18}$/.test(digits);
}
