import type { ClientBase } from 'pg';
// The fields alone: whoever only writes need not load the client.
import { Prisma } from './generated/prisma/browser.ts';
import type {
  Account,
  Asset,
  Deposit,
  MarginLevel,
  Market,
  MarketData,
  Party,
  Proposal,
  Reward,
  RiskFactor,
  Vote,
} from './generated/prisma/client.ts';
import { type Target, toJson, upsertRows, upsertStatement } from './upsert.ts';

/** What a block changed: each row as the block leaves it, and so no two rows with one key. */
export interface BlockChanges {
  /** Every party that the block names, at its first mention; known ones stay as they are. */
  readonly parties: readonly Party[];
  readonly assets: readonly Asset[];
  readonly markets: readonly Market[];
  readonly riskFactors: readonly RiskFactor[];
  readonly marketData: readonly MarketData[];
  readonly accounts: readonly Account[];
  readonly deposits: readonly Deposit[];
  readonly rewards: readonly Reward[];
  readonly proposals: readonly Proposal[];
  readonly votes: readonly Vote[];
  readonly marginLevels: readonly MarginLevel[];
}

/** Writes a block's changes, within the caller's transaction: one statement for each table that changed. */
export async function writeChanges(client: ClientBase, changes: BlockChanges): Promise<void> {
  await upsertRows(client, targets.parties, changes.parties);
  await upsertRows(client, targets.assets, changes.assets);
  await upsertRows(client, targets.markets, changes.markets);
  await upsertRows(client, targets.riskFactors, changes.riskFactors);
  await upsertWithHistory(client, targets.marketData, changes.marketData);
  await writeAccounts(client, changes.accounts);
  await upsertWithHistory(client, targets.deposits, changes.deposits);
  await writeRewards(client, changes.rewards);
  await upsertRows(client, targets.proposals, changes.proposals);
  await upsertWithHistory(client, targets.votes, changes.votes);
  await upsertRows(client, targets.marginLevels, changes.marginLevels);
}

/** Writes rows, and beside them what each has become: the history that streams resume from. */
async function upsertWithHistory<Row>(
  client: ClientBase,
  target: Target<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const text = `
    WITH changed AS (${upsertStatement(target)} RETURNING *)
    INSERT INTO changes (position, noun, row_position, row)
    SELECT updated_position, '${target.name}', created_position, to_jsonb(changed) FROM changed`;
  await client.query({ name: `write ${target.name}`, text, values: [toJson(target, rows)] });
}

/** Accounts carry their history with them: each new balance is a row of balance_changes too. */
async function writeAccounts(client: ClientBase, accounts: readonly Account[]): Promise<void> {
  if (accounts.length === 0) return;
  const text = `
    WITH changed AS (${upsertStatement(targets.accounts)} RETURNING created_position, updated_position, balance)
    INSERT INTO balance_changes (position, account_position, balance)
    SELECT updated_position, created_position, balance FROM changed`;
  await client.query({ name: 'write accounts', text, values: [toJson(targets.accounts, accounts)] });
}

/** Rewards are only ever added; where those of an epoch lie is noted beside them. */
async function writeRewards(client: ClientBase, rewards: readonly Reward[]): Promise<void> {
  if (rewards.length === 0) return;
  const text = `
    WITH added AS (${upsertStatement(targets.rewards)} RETURNING epoch, created_position)
    INSERT INTO reward_epochs (epoch, first_position, last_position)
    SELECT epoch, min(created_position), max(created_position) FROM added GROUP BY epoch
    ON CONFLICT (epoch) DO UPDATE SET
      first_position = least(reward_epochs.first_position, EXCLUDED.first_position),
      last_position = greatest(reward_epochs.last_position, EXCLUDED.last_position)`;
  await client.query({ name: 'write rewards', text, values: [toJson(targets.rewards, rewards)] });
}

const targets = {
  parties: target<Party>('parties', Prisma.PartyScalarFieldEnum, ['id']),
  assets: target<Asset>('assets', Prisma.AssetScalarFieldEnum, ['id']),
  markets: target<Market>('markets', Prisma.MarketScalarFieldEnum, ['id']),
  riskFactors: target<RiskFactor>('risk_factors', Prisma.RiskFactorScalarFieldEnum, ['marketId']),
  marketData: target<MarketData>('market_data', Prisma.MarketDataScalarFieldEnum, ['marketId']),
  accounts: target<Account>('accounts', Prisma.AccountScalarFieldEnum, [
    'owner',
    'assetId',
    'marketId',
    'type',
  ]),
  deposits: target<Deposit>('deposits', Prisma.DepositScalarFieldEnum, ['id']),
  rewards: target<Reward>('rewards', Prisma.RewardScalarFieldEnum, ['createdPosition']),
  proposals: target<Proposal>('proposals', Prisma.ProposalScalarFieldEnum, ['id']),
  votes: target<Vote>('votes', Prisma.VoteScalarFieldEnum, ['proposalId', 'partyId']),
  marginLevels: target<MarginLevel>('margin_levels', Prisma.MarginLevelScalarFieldEnum, [
    'partyId',
    'marketId',
    'assetId',
  ]),
};

function target<Row>(
  name: string,
  fields: Readonly<Record<string, string>>,
  key: readonly (keyof Row & string)[],
): Target<Row> {
  return { name, fields, key };
}
