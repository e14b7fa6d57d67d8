-- How far questions about the past reach is said noun by noun. So what is packed lies in partitions by noun, each in partitions by
-- position. What was packed before, of all nouns together, stays where it is: nothing of it is read here.
CREATE TABLE "archived_rows" (
    "noun" TEXT NOT NULL,
    "row_position" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,
    "row" JSONB NOT NULL,
    "positions" BIGINT[],
    "columns" JSONB,

    CONSTRAINT "archived_rows_pkey" PRIMARY KEY ("noun", "row_position", "position")
) PARTITION BY LIST ("noun");
CREATE INDEX "archived_rows_position_idx" ON "archived_rows" USING BRIN ("position");

-- Where something was packed before, each noun begins with a partition up to where the newest of those ends: what goes on from one into
-- the other is forgotten together. Prisma's engine cuts a script at every semicolon, wherever it stands. So \x3b is one.
DO LANGUAGE plpgsql E'
DECLARE
  noun text\x3b
  upper_bound bigint\x3b
BEGIN
  SELECT min(bound) INTO upper_bound FROM (
    SELECT substring(pg_get_expr(relpartbound, oid) FROM ''TO \\(.?([0-9]+)'')::bigint AS bound
    FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = ''archived_changes''::regclass
  ) AS partitions WHERE bound > (SELECT max(archived_to) FROM networks)\x3b
  FOREACH noun IN ARRAY ARRAY[''party_profiles'', ''epochs'', ''assets'', ''markets'', ''risk_factors'', ''market_data'',
    ''deposits'', ''proposals'', ''votes'', ''margin_levels''] LOOP
    EXECUTE format(''CREATE TABLE %I PARTITION OF archived_rows FOR VALUES IN (%L) PARTITION BY RANGE (position)'',
      ''archived_rows_'' || noun, noun)\x3b
    CONTINUE WHEN upper_bound IS NULL\x3b
    EXECUTE format(''CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (MINVALUE) TO (%s)'',
      ''archived_rows_'' || noun || ''_before'', ''archived_rows_'' || noun, upper_bound)\x3b
  END LOOP\x3b
END';

-- From which position on the past of a noun is known, by its table, where that is behind "past_from".
ALTER TABLE "networks" ADD COLUMN "past_from_of" JSONB NOT NULL DEFAULT '{}';

-- Rollups are forgotten with the data of markets. They are made anew.
DROP TABLE "rollups";
CREATE TABLE "rollups" (
    "row_position" BIGINT NOT NULL,
    "unit" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "high" TEXT[],
    "low" TEXT[],
    "close" TEXT[],

    CONSTRAINT "rollups_pkey" PRIMARY KEY ("row_position", "unit", "position")
) PARTITION BY RANGE ("position");
TRUNCATE "rollup_levels";

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261125100000_past_by_noun' COLLATE "C") NOT VALID;
