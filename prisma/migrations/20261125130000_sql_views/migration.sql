-- What readers of SQL are promised: docs/sql.md. A migration that drops or changes a column of a view drops the view first,
-- and makes it again with the same columns. What is added goes to the end, and what cannot be kept is another version.

-- The names of the numbers of enumerations, and the prefix of those without one. A test holds them to src/domain/enumerations.ts.
CREATE FUNCTION api_v1_names() RETURNS JSONB
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT '{
  "AccountType": {
    "0":"ACCOUNT_TYPE_UNSPECIFIED", "1":"ACCOUNT_TYPE_INSURANCE", "2":"ACCOUNT_TYPE_SETTLEMENT",
    "3":"ACCOUNT_TYPE_MARGIN", "4":"ACCOUNT_TYPE_GENERAL", "5":"ACCOUNT_TYPE_FEES_INFRASTRUCTURE",
    "6":"ACCOUNT_TYPE_FEES_LIQUIDITY", "7":"ACCOUNT_TYPE_FEES_MAKER", "9":"ACCOUNT_TYPE_BOND",
    "10":"ACCOUNT_TYPE_EXTERNAL", "11":"ACCOUNT_TYPE_GLOBAL_INSURANCE", "12":"ACCOUNT_TYPE_GLOBAL_REWARD",
    "13":"ACCOUNT_TYPE_PENDING_TRANSFERS", "14":"ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES",
    "15":"ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES", "16":"ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES",
    "17":"ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS", "18":"ACCOUNT_TYPE_HOLDING", "19":"ACCOUNT_TYPE_LP_LIQUIDITY_FEES",
    "20":"ACCOUNT_TYPE_LIQUIDITY_FEES_BONUS_DISTRIBUTION", "21":"ACCOUNT_TYPE_NETWORK_TREASURY",
    "22":"ACCOUNT_TYPE_VESTING_REWARDS", "23":"ACCOUNT_TYPE_VESTED_REWARDS",
    "24":"ACCOUNT_TYPE_REWARD_AVERAGE_POSITION", "25":"ACCOUNT_TYPE_REWARD_RELATIVE_RETURN",
    "26":"ACCOUNT_TYPE_REWARD_RETURN_VOLATILITY", "27":"ACCOUNT_TYPE_REWARD_VALIDATOR_RANKING",
    "28":"ACCOUNT_TYPE_PENDING_FEE_REFERRAL_REWARD", "29":"ACCOUNT_TYPE_ORDER_MARGIN",
    "30":"ACCOUNT_TYPE_REWARD_REALISED_RETURN", "31":"ACCOUNT_TYPE_BUY_BACK_FEES",
    "32":"ACCOUNT_TYPE_REWARD_AVERAGE_NOTIONAL", "33":"ACCOUNT_TYPE_REWARD_ELIGIBLE_ENTITIES",
    "34":"ACCOUNT_TYPE_LOCKED_FOR_STAKING", "":"ACCOUNT_TYPE_"
  },
  "AssetStatus": {
    "0":"STATUS_UNSPECIFIED", "1":"STATUS_PROPOSED", "2":"STATUS_REJECTED", "3":"STATUS_PENDING_LISTING",
    "4":"STATUS_ENABLED", "":"STATUS_"
  },
  "AuctionTrigger": {
    "0":"AUCTION_TRIGGER_UNSPECIFIED", "1":"AUCTION_TRIGGER_BATCH", "2":"AUCTION_TRIGGER_OPENING",
    "3":"AUCTION_TRIGGER_PRICE", "4":"AUCTION_TRIGGER_LIQUIDITY", "5":"AUCTION_TRIGGER_LIQUIDITY_TARGET_NOT_MET",
    "6":"AUCTION_TRIGGER_UNABLE_TO_DEPLOY_LP_ORDERS", "7":"AUCTION_TRIGGER_GOVERNANCE_SUSPENSION",
    "8":"AUCTION_TRIGGER_LONG_BLOCK", "9":"AUCTION_TRIGGER_PROTOCOL_AUTOMATED_PURCHASE", "":"AUCTION_TRIGGER_"
  },
  "CompositePriceType": {
    "0":"COMPOSITE_PRICE_TYPE_UNSPECIFIED", "1":"COMPOSITE_PRICE_TYPE_WEIGHTED", "2":"COMPOSITE_PRICE_TYPE_MEDIAN",
    "3":"COMPOSITE_PRICE_TYPE_LAST_TRADE", "":"COMPOSITE_PRICE_TYPE_"
  },
  "DepositStatus": {
    "0":"STATUS_UNSPECIFIED", "1":"STATUS_OPEN", "2":"STATUS_CANCELLED", "3":"STATUS_FINALIZED",
    "4":"STATUS_DUPLICATE_REJECTED", "":"STATUS_"
  },
  "MarginMode": {
    "0":"MARGIN_MODE_UNSPECIFIED", "1":"MARGIN_MODE_CROSS_MARGIN", "2":"MARGIN_MODE_ISOLATED_MARGIN",
    "":"MARGIN_MODE_"
  },
  "MarketState": {
    "0":"STATE_UNSPECIFIED", "1":"STATE_PROPOSED", "2":"STATE_REJECTED", "3":"STATE_PENDING", "4":"STATE_CANCELLED",
    "5":"STATE_ACTIVE", "6":"STATE_SUSPENDED", "7":"STATE_CLOSED", "8":"STATE_TRADING_TERMINATED",
    "9":"STATE_SETTLED", "10":"STATE_SUSPENDED_VIA_GOVERNANCE", "":"STATE_"
  },
  "MarketTradingMode": {
    "0":"TRADING_MODE_UNSPECIFIED", "1":"TRADING_MODE_CONTINUOUS", "2":"TRADING_MODE_BATCH_AUCTION",
    "3":"TRADING_MODE_OPENING_AUCTION", "4":"TRADING_MODE_MONITORING_AUCTION", "5":"TRADING_MODE_NO_TRADING",
    "6":"TRADING_MODE_SUSPENDED_VIA_GOVERNANCE", "7":"TRADING_MODE_LONG_BLOCK_AUCTION",
    "8":"TRADING_MODE_PROTOCOL_AUTOMATED_PURCHASE_AUCTION", "":"TRADING_MODE_"
  },
  "ProposalError": {
    "0":"PROPOSAL_ERROR_UNSPECIFIED", "1":"PROPOSAL_ERROR_CLOSE_TIME_TOO_SOON",
    "2":"PROPOSAL_ERROR_CLOSE_TIME_TOO_LATE", "3":"PROPOSAL_ERROR_ENACT_TIME_TOO_SOON",
    "4":"PROPOSAL_ERROR_ENACT_TIME_TOO_LATE", "5":"PROPOSAL_ERROR_INSUFFICIENT_TOKENS",
    "6":"PROPOSAL_ERROR_INVALID_INSTRUMENT_SECURITY", "7":"PROPOSAL_ERROR_NO_PRODUCT",
    "8":"PROPOSAL_ERROR_UNSUPPORTED_PRODUCT", "11":"PROPOSAL_ERROR_NO_TRADING_MODE",
    "12":"PROPOSAL_ERROR_UNSUPPORTED_TRADING_MODE", "13":"PROPOSAL_ERROR_NODE_VALIDATION_FAILED",
    "14":"PROPOSAL_ERROR_MISSING_BUILTIN_ASSET_FIELD", "15":"PROPOSAL_ERROR_MISSING_ERC20_CONTRACT_ADDRESS",
    "16":"PROPOSAL_ERROR_INVALID_ASSET", "17":"PROPOSAL_ERROR_INCOMPATIBLE_TIMESTAMPS",
    "18":"PROPOSAL_ERROR_NO_RISK_PARAMETERS", "19":"PROPOSAL_ERROR_NETWORK_PARAMETER_INVALID_KEY",
    "20":"PROPOSAL_ERROR_NETWORK_PARAMETER_INVALID_VALUE", "21":"PROPOSAL_ERROR_NETWORK_PARAMETER_VALIDATION_FAILED",
    "22":"PROPOSAL_ERROR_OPENING_AUCTION_DURATION_TOO_SMALL",
    "23":"PROPOSAL_ERROR_OPENING_AUCTION_DURATION_TOO_LARGE", "25":"PROPOSAL_ERROR_COULD_NOT_INSTANTIATE_MARKET",
    "26":"PROPOSAL_ERROR_INVALID_FUTURE_PRODUCT", "30":"PROPOSAL_ERROR_INVALID_RISK_PARAMETER",
    "31":"PROPOSAL_ERROR_MAJORITY_THRESHOLD_NOT_REACHED", "32":"PROPOSAL_ERROR_PARTICIPATION_THRESHOLD_NOT_REACHED",
    "33":"PROPOSAL_ERROR_INVALID_ASSET_DETAILS", "34":"PROPOSAL_ERROR_UNKNOWN_TYPE",
    "35":"PROPOSAL_ERROR_UNKNOWN_RISK_PARAMETER_TYPE", "36":"PROPOSAL_ERROR_INVALID_FREEFORM",
    "37":"PROPOSAL_ERROR_INSUFFICIENT_EQUITY_LIKE_SHARE", "38":"PROPOSAL_ERROR_INVALID_MARKET",
    "39":"PROPOSAL_ERROR_TOO_MANY_MARKET_DECIMAL_PLACES", "40":"PROPOSAL_ERROR_TOO_MANY_PRICE_MONITORING_TRIGGERS",
    "41":"PROPOSAL_ERROR_ERC20_ADDRESS_ALREADY_IN_USE", "42":"PROPOSAL_ERROR_LP_PRICE_RANGE_NONPOSITIVE",
    "43":"PROPOSAL_ERROR_LP_PRICE_RANGE_TOO_LARGE", "44":"PROPOSAL_ERROR_LINEAR_SLIPPAGE_FACTOR_OUT_OF_RANGE",
    "45":"PROPOSAL_ERROR_QUADRATIC_SLIPPAGE_FACTOR_OUT_OF_RANGE", "46":"PROPOSAL_ERROR_INVALID_SPOT",
    "47":"PROPOSAL_ERROR_SPOT_PRODUCT_DISABLED", "48":"PROPOSAL_ERROR_INVALID_SUCCESSOR_MARKET",
    "49":"PROPOSAL_ERROR_GOVERNANCE_TRANSFER_PROPOSAL_FAILED",
    "50":"PROPOSAL_ERROR_GOVERNANCE_TRANSFER_PROPOSAL_INVALID",
    "51":"PROPOSAL_ERROR_GOVERNANCE_CANCEL_TRANSFER_PROPOSAL_INVALID",
    "52":"PROPOSAL_ERROR_INVALID_MARKET_STATE_UPDATE", "53":"PROPOSAL_ERROR_INVALID_SLA_PARAMS",
    "54":"PROPOSAL_ERROR_MISSING_SLA_PARAMS", "55":"PROPOSAL_ERROR_INVALID_PERPETUAL_PRODUCT",
    "56":"PROPOSAL_ERROR_INVALID_REFERRAL_PROGRAM", "57":"PROPOSAL_ERROR_INVALID_VOLUME_DISCOUNT_PROGRAM",
    "58":"PROPOSAL_ERROR_PROPOSAL_IN_BATCH_REJECTED", "59":"PROPOSAL_ERROR_PROPOSAL_IN_BATCH_DECLINED",
    "60":"PROPOSAL_ERROR_INVALID_SIZE_DECIMAL_PLACES", "61":"PROPOSAL_ERROR_INVALID_VOLUME_REBATE_PROGRAM",
    "62":"PROPOSAL_ERROR_INVALID_PROTOCOL_AUTOMATED_PURCHASE", "":"PROPOSAL_ERROR_"
  },
  "ProposalState": {
    "0":"STATE_UNSPECIFIED", "1":"STATE_FAILED", "2":"STATE_OPEN", "3":"STATE_PASSED", "4":"STATE_REJECTED",
    "5":"STATE_DECLINED", "6":"STATE_ENACTED", "7":"STATE_WAITING_FOR_NODE_VOTE", "":"STATE_"
  },
  "TradeSide": {
    "0":"SIDE_UNSPECIFIED", "1":"SIDE_BUY", "2":"SIDE_SELL", "":"SIDE_"
  },
  "TradeType": {
    "0":"TYPE_UNSPECIFIED", "1":"TYPE_DEFAULT", "2":"TYPE_NETWORK_CLOSE_OUT_GOOD", "3":"TYPE_NETWORK_CLOSE_OUT_BAD",
    "":"TYPE_"
  },
  "VoteValue": {
    "0":"VALUE_UNSPECIFIED", "1":"VALUE_NO", "2":"VALUE_YES", "":"VALUE_"
  }
}'::jsonb
$$;

