import { GatewayError } from '../../errors.ts';
import type { Statements } from '../servers/statements.ts';
import { statementOf } from '../templates.ts';
import type { PageRequest, Selection } from './page-statements.ts';
import { assemblePages, type Page } from './pages.ts';
import {
  fromRanks,
  fromSorted,
  IS_RIGHT,
  KEY,
  MOST_SORTED,
  PLACE,
  READ,
  type ValuedList,
  valuePages,
  WHOLE,
} from './value-statements.ts';

/** What is selected besides of a page in the order of a value; the key of the page is the last. */
export const VALUE_COLUMNS = [PLACE, READ, IS_RIGHT, KEY].map((field) => ({ field, form: 'text' }) as const);

type Row = readonly (string | null)[];

/**
 * Reads pages in the order of a value, with the statements of the past of a block, which the walk is of: by an index that has this
 * order, or by sorting. Of a list that hangs off no object the key is empty. Throws FAILED_PRECONDITION where too many rows would
 * be sorted.
 */
export async function readValuePages(
  statements: Statements,
  valued: ValuedList,
  selection: Selection,
  request: PageRequest,
  charge: (rows: number) => void,
): Promise<ReadonlyMap<string, Page<Row>>> {
  for (const source of [fromRanks(valued), fromSorted(valued)]) {
    if (source === null) continue;
    const found = selection.write(valuePages(valued, source, request, selection.columns));
    // What was never changes, and before the first block there is nothing, which depends on the blocks.
    const rows = await statements.texts(statementOf(found, 'nothing'));
    const [read, isRight] = rows[0]?.slice(-3, -1) ?? [];
    charge(Number(read));
    if (isRight === 't') return toPages(rows, valued.owners?.keys ?? WHOLE, request);
  }
  const { list, order } = valued;
  throw new GatewayError(
    'FAILED_PRECONDITION',
    `orderBy ${order.value.toUpperCase()} would sort more than ${MOST_SORTED} rows of ${list.name}, which is the most where no index has them in this order: ask for fewer by the filter, of one object, or as of a newer block.`,
  );
}

/** Rows come with their places in the walk, from that of the cursor on. */
function toPages(
  rows: readonly Row[],
  keys: readonly string[],
  request: PageRequest,
): ReadonlyMap<string, Page<Row>> {
  const { limit, backward } = request;
  const placed = { limit, backward, newestFirst: backward, cursor: request.cursor === null ? null : 0n };
  return assemblePages(
    rows.filter((row) => row.at(-4) !== null),
    keys,
    placed,
    { keyOf: (row) => row.at(-1) ?? '', positionOf: (row) => Number(row.at(-4)) },
  );
}
