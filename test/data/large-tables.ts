import pg from 'pg';
import { coverRange } from '../../src/data/history/coverage.ts';
import { ROWS_BY_POSITION } from '../../src/data/history/partitions.ts';
import {
  accountTypes,
  assetStatuses,
  depositStatuses,
  marketStates,
  marketTradingModes,
  proposalStates,
  voteValues,
} from '../../src/domain/enumerations.ts';
import { HANG_MS } from '../support/limits.ts';
import { withClient } from '../support/state.ts';

/**
 * Large tables by SQL alone, for tests of how much a question reads. Rows stand at the positions of `positionAt(0)`
 * to `positionAt(LAST)`, one a block; what the columns say is spread evenly over them, except for what is said to be rare.
 */
const ROWS = 60_000;
const ROWS_IN_EACH = 16_384n;

/** The number of the last row of each large table. */
export const LAST = ROWS - 1;

/** Deposits are updated less than this many blocks after they were created. */
export const LONGEST_WAIT = 20;

export const partyOf = (number: number) => `party-${number}`;
export const assetOf = (number: number) => `asset-${number}`;
export const marketOf = (number: number) => `market-${number}`;
export const proposalOf = (number: number) => `proposal-${number}`;

export function positionAt(row: number): bigint {
  return BigInt(Math.floor(row) + 1) << 20n;
}

/** The time of the block that created the row of this number. */
export function timeAt(row: number): bigint {
  return BigInt(Math.floor(row) + 1) * 1_000_000_000n;
}

/** Fills every table that lists read, in a migrated, empty database. */
export async function fillLargeTables(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: FILL.length, connectionTimeoutMillis: HANG_MS });
  try {
    // Rows lie in several partitions, as they do where old ones are dropped.
    await withClient(url, (client) => coverRange(client, ROWS_BY_POSITION, 0n, BigInt(ROWS), ROWS_IN_EACH));
    await Promise.all(FILL.map((statement) => pool.query(statement)));
    // In their order, as epochs come.
    await pool.query(`INSERT INTO reward_epochs
      SELECT epoch, min(created_position), max(created_position) FROM rewards GROUP BY epoch ORDER BY epoch`);
    // Where a worker of PostgreSQL's own looks at a table just then, not all rows are marked as seen by all.
    for (let times = 0; times < 10; times += 1) {
      await pool.query('VACUUM ANALYZE');
      const { rowCount } = await pool.query(UNSEEN);
      if (rowCount === 0) break;
    }
  } finally {
    await pool.end();
  }
}

const UNSEEN = `SELECT FROM pg_class WHERE relkind = 'r' AND relname ~ '^rewards_[0-9]+$' AND relallvisible < relpages`;
const POSITION = '(n + 1) * 1048576';
const TIME = '(n + 1) * 1000000000';
/** A number from 0 to 2^31 - 1 that depends on n and looks random. */
const MIX = (salt: number) => `(hashint8(n * 31 + ${salt}) & 2147483647)`;

const { numbers: TYPES } = accountTypes;
const { numbers: ASSET_STATUSES } = assetStatuses;
const { numbers: DEPOSIT_STATUSES } = depositStatuses;
const { numbers: MARKET_STATES } = marketStates;
const { numbers: MODES } = marketTradingModes;
const { numbers: PROPOSAL_STATES } = proposalStates;
const { numbers: VALUES } = voteValues;

