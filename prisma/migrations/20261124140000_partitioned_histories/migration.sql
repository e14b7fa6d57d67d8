-- Histories are partitioned by position: what is forgotten is a table that is dropped. What is there becomes the oldest
-- partition as it stands, up to a position that the writer has not come to yet. "periscope migrate" has made sure before, with
-- nobody waiting, that all of it is below (src/data/history/before-partitions.ts), and so PostgreSQL does not look again here. The
-- writer moves it from there to the archive, step by step.
-- Prisma's engine cuts a script at every semicolon, wherever it stands. So \x3b is one.
DO LANGUAGE plpgsql E'
DECLARE
  history text\x3b
BEGIN
  FOREACH history IN ARRAY ARRAY[''changes'', ''balance_changes''] LOOP
    IF NOT EXISTS (SELECT FROM blocks) THEN
      EXECUTE format(''DROP TABLE %I'', history)\x3b
    ELSE
      EXECUTE (
        SELECT string_agg(format(''ALTER INDEX %I RENAME TO %I'', relname, replace(relname, history, history || ''_before'')), ''\x3b'')
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = history::regclass
      )\x3b
      EXECUTE format(''ALTER TABLE %I RENAME TO %I'', history, history || ''_before'')\x3b
    END IF\x3b
  END LOOP\x3b
END';

CREATE TABLE "changes" (
    "position" BIGINT NOT NULL,
    "noun" TEXT NOT NULL,
    "row_position" BIGINT NOT NULL,
    "row" JSONB NOT NULL,

    CONSTRAINT "changes_pkey" PRIMARY KEY ("position")
) PARTITION BY RANGE ("position");
CREATE INDEX "changes_noun_position_idx" ON "changes"("noun", "position");
CREATE INDEX "changes_noun_row_position_position_idx" ON "changes"("noun", "row_position", "position");

CREATE TABLE "balance_changes" (
    "position" BIGINT NOT NULL,
    "account_position" BIGINT NOT NULL,
    "balance" TEXT NOT NULL,

    CONSTRAINT "balance_changes_pkey" PRIMARY KEY ("position")
) PARTITION BY RANGE ("position");
CREATE INDEX "balance_changes_account_position_position_idx" ON "balance_changes"("account_position", "position");

-- What no stream resumes from any more, packed: several versions of one row at a time.
CREATE TABLE "archived_changes" (
    "row_position" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,
    "row" JSONB NOT NULL,
    "positions" BIGINT[],
    "columns" JSONB,

    CONSTRAINT "archived_changes_pkey" PRIMARY KEY ("row_position", "position")
) PARTITION BY RANGE ("position");

CREATE TABLE "archived_balances" (
    "account_position" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,
    "since" BIGINT,
    "balance" TEXT NOT NULL,
    "positions" BIGINT[],
    "balances" TEXT[],

    CONSTRAINT "archived_balances_pkey" PRIMARY KEY ("account_position", "position")
) PARTITION BY RANGE ("position");

DO LANGUAGE plpgsql E'
DECLARE
  history text\x3b
  upper_bound bigint\x3b
BEGIN
  FOREACH history IN ARRAY ARRAY[''changes'', ''balance_changes''] LOOP
    CONTINUE WHEN to_regclass(history || ''_before'') IS NULL\x3b
    SELECT substring(pg_get_constraintdef(oid) FROM ''[0-9]+'')::bigint INTO upper_bound FROM pg_constraint
    WHERE conrelid = (history || ''_before'')::regclass AND conname = ''before_partitions''\x3b
    IF upper_bound IS NULL THEN
      SELECT (max(height) + 1) << 20 INTO upper_bound FROM blocks\x3b
    END IF\x3b
    EXECUTE format(''ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%s)'', history, history || ''_before'', upper_bound)\x3b
    EXECUTE format(''ALTER TABLE %I DROP CONSTRAINT IF EXISTS before_partitions'', history || ''_before'')\x3b
  END LOOP\x3b
END';

-- Up to here changes are in the archive. The past is whole where streams could resume, too.
ALTER TABLE "networks" ADD COLUMN "archived_to" BIGINT NOT NULL DEFAULT 0;
UPDATE "networks" SET "past_from" = greatest("past_from", "history_from");

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261124140000_partitioned_histories' COLLATE "C") NOT VALID;
