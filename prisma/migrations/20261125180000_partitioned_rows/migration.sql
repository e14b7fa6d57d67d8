-- Rewards and trades are only ever added, in the order of their positions, and are most of what a disk holds. So they lie in partitions
-- by position, as histories do: what is to go is a table that is dropped. What is there becomes the oldest partition as it stands, up to a
-- position that the writer has not come to yet. "periscope migrate" has made sure before, with nobody waiting, that all of it is below
-- (src/data/history/before-partitions.ts), and so PostgreSQL does not look again here: this takes milliseconds.
-- Prisma's engine cuts a script at every semicolon, wherever it stands. So \x3b is one.
DO LANGUAGE plpgsql E'
DECLARE
  rows_of text\x3b
BEGIN
  LOCK TABLE rewards, trades, networks, blocks IN ACCESS EXCLUSIVE MODE\x3b
  FOREACH rows_of IN ARRAY ARRAY[''rewards'', ''trades''] LOOP
    EXECUTE (
      SELECT string_agg(format(''ALTER INDEX %I RENAME TO %I'', relname, replace(relname, rows_of, rows_of || ''_before'')), ''\x3b'')
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = rows_of::regclass
    )\x3b
    -- From PostgreSQL 18 on it has names for what is not null.
    EXECUTE coalesce((
      SELECT string_agg(format(''ALTER TABLE %I RENAME CONSTRAINT %I TO %I'', rows_of, conname, replace(conname, rows_of, rows_of || ''_before'')), ''\x3b'')
      FROM pg_constraint WHERE conrelid = rows_of::regclass AND contype = ''n''
    ), ''SELECT 1'')\x3b
    EXECUTE format(''ALTER TABLE %I RENAME TO %I'', rows_of, rows_of || ''_before'')\x3b
  END LOOP\x3b
END';

CREATE TABLE "rewards" (
    "created_position" BIGINT NOT NULL,
    "party_id" TEXT NOT NULL,
    "asset_id" TEXT NOT NULL,
    "market_id" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL,
    "amount" TEXT NOT NULL,
    "percentage_of_total" TEXT NOT NULL,
    "received_at" BIGINT NOT NULL,
    "reward_type" TEXT NOT NULL,
    "locked_until_epoch" BIGINT,
    "quantum_amount" TEXT,
    "game_id" TEXT,

    CONSTRAINT "rewards_pkey" PRIMARY KEY ("created_position")
) PARTITION BY RANGE ("created_position");
CREATE INDEX "rewards_asset_id_created_position_idx" ON "rewards"("asset_id", "created_position");
CREATE INDEX "rewards_party_id_asset_id_created_position_idx" ON "rewards"("party_id", "asset_id", "created_position");
CREATE INDEX "rewards_party_id_created_position_sums_idx" ON "rewards"("party_id", "created_position")
  INCLUDE ("asset_id", "epoch", "amount");
CREATE INDEX "rewards_market_id_created_position_idx" ON "rewards"("market_id", "created_position");
CREATE INDEX "rewards_game_id_created_position_idx" ON "rewards"("game_id", "created_position") WHERE "game_id" IS NOT NULL;

CREATE TABLE "trades" (
    "created_position" BIGINT NOT NULL,
    "updated_timestamp" BIGINT NOT NULL,
    "aggressor" INTEGER NOT NULL,
    "type" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "market_id" TEXT NOT NULL,
    "price" TEXT NOT NULL,
    "size" TEXT NOT NULL,
    "buyer" TEXT NOT NULL,
    "seller" TEXT NOT NULL,
    "buy_order" TEXT NOT NULL,
    "sell_order" TEXT NOT NULL,
    "buyer_fee" TEXT NOT NULL,
    "seller_fee" TEXT NOT NULL,
    "buyer_auction_batch" TEXT NOT NULL,
    "seller_auction_batch" TEXT NOT NULL,
    "asset_price" TEXT,

    CONSTRAINT "trades_pkey" PRIMARY KEY ("created_position")
) PARTITION BY RANGE ("created_position");
CREATE INDEX "trades_market_id_created_position_idx" ON "trades"("market_id", "created_position");
CREATE INDEX "trades_buyer_created_position_idx" ON "trades"("buyer", "created_position");
CREATE INDEX "trades_seller_created_position_idx" ON "trades"("seller", "created_position");
CREATE INDEX "trades_id_idx" ON "trades" USING HASH ("id");
CREATE INDEX "trades_buy_order_idx" ON "trades" USING HASH ("buy_order");
CREATE INDEX "trades_sell_order_idx" ON "trades" USING HASH ("sell_order");

CREATE OR REPLACE VIEW api_v1_rewards AS
SELECT
  t.created_position, t.party_id, t.asset_id, t.market_id, t.epoch, nullif(t.amount, '')::numeric AS amount,
  api_v1_in_units(t.amount, asset.decimals) AS amount_in_units,
  nullif(t.percentage_of_total, '')::numeric AS percentage_of_total, t.received_at,
  api_v1_time(t.received_at) AS received_time, t.reward_type, t.locked_until_epoch,
  nullif(t.quantum_amount, '')::numeric AS quantum_amount, t.game_id
FROM rewards AS t LEFT JOIN assets AS asset ON asset.id = t.asset_id;

CREATE OR REPLACE VIEW api_v1_trades AS
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

-- An empty table is dropped: the writer makes the first partition where it begins. Whoever might do something with the table may still.
DO LANGUAGE plpgsql E'
DECLARE
  rows_of text\x3b
  is_filled boolean\x3b
  upper_bound bigint\x3b
  allowed text\x3b
BEGIN
  FOREACH rows_of IN ARRAY ARRAY[''rewards'', ''trades''] LOOP
    FOR allowed IN
      SELECT format(''GRANT %s ON %I TO %s'', privilege_type, rows_of,
        CASE grantee WHEN 0 THEN ''PUBLIC'' ELSE quote_ident(pg_get_userbyid(grantee)) END)
      FROM pg_class, aclexplode(relacl) WHERE pg_class.oid = (rows_of || ''_before'')::regclass AND grantee <> relowner
    LOOP
      EXECUTE allowed\x3b
    END LOOP\x3b
    EXECUTE format(''SELECT EXISTS (SELECT FROM %I)'', rows_of || ''_before'') INTO is_filled\x3b
    IF NOT is_filled THEN
      EXECUTE format(''DROP TABLE %I'', rows_of || ''_before'')\x3b
      CONTINUE\x3b
    END IF\x3b
    SELECT substring(pg_get_constraintdef(oid) FROM ''[0-9]+'')::bigint INTO upper_bound FROM pg_constraint
    WHERE conrelid = (rows_of || ''_before'')::regclass AND conname = ''before_partitions''\x3b
    IF upper_bound IS NULL THEN
      SELECT (max(height) + 1) << 20 INTO upper_bound FROM blocks\x3b
    END IF\x3b
    EXECUTE format(''ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%s)'', rows_of, rows_of || ''_before'', upper_bound)\x3b
    EXECUTE format(''ALTER TABLE %I DROP CONSTRAINT IF EXISTS before_partitions'', rows_of || ''_before'')\x3b
  END LOOP\x3b
END';

-- From which position on the rows of a table are kept, where some were dropped, and from which on what the writer adds up of them counts,
-- where that is not all there ever was. Both by table.
ALTER TABLE "networks" ADD COLUMN "kept_from_of" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "summed_from_of" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261125180000_partitioned_rows' COLLATE "C") NOT VALID;
