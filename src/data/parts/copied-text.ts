import { asyncBufferFromFile, parquetMetadataAsync, parquetScan } from 'hyparquet';
import { GatewayError } from '../../errors.ts';

/** A column of a table that rows are copied to. */
export interface TargetColumn {
  readonly name: string;
  readonly type: string;
}

/** What COPY takes of some rows: their lines, and how many they are. */
export interface CopyText {
  readonly text: Buffer;
  readonly rows: number;
}

/** The texts of a column's values, one for each row. */
type Texts = readonly string[];

/** How rows of a file become lines. */
export interface LineForm {
  /** The columns that are read, as far as the file has them. */
  readonly columns: readonly TargetColumn[];
  write(texts: ReadonlyMap<string, ArrayLike<unknown>>, rows: number): string;
}

/** Reads a file's rows as lines of COPY, a row group at a time. */
export async function* readLines(path: string, form: LineForm): AsyncGenerator<CopyText, void> {
  const file = await asyncBufferFromFile(path);
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
    yield { text: Buffer.from(form.write(values, rows)), rows };
    start += rows;
  }
}

/** As it is: the library's own would leave out a mark at the beginning (U+FEFF). */
function toText({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString();
}

/** Rows as the table itself has them. A column that the file does not have is null. */
export function wholeRows(columns: readonly TargetColumn[]): LineForm {
  return {
    columns,
    write(values, rows) {
      const texts = columns.map(({ name, type }) => toTexts(values.get(name), rows, writerOf(type)));
      return joinLines(texts, rows);
    },
  };
}

/** Versions of a noun's rows as `changes` has them. */
export function wholeVersions(noun: string, columns: readonly TargetColumn[]): LineForm {
  return {
    columns,
    write(values, rows) {
      const held = columns.filter(({ name }) => values.has(name));
      const members = held.map(({ name, type }) => toTexts(values.get(name), rows, jsonWriterOf(type)));
      const names = held.map(({ name }, index) => `${index === 0 ? '{' : ','}"${name}":`);
      const objects = Array.from({ length: rows }, (_, row) => {
        let text = '';
        for (let index = 0; index < names.length; index += 1)
          text += (names[index] as string) + members[index]?.[row];
        return escapeText(`${text}}`);
      });
      const [position, first] = ['updated_position', 'created_position'].map((name) =>
        toTexts(values.get(name), rows, String),
      );
      return joinLines(
        [position as Texts, new Array<string>(rows).fill(noun), first as Texts, objects],
        rows,
      );
    },
  };
}

/** Balances as `balance_changes` has them. */
export const balanceVersions: LineForm = {
  columns: [
    { name: 'updated_position', type: 'bigint' },
    { name: 'created_position', type: 'bigint' },
    { name: 'balance', type: 'text' },
  ],
  write(values, rows) {
    return wholeRows(balanceVersions.columns).write(values, rows);
  },
};

const NULL = '\\N';

function toTexts(
  values: ArrayLike<unknown> | undefined,
  rows: number,
  write: (value: unknown) => string,
): Texts {
  if (values === undefined) return new Array<string>(rows).fill(write(null));
  return Array.from(values, write);
}

function joinLines(columns: readonly Texts[], rows: number): string {
  let text = '';
  for (let row = 0; row < rows; row += 1) {
    for (let index = 0; index < columns.length; index += 1) {
      if (index > 0) text += '\t';
      text += columns[index]?.[row];
    }
    text += '\n';
  }
  return text;
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
