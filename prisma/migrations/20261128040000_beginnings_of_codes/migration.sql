-- Whoever proposes a market chooses its code, at any length, and an index takes no long text: it has as much of it as an id may be long.
DROP INDEX "markets_instrument_code_created_position_idx";
CREATE INDEX "markets_instrument_code_created_position_idx" ON "markets"((left("instrument_code", 256)), "created_position");

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261128040000_beginnings_of_codes' COLLATE "C") NOT VALID;
