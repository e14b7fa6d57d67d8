-- Parties that a trade was the second to name were not counted: who migrates counts those that nobody has counted.
DELETE FROM "row_counts" WHERE "noun" = 'parties';

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261127180000_parties_counted_anew' COLLATE "C") NOT VALID;