CREATE FUNCTION api_v1_name(enumeration TEXT, number INTEGER) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT coalesce(
  api_v1_names() -> enumeration ->> number::text,
  (api_v1_names() -> enumeration ->> '') || number::text
)
$$;

-- The time of so many nanoseconds since 1970, without what is left of a microsecond, and null for none.
CREATE FUNCTION api_v1_time(nanoseconds BIGINT) RETURNS TIMESTAMPTZ
LANGUAGE sql STABLE PARALLEL SAFE AS $$
SELECT 'epoch'::timestamptz + nullif(nanoseconds, 0) / 1000 * interval '1 microsecond'
$$;

-- A number of smallest units in whole ones, exactly.
CREATE FUNCTION api_v1_in_units(amount TEXT, decimals INTEGER) RETURNS NUMERIC
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT trim_scale(nullif(amount, '')::numeric * ('1e-' || decimals::text)::numeric)
$$;

CREATE VIEW api_v1_accounts AS
SELECT
  t.created_position, t.updated_position, t.owner, t.asset_id, t.market_id, api_v1_name('AccountType', t.type) AS type,
  nullif(t.balance, '')::numeric AS balance, api_v1_in_units(t.balance, asset.decimals) AS balance_in_units
FROM accounts AS t LEFT JOIN assets AS asset ON asset.id = t.asset_id;

