-- Trades, of which there are more than of all else. Numbers are texts, which take the least room, and what is zero of the
-- fees takes none. One trade has an id, and few
-- are of one order: a hash finds them, which takes a quarter of what the ids would.
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
);
CREATE INDEX "trades_market_id_created_position_idx" ON "trades"("market_id", "created_position");
CREATE INDEX "trades_buyer_created_position_idx" ON "trades"("buyer", "created_position");
CREATE INDEX "trades_seller_created_position_idx" ON "trades"("seller", "created_position");
CREATE INDEX "trades_id_idx" ON "trades" USING HASH ("id");
CREATE INDEX "trades_buy_order_idx" ON "trades" USING HASH ("buy_order");
CREATE INDEX "trades_sell_order_idx" ON "trades" USING HASH ("sell_order");

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261124152000_trades' COLLATE "C") NOT VALID;
