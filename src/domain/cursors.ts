const VERSION = '1';

/** Where a walk through a list stands: just at the row with this position. */
export interface Cursor {
  /** The list's name, as in `deposits`; a cursor of one list is refused by every other. */
  readonly list: string;
  readonly position: bigint;
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

/** Reads a cursor of the given list back; null for any text that `writeCursor` does not write for that list. */
export function readCursor(list: string, text: string): bigint | null {
  const [version, name, digits, ...rest] = Buffer.from(text, 'base64url').toString('utf8').split('.');
  if (version !== VERSION || name !== list || rest.length > 0) return null;
  if (digits === undefined || !/^\d{1,16}$/.test(digits)) return null;
  const position = BigInt(digits);
  // Whatever does not read back to itself was tampered with: padding, white space, leading zeros.
  return writeCursor({ list, position }) === text ? position : null;
}
