import { readCursor } from '../domain/cursors.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../domain/page-sizes.ts';
import { invalidArgument, quoted } from '../errors.ts';
import { optional, type ParameterValues } from './params.ts';
import { bool, int32, type ValueType } from './value-types.ts';

/** The parameters of a paged list, by the name that its cursors carry; large rows come in smaller pages. */
export function pagination(
  list: string,
  largest = MAX_PAGE_SIZE,
  isCursor = (text: string) => readCursor(list, text) !== null,
) {
  const pageSize = int32(1, largest);
  return {
    'pagination.first': optional(
      pageSize,
      `How many from the start of the list, or of what follows after; ${DEFAULT_PAGE_SIZE} unless said.`,
    ),
    'pagination.after': optional(cursorOf(list, isCursor), 'Only what follows this cursor.'),
    'pagination.last': optional(pageSize, 'How many from the end of the list, or of what comes before.'),
    'pagination.before': optional(cursorOf(list, isCursor), 'Only what comes before this cursor.'),
    'pagination.newestFirst': optional(
      newestFirst,
      'Whether the list begins with the newest; true unless said.',
    ),
  };
}

const newestFirst: ValueType<boolean> = { ...bool, schema: { ...bool.schema, default: true } };

function cursorOf(list: string, isCursor: (text: string) => boolean): ValueType<string> {
  return {
    accepts: `the cursor of an edge, or the startCursor or endCursor of a page, of the list of ${list}`,
    schema: { type: 'string' },
    read: (text) => (isCursor(text) ? text : undefined),
  };
}

/** The arguments of a connection: a number from one end, and perhaps a cursor to begin from. */
export type PageArguments = { readonly newestFirst: boolean } & (
  | { readonly first: number; readonly after?: string }
  | { readonly last: number; readonly before?: string }
);

/** The page that a request asks for. Throws a 400 for parameters that contradict each other. */
export function pageOf(values: ParameterValues<ReturnType<typeof pagination>>): PageArguments {
  for (const [one, other] of CONTRADICTIONS) {
    if (values[one] !== undefined && values[other] !== undefined) {
      throw invalidArgument(
        other,
        `Parameter ${other} (${quoted(String(values[other]))}) cannot stand beside ${one} (${quoted(String(values[one]))}); a page is pagination.first with pagination.after, or pagination.last with pagination.before.`,
      );
    }
  }
  const newestFirst = values['pagination.newestFirst'] ?? true;
  const { 'pagination.after': after, 'pagination.before': before, 'pagination.last': last } = values;
  if (last !== undefined || before !== undefined) {
    return { newestFirst, last: last ?? DEFAULT_PAGE_SIZE, ...(before === undefined ? {} : { before }) };
  }
  const first = values['pagination.first'] ?? DEFAULT_PAGE_SIZE;
  return { newestFirst, first, ...(after === undefined ? {} : { after }) };
}

const CONTRADICTIONS = [
  ['pagination.first', 'pagination.last'],
  ['pagination.after', 'pagination.before'],
  ['pagination.first', 'pagination.before'],
  ['pagination.after', 'pagination.last'],
] as const;
