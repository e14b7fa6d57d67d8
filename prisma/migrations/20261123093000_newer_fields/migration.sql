-- What the network's releases since 0.72 tell besides. What is here already has none of it: events that were taken in are not
-- kept, so a new ingest alone fills it.

ALTER TABLE "market_data" ADD COLUMN "market_growth" TEXT,
ADD COLUMN "product_data" JSONB,
ADD COLUMN "liquidity_provider_sla" JSONB,
ADD COLUMN "next_network_closeout" BIGINT,
ADD COLUMN "mark_price_type" INTEGER,
ADD COLUMN "mark_price_state" JSONB,
ADD COLUMN "active_protocol_automated_purchase" JSONB;

ALTER TABLE "rewards" ADD COLUMN "locked_until_epoch" BIGINT,
ADD COLUMN "quantum_amount" TEXT,
ADD COLUMN "game_id" TEXT;

-- Most rewards are of no game, and cost this index nothing.
CREATE INDEX "rewards_game_id_created_position_idx" ON "rewards" ("game_id", "created_position") WHERE "game_id" IS NOT NULL;

ALTER TABLE "proposals" ADD COLUMN "terms" JSONB,
ADD COLUMN "batch_terms" JSONB,
ADD COLUMN "batch_id" TEXT;

CREATE INDEX "proposals_batch_id_created_position_idx" ON "proposals" ("batch_id", "created_position");

ALTER TABLE "votes" ADD COLUMN "els_per_market" JSONB;

ALTER TABLE "margin_levels" ADD COLUMN "order_margin" TEXT,
ADD COLUMN "margin_mode" INTEGER,
ADD COLUMN "margin_factor" TEXT;
