-- What a market says besides: its auctions, its monitoring and its risk model. What is here already has none of it: events that
-- were taken in are not kept, so a new ingest alone fills it.
ALTER TABLE "markets" ADD COLUMN "opening_auction" JSONB,
ADD COLUMN "price_monitoring_triggers" JSONB,
ADD COLUMN "liquidity_monitoring" JSONB,
ADD COLUMN "log_normal_risk_model" JSONB,
ADD COLUMN "simple_risk_model" JSONB;

CREATE INDEX "parties_id_created_position_idx" ON "parties"("id", "created_position");

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261124130000_market_parts' COLLATE "C") NOT VALID;
