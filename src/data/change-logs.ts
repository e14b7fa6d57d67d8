import { type AccountFilter, accounts } from './accounts.ts';
import { type ChangePage, type History, type Range, readChangePage, toChangePage } from './change-pages.ts';
import { type DepositFilter, deposits } from './deposits.ts';
import {
  type Account,
  type Block,
  type Deposit,
  type MarketData,
  Prisma,
  type PrismaClient,
  type Reward,
  type Vote,
} from './generated/prisma/client.ts';
import { type MarketDataFilter, marketData } from './market-data.ts';
import type { List } from './pages.ts';
import { type RewardFilter, rewards } from './rewards.ts';
import { createScan } from './scans.ts';
import { type VoteFilter, votes } from './votes.ts';

interface Positioned {
  readonly createdPosition: bigint;
}

/** The history of a noun: what every row was at every position since the history was trimmed. */
export interface ChangeLog<Row extends Positioned, Filter> {
  /** The name that its stream's cursors carry. */
  readonly name: string;
  /** Whether old changes are forgotten at some time; else the history reaches back to the first block. */
  readonly isTrimmed: boolean;
  /** The first changes of a range, of the rows that pass the filter, at most `limit`, and how far they reach. */
  readChanges(prisma: PrismaClient, filter: Filter, range: Range): Promise<ChangePage<Row>>;
  /** The rows as they were at `asOf`, by their createdPosition from `afterRow` on: at most `limit`. */
  readState(prisma: PrismaClient, filter: Filter, page: StatePage): Promise<readonly Row[]>;
}

export interface StatePage {
  readonly asOf: bigint;
  readonly afterRow: bigint;
  readonly limit: number;
}

/** Balances have a history of their own, of the one column that changes. */
export const accountLog: ChangeLog<Account, AccountFilter> = {
  name: 'accounts',
  isTrimmed: true,
  readChanges: (prisma, filter, range) => readChangePage(prisma, accounts, filter, BALANCES, range),
  readState: (prisma, filter, page) =>
    prisma.$queryRaw<Account[]>(Prisma.sql`
      SELECT now."createdPosition", past.position AS "updatedPosition", now.owner, now."assetId", now."marketId",
        now.type, past.balance
      FROM (${presentRows(accounts, filter, page)}) AS now
      CROSS JOIN LATERAL (
        SELECT now."updatedPosition" AS position, now.balance WHERE now."updatedPosition" <= ${page.asOf}
        UNION ALL
        (SELECT change.position, change.balance FROM balance_changes AS change
         WHERE change.account_position = now."createdPosition" AND change.position <= ${page.asOf}
           AND now."updatedPosition" > ${page.asOf}
         ORDER BY change.position DESC LIMIT 1)
      ) AS past
      ORDER BY now."createdPosition"`),
};

const BALANCES: History = {
  source: Prisma.sql`balance_changes AS change`,
  condition: Prisma.sql`TRUE`,
  key: Prisma.sql`change.account_position`,
  // The fence has each change look up its account; the planner might read all accounts that pass a filter instead.
  row: Prisma.sql`
    CROSS JOIN LATERAL (
      SELECT now.created_position, change.position AS updated_position, now.owner, now.asset_id, now.market_id,
        now.type, change.balance
      FROM accounts AS now WHERE now.created_position = change.account_position OFFSET 0
    ) AS t`,
};

export const depositLog = createRowLog<Deposit, DepositFilter>(deposits, 'deposits');
export const voteLog = createRowLog<Vote, VoteFilter>(votes, 'votes');
export const marketDataLog = createRowLog<MarketData, MarketDataFilter>(marketData, 'market_data');

/** Rewards never change, so the table is its own history. */
export const rewardLog: ChangeLog<Reward, RewardFilter> = {
  name: 'rewards',
  isTrimmed: false,
  readChanges: async (prisma, filter, range) => {
    const page = { asOf: range.upTo, afterRow: range.after, limit: range.limit };
    const found = await prisma.$queryRaw<Reward[]>(presentRows(rewards, filter, page));
    return toChangePage(
      found.map((row) => ({ ...row, changePosition: row.createdPosition })),
      range,
    );
  },
  readState: (prisma, filter, page) => prisma.$queryRaw<Reward[]>(presentRows(rewards, filter, page)),
};

/** Blocks are their own history too. Their state is the newest one. */
export const blockLog: ChangeLog<Block & Positioned, object> = {
  name: 'blocks',
  isTrimmed: false,
  readChanges: async (prisma, _, range) => {
    const found = await prisma.block.findMany({
      where: { lastPosition: { gt: range.after, lte: range.upTo } },
      orderBy: { lastPosition: 'asc' },
      take: range.limit,
    });
    return toChangePage(
      found.map((block) => ({ ...positioned(block), changePosition: block.lastPosition })),
      range,
    );
  },
  readState: async (prisma, _, { asOf, afterRow }) => {
    const found = await prisma.block.findMany({
      where: { lastPosition: { gt: afterRow, lte: asOf } },
      orderBy: { lastPosition: 'desc' },
      take: 1,
    });
    return found.map(positioned);
  },
};

function positioned(block: Block): Block & Positioned {
  return { ...block, createdPosition: block.lastPosition };
}

/** The log of a table whose rows are kept whole in `changes`. */
function createRowLog<Row extends Positioned, Filter>(
  list: List<Row, Filter>,
  table: string,
): ChangeLog<Row, Filter> {
  const restored = Prisma.sql`jsonb_populate_record(NULL::${Prisma.raw(table)}, change.row)`;
  const history: History = {
    source: Prisma.sql`changes AS change`,
    condition: Prisma.sql`change.noun = ${table}`,
    key: Prisma.sql`change.row_position`,
    row: Prisma.sql`CROSS JOIN LATERAL ${restored} AS t`,
  };
  return {
    name: list.name,
    isTrimmed: true,
    readChanges: (prisma, filter, range) => readChangePage(prisma, list, filter, history, range),
    readState: (prisma, filter, page) =>
      prisma.$queryRaw<Row[]>(Prisma.sql`
        SELECT past.*
        FROM (${presentRows(list, filter, page)}) AS now
        CROSS JOIN LATERAL (
          SELECT now.* WHERE now."updatedPosition" <= ${page.asOf}
          UNION ALL
          (SELECT ${list.table.columns} FROM changes AS change CROSS JOIN LATERAL ${restored} AS t
           WHERE change.noun = ${table} AND change.row_position = now."createdPosition"
             AND change.position <= ${page.asOf} AND now."updatedPosition" > ${page.asOf}
           ORDER BY change.position DESC LIMIT 1)
        ) AS past
        ORDER BY past."createdPosition"`),
  };
}

/** The rows of a page of the state, those that were there at `asOf`, as they are now: an index walk, in order. */
function presentRows<Row extends Positioned, Filter>(
  list: List<Row, Filter>,
  filter: Filter,
  { asOf, afterRow, limit }: StatePage,
): Prisma.Sql {
  const range = { least: Prisma.sql`${afterRow + 1n}::bigint`, most: Prisma.sql`${asOf}::bigint` };
  return createScan(list.table, list.indexes, list.conditions(filter))('ASC', range, limit);
}