CREATE VIEW api_v1_assets AS
SELECT
  t.id, t.created_position, t.updated_position, t.name, t.symbol, t.decimals,
  nullif(t.quantum, '')::numeric AS quantum, api_v1_name('AssetStatus', t.status) AS status,
  nullif(t.max_faucet_amount, '')::numeric AS max_faucet_amount, t.contract_address,
  nullif(t.lifetime_limit, '')::numeric AS lifetime_limit,
  nullif(t.withdraw_threshold, '')::numeric AS withdraw_threshold, t.chain_id
FROM assets AS t;

CREATE VIEW api_v1_blocks AS
SELECT
  t.height, t.hash, t.timestamp, api_v1_time(t.timestamp) AS time, t.last_position
FROM blocks AS t;

CREATE VIEW api_v1_deposits AS
SELECT
  t.id, t.created_position, t.updated_position, t.updated_timestamp, api_v1_time(t.updated_timestamp) AS updated_time,
  t.party_id, t.asset_id, nullif(t.amount, '')::numeric AS amount,
  api_v1_in_units(t.amount, asset.decimals) AS amount_in_units, api_v1_name('DepositStatus', t.status) AS status,
  t.tx_hash, t.created_timestamp, api_v1_time(t.created_timestamp) AS created_time, t.credited_timestamp,
  api_v1_time(t.credited_timestamp) AS credited_time
