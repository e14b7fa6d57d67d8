-- What views lacked of their promise (docs/sql.md): the time of a trade under the name that GraphQL has for it, and what is in the
-- smallest unit of a market's asset in whole ones. That is the asset that it settles in, or of a spot market the quote asset.

CREATE OR REPLACE VIEW api_v1_market_data AS
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
  t.active_protocol_automated_purchase,
  api_v1_in_units(t.market_value_proxy, asset.decimals) AS market_value_proxy_in_units,
  api_v1_in_units(t.supplied_stake, asset.decimals) AS supplied_stake_in_units,
  api_v1_in_units(t.target_stake, asset.decimals) AS target_stake_in_units
FROM market_data AS t LEFT JOIN markets AS market ON market.id = t.market_id
LEFT JOIN assets AS asset ON asset.id = coalesce(market.settlement_asset_id, market.quote_asset_id);

CREATE OR REPLACE VIEW api_v1_trades AS
SELECT
  t.created_position, t.updated_timestamp, api_v1_time(t.updated_timestamp) AS updated_time,
  api_v1_name('TradeSide', t.aggressor) AS aggressor, api_v1_name('TradeType', t.type) AS type, t.id, t.market_id,
  nullif(t.price, '')::numeric AS price, api_v1_in_units(t.price, market.decimal_places) AS price_in_units,
  nullif(t.size, '')::numeric AS size, api_v1_in_units(t.size, market.position_decimal_places) AS size_in_units,
  t.buyer, t.seller, t.buy_order, t.sell_order, t.buyer_fee, t.seller_fee,
  nullif(t.buyer_auction_batch, '')::numeric AS buyer_auction_batch,
  nullif(t.seller_auction_batch, '')::numeric AS seller_auction_batch,
  nullif(t.asset_price, '')::numeric AS asset_price, t.updated_timestamp AS timestamp,
  api_v1_time(t.updated_timestamp) AS time, api_v1_in_units(t.asset_price, asset.decimals) AS asset_price_in_units
FROM trades AS t LEFT JOIN markets AS market ON market.id = t.market_id
LEFT JOIN assets AS asset ON asset.id = coalesce(market.settlement_asset_id, market.quote_asset_id);

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261126100000_views_in_asset_units' COLLATE "C") NOT VALID;
