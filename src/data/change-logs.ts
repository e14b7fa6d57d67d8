import { type AccountFilter, accounts } from './accounts.ts';
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
import { toSql } from './scans.ts';
import { type VoteFilter, votes } from './votes.ts';

/** A row as a block left it, and the position of the change. */
export interface Change<Row> {
  readonly position: bigint;
  readonly row: Row;
}

interface Positioned {
  readonly createdPosition: bigint;
}

/** The history of a noun: what every row was at every position since the history was trimmed. */
export interface ChangeLog<Row extends Positioned, Filter> {
  /** The name that its stream's cursors carry. */
  readonly name: string;
  /**
   * The changes after one position and up to another, in order, of the rows that pass the filter: at most
   * `limit`, the first ones.
   */
  readChanges(prisma: PrismaClient, filter: Filter, range: Range): Promise<readonly Change<Row>[]>;
  /** The rows as they were at `asOf`, by their createdPosition from `afterRow` on: at most `limit`. */
  readState(prisma: PrismaClient, filter: Filter, page: StatePage): Promise<readonly Row[]>;
}

export interface Range {
  readonly after: bigint;
  readonly upTo: bigint;
  readonly limit: number;
}

export interface StatePage {
  readonly asOf: bigint;
  readonly afterRow: bigint;
  readonly limit: number;
}

/** Balances have a history of their own, of the one column that changes. */
export const accountLog: ChangeLog<Account, AccountFilter> = {
  name: 'accounts',
  readChanges: (prisma, filter, { after, upTo, limit }) =>
    readRows<Account>(
      prisma,
      Prisma.sql`
        SELECT change.position AS "changePosition", ${accounts.table.columns}
        FROM balance_changes AS change
        JOIN accounts AS now ON now.created_position = change.account_position
        CROSS JOIN LATERAL ${accountAs(Prisma.sql`change.position`, Prisma.sql`change.balance`)} AS t
        WHERE change.position > ${after} AND change.position <= ${upTo} AND ${conditionsOf(accounts, filter)}
        ORDER BY change.position LIMIT ${limit}`,
    ),
  readState: (prisma, filter, { asOf, afterRow, limit }) => {
    const change = Prisma.sql`
      SELECT position, balance FROM balance_changes
      WHERE account_position = now.created_position AND position <= ${asOf}
      ORDER BY position DESC LIMIT 1`;
    return prisma.$queryRaw<Account[]>(Prisma.sql`
      SELECT ${accounts.table.columns}
      FROM (${rowsOf(accounts, filter, { asOf, afterRow, limit })}) AS now
      CROSS JOIN LATERAL (
        SELECT now.updated_position AS position, now.balance WHERE now.updated_position <= ${asOf}
        UNION ALL
        SELECT * FROM (${change}) AS change WHERE now.updated_position > ${asOf}
      ) AS change
      CROSS JOIN LATERAL ${accountAs(Prisma.sql`change.position`, Prisma.sql`change.balance`)} AS t
      ORDER BY now.created_position`);
  },
};

export const depositLog = createRowLog<Deposit, DepositFilter>(deposits, 'deposits');
export const voteLog = createRowLog<Vote, VoteFilter>(votes, 'votes');
export const marketDataLog = createRowLog<MarketData, MarketDataFilter>(marketData, 'market_data');

/** Rewards never change, so the table is its own history. */
export const rewardLog: ChangeLog<Reward, RewardFilter> = {
  name: 'rewards',
  readChanges: (prisma, filter, { after, upTo, limit }) =>
    readRows<Reward>(
      prisma,
      Prisma.sql`
        SELECT t.created_position AS "changePosition", ${rewards.table.columns} FROM rewards AS t
        WHERE t.created_position > ${after} AND t.created_position <= ${upTo} AND ${conditionsOf(rewards, filter)}
        ORDER BY t.created_position LIMIT ${limit}`,
    ),
  readState: (prisma, filter, page) =>
    prisma.$queryRaw<Reward[]>(
      Prisma.sql`SELECT ${rewards.table.columns} FROM (${rowsOf(rewards, filter, page)}) AS t ORDER BY t.created_position`,
    ),
};

/** Blocks are their own history too. Their state is the newest one. */
export const blockLog: ChangeLog<Block & Positioned, object> = {
  name: 'blocks',
  readChanges: async (prisma, _, { after, upTo, limit }) => {
    const found = await prisma.block.findMany({
      where: { lastPosition: { gt: after, lte: upTo } },
      orderBy: { lastPosition: 'asc' },
      take: limit,
    });
    return found.map((block) => ({ position: block.lastPosition, row: positioned(block) }));
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
  const name = Prisma.raw(table);
  const restored = (row: Prisma.Sql) => Prisma.sql`jsonb_populate_record(NULL::${name}, ${row})`;
  return {
    name: list.name,
    readChanges: (prisma, filter, { after, upTo, limit }) =>
      readRows<Row>(
        prisma,
        Prisma.sql`
          SELECT change.position AS "changePosition", ${list.table.columns}
          FROM changes AS change CROSS JOIN LATERAL ${restored(Prisma.sql`change.row`)} AS t
          WHERE change.noun = ${table} AND change.position > ${after} AND change.position <= ${upTo}
            AND ${conditionsOf(list, filter)}
          ORDER BY change.position LIMIT ${limit}`,
      ),
    readState: (prisma, filter, { asOf, afterRow, limit }) =>
      prisma.$queryRaw<Row[]>(Prisma.sql`
        SELECT ${list.table.columns}
        FROM (${rowsOf(list, filter, { asOf, afterRow, limit })}) AS now
        CROSS JOIN LATERAL (
          SELECT now.* WHERE now.updated_position <= ${asOf}
          UNION ALL
          SELECT past.* FROM (
            SELECT row FROM changes
            WHERE noun = ${table} AND row_position = now.created_position AND position <= ${asOf}
            ORDER BY position DESC LIMIT 1
          ) AS change CROSS JOIN LATERAL ${restored(Prisma.sql`change.row`)} AS past
          WHERE now.updated_position > ${asOf}
        ) AS t
        ORDER BY now.created_position`),
  };
}

/** The account's row with another balance, as of another position. */
function accountAs(position: Prisma.Sql, balance: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT now.created_position, ${position} AS updated_position, now.owner, now.asset_id,
    now.market_id, now.type, ${balance} AS balance)`;
}

async function readRows<Row>(prisma: PrismaClient, sql: Prisma.Sql): Promise<readonly Change<Row>[]> {
  const found = await prisma.$queryRaw<(Row & { changePosition: bigint })[]>(sql);
  return found.map(({ changePosition, ...row }) => ({ position: changePosition, row: row as Row }));
}

/** The present rows of a page of the state: those that were there at `asOf`, as they are now. */
function rowsOf<Row extends Positioned, Filter>(
  list: List<Row, Filter>,
  filter: Filter,
  { asOf, afterRow, limit }: StatePage,
): Prisma.Sql {
  return Prisma.sql`
    SELECT t.* FROM ${list.table.name} AS t
    WHERE t.created_position > ${afterRow} AND t.created_position <= ${asOf} AND ${conditionsOf(list, filter)}
    ORDER BY t.created_position LIMIT ${limit}`;
}

function conditionsOf<Row extends Positioned, Filter>(list: List<Row, Filter>, filter: Filter): Prisma.Sql {
  const conditions = list.conditions(filter).map(toSql);
  return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join(conditions, ' AND ');
}
