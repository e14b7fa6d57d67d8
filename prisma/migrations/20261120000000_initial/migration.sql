-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "asset_status" AS ENUM ('STATUS_UNSPECIFIED', 'STATUS_PROPOSED', 'STATUS_REJECTED', 'STATUS_PENDING_LISTING', 'STATUS_ENABLED');

-- CreateEnum
CREATE TYPE "market_state" AS ENUM ('STATE_UNSPECIFIED', 'STATE_PROPOSED', 'STATE_REJECTED', 'STATE_PENDING', 'STATE_CANCELLED', 'STATE_ACTIVE', 'STATE_SUSPENDED', 'STATE_CLOSED', 'STATE_TRADING_TERMINATED', 'STATE_SETTLED');

-- CreateEnum
CREATE TYPE "market_trading_mode" AS ENUM ('TRADING_MODE_UNSPECIFIED', 'TRADING_MODE_CONTINUOUS', 'TRADING_MODE_BATCH_AUCTION', 'TRADING_MODE_OPENING_AUCTION', 'TRADING_MODE_MONITORING_AUCTION', 'TRADING_MODE_NO_TRADING');

-- CreateEnum
CREATE TYPE "auction_trigger" AS ENUM ('AUCTION_TRIGGER_UNSPECIFIED', 'AUCTION_TRIGGER_BATCH', 'AUCTION_TRIGGER_OPENING', 'AUCTION_TRIGGER_PRICE', 'AUCTION_TRIGGER_LIQUIDITY', 'AUCTION_TRIGGER_LIQUIDITY_TARGET_NOT_MET', 'AUCTION_TRIGGER_UNABLE_TO_DEPLOY_LP_ORDERS');

-- CreateEnum
CREATE TYPE "account_type" AS ENUM ('ACCOUNT_TYPE_UNSPECIFIED', 'ACCOUNT_TYPE_INSURANCE', 'ACCOUNT_TYPE_SETTLEMENT', 'ACCOUNT_TYPE_MARGIN', 'ACCOUNT_TYPE_GENERAL', 'ACCOUNT_TYPE_FEES_INFRASTRUCTURE', 'ACCOUNT_TYPE_FEES_LIQUIDITY', 'ACCOUNT_TYPE_FEES_MAKER', 'ACCOUNT_TYPE_BOND', 'ACCOUNT_TYPE_EXTERNAL', 'ACCOUNT_TYPE_GLOBAL_INSURANCE', 'ACCOUNT_TYPE_GLOBAL_REWARD', 'ACCOUNT_TYPE_PENDING_TRANSFERS', 'ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES', 'ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES', 'ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES', 'ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS');

-- CreateEnum
CREATE TYPE "deposit_status" AS ENUM ('STATUS_UNSPECIFIED', 'STATUS_OPEN', 'STATUS_CANCELLED', 'STATUS_FINALIZED');

-- CreateEnum
CREATE TYPE "proposal_state" AS ENUM ('STATE_UNSPECIFIED', 'STATE_FAILED', 'STATE_OPEN', 'STATE_PASSED', 'STATE_REJECTED', 'STATE_DECLINED', 'STATE_ENACTED', 'STATE_WAITING_FOR_NODE_VOTE');

-- CreateEnum
CREATE TYPE "vote_value" AS ENUM ('VALUE_UNSPECIFIED', 'VALUE_NO', 'VALUE_YES');

-- CreateTable
CREATE TABLE "networks" (
    "chain_id" TEXT NOT NULL,
    "history_from" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "networks_pkey" PRIMARY KEY ("chain_id")
);

-- CreateTable
CREATE TABLE "blocks" (
    "height" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "timestamp" BIGINT NOT NULL,
    "last_position" BIGINT NOT NULL,

    CONSTRAINT "blocks_pkey" PRIMARY KEY ("height")
);

