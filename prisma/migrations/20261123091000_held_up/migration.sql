-- Why ingest cannot go on, while it cannot: so that every gateway knows it, whoever takes events in.
CREATE TABLE "hold_ups" (
  "chain_id" TEXT NOT NULL,
  "height" BIGINT,
  "reason" TEXT NOT NULL,
  "place" TEXT NOT NULL,
  "kind" TEXT,
  "field" TEXT,
  "value" TEXT,
  "is_skippable" BOOLEAN NOT NULL,
  "since" BIGINT NOT NULL,
  "version" TEXT NOT NULL,

  CONSTRAINT "hold_ups_pkey" PRIMARY KEY ("chain_id")
);

-- The newest events that were passed over as damaged, and how many there were of them all.
CREATE TABLE "skipped_events" (
  "position" BIGINT NOT NULL,
  "kind" TEXT NOT NULL,
  "reason" TEXT NOT NULL,

  CONSTRAINT "skipped_events_pkey" PRIMARY KEY ("position")
);
ALTER TABLE "networks" ADD COLUMN "skipped_events" BIGINT NOT NULL DEFAULT 0;
