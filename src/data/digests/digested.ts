import { type NounName, nounNames, nouns } from '../nouns/index.ts';
import { storable } from '../writing/binary-arrays.ts';

/**
 * What a digest is over, as docs/digests.md says it to others. With whatever changes the text of a row (a column that comes, one
 * that goes, another form) the version rises: digests of two versions are never equal.
 */
export const DIGEST_VERSION = 1;

/** How the rows of a noun are written for a digest. */
export interface DigestedNoun {
  readonly name: NounName;
  /** What its lines begin with: the name of its table. */
  readonly kind: string;
  /** The fields of a row that a block changes, in their order. */
  readonly fields: readonly string[];
  /** The field of positions that says in which block a row came to be as it is. One event can tell of many rows, which share it then. */
  readonly position: 'updatedPosition' | 'createdPosition';
  /** The fields that tell rows apart. */
  readonly key: readonly string[];
}

/** In the order in which the lines of a block stand. */
export const digestedNouns: readonly DigestedNoun[] = nounNames.map((name) => {
  const { table, key } = nouns[name];
  const changes = table.fields.includes('updatedPosition');
  return {
    name,
    kind: table.name.text,
    // Where a row changes, the event that changed it does not say when it was created.
    fields: changes ? table.fields.filter((field) => field !== 'createdPosition') : table.fields,
    position: changes ? 'updatedPosition' : 'createdPosition',
    key,
  };
});

export type DigestedRow = Readonly<Record<string, unknown>>;

/** Rows by their positions, and those of one event by their keys. They mostly come in that order already. */
export function inOrder<Row extends DigestedRow>(
  rows: readonly Row[],
  order: Pick<DigestedNoun, 'position' | 'key'>,
): readonly Row[] {
  for (let index = 1; index < rows.length; index += 1) {
    if (compare(rows[index - 1] as Row, rows[index] as Row, order) > 0)
      return rows.toSorted((one, other) => compare(one, other, order));
  }
  return rows;
}

function compare(
  one: DigestedRow,
  other: DigestedRow,
  { position, key }: Pick<DigestedNoun, 'position' | 'key'>,
): number {
  if (one[position] !== other[position])
    return (one[position] as bigint) < (other[position] as bigint) ? -1 : 1;
  for (const field of key)
    if (one[field] !== other[field]) return (one[field] as string) < (other[field] as string) ? -1 : 1;
  return 0;
}

/** A row as one line: a list in JSON, of what it is and its values. */
export function writeLine(kind: string, fields: readonly string[], row: DigestedRow): string {
  let line = `["${kind}"`;
  for (const field of fields) line += `,${writeValue(row[field])}`;
  return `${line}]\n`;
}

/** A value in canonical JSON (RFC 8785): whole numbers of columns are texts, so that none is too long for a reader. */
function writeValue(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : JSON.stringify(storable(value));
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'bigint' || typeof value === 'number') return `"${value}"`;
  return JSON.stringify(value, toCanonical);
}

/** A text that stands in JSON as it is, as nearly all do: to know that takes a third of what writing it does. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function toCanonical(_: string, part: unknown): unknown {
  if (typeof part === 'string') return storable(part);
  if (typeof part === 'bigint') return `${part}`;
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
}
