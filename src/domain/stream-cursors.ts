const VERSION = '1';

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

/** Reads a cursor of the given stream back; null for any text that `writeStreamCursor` does not write for it. */
export function readStreamCursor(stream: string, text: string): StreamCursor | null {
  const parts = Buffer.from(text, 'base64url').toString('utf8').split('.');
  const [version, name, position, row, ...rest] = parts;
  if (version !== `stream${VERSION}` || name !== stream || rest.length > 0) return null;
  if (!isPosition(position) || (row !== undefined && !isPosition(row))) return null;
  const cursor = { stream, position: BigInt(position), row: row === undefined ? null : BigInt(row) };
  // Whatever does not read back to itself was tampered with: padding, white space, leading zeros.
  return writeStreamCursor(cursor) === text ? cursor : null;
}

function isPosition(digits: string | undefined): digits is string {
  return digits !== undefined && /^\d{1,16}$/.test(digits);
}
