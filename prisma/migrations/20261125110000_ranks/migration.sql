-- Accounts by their balances. An index on the balances themselves would end that a balance changes in place: these are made beside the
-- writer, of accounts that changed, and anew where they are not there.
CREATE TABLE "account_ranks" (
    "account_position" BIGINT NOT NULL,
    "asset_id" TEXT NOT NULL,
    "type" INTEGER NOT NULL,
    "balance" DECIMAL NOT NULL,

    CONSTRAINT "account_ranks_pkey" PRIMARY KEY ("account_position")
);
CREATE INDEX "account_ranks_asset_id_balance_account_position_idx" ON "account_ranks"("asset_id", "balance", "account_position");
CREATE INDEX "account_ranks_asset_id_type_balance_account_position_idx" ON "account_ranks"("asset_id", "type", "balance", "account_position");

CREATE TABLE "rank_levels" (
    "noun" TEXT NOT NULL,
    "up_to_position" BIGINT NOT NULL,

    CONSTRAINT "rank_levels_pkey" PRIMARY KEY ("noun")
);

CREATE INDEX "reward_epoch_sums_reward_type_epoch_idx" ON "reward_epoch_sums"("reward_type", "epoch");

-- Deposits by their amounts, and what lists choose by. Nearly all deposits are finalized in the end (3): the others are few.
CREATE INDEX "deposits_asset_id_amount_idx" ON "deposits"("asset_id", ("amount"::numeric), "created_position");
CREATE INDEX "deposits_rare_status_idx" ON "deposits"("status", "created_position") WHERE "status" <> 3;
CREATE INDEX "votes_value_created_position_idx" ON "votes"("value", "created_position");
CREATE INDEX "markets_instrument_code_created_position_idx" ON "markets"("instrument_code", "created_position");

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261125110000_ranks' COLLATE "C") NOT VALID;