FROM deposits AS t LEFT JOIN assets AS asset ON asset.id = t.asset_id;

CREATE VIEW api_v1_epochs AS
SELECT
  t.seq, t.updated_position, t.start_timestamp, api_v1_time(t.start_timestamp) AS start_time, t.expiry_timestamp,
  api_v1_time(t.expiry_timestamp) AS expiry_time, t.end_timestamp, api_v1_time(t.end_timestamp) AS end_time,
  t.created_position
FROM epochs AS t;

CREATE VIEW api_v1_fee_discounts AS
SELECT
  t.party_id, t.kind, t.epoch, t.updated_position, nullif(t.maker, '')::numeric AS maker,
  nullif(t.infrastructure, '')::numeric AS infrastructure, nullif(t.liquidity, '')::numeric AS liquidity
FROM fee_discounts AS t;

CREATE VIEW api_v1_margin_levels AS
SELECT
  t.created_position, t.updated_position, t.party_id, t.market_id, t.asset_id,
  nullif(t.maintenance_margin, '')::numeric AS maintenance_margin,
  api_v1_in_units(t.maintenance_margin, asset.decimals) AS maintenance_margin_in_units,
  nullif(t.search_level, '')::numeric AS search_level,
  api_v1_in_units(t.search_level, asset.decimals) AS search_level_in_units,
  nullif(t.initial_margin, '')::numeric AS initial_margin,
  api_v1_in_units(t.initial_margin, asset.decimals) AS initial_margin_in_units,
  nullif(t.collateral_release_level, '')::numeric AS collateral_release_level,
  api_v1_in_units(t.collateral_release_level, asset.decimals) AS collateral_release_level_in_units, t.timestamp,
  api_v1_time(t.timestamp) AS time, nullif(t.order_margin, '')::numeric AS order_margin,
  api_v1_in_units(t.order_margin, asset.decimals) AS order_margin_in_units,
  api_v1_name('MarginMode', t.margin_mode) AS margin_mode, nullif(t.margin_factor, '')::numeric AS margin_factor
