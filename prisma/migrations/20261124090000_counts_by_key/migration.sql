-- Counts of the rows with each value of some fields stand beside those of all rows, whose key is empty. A count says which
-- row was the newest that it has: where that is not the noun's newest, somebody wrote who does not count. What is there is
-- counted anew, by whoever migrates or writes next.
DELETE FROM "row_counts";
ALTER TABLE "row_counts"
  ADD COLUMN "key" TEXT NOT NULL,
  ADD COLUMN "position" BIGINT NOT NULL,
  DROP CONSTRAINT "row_counts_pkey",
  ADD CONSTRAINT "row_counts_pkey" PRIMARY KEY ("noun", "key");

-- Only a program that knows the newest migration writes blocks, and says so: an older one would leave behind what this one
-- derives from them. Each later migration replaces the constraint by one with its own name.
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261124090000_counts_by_key' COLLATE "C") NOT VALID;

-- Deposits by how long they waited for their last update, as a number of bits: so that those that were updated within a time
-- are found in the order of their creation, however long a single one of them waited.
DROP INDEX "deposits_wait_idx";
CREATE INDEX "deposits_wait_idx" ON "deposits"
  ((length(ltrim(("updated_position" - "created_position")::bit(64)::text, '0'))), "created_position");