const FILL: readonly string[] = [
  // Each party has a margin account in each of ten markets and thirty in nine assets; bonds and asset-9 are rare.
  // The network has an insurance account in each of 400 markets.
  `INSERT INTO accounts (created_position, updated_position, owner, asset_id, market_id, type, balance)
   SELECT ${POSITION}, ${POSITION}, owner, 'asset-' || asset, market, type, n::text
   FROM (
     SELECT n, 'party-' || n / 40 AS owner,
       CASE WHEN n % 10000 = 5 THEN 9 WHEN n % 40 < 30 THEN n % 40 % 9 ELSE n % 3 END AS asset,
       CASE WHEN n % 40 < 30 THEN '' ELSE 'market-' || n % 40 END AS market,
       CASE WHEN n % 4000 = 39 THEN ${TYPES.ACCOUNT_TYPE_BOND} WHEN n % 40 >= 30 THEN ${TYPES.ACCOUNT_TYPE_MARGIN}
         WHEN n % 40 < 9 THEN ${TYPES.ACCOUNT_TYPE_GENERAL} WHEN n % 40 < 18 THEN ${TYPES.ACCOUNT_TYPE_FEES_MAKER}
         WHEN n % 40 < 27 THEN ${TYPES.ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES} ELSE ${TYPES.ACCOUNT_TYPE_PENDING_TRANSFERS} END AS type
     FROM generate_series(0::bigint, ${LAST}) AS n WHERE n % 500 <> 0
     UNION ALL
     SELECT n, 'network', n / 500 % 9, 'market-' || n / 500, ${TYPES.ACCOUNT_TYPE_INSURANCE}
     FROM generate_series(0::bigint, ${LAST}, 500) AS n
   ) AS rows`,
  // One party has a tenth of all; one update in a hundred comes late.
  `INSERT INTO deposits (id, created_position, updated_position, updated_timestamp, party_id, asset_id, amount, status,
     tx_hash, created_timestamp, credited_timestamp)
   SELECT 'deposit-' || n, ${POSITION}, ${POSITION} + wait * 1048576::bigint, ${TIME} + wait * 1000000000::bigint,
     'party-' || CASE WHEN n % 10 = 0 THEN 0 ELSE ${MIX(1)} % 2000 END, 'asset-' || ${MIX(2)} % 9, '1',
     ${DEPOSIT_STATUSES.STATUS_FINALIZED}, '', ${TIME}, 0
   FROM (SELECT n, CASE WHEN n % 100 = 0 THEN ${MIX(3)} % ${LONGEST_WAIT} ELSE 1 END AS wait FROM generate_series(0::bigint, ${LAST}) AS n) AS r`,
  // 300 epochs of 200 rewards; asset-9 is paid once in a thousand times, and never to most. A third is of game-0.
  `INSERT INTO rewards (created_position, party_id, asset_id, market_id, epoch, amount, percentage_of_total, received_at,
     reward_type, game_id)
   SELECT ${POSITION}, 'party-' || CASE WHEN n % 10 = 0 THEN 0 ELSE ${MIX(1)} % 2000 END,
     'asset-' || CASE WHEN n % 1000 = 7 THEN 9 ELSE ${MIX(2)} % 9 END,
     CASE WHEN n % 2 = 0 THEN '' ELSE 'market-' || ${MIX(3)} % 50 END, n / 200, '1', '1', ${TIME}, '',
     CASE WHEN n % 3 = 0 THEN 'game-0' WHEN n % 5000 = 7 THEN 'game-1' END
   FROM generate_series(0::bigint, ${LAST}) AS n`,
  `INSERT INTO parties (id, created_position) SELECT 'party-' || n, ${POSITION} FROM generate_series(0::bigint, ${LAST}) AS n`,
  // Whoever writes blocks says which tables it knows.
  `SET periscope.migration = '9';
   INSERT INTO blocks (height, hash, timestamp, last_position)
   SELECT n + 1, '', ${TIME}, ${POSITION} FROM generate_series(0::bigint, ${LAST}) AS n`,
  // Sixty parties trade with one another in three markets, and party-900 once in a thousand times; an order has three trades.
  `INSERT INTO trades (created_position, updated_timestamp, aggressor, type, id, market_id, price, size, buyer, seller, buy_order,
     sell_order, buyer_fee, seller_fee, buyer_auction_batch, seller_auction_batch)
   SELECT ${POSITION}, ${TIME}, 1, 1, 'trade-' || n, CASE WHEN n % 2000 = 7 THEN 'market-37' ELSE 'market-' || 30 + n % 3 END, '5', '7',
     CASE WHEN n % 2000 = 9 THEN 'party-900' ELSE 'party-' || ${MIX(7)} % 60 END,
     CASE WHEN n % 2000 = 11 THEN 'party-900' ELSE 'party-' || ${MIX(8)} % 60 END,
     'buy-' || n / 3, 'sell-' || ${MIX(9)} % 20000, '1,2,3', '', '0', '0'
   FROM generate_series(0::bigint, ${LAST}) AS n`,
  `INSERT INTO votes (created_position, updated_position, proposal_id, party_id, value, timestamp,
     total_governance_token_balance, total_governance_token_weight, total_equity_like_share_weight)
   SELECT ${POSITION}, ${POSITION}, 'proposal-' || n % 100, 'party-' || n / 100, ${VALUES.VALUE_YES}, ${TIME}, '1', '1', '1'
   FROM generate_series(0::bigint, ${LAST}) AS n`,
  `INSERT INTO margin_levels (created_position, updated_position, party_id, market_id, asset_id, maintenance_margin,
     search_level, initial_margin, collateral_release_level, timestamp)
   SELECT ${POSITION}, ${POSITION}, 'party-' || n / 50, 'market-' || n % 50, 'asset-0', '1', '1', '1', '1', ${TIME}
   FROM generate_series(0::bigint, ${LAST}, 2) AS n`,
  `INSERT INTO proposals (id, created_position, updated_position, reference, party_id, state, timestamp,
     required_participation, required_majority, batch_id)
   SELECT 'proposal-' || n, ${POSITION}, ${POSITION}, 'Reference ' || n, 'party-' || n % 50,
     (CASE WHEN n % 10000 = 9 THEN ${PROPOSAL_STATES.STATE_FAILED} WHEN n % 7 = 0 THEN ${PROPOSAL_STATES.STATE_OPEN} ELSE ${PROPOSAL_STATES.STATE_ENACTED} END),
     ${TIME}, '1', '1', CASE WHEN n % 8 = 0 THEN 'proposal-' || n / 4000 * 4000 END
   FROM generate_series(0::bigint, ${LAST}, 4) AS n`,
  `INSERT INTO markets (id, created_position, updated_position, instrument_id, instrument_code, instrument_name, tags,
     settlement_asset_id, quote_name, decimal_places, position_decimal_places, maker_fee, infrastructure_fee,
     liquidity_fee, search_level, initial_margin, collateral_release, linear_slippage_factor,
     quadratic_slippage_factor, lp_price_range, product, enable_transaction_reordering, allowed_empty_amm_levels,
     allowed_sellers, base_asset_id, quote_asset_id, parent_market_id, state, trading_mode, proposed_timestamp, pending_timestamp,
     open_timestamp, close_timestamp)
   SELECT 'market-' || n, ${POSITION}, ${POSITION}, '', 'CODE/' || n, 'Market of ' || n, '{}', 'asset-' || ${MIX(1)} % 9, '', 0, 0,
     '0', '0', '0', '0', '0', '0', '0', '0', '0', 'FUTURE', false, '0', '{}',
     CASE WHEN n % 3 = 1 THEN 'asset-' || ${MIX(2)} % 9 END, CASE WHEN n % 3 = 1 THEN 'asset-' || ${MIX(3)} % 9 END,
     CASE WHEN n % 40 = 0 THEN 'market-' || n / 40 END,
     (CASE WHEN n % 10000 = 9 THEN ${MARKET_STATES.STATE_REJECTED} WHEN n % 3 = 0 THEN ${MARKET_STATES.STATE_CLOSED} ELSE ${MARKET_STATES.STATE_ACTIVE} END),
     ${MODES.TRADING_MODE_CONTINUOUS}, 0, 0, 0, 0
   FROM generate_series(0::bigint, ${LAST}, 4) AS n`,
  `INSERT INTO assets (id, created_position, updated_position, name, symbol, decimals, quantum, status)
   SELECT 'asset-' || n, ${POSITION}, ${POSITION}, 'Asset of ' || n, 'CODE' || n, 0, '1',
     (CASE WHEN n % 10000 = 8 THEN ${ASSET_STATUSES.STATUS_REJECTED} ELSE ${ASSET_STATUSES.STATUS_ENABLED} END)
   FROM generate_series(0::bigint, ${LAST}, 4) AS n`,
];
