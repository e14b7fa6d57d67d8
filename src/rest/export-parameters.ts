import { invalidArgument, quoted } from '../errors.ts';
import { ROW_FORMATS, type RowFormat } from '../http/write/csv.ts';
import { optional } from './params.ts';
import { bool, text, type ValueType } from './value-types.ts';

const FORMATS = ['json', ...ROW_FORMATS] as const;

const format: ValueType<(typeof FORMATS)[number]> = {
  accepts: `one of ${FORMATS.join(', ')}`,
  schema: { type: 'string', enum: FORMATS },
  read: (given) => FORMATS.find((one) => one === given),
};

/** The parameters that every list takes: an addition to the documented ones. */
export const exportParameters = {
  format: optional(
    format,
    'An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses.',
  ),
  units: optional(
    bool,
    "An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json.",
  ),
};

/** What the address of a table of a query takes. */
export const tableParameters = {
  query: optional(text, 'The query.'),
  variables: optional(text, 'Its variables, as JSON.'),
  operationName: optional(text, 'Which of its operations is meant.'),
  extensions: optional(text, 'What names a stored query.'),
  ...exportParameters,
};

/** What a request asks of an export. */
export interface Export {
  readonly format: (typeof FORMATS)[number] | undefined;
  readonly isInUnits: boolean;
  /** How many rows at most; null for all. */
  readonly most: number | null;
  /** A parameter that asks for a page from the end, which no export is. */
  readonly fromEnd: { readonly name: string; readonly value: string } | null;
}

export function readExport(given: Readonly<Record<string, unknown>>): Export {
  const end = ['pagination.last', 'pagination.before'].find((name) => given[name] !== undefined);
  return {
    format: given['format'] as Export['format'],
    isInUnits: given['units'] === true,
    most: (given['pagination.first'] as number | undefined) ?? null,
    fromEnd: end === undefined ? null : { name: end, value: String(given[end]) },
  };
}

/** Throws INVALID_ARGUMENT for a parameter that does not go with a form of the answer. */
export function checkExport({ fromEnd, isInUnits }: Export, chosen: RowFormat | 'json'): void {
  if (chosen === 'json') {
    if (isInUnits)
      throw invalidArgument('units', 'Parameter units is "true", which goes with exports alone.');
  } else if (fromEnd !== null)
    throw invalidArgument(
      fromEnd.name,
      `Parameter ${fromEnd.name} (${quoted(fromEnd.value)}) cannot stand beside the format ${chosen}, which goes on from the start of the list or from pagination.after.`,
    );
}
