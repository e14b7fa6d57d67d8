-- Every noun has a history. The past can be asked from the newest block on: an older version noted no changes of these.
ALTER TABLE "party_profiles" ADD COLUMN "created_position" BIGINT;
ALTER TABLE "epochs" ADD COLUMN "created_position" BIGINT;
ALTER TABLE "risk_factors" ADD COLUMN "created_position" BIGINT;
UPDATE "party_profiles" SET "created_position" = "updated_position";
UPDATE "epochs" SET "created_position" = "updated_position";
UPDATE "risk_factors" SET "created_position" = "updated_position";
ALTER TABLE "party_profiles" ALTER COLUMN "created_position" SET NOT NULL;
ALTER TABLE "epochs" ALTER COLUMN "created_position" SET NOT NULL;
ALTER TABLE "risk_factors" ALTER COLUMN "created_position" SET NOT NULL;

-- Of these every epoch stays.
ALTER TABLE "fee_discounts"
  DROP CONSTRAINT "fee_discounts_pkey",
  DROP COLUMN "slot",
  ADD CONSTRAINT "fee_discounts_pkey" PRIMARY KEY ("party_id", "kind", "epoch");

-- What is there of them is their first version.
INSERT INTO "changes" ("position", "noun", "row_position", "row")
SELECT "updated_position", 'party_profiles', "created_position", to_jsonb(party_profiles) FROM "party_profiles";
INSERT INTO "changes" ("position", "noun", "row_position", "row")
SELECT "updated_position", 'epochs', "created_position", to_jsonb(epochs) FROM "epochs";
INSERT INTO "changes" ("position", "noun", "row_position", "row")
SELECT "updated_position", 'assets', "created_position", to_jsonb(assets) FROM "assets";
INSERT INTO "changes" ("position", "noun", "row_position", "row")
SELECT "updated_position", 'markets', "created_position", to_jsonb(markets) FROM "markets";
INSERT INTO "changes" ("position", "noun", "row_position", "row")
SELECT "updated_position", 'risk_factors', "created_position", to_jsonb(risk_factors) FROM "risk_factors";
INSERT INTO "changes" ("position", "noun", "row_position", "row")
SELECT "updated_position", 'margin_levels', "created_position", to_jsonb(margin_levels) FROM "margin_levels";
INSERT INTO "changes" ("position", "noun", "row_position", "row")
SELECT "updated_position", 'proposals', "created_position", to_jsonb(proposals) FROM "proposals";

ALTER TABLE "networks" ADD COLUMN "past_from" BIGINT NOT NULL DEFAULT 0;
UPDATE "networks" SET "past_from" = coalesce((SELECT max("last_position") FROM "blocks"), 0);

CREATE INDEX "blocks_timestamp_idx" ON "blocks"("timestamp");

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261124120000_histories_of_all' COLLATE "C") NOT VALID;
