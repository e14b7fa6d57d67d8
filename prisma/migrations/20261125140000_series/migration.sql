-- The end of the last block before a time is one descent of an index. It is asked for at each bound of a series.
CREATE INDEX "blocks_timestamp_last_position_idx" ON "blocks"("timestamp", "last_position");
DROP INDEX "blocks_timestamp_idx";

-- What was traded in a market in each unit of time, as the data of markets have it. Both are made anew from the begin, beside the writer.
CREATE TABLE "trade_rollups" (
    "market_id" TEXT NOT NULL,
    "unit" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "open" DECIMAL NOT NULL,
    "high" DECIMAL NOT NULL,
    "low" DECIMAL NOT NULL,
    "close" DECIMAL NOT NULL,
    "volume" DECIMAL NOT NULL,
    "notional" DECIMAL NOT NULL,
    "trades" BIGINT NOT NULL,

    CONSTRAINT "trade_rollups_pkey" PRIMARY KEY ("market_id", "unit", "position")
);
CREATE INDEX "trade_rollups_unit_position_idx" ON "trade_rollups"("unit", "position");
TRUNCATE "rollups", "rollup_levels";

-- An older version would roll up without trades.
ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261125140000_series' COLLATE "C") NOT VALID;
