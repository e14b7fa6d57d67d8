import type pg from 'pg';
import { coverHeight, coverRange, spanOf } from '../../../src/data/history/coverage.ts';
import { HISTORIES, ROWS_BY_POSITION } from '../../../src/data/history/partitions.ts';
import { introduceWriter } from '../../../src/data/migrate.ts';
import { nouns } from '../../../src/data/nouns/index.ts';
import { mendCounts } from '../../../src/data/writing/row-counts.ts';
import {
  accountTypes,
  assetStatuses,
  auctionTriggers,
  depositStatuses,
  marketStates,
  marketTradingModes,
} from '../../../src/domain/enumerations.ts';
import type { TableSizes } from '../size.ts';
import { EVENTS_PER_BLOCK, FIRST_INDEX, rowsPerBlock, START_TIME } from './rows.ts';

/** The network that the rows are of. */
export const CHAIN = 'bench-network';

/**
 * Fills a migrated, empty database as an ingest would have left it: every table agrees with the others. Older changes are
 * as if trimmed; the last balance of each account and the last data of each market are there. `rows.ts` says what stands where.
 */
export async function fill(client: pg.Client, sizes: TableSizes, further?: Further): Promise<void> {
  await introduceWriter(client);
  await client.query('SET synchronous_commit = off');
  await client.query("SET maintenance_work_mem = '512MB'");
  await coverHeight(client, HISTORIES, BigInt(sizes.blocks + 1), spanOf('changes', null));
  await coverRange(client, ROWS_BY_POSITION, 0n, BigInt(sizes.blocks + 1), spanOf('rows', null));
  await further?.prepare();
  await withoutIndexes(client, async () => {
    for (const statement of [...statements(sizes), ...(further?.statements ?? [])])
      await client.query(statement);
  });
  await countRows(client);
  await client.query('VACUUM ANALYZE');
}

/** What another database has besides. */
interface Further {
  readonly prepare: () => Promise<unknown>;
  readonly statements: readonly string[];
}

/** The same with hardly a row but rewards, for what only many rows show. */
export function fillRewards(client: pg.Client, sizes: TableSizes): Promise<void> {
  return fill(client, { ...sizes, accounts: 1, deposits: 1 });
}

/** Makes the indexes when the rows are there, which takes a fraction of the time. Those of constraints stay. */
async function withoutIndexes(client: pg.Client, insert: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    SELECT indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid AND NOT relispartition
    WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  await insert();
  for (const { definition } of rows) await client.query(definition);
}

