-- Lists in the order of updates. Accounts, margin levels and market data have none: they change in almost every block, in place, which
-- an index on the position of the update would end.
CREATE INDEX "assets_updated_position_idx" ON "assets"("updated_position");
CREATE INDEX "markets_updated_position_idx" ON "markets"("updated_position");
CREATE INDEX "deposits_party_id_updated_position_idx" ON "deposits"("party_id", "updated_position");
CREATE INDEX "deposits_updated_position_idx" ON "deposits"("updated_position");
CREATE INDEX "proposals_party_id_updated_position_idx" ON "proposals"("party_id", "updated_position");
CREATE INDEX "proposals_updated_position_idx" ON "proposals"("updated_position");
CREATE INDEX "votes_proposal_id_updated_position_idx" ON "votes"("proposal_id", "updated_position");
CREATE INDEX "votes_party_id_updated_position_idx" ON "votes"("party_id", "updated_position");
CREATE INDEX "votes_updated_position_idx" ON "votes"("updated_position");

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261124150000_orders_of_updates' COLLATE "C") NOT VALID;