-- CreateTable
CREATE TABLE "parties" (
    "id" TEXT NOT NULL,
    "created_position" BIGINT NOT NULL,

    CONSTRAINT "parties_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "assets" (
    "id" TEXT NOT NULL,
    "created_position" BIGINT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "decimals" INTEGER NOT NULL,
    "quantum" TEXT NOT NULL,
    "status" "asset_status" NOT NULL,
    "max_faucet_amount" TEXT,
    "contract_address" TEXT,
    "lifetime_limit" TEXT,
    "withdraw_threshold" TEXT,

    CONSTRAINT "assets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "markets" (
    "id" TEXT NOT NULL,
    "created_position" BIGINT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "instrument_id" TEXT NOT NULL,
    "instrument_code" TEXT NOT NULL,
    "instrument_name" TEXT NOT NULL,
    "tags" TEXT[],
    "settlement_asset_id" TEXT NOT NULL,
    "quote_name" TEXT NOT NULL,
    "decimal_places" INTEGER NOT NULL,
    "position_decimal_places" INTEGER NOT NULL,
    "maker_fee" TEXT NOT NULL,
    "infrastructure_fee" TEXT NOT NULL,
    "liquidity_fee" TEXT NOT NULL,
    "search_level" TEXT NOT NULL,
    "initial_margin" TEXT NOT NULL,
    "collateral_release" TEXT NOT NULL,
    "linear_slippage_factor" TEXT NOT NULL,
    "quadratic_slippage_factor" TEXT NOT NULL,
    "lp_price_range" TEXT NOT NULL,
    "state" "market_state" NOT NULL,
    "trading_mode" "market_trading_mode" NOT NULL,
    "proposed_timestamp" BIGINT NOT NULL,
    "pending_timestamp" BIGINT NOT NULL,
    "open_timestamp" BIGINT NOT NULL,
    "close_timestamp" BIGINT NOT NULL,

    CONSTRAINT "markets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "risk_factors" (
    "market_id" TEXT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "short" TEXT NOT NULL,
    "long" TEXT NOT NULL,

    CONSTRAINT "risk_factors_pkey" PRIMARY KEY ("market_id")
);

