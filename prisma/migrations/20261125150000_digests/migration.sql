-- The digest of a block over the one before it and all that the block changed: docs/digests.md. Blocks that an older version
-- wrote have none.
ALTER TABLE "blocks" ADD COLUMN "digest" TEXT;

-- The heights that began again: what their first part changed and the second changed once more cannot be read back.
CREATE TABLE "repeated_heights" (
    "height" BIGINT NOT NULL,

    CONSTRAINT "repeated_heights_pkey" PRIMARY KEY ("height")
);

CREATE OR REPLACE VIEW api_v1_blocks AS
SELECT
  t.height, t.hash, t.timestamp, api_v1_time(t.timestamp) AS time, t.last_position, t.digest
FROM blocks AS t;

-- An older version would leave a gap in the chain.
ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261125150000_digests' COLLATE "C") NOT VALID;