FROM margin_levels AS t LEFT JOIN assets AS asset ON asset.id = t.asset_id;

CREATE VIEW api_v1_market_data AS
SELECT
  t.market_id, t.created_position, t.updated_position, nullif(t.mark_price, '')::numeric AS mark_price,
  api_v1_in_units(t.mark_price, market.decimal_places) AS mark_price_in_units,
  nullif(t.last_traded_price, '')::numeric AS last_traded_price,
  api_v1_in_units(t.last_traded_price, market.decimal_places) AS last_traded_price_in_units,
  nullif(t.mid_price, '')::numeric AS mid_price,
  api_v1_in_units(t.mid_price, market.decimal_places) AS mid_price_in_units,
  nullif(t.static_mid_price, '')::numeric AS static_mid_price,
  api_v1_in_units(t.static_mid_price, market.decimal_places) AS static_mid_price_in_units,
  nullif(t.best_bid_price, '')::numeric AS best_bid_price,
  api_v1_in_units(t.best_bid_price, market.decimal_places) AS best_bid_price_in_units,
  nullif(t.best_bid_volume, '')::numeric AS best_bid_volume,
  api_v1_in_units(t.best_bid_volume, market.position_decimal_places) AS best_bid_volume_in_units,
  nullif(t.best_offer_price, '')::numeric AS best_offer_price,
  api_v1_in_units(t.best_offer_price, market.decimal_places) AS best_offer_price_in_units,
  nullif(t.best_offer_volume, '')::numeric AS best_offer_volume,
  api_v1_in_units(t.best_offer_volume, market.position_decimal_places) AS best_offer_volume_in_units,
  nullif(t.best_static_bid_price, '')::numeric AS best_static_bid_price,
  api_v1_in_units(t.best_static_bid_price, market.decimal_places) AS best_static_bid_price_in_units,
  nullif(t.best_static_bid_volume, '')::numeric AS best_static_bid_volume,
  api_v1_in_units(t.best_static_bid_volume, market.position_decimal_places) AS best_static_bid_volume_in_units,
  nullif(t.best_static_offer_price, '')::numeric AS best_static_offer_price,
  api_v1_in_units(t.best_static_offer_price, market.decimal_places) AS best_static_offer_price_in_units,
  nullif(t.best_static_offer_volume, '')::numeric AS best_static_offer_volume,
  api_v1_in_units(t.best_static_offer_volume, market.position_decimal_places) AS best_static_offer_volume_in_units,
  nullif(t.indicative_price, '')::numeric AS indicative_price,
  api_v1_in_units(t.indicative_price, market.decimal_places) AS indicative_price_in_units,
  nullif(t.indicative_volume, '')::numeric AS indicative_volume,
  api_v1_in_units(t.indicative_volume, market.position_decimal_places) AS indicative_volume_in_units,
  nullif(t.open_interest, '')::numeric AS open_interest,
  api_v1_in_units(t.open_interest, market.position_decimal_places) AS open_interest_in_units,
  nullif(t.market_value_proxy, '')::numeric AS market_value_proxy,
  nullif(t.supplied_stake, '')::numeric AS supplied_stake, nullif(t.target_stake, '')::numeric AS target_stake,
  t.next_mark_to_market, api_v1_time(t.next_mark_to_market) AS next_mark_to_market_time, t.auction_start,
  api_v1_time(t.auction_start) AS auction_start_time, t.auction_end, api_v1_time(t.auction_end) AS auction_end_time,
  t.timestamp, api_v1_time(t.timestamp) AS time, api_v1_name('MarketState', t.market_state) AS market_state,
  api_v1_name('MarketTradingMode', t.market_trading_mode) AS market_trading_mode,
  api_v1_name('AuctionTrigger', t.trigger) AS trigger,
  api_v1_name('AuctionTrigger', t.extension_trigger) AS extension_trigger, t.price_monitoring_bounds,
  t.liquidity_provider_fee_share, nullif(t.market_growth, '')::numeric AS market_growth, t.product_data,
  t.liquidity_provider_sla, t.next_network_closeout,
  api_v1_time(t.next_network_closeout) AS next_network_closeout_time,
  api_v1_name('CompositePriceType', t.mark_price_type) AS mark_price_type, t.mark_price_state,
  t.active_protocol_automated_purchase
