/** The forms that rows come in. A spreadsheet's is CSV that it takes as text. */
export const ROW_FORMATS = ['csv', 'spreadsheet', 'ndjson'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

/** A member of a row, by where it stands in it: `details.name` is the name within the details. */
export interface Column {
  readonly name: string;
  readonly path: readonly string[];
}

/** How rows are written: what comes before them, and each with the end of its line. */
export interface RowWriter {
  readonly contentType: string;
  readonly extension: string;
  readonly header: string;
  /** How many values a row has. */
  readonly width: number;
  readonly write: (row: object) => string;
}

/** What a spreadsheet knows UTF-8 by. */
const BYTE_ORDER_MARK = '\uFEFF';

export function rowWriter(format: RowFormat, columns: readonly Column[]): RowWriter {
  const width = columns.length;
  if (format === 'ndjson') {
    const write = (row: object) => `${JSON.stringify(row)}\n`;
    return { contentType: 'application/x-ndjson', extension: 'ndjson', header: '', width, write };
  }
  const isForSpreadsheet = format === 'spreadsheet';
  const quote = isForSpreadsheet ? quoteForSpreadsheet : quoteSafely;
  const header = `${columns.map(({ name }) => quoteSafely(name)).join(',')}\r\n`;
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    header: isForSpreadsheet ? BYTE_ORDER_MARK + header : header,
    width,
    write: (row) => writeRow(row as Values, columns, quote),
  };
}

type Values = Readonly<Record<string, unknown>>;

/** A line after RFC 4180: text in quotes, flags and small numbers bare, lists as JSON, nothing for what is not there. */
function writeRow(row: Values, columns: readonly Column[], quote: (text: string) => string): string {
  let line = '';
  let separator = '';
  for (const { path } of columns) {
    const value = valueAt(row, path);
    line += separator;
    separator = ',';
    if (typeof value === 'string') line += quote(value);
    else if (value !== null && value !== undefined)
      line += typeof value === 'object' ? quote(JSON.stringify(value)) : String(value);
  }
  return `${line}\r\n`;
}

/** The value at a path within a row; undefined where there is none. */
export function valueAt(row: Values | null, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) value = (value as Values | null | undefined)?.[name];
  return value;
}

/** What a spreadsheet would take for a formula when it is told to read quoted text. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A number stays one; what would be a formula has an apostrophe before it. */
function quoteSafely(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return `"${safe.includes('"') ? safe.replaceAll('"', '""') : safe}"`;
}

/** What a spreadsheet might take for a number, a time or a share. */
const CHANGEABLE = /^[-+.]?\d/;
/** The longest text that a formula may name. */
const LONGEST_IN_FORMULA = 255;

/** What it would change to a number of 15 digits, or to a date, is a formula that gives the text. */
function quoteForSpreadsheet(text: string): string {
  if (!CHANGEABLE.test(text) || text.length > LONGEST_IN_FORMULA) return quoteSafely(text);
  return `"=""${text.replaceAll('"', '""""')}"""`;
}
