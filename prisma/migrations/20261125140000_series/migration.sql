-- The end of the last block before a time is one descent of an index. It is asked for at each bound of a series.
CREATE INDEX "blocks_timestamp_last_position_idx" ON "blocks"("timestamp", "last_position");
DROP INDEX "blocks_timestamp_idx";