FROM market_data AS t LEFT JOIN markets AS market ON market.id = t.market_id;

CREATE VIEW api_v1_markets AS
SELECT
  t.id, t.created_position, t.updated_position, t.instrument_id, t.instrument_code, t.instrument_name, t.tags,
  t.settlement_asset_id, t.quote_name, t.decimal_places, t.position_decimal_places,
  nullif(t.maker_fee, '')::numeric AS maker_fee, nullif(t.infrastructure_fee, '')::numeric AS infrastructure_fee,
  nullif(t.liquidity_fee, '')::numeric AS liquidity_fee, nullif(t.search_level, '')::numeric AS search_level,
  nullif(t.initial_margin, '')::numeric AS initial_margin,
  nullif(t.collateral_release, '')::numeric AS collateral_release,
  nullif(t.linear_slippage_factor, '')::numeric AS linear_slippage_factor,
  nullif(t.quadratic_slippage_factor, '')::numeric AS quadratic_slippage_factor,
  nullif(t.lp_price_range, '')::numeric AS lp_price_range, api_v1_name('MarketState', t.state) AS state,
  api_v1_name('MarketTradingMode', t.trading_mode) AS trading_mode, t.proposed_timestamp,
  api_v1_time(t.proposed_timestamp) AS proposed_time, t.pending_timestamp,
  api_v1_time(t.pending_timestamp) AS pending_time, t.open_timestamp, api_v1_time(t.open_timestamp) AS open_time,
  t.close_timestamp, api_v1_time(t.close_timestamp) AS close_time, t.product, t.base_asset_id, t.quote_asset_id, t.cap,
  t.funding, t.internal_composite_price, nullif(t.tick_size, '')::numeric AS tick_size,
  nullif(t.treasury_fee, '')::numeric AS treasury_fee, nullif(t.buy_back_fee, '')::numeric AS buy_back_fee,
  t.liquidity_fee_settings, t.fully_collateralised, t.risk_factor_override, t.liquidity_sla, t.liquidation_strategy,
  t.mark_price_configuration, t.enable_transaction_reordering,
  nullif(t.allowed_empty_amm_levels, '')::numeric AS allowed_empty_amm_levels, t.allowed_sellers, t.parent_market_id,
  nullif(t.insurance_pool_fraction, '')::numeric AS insurance_pool_fraction, t.opening_auction,
  t.price_monitoring_triggers, t.liquidity_monitoring, t.log_normal_risk_model, t.simple_risk_model