-- CreateTable
CREATE TABLE "market_data" (
    "market_id" TEXT NOT NULL,
    "created_position" BIGINT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "mark_price" TEXT NOT NULL,
    "last_traded_price" TEXT NOT NULL,
    "mid_price" TEXT NOT NULL,
    "static_mid_price" TEXT NOT NULL,
    "best_bid_price" TEXT NOT NULL,
    "best_bid_volume" TEXT NOT NULL,
    "best_offer_price" TEXT NOT NULL,
    "best_offer_volume" TEXT NOT NULL,
    "best_static_bid_price" TEXT NOT NULL,
    "best_static_bid_volume" TEXT NOT NULL,
    "best_static_offer_price" TEXT NOT NULL,
    "best_static_offer_volume" TEXT NOT NULL,
    "indicative_price" TEXT NOT NULL,
    "indicative_volume" TEXT NOT NULL,
    "open_interest" TEXT NOT NULL,
    "market_value_proxy" TEXT NOT NULL,
    "supplied_stake" TEXT NOT NULL,
    "target_stake" TEXT NOT NULL,
    "next_mark_to_market" BIGINT NOT NULL,
    "auction_start" BIGINT NOT NULL,
    "auction_end" BIGINT NOT NULL,
    "timestamp" BIGINT NOT NULL,
    "market_state" "market_state" NOT NULL,
    "market_trading_mode" "market_trading_mode" NOT NULL,
    "trigger" "auction_trigger" NOT NULL,
    "extension_trigger" "auction_trigger" NOT NULL,
    "price_monitoring_bounds" JSONB NOT NULL,
    "liquidity_provider_fee_share" JSONB NOT NULL,

    CONSTRAINT "market_data_pkey" PRIMARY KEY ("market_id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "created_position" BIGINT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "owner" TEXT NOT NULL,
    "asset_id" TEXT NOT NULL,
    "market_id" TEXT NOT NULL,
    "type" "account_type" NOT NULL,
    "balance" TEXT NOT NULL,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("created_position")
);

-- CreateTable
CREATE TABLE "balance_changes" (
    "position" BIGINT NOT NULL,
    "account_position" BIGINT NOT NULL,
    "balance" TEXT NOT NULL,

    CONSTRAINT "balance_changes_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "changes" (
    "position" BIGINT NOT NULL,
    "noun" TEXT NOT NULL,
    "row_position" BIGINT NOT NULL,
    "row" JSONB NOT NULL,

    CONSTRAINT "changes_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "deposits" (
    "id" TEXT NOT NULL,
    "created_position" BIGINT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "updated_timestamp" BIGINT NOT NULL,
    "party_id" TEXT NOT NULL,
    "asset_id" TEXT NOT NULL,
    "amount" TEXT NOT NULL,
    "status" "deposit_status" NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "created_timestamp" BIGINT NOT NULL,
    "credited_timestamp" BIGINT NOT NULL,

    CONSTRAINT "deposits_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rewards" (
    "created_position" BIGINT NOT NULL,
    "party_id" TEXT NOT NULL,
    "asset_id" TEXT NOT NULL,
    "market_id" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL,
    "amount" TEXT NOT NULL,
    "percentage_of_total" TEXT NOT NULL,
    "received_at" BIGINT NOT NULL,
    "reward_type" TEXT NOT NULL,

    CONSTRAINT "rewards_pkey" PRIMARY KEY ("created_position")
);

-- CreateTable
CREATE TABLE "reward_epochs" (
    "epoch" BIGINT NOT NULL,
    "first_position" BIGINT NOT NULL,
    "last_position" BIGINT NOT NULL,

    CONSTRAINT "reward_epochs_pkey" PRIMARY KEY ("epoch")
);

-- CreateTable
CREATE TABLE "proposals" (
    "id" TEXT NOT NULL,
    "created_position" BIGINT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "reference" TEXT NOT NULL,
    "party_id" TEXT NOT NULL,
    "state" "proposal_state" NOT NULL,
    "timestamp" BIGINT NOT NULL,
    "reason" TEXT,
    "error_details" TEXT,
    "required_participation" TEXT NOT NULL,
    "required_majority" TEXT NOT NULL,
    "required_liquidity_provider_participation" TEXT,
    "required_liquidity_provider_majority" TEXT,

    CONSTRAINT "proposals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "votes" (
    "created_position" BIGINT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "proposal_id" TEXT NOT NULL,
    "party_id" TEXT NOT NULL,
    "value" "vote_value" NOT NULL,
    "timestamp" BIGINT NOT NULL,
    "total_governance_token_balance" TEXT NOT NULL,
    "total_governance_token_weight" TEXT NOT NULL,
    "total_equity_like_share_weight" TEXT NOT NULL,

    CONSTRAINT "votes_pkey" PRIMARY KEY ("created_position")
);

-- CreateTable
CREATE TABLE "margin_levels" (
    "created_position" BIGINT NOT NULL,
    "updated_position" BIGINT NOT NULL,
    "party_id" TEXT NOT NULL,
    "market_id" TEXT NOT NULL,
    "asset_id" TEXT NOT NULL,
    "maintenance_margin" TEXT NOT NULL,
    "search_level" TEXT NOT NULL,
    "initial_margin" TEXT NOT NULL,
    "collateral_release_level" TEXT NOT NULL,
    "timestamp" BIGINT NOT NULL,

    CONSTRAINT "margin_levels_pkey" PRIMARY KEY ("created_position")
);

-- CreateIndex
CREATE UNIQUE INDEX "blocks_last_position_key" ON "blocks"("last_position");

-- CreateIndex
CREATE UNIQUE INDEX "parties_created_position_key" ON "parties"("created_position");

-- CreateIndex
CREATE UNIQUE INDEX "assets_created_position_key" ON "assets"("created_position");

-- CreateIndex
CREATE INDEX "assets_status_created_position_idx" ON "assets"("status", "created_position");

-- CreateIndex
CREATE UNIQUE INDEX "markets_created_position_key" ON "markets"("created_position");

-- CreateIndex
CREATE INDEX "markets_settlement_asset_id_created_position_idx" ON "markets"("settlement_asset_id", "created_position");

-- CreateIndex
CREATE INDEX "markets_settlement_asset_id_state_created_position_idx" ON "markets"("settlement_asset_id", "state", "created_position");

-- CreateIndex
CREATE INDEX "markets_state_created_position_idx" ON "markets"("state", "created_position");

-- CreateIndex
CREATE UNIQUE INDEX "market_data_created_position_key" ON "market_data"("created_position");

-- CreateIndex
CREATE INDEX "accounts_owner_created_position_idx" ON "accounts"("owner", "created_position");

-- CreateIndex
CREATE INDEX "accounts_owner_asset_id_created_position_idx" ON "accounts"("owner", "asset_id", "created_position");

-- CreateIndex
CREATE INDEX "accounts_owner_market_id_created_position_idx" ON "accounts"("owner", "market_id", "created_position");

-- CreateIndex
CREATE INDEX "accounts_owner_type_created_position_idx" ON "accounts"("owner", "type", "created_position");

-- CreateIndex
CREATE INDEX "accounts_asset_id_created_position_idx" ON "accounts"("asset_id", "created_position");

-- CreateIndex
CREATE INDEX "accounts_asset_id_type_created_position_idx" ON "accounts"("asset_id", "type", "created_position");

-- CreateIndex
CREATE INDEX "accounts_market_id_created_position_idx" ON "accounts"("market_id", "created_position");

-- CreateIndex
CREATE INDEX "accounts_market_id_asset_id_created_position_idx" ON "accounts"("market_id", "asset_id", "created_position");

-- CreateIndex
CREATE INDEX "accounts_market_id_type_created_position_idx" ON "accounts"("market_id", "type", "created_position");

-- CreateIndex
CREATE INDEX "accounts_market_id_type_asset_id_created_position_idx" ON "accounts"("market_id", "type", "asset_id", "created_position");

-- CreateIndex
CREATE INDEX "accounts_type_created_position_idx" ON "accounts"("type", "created_position");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_owner_market_id_type_asset_id_key" ON "accounts"("owner", "market_id", "type", "asset_id");

-- CreateIndex
CREATE INDEX "balance_changes_account_position_position_idx" ON "balance_changes"("account_position", "position");

-- CreateIndex
CREATE INDEX "changes_noun_position_idx" ON "changes"("noun", "position");

-- CreateIndex
CREATE INDEX "changes_noun_row_position_position_idx" ON "changes"("noun", "row_position", "position");

-- CreateIndex
CREATE UNIQUE INDEX "deposits_created_position_key" ON "deposits"("created_position");

-- CreateIndex
CREATE INDEX "deposits_party_id_created_position_idx" ON "deposits"("party_id", "created_position");

-- CreateIndex
CREATE INDEX "deposits_asset_id_created_position_idx" ON "deposits"("asset_id", "created_position");

-- CreateIndex
CREATE INDEX "deposits_updated_timestamp_updated_position_idx" ON "deposits"("updated_timestamp", "updated_position");

-- CreateIndex
CREATE INDEX "rewards_party_id_created_position_idx" ON "rewards"("party_id", "created_position");

-- CreateIndex
CREATE INDEX "rewards_asset_id_created_position_idx" ON "rewards"("asset_id", "created_position");

-- CreateIndex
CREATE INDEX "rewards_party_id_asset_id_created_position_idx" ON "rewards"("party_id", "asset_id", "created_position");

-- CreateIndex
CREATE INDEX "rewards_market_id_created_position_idx" ON "rewards"("market_id", "created_position");

-- CreateIndex
CREATE INDEX "reward_epochs_epoch_first_position_last_position_idx" ON "reward_epochs"("epoch", "first_position", "last_position");

-- CreateIndex
CREATE UNIQUE INDEX "proposals_created_position_key" ON "proposals"("created_position");

-- CreateIndex
CREATE INDEX "proposals_party_id_created_position_idx" ON "proposals"("party_id", "created_position");

-- CreateIndex
CREATE INDEX "proposals_party_id_state_created_position_idx" ON "proposals"("party_id", "state", "created_position");

-- CreateIndex
CREATE INDEX "proposals_state_created_position_idx" ON "proposals"("state", "created_position");

-- CreateIndex
CREATE INDEX "votes_proposal_id_created_position_idx" ON "votes"("proposal_id", "created_position");

-- CreateIndex
CREATE INDEX "votes_proposal_id_party_id_created_position_idx" ON "votes"("proposal_id", "party_id", "created_position");

-- CreateIndex
CREATE INDEX "votes_party_id_created_position_idx" ON "votes"("party_id", "created_position");

-- CreateIndex
CREATE UNIQUE INDEX "votes_proposal_id_party_id_key" ON "votes"("proposal_id", "party_id");

-- CreateIndex
CREATE INDEX "margin_levels_party_id_created_position_idx" ON "margin_levels"("party_id", "created_position");

-- CreateIndex
CREATE INDEX "margin_levels_party_id_market_id_created_position_idx" ON "margin_levels"("party_id", "market_id", "created_position");

-- CreateIndex
CREATE INDEX "margin_levels_market_id_created_position_idx" ON "margin_levels"("market_id", "created_position");

-- CreateIndex
CREATE UNIQUE INDEX "margin_levels_party_id_market_id_asset_id_key" ON "margin_levels"("party_id", "market_id", "asset_id");

-- By hand

-- Prisma has no word for the index of an expression.
CREATE INDEX "deposits_wait_idx" ON "deposits"(("updated_position" - "created_position"));
