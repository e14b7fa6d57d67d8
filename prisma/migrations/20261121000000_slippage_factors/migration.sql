-- A factor that the network never told is not 0. Rows that are there keep what they have.
ALTER TABLE "markets" ALTER COLUMN "linear_slippage_factor" DROP NOT NULL,
ALTER COLUMN "quadratic_slippage_factor" DROP NOT NULL;
