-- What is searched for by how it begins: identifiers as they are, all else without regard to case. Texts are compared by their bytes,
-- whatever the database's own order of texts is, and an index has of each as much as can be asked for.
CREATE INDEX "parties_id_search_idx" ON "parties" ("id" text_pattern_ops);
CREATE INDEX "deposits_id_search_idx" ON "deposits" ("id" text_pattern_ops);
CREATE INDEX "assets_id_search_idx" ON "assets" ("id" text_pattern_ops);
CREATE INDEX "assets_symbol_search_idx" ON "assets" ((lower(left("symbol", 256))) text_pattern_ops, "created_position");
CREATE INDEX "assets_name_search_idx" ON "assets" ((lower(left("name", 256))) text_pattern_ops, "created_position");
CREATE INDEX "markets_id_search_idx" ON "markets" ("id" text_pattern_ops);
CREATE INDEX "markets_instrument_code_search_idx" ON "markets" ((lower(left("instrument_code", 256))) text_pattern_ops, "created_position");
CREATE INDEX "markets_instrument_name_search_idx" ON "markets" ((lower(left("instrument_name", 256))) text_pattern_ops, "created_position");
CREATE INDEX "proposals_id_search_idx" ON "proposals" ("id" text_pattern_ops);
CREATE INDEX "proposals_reference_search_idx" ON "proposals" ((lower(left("reference", 256))) text_pattern_ops, "created_position");

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261125120000_search' COLLATE "C") NOT VALID;