FROM markets AS t;

CREATE VIEW api_v1_parties AS
SELECT
  t.id, t.created_position
FROM parties AS t;

CREATE VIEW api_v1_party_profiles AS
SELECT
  t.party_id, t.updated_position, t.alias, t.metadata, t.created_position
FROM party_profiles AS t;

CREATE VIEW api_v1_proposals AS
SELECT
  t.id, t.created_position, t.updated_position, t.reference, t.party_id,
  api_v1_name('ProposalState', t.state) AS state, t.timestamp, api_v1_time(t.timestamp) AS time,
  api_v1_name('ProposalError', t.reason) AS reason, t.error_details,
  nullif(t.required_participation, '')::numeric AS required_participation,
  nullif(t.required_majority, '')::numeric AS required_majority,
  nullif(t.required_liquidity_provider_participation, '')::numeric AS required_liquidity_provider_participation,
  nullif(t.required_liquidity_provider_majority, '')::numeric AS required_liquidity_provider_majority, t.terms,
  t.batch_terms, t.batch_id
FROM proposals AS t;

CREATE VIEW api_v1_rewards AS
SELECT
  t.created_position, t.party_id, t.asset_id, t.market_id, t.epoch, nullif(t.amount, '')::numeric AS amount,
  api_v1_in_units(t.amount, asset.decimals) AS amount_in_units,
  nullif(t.percentage_of_total, '')::numeric AS percentage_of_total, t.received_at,
  api_v1_time(t.received_at) AS received_time, t.reward_type, t.locked_until_epoch,
  nullif(t.quantum_amount, '')::numeric AS quantum_amount, t.game_id
FROM rewards AS t LEFT JOIN assets AS asset ON asset.id = t.asset_id;

CREATE VIEW api_v1_risk_factors AS
SELECT
  t.market_id, t.updated_position, nullif(t.short, '')::numeric AS short, nullif(t.long, '')::numeric AS long,
  t.created_position
FROM risk_factors AS t;

CREATE VIEW api_v1_trades AS
SELECT
  t.created_position, t.updated_timestamp, api_v1_time(t.updated_timestamp) AS updated_time,
  api_v1_name('TradeSide', t.aggressor) AS aggressor, api_v1_name('TradeType', t.type) AS type, t.id, t.market_id,
  nullif(t.price, '')::numeric AS price, api_v1_in_units(t.price, market.decimal_places) AS price_in_units,
  nullif(t.size, '')::numeric AS size, api_v1_in_units(t.size, market.position_decimal_places) AS size_in_units,
  t.buyer, t.seller, t.buy_order, t.sell_order, t.buyer_fee, t.seller_fee,
  nullif(t.buyer_auction_batch, '')::numeric AS buyer_auction_batch,
  nullif(t.seller_auction_batch, '')::numeric AS seller_auction_batch,
  nullif(t.asset_price, '')::numeric AS asset_price
FROM trades AS t LEFT JOIN markets AS market ON market.id = t.market_id;

CREATE VIEW api_v1_votes AS
SELECT
  t.created_position, t.updated_position, t.proposal_id, t.party_id, api_v1_name('VoteValue', t.value) AS value,
  t.timestamp, api_v1_time(t.timestamp) AS time,
  nullif(t.total_governance_token_balance, '')::numeric AS total_governance_token_balance,
  nullif(t.total_governance_token_weight, '')::numeric AS total_governance_token_weight,
  nullif(t.total_equity_like_share_weight, '')::numeric AS total_equity_like_share_weight, t.els_per_market
FROM votes AS t;

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261125130000_sql_views' COLLATE "C") NOT VALID;
