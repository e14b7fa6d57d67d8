import { type AsyncBuffer, asyncBufferFromFile, parquetMetadataAsync, parquetScan } from 'hyparquet';
import { GatewayError } from '../../errors.ts';
import { failInput } from './unreadable.ts';

/** A column of a table that rows are copied to. */
export interface TargetColumn {
  readonly name: string;
  readonly type: string;
}

/**
 * What a file's rows become: rows as the table that they are copied to has them, where a column that the file does not have is null; or
 * versions of a noun as `changes` has them. A thread can be told of it.
 */
export type LinesOf =
  | { readonly kind: 'rows'; readonly columns: readonly TargetColumn[] }
  | { readonly kind: 'versions'; readonly noun: string; readonly columns: readonly TargetColumn[] };

/** What a file has of some rows: the values of each column by its name. */
type Values = ReadonlyMap<string, ArrayLike<unknown>>;

/** How rows of a file become lines. */
interface LineForm {
  /** The columns that are read, as far as the file has them. */
  readonly columns: readonly TargetColumn[];
  /** Gives the line of each row. */
  lineOf(values: Values): (row: number) => string;
}

/** So many lines are put together at a time: what they are made of is gone before it would have to be moved about in memory. */
const LINES_AT_ONCE = 256;

/**
 * Reads a file's rows as lines of COPY, some at a time. Throws INVALID_ARGUMENT where a column lacks some, and UNAVAILABLE where the file is
 * away.
 */
export async function* readLines(path: string, of: LinesOf): AsyncGenerator<string, void> {
  const form = formOf(of);
  const file = await openFile(path);
  const metadata = await parquetMetadataAsync(file);
  const held = new Set(metadata.schema.slice(1).map(({ name }) => name));
  const columns = form.columns.filter(({ name }) => held.has(name)).map(({ name }) => name);
  const scan = await parquetScan({ file, metadata, columns, parsers: { stringFromBytes: toText } });
  let start = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rows = Number(num_rows);
    const range = { rowStart: start, rowEnd: start + rows };
    const values = new Map<string, ArrayLike<unknown>>();
    for (const column of columns) {
      const read = await scan.readColumn({ column, ...range });
      if (read.length !== rows)
        throw new GatewayError(
          'INVALID_ARGUMENT',
          `${path} has ${read.length} values of ${column} in ${rows} rows.`,
        );
      values.set(column, read);
    }
    yield* writeLines(form.lineOf(values), rows);
    start += rows;
  }
}

async function openFile(path: string): Promise<AsyncBuffer> {
  const fail = failInput(path);
  const { byteLength, slice } = await asyncBufferFromFile(path).catch(fail);
  return { byteLength, slice: async (start, end) => Promise.resolve(slice(start, end)).catch(fail) };
}

function* writeLines(lineOf: (row: number) => string, rows: number): Generator<string, void> {
  for (let from = 0; from < rows; from += LINES_AT_ONCE) {
    const to = Math.min(rows, from + LINES_AT_ONCE);
    let text = '';
    for (let row = from; row < to; row += 1) text += lineOf(row);
    yield text;
  }
}

/** As it is: the library's own would leave out a mark at the beginning (U+FEFF). */
function toText({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString();
}

function formOf(of: LinesOf): LineForm {
  return of.kind === 'rows' ? wholeRows(of.columns) : wholeVersions(of.noun, of.columns);
}

function wholeRows(columns: readonly TargetColumn[]): LineForm {
  return {
    columns,
    lineOf(values) {
      const texts = columns.map(({ name, type }) => textOf(values.get(name), writerOf(type)));
      return (row) => joinLine(texts, row);
    },
  };
}

function wholeVersions(noun: string, columns: readonly TargetColumn[]): LineForm {
  return {
    columns,
    lineOf(values) {
      const held = columns.filter(({ name }) => values.has(name));
      const members = held.map(({ name, type }) => textOf(values.get(name), jsonWriterOf(type)));
      const names = held.map(({ name }, index) => `${index === 0 ? '{' : ','}"${name}":`);
      const objectOf = (row: number) => {
        let text = '';
        for (let index = 0; index < names.length; index += 1)
          text += (names[index] as string) + (members[index] as TextOf)(row);
        return escapeText(`${text}}`);
      };
      const position = textOf(values.get('updated_position'), String);
      const first = textOf(values.get('created_position'), String);
      return (row) => joinLine([position, () => noun, first, objectOf], row);
    },
  };
}

const NULL = '\\N';

/** Gives the text of a column's value in a row. */
type TextOf = (row: number) => string;

function textOf(values: ArrayLike<unknown> | undefined, write: (value: unknown) => string): TextOf {
  return values === undefined ? () => write(null) : (row) => write(values[row]);
}

function joinLine(columns: readonly TextOf[], row: number): string {
  let text = '';
  for (let index = 0; index < columns.length; index += 1) {
    if (index > 0) text += '\t';
    text += (columns[index] as TextOf)(row);
  }
  return `${text}\n`;
}

/** How COPY reads a value of a column. */
function writerOf(type: string): (value: unknown) => string {
  if (type.endsWith('[]')) return (value) => (isNone(value) ? NULL : escapeText(toArray(value as string)));
  return (value) => {
    if (typeof value === 'string') return escapeText(value);
    return isNone(value) ? NULL : `${value}`;
  };
}

/** How a value of a column stands in an object of JSON. */
function jsonWriterOf(type: string): (value: unknown) => string {
  const isJson = type === 'jsonb' || type.endsWith('[]');
  return (value) => {
    if (isNone(value)) return 'null';
    return typeof value === 'string' && !isJson ? quote(value) : `${value}`;
  };
}

function isNone(value: unknown): boolean {
  return value === null || value === undefined;
}

/** What COPY would read otherwise; few texts have any of it. */
const SPECIAL = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeText(text: string): string {
  return text.search(SPECIAL) < 0 ? text : text.replace(SPECIAL, (one) => ESCAPES[one] as string);
}

const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** An array of JSON as PostgreSQL writes its own. */
function toArray(json: string): string {
  const elements = (JSON.parse(json) as readonly (string | number | null)[]).map((element) => {
    if (element === null) return 'NULL';
    return typeof element === 'number' ? `${element}` : `"${element.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join()}}`;
}
