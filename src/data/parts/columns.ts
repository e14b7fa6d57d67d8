import type { ClientBase } from 'pg';

/** A column of a table as files have it: exactly, and beside that in a type to compute with. */
export interface PartColumn {
  readonly name: string;
  /** As PostgreSQL calls it. */
  readonly type: string;
  /** How its exact value is kept: what is neither a whole number nor a truth is text. */
  readonly form: 'bigint' | 'integer' | 'boolean' | 'text';
  readonly isRequired: boolean;
  /** Nanoseconds as a timestamp, under this name; null where they are none. */
  readonly time: string | null;
  /** A number as a decimal; null where it is none. */
  readonly decimal: { readonly name: string; readonly scale: number } | null;
}

const FORMS: Readonly<Record<string, PartColumn['form']>> = {
  bigint: 'bigint',
  integer: 'integer',
  boolean: 'boolean',
};

/** Reads the columns of a table, in their order. */
export async function readColumns(client: ClientBase, table: string): Promise<readonly PartColumn[]> {
  const { rows } = await client.query<{ name: string; type: string; required: boolean }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attnotnull AS required FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [`"${table}"`],
  );
  return rows.map(({ name, type, required }) => ({
    ...{ name, type, form: FORMS[type] ?? 'text', isRequired: required },
    time: type === 'bigint' && TIMES.has(name) ? nameTime(name) : null,
    decimal: decimalOf(table, name),
  }));
}

/** Columns of nanoseconds; the views for readers of SQL have the same ones as times. */
const TIMES: ReadonlySet<string> = new Set([
  ...['timestamp', 'updated_timestamp', 'created_timestamp', 'credited_timestamp', 'received_at'],
  ...['start_timestamp', 'expiry_timestamp', 'end_timestamp', 'proposed_timestamp', 'pending_timestamp'],
  ...['open_timestamp', 'close_timestamp', 'next_mark_to_market', 'auction_start', 'auction_end'],
  'next_network_closeout',
]);

/** As those views call them: `created_time`, `time`, `auction_start_time`. */
function nameTime(name: string): string {
  const shorter = name.replace(/(^|_)(timestamp|at)$/, '$1time');
  return shorter === name ? `${name}_time` : shorter;
}

/** So many digits a decimal has behind its point where it has any: the network computes with as many or fewer. */
const FRACTION_SCALE = 18;
/** As many digits as a decimal of 16 bytes has for certain. */
export const DECIMAL_PRECISION = 38;

/** Numbers that are kept as text, by table: whole ones, and those with a fraction. */
const NUMBERS: Readonly<
  Record<string, { readonly whole?: readonly string[]; readonly fraction?: readonly string[] }>
> = {
  accounts: { whole: ['balance'] },
  assets: { whole: ['max_faucet_amount', 'lifetime_limit', 'withdraw_threshold'], fraction: ['quantum'] },
  deposits: { whole: ['amount'] },
  fee_discounts: { fraction: ['maker', 'infrastructure', 'liquidity'] },
  margin_levels: {
    whole: [
      'maintenance_margin',
      'search_level',
      'initial_margin',
      'collateral_release_level',
      'order_margin',
    ],
    fraction: ['margin_factor'],
  },
  market_data: {
    whole: [
      ...[
        'mark_price',
        'last_traded_price',
        'mid_price',
        'static_mid_price',
        'best_bid_price',
        'best_bid_volume',
      ],
      ...['best_offer_price', 'best_offer_volume', 'best_static_bid_price', 'best_static_bid_volume'],
      ...['best_static_offer_price', 'best_static_offer_volume', 'indicative_price', 'indicative_volume'],
      ...['open_interest', 'supplied_stake', 'target_stake'],
    ],
    fraction: ['market_value_proxy', 'market_growth'],
  },
  markets: {
    whole: ['tick_size', 'allowed_empty_amm_levels'],
    fraction: [
      ...['maker_fee', 'infrastructure_fee', 'liquidity_fee', 'treasury_fee', 'buy_back_fee', 'search_level'],
      ...['initial_margin', 'collateral_release', 'linear_slippage_factor', 'quadratic_slippage_factor'],
      ...['lp_price_range', 'insurance_pool_fraction'],
    ],
  },
  proposals: {
    fraction: [
      ...['required_participation', 'required_majority', 'required_liquidity_provider_participation'],
      'required_liquidity_provider_majority',
    ],
  },
  rewards: { whole: ['amount'], fraction: ['percentage_of_total', 'quantum_amount'] },
  risk_factors: { fraction: ['short', 'long'] },
  trades: { whole: ['price', 'size', 'buyer_auction_batch', 'seller_auction_batch', 'asset_price'] },
  votes: {
    whole: ['total_governance_token_balance'],
    fraction: ['total_governance_token_weight', 'total_equity_like_share_weight'],
  },
};

function decimalOf(table: string, column: string): PartColumn['decimal'] {
  const { whole = [], fraction = [] } = NUMBERS[table] ?? {};
  const name = `${column}_decimal`;
  if (whole.includes(column)) return { name, scale: 0 };
  return fraction.includes(column) ? { name, scale: FRACTION_SCALE } : null;
}
