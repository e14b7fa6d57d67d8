-- Markets that are no futures, and what releases 0.72 to 0.79 of the network add to markets, assets and parties.

ALTER TABLE "markets"
    ALTER COLUMN "settlement_asset_id" DROP NOT NULL,
    ALTER COLUMN "quote_name" DROP NOT NULL,
    ALTER COLUMN "search_level" DROP NOT NULL,
    ALTER COLUMN "initial_margin" DROP NOT NULL,
    ALTER COLUMN "collateral_release" DROP NOT NULL,
    ALTER COLUMN "lp_price_range" DROP NOT NULL,
    ADD COLUMN "product" TEXT,
    ADD COLUMN "base_asset_id" TEXT,
    ADD COLUMN "quote_asset_id" TEXT,
    ADD COLUMN "cap" JSONB,
    ADD COLUMN "funding" JSONB,
    ADD COLUMN "internal_composite_price" JSONB,
    ADD COLUMN "tick_size" TEXT,
    ADD COLUMN "treasury_fee" TEXT,
    ADD COLUMN "buy_back_fee" TEXT,
    ADD COLUMN "liquidity_fee_settings" JSONB,
    ADD COLUMN "fully_collateralised" BOOLEAN,
    ADD COLUMN "risk_factor_override" JSONB,
    ADD COLUMN "liquidity_sla" JSONB,
    ADD COLUMN "liquidation_strategy" JSONB,
    ADD COLUMN "mark_price_configuration" JSONB,
    ADD COLUMN "enable_transaction_reordering" BOOLEAN,
    ADD COLUMN "allowed_empty_amm_levels" TEXT,
    ADD COLUMN "allowed_sellers" TEXT[],
    ADD COLUMN "parent_market_id" TEXT,
    ADD COLUMN "insurance_pool_fraction" TEXT;

-- Nothing but futures was taken in so far, of releases that had none of the rest but a parent, which was not kept.
UPDATE "markets" SET
    "product" = 'FUTURE',
    "quote_name" = NULLIF("quote_name", ''),
    "enable_transaction_reordering" = false,
    "allowed_empty_amm_levels" = '0',
    "allowed_sellers" = '{}';

ALTER TABLE "markets"
    ALTER COLUMN "enable_transaction_reordering" SET NOT NULL,
    ALTER COLUMN "allowed_empty_amm_levels" SET NOT NULL;

CREATE INDEX "markets_base_asset_id_created_position_idx" ON "markets"("base_asset_id", "created_position");
CREATE INDEX "markets_quote_asset_id_created_position_idx" ON "markets"("quote_asset_id", "created_position");
CREATE INDEX "markets_parent_market_id_created_position_idx" ON "markets"("parent_market_id", "created_position");

ALTER TABLE "assets" ADD COLUMN "chain_id" TEXT;

CREATE TABLE "party_profiles" (
    "party_id" TEXT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "alias" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,

    CONSTRAINT "party_profiles_pkey" PRIMARY KEY ("party_id")
);
