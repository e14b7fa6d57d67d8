/**
 * The network's enumerations: documented name to the number it has on the wire.
 * Source: the network's protocol, release 0.71.4 (number 8 of the account types is reserved).
 */
export const accountTypes = {
  ACCOUNT_TYPE_UNSPECIFIED: 0,
  ACCOUNT_TYPE_INSURANCE: 1,
  ACCOUNT_TYPE_SETTLEMENT: 2,
  ACCOUNT_TYPE_MARGIN: 3,
  ACCOUNT_TYPE_GENERAL: 4,
  ACCOUNT_TYPE_FEES_INFRASTRUCTURE: 5,
  ACCOUNT_TYPE_FEES_LIQUIDITY: 6,
  ACCOUNT_TYPE_FEES_MAKER: 7,
  ACCOUNT_TYPE_BOND: 9,
  ACCOUNT_TYPE_EXTERNAL: 10,
  ACCOUNT_TYPE_GLOBAL_INSURANCE: 11,
  ACCOUNT_TYPE_GLOBAL_REWARD: 12,
  ACCOUNT_TYPE_PENDING_TRANSFERS: 13,
  ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES: 14,
  ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES: 15,
  ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES: 16,
  ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS: 17,
} as const;
export type AccountType = keyof typeof accountTypes;

export const assetStatuses = {
  STATUS_UNSPECIFIED: 0,
  STATUS_PROPOSED: 1,
  STATUS_REJECTED: 2,
  STATUS_PENDING_LISTING: 3,
  STATUS_ENABLED: 4,
} as const;
export type AssetStatus = keyof typeof assetStatuses;

export const auctionTriggers = {
  AUCTION_TRIGGER_UNSPECIFIED: 0,
  AUCTION_TRIGGER_BATCH: 1,
  AUCTION_TRIGGER_OPENING: 2,
  AUCTION_TRIGGER_PRICE: 3,
  AUCTION_TRIGGER_LIQUIDITY: 4,
  AUCTION_TRIGGER_LIQUIDITY_TARGET_NOT_MET: 5,
  AUCTION_TRIGGER_UNABLE_TO_DEPLOY_LP_ORDERS: 6,
} as const;
export type AuctionTrigger = keyof typeof auctionTriggers;

export const depositStatuses = {
  STATUS_UNSPECIFIED: 0,
  STATUS_OPEN: 1,
  STATUS_CANCELLED: 2,
  STATUS_FINALIZED: 3,
} as const;
export type DepositStatus = keyof typeof depositStatuses;

export const marketStates = {
  STATE_UNSPECIFIED: 0,
  STATE_PROPOSED: 1,
  STATE_REJECTED: 2,
  STATE_PENDING: 3,
  STATE_CANCELLED: 4,
  STATE_ACTIVE: 5,
  STATE_SUSPENDED: 6,
  STATE_CLOSED: 7,
  STATE_TRADING_TERMINATED: 8,
  STATE_SETTLED: 9,
} as const;
export type MarketState = keyof typeof marketStates;

export const marketTradingModes = {
  TRADING_MODE_UNSPECIFIED: 0,
  TRADING_MODE_CONTINUOUS: 1,
  TRADING_MODE_BATCH_AUCTION: 2,
  TRADING_MODE_OPENING_AUCTION: 3,
  TRADING_MODE_MONITORING_AUCTION: 4,
  TRADING_MODE_NO_TRADING: 5,
} as const;
export type MarketTradingMode = keyof typeof marketTradingModes;

export const proposalStates = {
  STATE_UNSPECIFIED: 0,
  STATE_FAILED: 1,
  STATE_OPEN: 2,
  STATE_PASSED: 3,
  STATE_REJECTED: 4,
  STATE_DECLINED: 5,
  STATE_ENACTED: 6,
  STATE_WAITING_FOR_NODE_VOTE: 7,
} as const;
export type ProposalState = keyof typeof proposalStates;

export const voteValues = {
  VALUE_UNSPECIFIED: 0,
  VALUE_NO: 1,
  VALUE_YES: 2,
} as const;
export type VoteValue = keyof typeof voteValues;
