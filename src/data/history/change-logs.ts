import type { Block } from '../generated/prisma/client.ts';
import type { Noun, Positioned } from '../noun.ts';
import { findLastBlockWithin, readBlocksWithin } from '../queries/blocks.ts';
import { createScan } from '../queries/scans.ts';
import type { Statements } from '../servers/statements.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { unkept } from '../templates.ts';
import { type ChangePage, type History, type Range, readChangePage, toChangePage } from './change-pages.ts';
import { ROWS_BY_POSITION } from './partitions.ts';
import { createPasts } from './past-statements.ts';

/** The history of a noun: what every row was at every position since the history was trimmed. */
export interface ChangeLog<Row extends Positioned, Filter> {
  /** The name that its stream's cursors carry. */
  readonly name: string;
  /** Whether old changes are forgotten at some time; else the history reaches back to the first block. */
  readonly isTrimmed: boolean;
  /** The first changes of a range, of the rows that pass the filter, at most `limit`, and how far they reach. */
  readChanges(statements: Statements, filter: Filter, range: Range): Promise<ChangePage<Row>>;
  /** The rows as they were at `asOf`, by their createdPosition from `afterRow` on: at most `limit`. */
  readState(statements: Statements, filter: Filter, page: StatePage): Promise<readonly Row[]>;
}

export interface StatePage {
  readonly asOf: bigint;
  readonly afterRow: bigint;
  readonly limit: number;
}

/** The log of a noun. */
export function changeLogOf<Row extends Positioned, Filter>(noun: Noun<Row, Filter>): ChangeLog<Row, Filter> {
  return noun.history === 'added' ? createAddedLog(noun) : createTrimmedLog(noun, historyOf(noun));
}

/** Where the changes of a noun's rows are. Throws for a noun whose rows never change. */
export function historyOf({ history, table, name }: Pick<Noun, 'history' | 'table' | 'name'>): History {
  switch (history) {
    case 'rows':
      return wholeRows(table.name.text);
    case 'balances':
      return BALANCES;
    case 'added':
      throw new TypeError(`${name} never change`);
  }
}

/** Rows of a table are kept whole in `changes`. */
function wholeRows(table: string): History {
  return {
    source: sql`changes AS change`,
    condition: sql`change.noun = ${table}`,
    key: sql`change.row_position`,
    row: sql`CROSS JOIN LATERAL jsonb_populate_record(NULL::${raw(table)}, change.row) AS t`,
    superseded: sql`EXISTS (
      SELECT FROM changes AS later WHERE later.noun = ${table} AND later.row_position = change.row_position
        AND ${IS_LATER_AT_ITS_HEIGHT})`,
  };
}

/** Its states are those that questions about the past find. */
function createTrimmedLog<Row extends Positioned, Filter>(
  noun: Noun<Row, Filter>,
  history: History,
): ChangeLog<Row, Filter> {
  return {
    name: noun.name,
    isTrimmed: true,
    readChanges: (statements, filter, range) => readChangePage(statements, noun, filter, history, range),
    readState: (statements, filter, page) =>
      createPasts(statements)(page.asOf).rows<Row>(unkept(presentRows(noun, filter, page))),
  };
}

/** The last position that the height of a change may have. */
export const END_OF_ITS_HEIGHT = sql`(change.position | ${(1n << 20n) - 1n}::bigint)`;

/** Of a height that began again, which is one block to those who look back. */
export const IS_LATER_AT_ITS_HEIGHT = sql`
  later.position > change.position AND later.position <= ${END_OF_ITS_HEIGHT}`;

/** Balances have a history of their own, of the one column that changes. */
const BALANCES: History = {
  source: sql`balance_changes AS change`,
  condition: sql`TRUE`,
  key: sql`change.account_position`,
  // The fence has each change look up its account; the planner might read all accounts that pass a filter instead.
  row: sql`
    CROSS JOIN LATERAL (
      SELECT now.created_position, change.position AS updated_position, now.owner, now.asset_id, now.market_id,
        now.type, change.balance
      FROM accounts AS now WHERE now.created_position = change.account_position OFFSET 0
    ) AS t`,
  superseded: sql`EXISTS (
    SELECT FROM balance_changes AS later WHERE later.account_position = change.account_position
      AND ${IS_LATER_AT_ITS_HEIGHT})`,
};

/** Rows that never change are their own history. */
function createAddedLog<Row extends Positioned, Filter>(noun: Noun<Row, Filter>): ChangeLog<Row, Filter> {
  return {
    name: noun.name,
    isTrimmed: ROWS_BY_POSITION.some((table) => table === noun.table.name.text),
    readChanges: async (statements, filter, range) => {
      const page = { asOf: range.upTo, afterRow: range.after, limit: range.limit };
      const found = await statements.rows<Row>(unkept(presentRows(noun, filter, page)));
      return toChangePage(
        found.map((row) => ({ ...row, changePosition: row.createdPosition })),
        range,
      );
    },
    readState: (statements, filter, page) => statements.rows<Row>(unkept(presentRows(noun, filter, page))),
  };
}

/** Blocks are their own history too. Their state is the newest one. */
export const blockLog: ChangeLog<Block & Positioned, object> = {
  name: 'blocks',
  isTrimmed: false,
  readChanges: async (statements, _, range) => {
    const found = await readBlocksWithin(statements, range.after, range.upTo, range.limit);
    return toChangePage(
      found.map((block) => ({ ...positioned(block), changePosition: block.lastPosition })),
      range,
    );
  },
  readState: async (statements, _, { asOf, afterRow }) => {
    const block = await findLastBlockWithin(statements, afterRow, asOf);
    return block === null ? [] : [positioned(block)];
  },
};

function positioned(block: Block): Block & Positioned {
  return { ...block, createdPosition: block.lastPosition };
}

/** The rows of a page of the state, those that were there at `asOf`, as they are now: an index walk, in order. */
function presentRows<Row extends Positioned, Filter>(
  noun: Noun<Row, Filter>,
  filter: Filter,
  { asOf, afterRow, limit }: StatePage,
): Sql {
  const range = { least: sql`${afterRow + 1n}::bigint`, most: sql`${asOf}::bigint` };
  return createScan(noun, noun.conditions(filter))('ASC', range, limit);
}
