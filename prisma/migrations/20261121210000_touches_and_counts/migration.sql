-- What the newest blocks changed, so that answers are kept until a block touches what they read.
CREATE TABLE "block_touches" (
  "position" BIGINT NOT NULL,
  "touched" INTEGER[],

  CONSTRAINT "block_touches_pkey" PRIMARY KEY ("position")
);

-- How many rows each table has, so that a whole list is counted without reading it.
CREATE TABLE "row_counts" (
  "noun" TEXT NOT NULL,
  "rows" BIGINT NOT NULL,

  CONSTRAINT "row_counts_pkey" PRIMARY KEY ("noun")
);

INSERT INTO "row_counts" ("noun", "rows")
SELECT * FROM (
  SELECT 'parties', count(*) FROM "parties" UNION ALL
  SELECT 'assets', count(*) FROM "assets" UNION ALL
  SELECT 'markets', count(*) FROM "markets" UNION ALL
  SELECT 'marketData', count(*) FROM "market_data" UNION ALL
  SELECT 'accounts', count(*) FROM "accounts" UNION ALL
  SELECT 'deposits', count(*) FROM "deposits" UNION ALL
  SELECT 'rewards', count(*) FROM "rewards" UNION ALL
  SELECT 'proposals', count(*) FROM "proposals" UNION ALL
  SELECT 'votes', count(*) FROM "votes" UNION ALL
  SELECT 'marginLevels', count(*) FROM "margin_levels"
) AS counted ("noun", "rows")
WHERE "rows" > 0;

-- Balances and margin levels change again and again, and no index holds what changes: with room on its page for its next
-- version, a row that changes costs no index anything. What is there already makes room as it changes.
ALTER TABLE "accounts" SET (fillfactor = 50);
ALTER TABLE "margin_levels" SET (fillfactor = 50);