/** Counts as the writer keeps them: this version's, or those of an older one, of whole lists alone. */
async function countRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'row_counts'`,
  );
  if (rows.some(({ name }) => name === 'key')) await mendCounts(client);
  else if (rows.length > 0) await client.query(COUNT_AS_BEFORE);
}

const hash = (text: string) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
const idOf = (kind: string, number: string) => hash(`'${kind} ' || ${number}`);
const timeAt = (height: string) => `(${START_TIME} + ${height} * 1000000000::bigint)`;
const ACTIVE = marketStates.numbers.STATE_ACTIVE;
const CONTINUOUS = marketTradingModes.numbers.TRADING_MODE_CONTINUOUS;
const NO_AUCTION = auctionTriggers.numbers.AUCTION_TRIGGER_UNSPECIFIED;
const first = (index: number) => EVENTS_PER_BLOCK + index;

function statements(sizes: TableSizes): readonly string[] {
  const { blocks, parties, accounts, deposits, rewards, markets, assets } = sizes;
  /** The rows of a table by number, with the height and the position of each. */
  const dealt = (kind: keyof typeof FIRST_INDEX & keyof TableSizes, count: number) => {
    const perBlock = rowsPerBlock(count, sizes);
    return `(SELECT n, height, height * ${EVENTS_PER_BLOCK}::bigint + ${FIRST_INDEX[kind]} + n % ${perBlock} AS position
      FROM (SELECT n, 2 + n / ${perBlock} AS height FROM generate_series(0::bigint, ${count - 1}) AS n) AS dealt) AS r`;
  };
  const lastHeight = blocks + 1;
  return [
    `INSERT INTO networks (chain_id, history_from, past_from) VALUES ('${CHAIN}', ${lastHeight} * ${EVENTS_PER_BLOCK}::bigint, ${lastHeight} * ${EVENTS_PER_BLOCK}::bigint)`,
    `INSERT INTO blocks (height, hash, timestamp, last_position)
     SELECT height, upper(${hash("'block ' || height")}), ${timeAt('height')}, height * ${EVENTS_PER_BLOCK}::bigint + ${FIRST_INDEX.end}
     FROM generate_series(1::bigint, ${lastHeight}) AS height`,
    `INSERT INTO assets (id, created_position, updated_position, name, symbol, decimals, quantum, status, max_faucet_amount)
     SELECT ${idOf('asset', 'n')}, ${first(1)} + n, ${first(1)} + n, 'Asset ' || n, 'A' || n, 5, '1', ${assetStatuses.numbers.STATUS_ENABLED}, '1000000'
     FROM generate_series(0, ${assets - 1}) AS n`,
    `INSERT INTO markets (id, created_position, updated_position, instrument_id, instrument_code, instrument_name, tags,
       settlement_asset_id, quote_name, decimal_places, position_decimal_places, maker_fee, infrastructure_fee, liquidity_fee,
       search_level, initial_margin, collateral_release, linear_slippage_factor, quadratic_slippage_factor, lp_price_range,
       state, trading_mode, proposed_timestamp, pending_timestamp, open_timestamp, close_timestamp, product,
       enable_transaction_reordering, allowed_empty_amm_levels)
     SELECT ${idOf('market', 'n')}, ${first(1_001)} + n, ${first(1_001)} + n, '', 'M' || n, 'Market ' || n, '{base:BTC,quote:USD}',
       ${idOf('asset', `n % ${assets}`)}, 'USD', 2, 3, '0.0002', '0.0005', '0.001', '1.1', '1.5', '1.7', '0.001', '0', '0.95',
       ${ACTIVE}, ${CONTINUOUS}, ${START_TIME}, ${START_TIME}, ${START_TIME}, 0, 'FUTURE', false, '0'
     FROM generate_series(0, ${markets - 1}) AS n`,
    `INSERT INTO risk_factors (market_id, created_position, updated_position, short, long)
     SELECT ${idOf('market', 'n')}, ${first(2_001)} + n, ${first(2_001)} + n, '0.0552', '0.0537' FROM generate_series(0, ${markets - 1}) AS n`,
    `INSERT INTO market_data (market_id, created_position, updated_position, mark_price, last_traded_price, mid_price,
       static_mid_price, best_bid_price, best_bid_volume, best_offer_price, best_offer_volume, best_static_bid_price,
       best_static_bid_volume, best_static_offer_price, best_static_offer_volume, indicative_price, indicative_volume,
       open_interest, market_value_proxy, supplied_stake, target_stake, next_mark_to_market, auction_start, auction_end,
       timestamp, market_state, market_trading_mode, trigger, extension_trigger, price_monitoring_bounds,
       liquidity_provider_fee_share)
     SELECT ${idOf('market', 'n')}, ${first(3_001)} + n, ${first(3_001)} + n, '2315000', '2315000', '2315000', '2315000', '2314900',
       '120', '2315100', '85', '2314800', '130', '2315200', '95', '0', '0', '18200', '120000000', '5000000', '3000000', 0, 0, 0,
       ${START_TIME}, ${ACTIVE}, ${CONTINUOUS}, ${NO_AUCTION}, ${NO_AUCTION},
       jsonb_build_array(jsonb_build_object('minValidPrice', '2200000', 'maxValidPrice', '2400000', 'referencePrice', '2310000',
         'trigger', jsonb_build_object('horizon', '3600', 'probability', '0.95', 'auctionExtension', '300'))),
       jsonb_build_array(jsonb_build_object('party', ${idOf('party', 'n')}, 'equityLikeShare', '1',
         'averageEntryValuation', '5000000', 'averageScore', '1'))
     FROM generate_series(0, ${markets - 1}) AS n`,
    `INSERT INTO changes (position, noun, row_position, row)
     SELECT updated_position, 'market_data', created_position, to_jsonb(d) FROM market_data AS d`,
    `INSERT INTO parties (id, created_position)
     SELECT ${idOf('party', 'n')}, ${first(4_001)} + n FROM generate_series(0, ${parties - 1}) AS n`,
    // An account's number says whose it is, then of which asset, then of which market.
    `INSERT INTO accounts (created_position, updated_position, owner, asset_id, market_id, type, balance)
     SELECT position, position, ${idOf('party', `n % ${parties}`)}, ${idOf('asset', `n / ${parties} % ${assets}`)},
       CASE WHEN n < ${parties * assets} THEN '' ELSE ${idOf('market', `(n / ${parties * assets} - 1)`)} END,
       CASE WHEN n < ${parties * assets} THEN ${accountTypes.numbers.ACCOUNT_TYPE_GENERAL} ELSE ${accountTypes.numbers.ACCOUNT_TYPE_MARGIN} END,
       (1000000 + n * 37)::text
     FROM ${dealt('accounts', accounts)}`,
    `INSERT INTO balance_changes (position, account_position, balance)
     SELECT updated_position, created_position, balance FROM accounts`,
    `INSERT INTO deposits (id, created_position, updated_position, updated_timestamp, party_id, asset_id, amount, status, tx_hash,
       created_timestamp, credited_timestamp)
     SELECT ${idOf('deposit', 'n')}, position, position, ${timeAt('height')}, ${idOf('party', `n * 7919 % ${parties}`)},
       ${idOf('asset', `n % ${assets}`)}, (1000000000 + n * 7)::text, ${depositStatuses.numbers.STATUS_FINALIZED}, '0x' || ${hash("'transaction ' || n")},
       ${timeAt('height')}, ${timeAt('height')}
     FROM ${dealt('deposits', deposits)}`,
    rewardsOf(sizes, dealt('rewards', rewards)),
    REWARD_EPOCHS,
  ];
}

/** An epoch lasts ten blocks. */
function rewardsOf({ parties, markets, assets }: TableSizes, dealt: string): string {
  return `INSERT INTO rewards (created_position, party_id, asset_id, market_id, epoch, amount, percentage_of_total, received_at,
      reward_type)
    SELECT position, ${idOf('party', `n * 7919 % ${parties}`)}, ${idOf('asset', `n % ${assets}`)},
      CASE WHEN n % 2 = 0 THEN '' ELSE ${idOf('market', `n % ${markets}`)} END, height / 10, (1000 + n % 1000)::text, '0.5',
      ${timeAt('height')}, 'ACCOUNT_TYPE_GLOBAL_REWARD'
    FROM ${dealt}`;
}

const REWARD_EPOCHS = `INSERT INTO reward_epochs (epoch, first_position, last_position)
  SELECT epoch, min(created_position), max(created_position) FROM rewards GROUP BY epoch`;

const COUNT_AS_BEFORE = Object.values(nouns)
  .map(
    ({ name, table }) =>
      `INSERT INTO row_counts (noun, rows) SELECT '${name}', count(*) FROM ${table.name.text}`,
  )
  .join(';\n');
