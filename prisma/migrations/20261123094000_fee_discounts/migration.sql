-- The estimate of a trade's fees takes off what its party is let off in the current epoch. Of what came before, nothing was
-- kept: there are discounts from the epoch on that ends next.

CREATE TABLE "epochs" (
    "seq" BIGINT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "start_timestamp" BIGINT NOT NULL,
    "expiry_timestamp" BIGINT NOT NULL,
    "end_timestamp" BIGINT NOT NULL,

    CONSTRAINT "epochs_pkey" PRIMARY KEY ("seq")
);

CREATE TABLE "fee_discounts" (
    "party_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "epoch" BIGINT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "maker" TEXT NOT NULL,
    "infrastructure" TEXT NOT NULL,
    "liquidity" TEXT NOT NULL,

    CONSTRAINT "fee_discounts_pkey" PRIMARY KEY ("party_id", "kind", "slot")
);
