import type { QueryConfig } from 'pg';
// The fields alone: whoever only writes need not load the client.
import { Prisma } from './generated/prisma/browser.ts';
import type {
  Account,
  Asset,
  Block,
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
import { upsertInto } from './upsert.ts';

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

/** The statements that write a block, for each table that changes; none needs another's answer. */
export function blockStatements(block: Block, changes: BlockChanges): readonly QueryConfig[] {
  return [
    ...upserts.blocks([block]),
    ...upserts.parties(changes.parties),
    ...upserts.assets(changes.assets),
    ...upserts.markets(changes.markets),
    ...upserts.riskFactors(changes.riskFactors),
    ...upserts.marketData(changes.marketData),
    ...upserts.accounts(changes.accounts),
    ...upserts.deposits(changes.deposits),
    ...upserts.rewards(changes.rewards),
    ...upserts.proposals(changes.proposals),
    ...upserts.votes(changes.votes),
    ...upserts.marginLevels(changes.marginLevels),
  ];
}

/** Beside the rows what each has become: the history that streams resume from. */
const withHistory = (upsert: string, table: string) => `
  WITH changed AS (${upsert} RETURNING *)
  INSERT INTO changes (position, noun, row_position, row)
  SELECT updated_position, '${table}', created_position, to_jsonb(changed) FROM changed`;

/** Accounts carry their history with them: each new balance is a row of balance_changes too. */
const withBalances = (upsert: string) => `
  WITH changed AS (${upsert} RETURNING created_position, updated_position, balance)
  INSERT INTO balance_changes (position, account_position, balance)
  SELECT updated_position, created_position, balance FROM changed`;

/** Rewards are only ever added; where those of an epoch lie is noted beside them. */
const withEpochs = (upsert: string) => `
  WITH added AS (${upsert} RETURNING epoch, created_position)
  INSERT INTO reward_epochs (epoch, first_position, last_position)
  SELECT epoch, min(created_position), max(created_position) FROM added GROUP BY epoch
  ON CONFLICT (epoch) DO UPDATE SET
    first_position = least(reward_epochs.first_position, EXCLUDED.first_position),
    last_position = greatest(reward_epochs.last_position, EXCLUDED.last_position)`;

const upserts = {
  blocks: upsertInto<Block>('blocks', Prisma.BlockScalarFieldEnum, ['height']),
  parties: upsertInto<Party>('parties', Prisma.PartyScalarFieldEnum, ['id']),
  assets: upsertInto<Asset>('assets', Prisma.AssetScalarFieldEnum, ['id']),
  markets: upsertInto<Market>('markets', Prisma.MarketScalarFieldEnum, ['id']),
  riskFactors: upsertInto<RiskFactor>('risk_factors', Prisma.RiskFactorScalarFieldEnum, ['marketId']),
  marketData: upsertInto<MarketData>(
    'market_data',
    Prisma.MarketDataScalarFieldEnum,
    ['marketId'],
    withHistory,
  ),
  accounts: upsertInto<Account>(
    'accounts',
    Prisma.AccountScalarFieldEnum,
    ['owner', 'assetId', 'marketId', 'type'],
    withBalances,
  ),
  deposits: upsertInto<Deposit>('deposits', Prisma.DepositScalarFieldEnum, ['id'], withHistory),
  rewards: upsertInto<Reward>('rewards', Prisma.RewardScalarFieldEnum, ['createdPosition'], withEpochs),
  proposals: upsertInto<Proposal>('proposals', Prisma.ProposalScalarFieldEnum, ['id']),
  votes: upsertInto<Vote>('votes', Prisma.VoteScalarFieldEnum, ['proposalId', 'partyId'], withHistory),
  marginLevels: upsertInto<MarginLevel>('margin_levels', Prisma.MarginLevelScalarFieldEnum, [
    'partyId',
    'marketId',
    'assetId',
  ]),
};
