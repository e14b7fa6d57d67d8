import type { Condition } from '../conditions.ts';
import type { Account, Block } from '../generated/prisma/client.ts';
import { firstOf, newestBalances } from '../history/past-texts.ts';
import { accounts } from '../nouns/accounts.ts';
import { createScan } from '../queries/scans.ts';
import type { Statements } from '../servers/statements.ts';
import { sql } from '../sql.ts';
import { statementOf } from '../templates.ts';
import type { Calendar } from './calendar.ts';
import { type Series, seriesOf } from './market-series.ts';
import { type FindBuckets, findBuckets, readSince, type SeriesRequest } from './requests.ts';
import { MOST_ROWS, type Summary, summarise, tooManyChanges } from './summaries.ts';

/** The accounts that pass a filter as of a block, at most so many, in the order of their positions. */
export function findAccounts(
  statements: Statements,
  conditions: readonly Condition[],
  at: Block,
  limit: number,
): Promise<readonly Account[]> {
  const scan = createScan(accounts, conditions);
  return statements.rows(
    statementOf(scan('ASC', { most: sql`${at.lastPosition}::bigint` }, limit), 'nothing'),
  );
}

/** So many balances at bounds are looked up one by one; each takes about as long as two changes that are walked over. */
const MOST_BOUNDS = 100_000;

/** What is asked of balances. */
export interface BalanceRequest extends SeriesRequest {
  /** Whether it is asked what they were at most and at least: of all changes, where what they were at bounds is looked up. */
  readonly hasExtremes: boolean;
}

/** Reads the course of sums of balances up to a block: of each group of accounts, which are named by their positions. */
export async function readBalanceSeries(
  statements: Statements,
  groups: readonly (readonly bigint[])[],
  request: BalanceRequest,
  at: Block,
  find: FindBuckets = findBuckets,
): Promise<readonly Series[]> {
  const calendar = await find(statements, request, at, null, [accounts]);
  const found = calendar.times.length < 2 ? [] : await readSums(statements, groups, request, calendar);
  return groups.map((_, group) => {
    const own = found.filter(({ key }) => key === BigInt(group));
    return seriesOf(calendar, own, at);
  });
}

/** Of accounts that change more often than there are bounds, what they were at these. */
async function readSums(
  statements: Statements,
  groups: readonly (readonly bigint[])[],
  { hasExtremes }: BalanceRequest,
  calendar: Calendar,
): Promise<readonly Summary[]> {
  const bounds = groups.reduce((sum, { length }) => sum + length, 0) * calendar.times.length;
  const mayLookUp = !hasExtremes && bounds <= MOST_BOUNDS;
  const most = mayLookUp ? bounds : MOST_ROWS;
  const changes = await readSummaries(statements, groups, calendar, most);
  if (changes.reduce((sum, { rows }) => sum + rows, 0) <= most) return changes;
  if (mayLookUp) return readAtBounds(statements, groups, calendar);
  // Wider buckets have as many changes.
  throw tooManyChanges(
    hasExtremes ? 'less at a time, or neither high nor low' : 'wider buckets (every), or less at a time',
  );
}

/** The sums at each bound alone. */
async function readAtBounds(
  statements: Statements,
  groups: readonly (readonly bigint[])[],
  calendar: Calendar,
): Promise<readonly Summary[]> {
  const keys = keysOf(groups);
  const values = [keys.map(({ account }) => account), keys.map(({ group }) => group), calendar.positions];
  return readSince<Summary>(
    statements,
    calendar,
    [accounts],
    `SELECT keys.key, (bound.place - 1)::int AS bucket, NULL AS high, NULL AS low,
      sum(version.balance::numeric)::text AS close, count(*)::int AS rows
    FROM unnest($1::bigint[], $2::bigint[]) AS keys (account, key)
    CROSS JOIN unnest($3::bigint[]) WITH ORDINALITY AS bound (position, place)
    CROSS JOIN LATERAL (${firstOf(newestBalances('keys.account', 'bound.position'))}) AS version (position, balance)
    GROUP BY keys.key, bound.place`,
    values,
  );
}

function keysOf(groups: readonly (readonly bigint[])[]) {
  return groups.flatMap((accounts, group) => accounts.map((account) => ({ account, group })));
}

/**
 * Adds up what each change added, by block, from 0 on: what was before the first bucket is in it. So a sum is
 * one walk over the changes of its accounts, in their order.
 */
async function readSummaries(
  statements: Statements,
  groups: readonly (readonly bigint[])[],
  calendar: Calendar,
  most: number,
): Promise<readonly Summary[]> {
  const { positions } = calendar;
  const keys = keysOf(groups);
  const text = summarise(
    `SELECT key, position, sum AS high, sum AS low, sum AS close, changes FROM (
      SELECT key, max(position) AS position, count(*) AS changes, sum(sum(added)) OVER (PARTITION BY key ORDER BY position >> 20) AS sum
      FROM (
        SELECT key, position, balance - lag(balance, 1, 0) OVER (PARTITION BY key, account ORDER BY position) AS added
        FROM (${BALANCES}) AS balances
      ) AS added GROUP BY key, position >> 20
    ) AS sums`,
    '$3::bigint[]',
    'sum(changes)',
  );
  const values = [keys.map(({ account }) => account), keys.map(({ group }) => group), positions];
  const ends = [positions[0], positions.at(-1)];
  return readSince<Summary>(statements, calendar, [accounts], text, [...values, ...ends, most + 1]);
}

/** What accounts had at a position ($4), and each balance after it, up to another ($5), of which so many ($6). */
const BALANCES = `
  SELECT keys.key, keys.account, version.position, version.balance::numeric AS balance
  FROM unnest($1::bigint[], $2::bigint[]) AS keys (account, key) CROSS JOIN LATERAL (
    ${firstOf(newestBalances('keys.account', '$4::bigint'))}
  ) AS version (position, balance)
  UNION ALL (
    SELECT keys.key, keys.account, version.position, version.balance::numeric
    FROM unnest($1::bigint[], $2::bigint[]) AS keys (account, key) CROSS JOIN LATERAL (
      SELECT position, balance FROM balance_changes
      WHERE account_position = keys.account AND position <= $5::bigint
        AND position > greatest($4::bigint, (SELECT archived_to FROM networks))
      UNION ALL
      SELECT each.position, each.balance FROM archived_balances AS packed
      CROSS JOIN LATERAL unnest(coalesce(packed.positions, ARRAY[packed.position]), coalesce(packed.balances, ARRAY[packed.balance]))
        AS each (position, balance)
      WHERE packed.account_position = keys.account
        AND packed.position <= least($5::bigint, (SELECT archived_to FROM networks))
        AND packed.position >= coalesce((
          SELECT max(first.position) FROM archived_balances AS first
          WHERE first.account_position = keys.account AND first.position <= $4::bigint), 0)
        AND each.position > $4::bigint AND each.position <= $5::bigint
    ) AS version LIMIT $6::bigint
  )`;
