-- What the values of the data of a market were at most, at least and at last in each minute, quarter of an hour and hour in which
-- they changed. It is made of the history, beside the writer, and made anew from its begin where it is not there.
CREATE TABLE "rollups" (
    "row_position" BIGINT NOT NULL,
    "unit" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "high" TEXT[],
    "low" TEXT[],
    "close" TEXT[],

    CONSTRAINT "rollups_pkey" PRIMARY KEY ("row_position", "unit", "position")
);

CREATE TABLE "rollup_levels" (
    "unit" INTEGER NOT NULL,
    "up_to_time" BIGINT NOT NULL,
    "up_to_position" BIGINT NOT NULL,

    CONSTRAINT "rollup_levels_pkey" PRIMARY KEY ("unit")
);

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261124154000_rollups' COLLATE "C") NOT VALID;
