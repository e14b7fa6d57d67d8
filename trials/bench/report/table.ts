import type { Result } from '../bench.ts';
import { describeOutcome, describeTarget, describeValue } from './describe.ts';

const COLUMNS = ['work', 'Periscope', 'beside', 'gives', 'must give', 'reached', 'note'] as const;

/** What a row of the table says, in the order of the columns. */
function cellsOf(result: Result): readonly string[] {
  return [
    result.what,
    result.figure,
    result.beside,
    describeValue(result),
    describeTarget(result),
    describeOutcome(result),
    result.note,
  ];
}

/** The table for a terminal. */
export function printTable(results: readonly Result[]): string {
  const rows = [COLUMNS as readonly string[], ...results.map(cellsOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
