-- The archive is read in the order of positions, too: by the parts that it was packed in, none of whose rows reaches into another.
CREATE TABLE "archived_parts" (
    "position" BIGINT NOT NULL,

    CONSTRAINT "archived_parts_pkey" PRIMARY KEY ("position")
);

-- What was packed before is one part.
INSERT INTO "archived_parts" SELECT "archived_to" FROM "networks" WHERE "archived_to" > 0;

CREATE INDEX "archived_changes_position_idx" ON "archived_changes" USING BRIN ("position");
CREATE INDEX "archived_balances_position_idx" ON "archived_balances" USING BRIN ("position");

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261124151000_archived_parts' COLLATE "C") NOT VALID;
