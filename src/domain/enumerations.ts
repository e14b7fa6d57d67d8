import { Enumeration, type NameOf } from './enumeration.ts';

/*
 * Every enumeration of the network that is kept: name, number, the release that brought it, and what it means. A number
 * that the next release brings is one line here; rows that have it already are then served by its name.
 * Source: the network's protocol, releases 0.71.4 to 0.79.0 (what is of 0.71 or older is marked 0.71; number 8 of the
 * account types is reserved).
 */

// biome-ignore format: a line for each value
export const accountTypes = new Enumeration('AccountType', 'ACCOUNT_TYPE_', 'The purpose of an account.', {
  ACCOUNT_TYPE_UNSPECIFIED: [0, '0.71', 'No type. No account has it.'],
  ACCOUNT_TYPE_INSURANCE: [1, '0.71', 'The insurance pool of a market.'],
  ACCOUNT_TYPE_SETTLEMENT: [2, '0.71', 'The gains and losses of a market while it settles.'],
  ACCOUNT_TYPE_MARGIN: [3, '0.71', 'The margin of a party in a market.'],
  ACCOUNT_TYPE_GENERAL: [4, '0.71', 'The funds of a party that it can use freely.'],
  ACCOUNT_TYPE_FEES_INFRASTRUCTURE: [5, '0.71', 'The infrastructure fees of an asset that are not paid out yet.'],
  ACCOUNT_TYPE_FEES_LIQUIDITY: [6, '0.71', 'The liquidity fees of a market that are not paid out yet.'],
  ACCOUNT_TYPE_FEES_MAKER: [7, '0.71', 'The maker fees of a market that are not paid out yet.'],
  ACCOUNT_TYPE_BOND: [9, '0.71', 'The commitment of a liquidity provider to a market.'],
  ACCOUNT_TYPE_EXTERNAL: [10, '0.71', 'The other side of deposits and withdrawals, outside the network.'],
  ACCOUNT_TYPE_GLOBAL_INSURANCE: [11, '0.71', 'The insurance pool of an asset across markets.'],
  ACCOUNT_TYPE_GLOBAL_REWARD: [12, '0.71', 'The pool that staking rewards are paid from.'],
  ACCOUNT_TYPE_PENDING_TRANSFERS: [13, '0.71', 'Transfers that have not arrived yet.'],
  ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES: [14, '0.71', 'The pool that rewards parties for maker fees they paid.'],
  ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES: [15, '0.71', 'The pool that rewards parties for maker fees they received.'],
  ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES: [16, '0.71', 'The pool that rewards liquidity providers for fees they received.'],
  ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS: [17, '0.71', 'The pool that rewards those who proposed markets.'],
  ACCOUNT_TYPE_HOLDING: [18, '0.72', 'The funds of a party that its orders in spot markets reserve.'],
  ACCOUNT_TYPE_LP_LIQUIDITY_FEES: [19, '0.72', 'The liquidity fees of one liquidity provider of a market that are not paid out yet.'],
  ACCOUNT_TYPE_LIQUIDITY_FEES_BONUS_DISTRIBUTION: [20, '0.72', 'The penalties of liquidity providers of a market that are paid to the better ones.'],
  ACCOUNT_TYPE_NETWORK_TREASURY: [21, '0.73', 'The treasury of the network in an asset.'],
  ACCOUNT_TYPE_VESTING_REWARDS: [22, '0.73', 'The rewards of a party that are still locked or vesting.'],
  ACCOUNT_TYPE_VESTED_REWARDS: [23, '0.73', 'The rewards of a party that have vested.'],
  ACCOUNT_TYPE_REWARD_AVERAGE_POSITION: [24, '0.73', 'The pool that rewards parties for their average position. Replaced by ACCOUNT_TYPE_REWARD_AVERAGE_NOTIONAL in release 0.78.'],
  ACCOUNT_TYPE_REWARD_RELATIVE_RETURN: [25, '0.73', 'The pool that rewards parties for their relative return.'],
  ACCOUNT_TYPE_REWARD_RETURN_VOLATILITY: [26, '0.73', 'The pool that rewards parties for steady returns.'],
  ACCOUNT_TYPE_REWARD_VALIDATOR_RANKING: [27, '0.73', 'The pool that rewards validators for their ranking.'],
  ACCOUNT_TYPE_PENDING_FEE_REFERRAL_REWARD: [28, '0.73', 'The referral rewards of an asset that are not paid out yet.'],
  ACCOUNT_TYPE_ORDER_MARGIN: [29, '0.74', 'The margin of the orders of a party in a market, in isolated margin mode.'],
  ACCOUNT_TYPE_REWARD_REALISED_RETURN: [30, '0.76', 'The pool that rewards parties for their realised return.'],
  ACCOUNT_TYPE_BUY_BACK_FEES: [31, '0.78', 'The fees that the network keeps to buy back tokens.'],
  ACCOUNT_TYPE_REWARD_AVERAGE_NOTIONAL: [32, '0.78', 'The pool that rewards parties for the average notional value of their positions.'],
  ACCOUNT_TYPE_REWARD_ELIGIBLE_ENTITIES: [33, '0.78', 'The pool that rewards all eligible parties or teams.'],
  ACCOUNT_TYPE_LOCKED_FOR_STAKING: [34, '0.79', 'The rewards of a party that are locked as stake.'],
});

// biome-ignore format: a line for each value
export const assetStatuses = new Enumeration('AssetStatus', 'STATUS_', 'The status of an asset.', {
  STATUS_UNSPECIFIED: [0, '0.71', 'No status.'],
  STATUS_PROPOSED: [1, '0.71', 'Proposed, and not yet voted on.'],
  STATUS_REJECTED: [2, '0.71', 'Refused.'],
  STATUS_PENDING_LISTING: [3, '0.71', 'Accepted, and waiting to be listed on its bridge.'],
  STATUS_ENABLED: [4, '0.71', 'In use.'],
});

// biome-ignore format: a line for each value
export const auctionTriggers = new Enumeration('AuctionTrigger', 'AUCTION_TRIGGER_', 'The reason for which an auction started or was extended.', {
  AUCTION_TRIGGER_UNSPECIFIED: [0, '0.71', 'No auction.'],
  AUCTION_TRIGGER_BATCH: [1, '0.71', 'The market trades in batch auctions.'],
  AUCTION_TRIGGER_OPENING: [2, '0.71', 'The market opens.'],
  AUCTION_TRIGGER_PRICE: [3, '0.71', 'The price would have moved beyond its bounds.'],
  AUCTION_TRIGGER_LIQUIDITY: [4, '0.71', 'There was too little liquidity. No longer used by the network.'],
  AUCTION_TRIGGER_LIQUIDITY_TARGET_NOT_MET: [5, '0.71', 'The stake supplied fell short of its target.'],
  AUCTION_TRIGGER_UNABLE_TO_DEPLOY_LP_ORDERS: [6, '0.71', 'The orders of a liquidity provider could not be placed.'],
  AUCTION_TRIGGER_GOVERNANCE_SUSPENSION: [7, '0.73', 'Governance suspended the market.'],
  AUCTION_TRIGGER_LONG_BLOCK: [8, '0.77', 'A block took too long.'],
  AUCTION_TRIGGER_PROTOCOL_AUTOMATED_PURCHASE: [9, '0.79', 'The network purchases with the funds that it has earmarked.'],
});

/** The network tells a change by the number of the field that has it; a batch has other numbers than a proposal. */
// biome-ignore format: a line for each value
export const batchProposalChanges = new Enumeration('BatchProposalChange', 'CHANGE_', 'A change that a batch of proposals would make.', {
  CHANGE_UPDATE_MARKET: [101, '0.74', 'A market that is no spot market is changed.'],
  CHANGE_NEW_MARKET: [102, '0.74', 'A market that is no spot market opens.'],
  CHANGE_UPDATE_NETWORK_PARAMETER: [103, '0.74', 'A network parameter is changed.'],
  CHANGE_NEW_FREEFORM: [104, '0.74', 'Nothing: parties are asked for their opinion.'],
  CHANGE_UPDATE_ASSET: [105, '0.74', 'An asset is changed.'],
  CHANGE_NEW_SPOT_MARKET: [106, '0.74', 'A spot market opens.'],
  CHANGE_UPDATE_SPOT_MARKET: [107, '0.74', 'A spot market is changed.'],
  CHANGE_NEW_TRANSFER: [108, '0.74', 'The network transfers funds.'],
  CHANGE_CANCEL_TRANSFER: [109, '0.74', 'The network ends a transfer.'],
  CHANGE_UPDATE_MARKET_STATE: [110, '0.74', 'A market is suspended, resumed or closed.'],
  CHANGE_UPDATE_REFERRAL_PROGRAM: [111, '0.74', 'The referral program is changed.'],
  CHANGE_UPDATE_VOLUME_DISCOUNT_PROGRAM: [112, '0.74', 'The volume discount program is changed.'],
  CHANGE_NEW_ASSET: [113, '0.79', 'An asset is listed.'],
  CHANGE_UPDATE_VOLUME_REBATE_PROGRAM: [114, '0.78', 'The volume rebate program is changed.'],
  CHANGE_NEW_PROTOCOL_AUTOMATED_PURCHASE: [115, '0.79', 'The network begins to purchase.'],
});

// biome-ignore format: a line for each value
export const compositePriceTypes = new Enumeration('CompositePriceType', 'COMPOSITE_PRICE_TYPE_', 'The way in which a price is made of several sources.', {
  COMPOSITE_PRICE_TYPE_UNSPECIFIED: [0, '0.74', 'No type.'],
  COMPOSITE_PRICE_TYPE_WEIGHTED: [1, '0.74', 'The weighted mean of the sources.'],
  COMPOSITE_PRICE_TYPE_MEDIAN: [2, '0.74', 'The median of the sources.'],
  COMPOSITE_PRICE_TYPE_LAST_TRADE: [3, '0.74', 'The price of the last trade.'],
});

// biome-ignore format: a line for each value
export const depositStatuses = new Enumeration('DepositStatus', 'STATUS_', 'The status of a deposit.', {
  STATUS_UNSPECIFIED: [0, '0.71', 'No status. Not valid for a deposit.'],
  STATUS_OPEN: [1, '0.71', 'Not yet processed by the network.'],
  STATUS_CANCELLED: [2, '0.71', 'Refused by the network; no account changed.'],
  STATUS_FINALIZED: [3, '0.71', 'Credited to the account of the party.'],
  STATUS_DUPLICATE_REJECTED: [4, '0.75', 'Refused by the network as the duplicate of another deposit; no account changed.'],
});

// biome-ignore format: a line for each value
export const liquidityFeeMethods = new Enumeration('LiquidityFeeMethod', 'METHOD_', 'The way in which the liquidity fee of a market is set.', {
  METHOD_UNSPECIFIED: [0, '0.74', 'No method.'],
  METHOD_MARGINAL_COST: [1, '0.74', 'By the marginal cost of the liquidity that the market needs.'],
  METHOD_WEIGHTED_AVERAGE: [2, '0.74', 'The mean of what the liquidity providers ask for, weighted by their commitments.'],
  METHOD_CONSTANT: [3, '0.74', 'A constant.'],
});

// biome-ignore format: a line for each value
export const marginModes = new Enumeration('MarginMode', 'MARGIN_MODE_', 'The way in which the margin of a position is kept.', {
  MARGIN_MODE_UNSPECIFIED: [0, '0.74', 'No mode.'],
  MARGIN_MODE_CROSS_MARGIN: [1, '0.74', 'The general account of the party covers the margin of all its positions.'],
  MARGIN_MODE_ISOLATED_MARGIN: [2, '0.74', 'Only the margin of the position covers it, and orders have a margin of their own.'],
});

// biome-ignore format: a line for each value
export const marketStates = new Enumeration('MarketState', 'STATE_', 'The state of a market.', {
  STATE_UNSPECIFIED: [0, '0.71', 'No state.'],
  STATE_PROPOSED: [1, '0.71', 'Proposed, and not yet voted on.'],
  STATE_REJECTED: [2, '0.71', 'Refused.'],
  STATE_PENDING: [3, '0.71', 'Accepted, and in its opening auction.'],
  STATE_CANCELLED: [4, '0.71', 'Accepted, and ended before it opened.'],
  STATE_ACTIVE: [5, '0.71', 'Trading.'],
  STATE_SUSPENDED: [6, '0.71', 'In an auction that monitoring started.'],
  STATE_CLOSED: [7, '0.71', 'Closed by governance. Used from release 0.73 on.'],
  STATE_TRADING_TERMINATED: [8, '0.71', 'No longer trading, and not yet settled.'],
  STATE_SETTLED: [9, '0.71', 'Settled. This is final.'],
  STATE_SUSPENDED_VIA_GOVERNANCE: [10, '0.73', 'Suspended by governance.'],
});

// biome-ignore format: a line for each value
export const marketTradingModes = new Enumeration('MarketTradingMode', 'TRADING_MODE_', 'The way in which a market matches orders.', {
  TRADING_MODE_UNSPECIFIED: [0, '0.71', 'No mode.'],
  TRADING_MODE_CONTINUOUS: [1, '0.71', 'Orders trade as they arrive.'],
  TRADING_MODE_BATCH_AUCTION: [2, '0.71', 'Orders trade in batches.'],
  TRADING_MODE_OPENING_AUCTION: [3, '0.71', 'In the auction that opens the market.'],
  TRADING_MODE_MONITORING_AUCTION: [4, '0.71', 'In an auction that price or liquidity monitoring started.'],
  TRADING_MODE_NO_TRADING: [5, '0.71', 'Orders do not trade.'],
  TRADING_MODE_SUSPENDED_VIA_GOVERNANCE: [6, '0.73', 'Governance suspended the market.'],
  TRADING_MODE_LONG_BLOCK_AUCTION: [7, '0.77', 'In an auction that a long block started.'],
  TRADING_MODE_PROTOCOL_AUTOMATED_PURCHASE_AUCTION: [8, '0.79', 'In the auction of a purchase by the network.'],
});

// biome-ignore format: a line for each value
export const proposalChanges = new Enumeration('ProposalChange', 'CHANGE_', 'The change that a proposal would make.', {
  CHANGE_UPDATE_MARKET: [101, '0.71', 'A market that is no spot market is changed.'],
  CHANGE_NEW_MARKET: [102, '0.71', 'A market that is no spot market opens.'],
  CHANGE_UPDATE_NETWORK_PARAMETER: [103, '0.71', 'A network parameter is changed.'],
  CHANGE_NEW_ASSET: [104, '0.71', 'An asset is listed.'],
  CHANGE_NEW_FREEFORM: [105, '0.71', 'Nothing: parties are asked for their opinion.'],
  CHANGE_UPDATE_ASSET: [106, '0.71', 'An asset is changed.'],
  CHANGE_NEW_SPOT_MARKET: [107, '0.72', 'A spot market opens.'],
  CHANGE_UPDATE_SPOT_MARKET: [108, '0.72', 'A spot market is changed.'],
  CHANGE_NEW_TRANSFER: [109, '0.72', 'The network transfers funds.'],
  CHANGE_CANCEL_TRANSFER: [110, '0.72', 'The network ends a transfer.'],
  CHANGE_UPDATE_MARKET_STATE: [111, '0.73', 'A market is suspended, resumed or closed.'],
  CHANGE_UPDATE_REFERRAL_PROGRAM: [112, '0.73', 'The referral program is changed.'],
  CHANGE_UPDATE_VOLUME_DISCOUNT_PROGRAM: [113, '0.73', 'The volume discount program is changed.'],
  CHANGE_UPDATE_VOLUME_REBATE_PROGRAM: [114, '0.78', 'The volume rebate program is changed.'],
  CHANGE_NEW_PROTOCOL_AUTOMATED_PURCHASE: [115, '0.79', 'The network begins to purchase.'],
});

// biome-ignore format: a line for each value
export const proposalErrors = new Enumeration('ProposalError', 'PROPOSAL_ERROR_', 'The reason for which the network refused a proposal.', {
  PROPOSAL_ERROR_UNSPECIFIED: [0, '0.71', 'No reason.'],
  PROPOSAL_ERROR_CLOSE_TIME_TOO_SOON: [1, '0.71', 'The vote would close too soon.'],
  PROPOSAL_ERROR_CLOSE_TIME_TOO_LATE: [2, '0.71', 'The vote would close too late.'],
  PROPOSAL_ERROR_ENACT_TIME_TOO_SOON: [3, '0.71', 'The change would be carried out too soon.'],
  PROPOSAL_ERROR_ENACT_TIME_TOO_LATE: [4, '0.71', 'The change would be carried out too late.'],
  PROPOSAL_ERROR_INSUFFICIENT_TOKENS: [5, '0.71', 'The proposer holds too few governance tokens.'],
  PROPOSAL_ERROR_INVALID_INSTRUMENT_SECURITY: [6, '0.71', 'The instrument is not valid.'],
  PROPOSAL_ERROR_NO_PRODUCT: [7, '0.71', 'The market has no product.'],
  PROPOSAL_ERROR_UNSUPPORTED_PRODUCT: [8, '0.71', 'The network does not support the product.'],
  PROPOSAL_ERROR_NO_TRADING_MODE: [11, '0.71', 'The market has no trading mode.'],
  PROPOSAL_ERROR_UNSUPPORTED_TRADING_MODE: [12, '0.71', 'The network does not support the trading mode.'],
  PROPOSAL_ERROR_NODE_VALIDATION_FAILED: [13, '0.71', 'The validators did not accept it.'],
  PROPOSAL_ERROR_MISSING_BUILTIN_ASSET_FIELD: [14, '0.71', 'A field of a built-in asset is missing.'],
  PROPOSAL_ERROR_MISSING_ERC20_CONTRACT_ADDRESS: [15, '0.71', 'The address of the ERC-20 contract is missing.'],
  PROPOSAL_ERROR_INVALID_ASSET: [16, '0.71', 'The asset is not valid.'],
  PROPOSAL_ERROR_INCOMPATIBLE_TIMESTAMPS: [17, '0.71', 'The times do not fit each other.'],
  PROPOSAL_ERROR_NO_RISK_PARAMETERS: [18, '0.71', 'The market has no risk parameters.'],
  PROPOSAL_ERROR_NETWORK_PARAMETER_INVALID_KEY: [19, '0.71', 'There is no network parameter with this key.'],
  PROPOSAL_ERROR_NETWORK_PARAMETER_INVALID_VALUE: [20, '0.71', 'The value of the network parameter is not valid.'],
  PROPOSAL_ERROR_NETWORK_PARAMETER_VALIDATION_FAILED: [21, '0.71', 'The network parameter does not accept the value.'],
  PROPOSAL_ERROR_OPENING_AUCTION_DURATION_TOO_SMALL: [22, '0.71', 'The opening auction is too short.'],
  PROPOSAL_ERROR_OPENING_AUCTION_DURATION_TOO_LARGE: [23, '0.71', 'The opening auction is too long.'],
  PROPOSAL_ERROR_COULD_NOT_INSTANTIATE_MARKET: [25, '0.71', 'The network could not create the market.'],
  PROPOSAL_ERROR_INVALID_FUTURE_PRODUCT: [26, '0.71', 'The future is not valid.'],
  PROPOSAL_ERROR_INVALID_RISK_PARAMETER: [30, '0.71', 'A risk parameter is not valid.'],
  PROPOSAL_ERROR_MAJORITY_THRESHOLD_NOT_REACHED: [31, '0.71', 'Too few votes were for it.'],
  PROPOSAL_ERROR_PARTICIPATION_THRESHOLD_NOT_REACHED: [32, '0.71', 'Too few tokens voted.'],
  PROPOSAL_ERROR_INVALID_ASSET_DETAILS: [33, '0.71', 'The details of the asset are not valid.'],
  PROPOSAL_ERROR_UNKNOWN_TYPE: [34, '0.71', 'The network does not know the type of the proposal.'],
  PROPOSAL_ERROR_UNKNOWN_RISK_PARAMETER_TYPE: [35, '0.71', 'The network does not know the type of the risk parameters.'],
  PROPOSAL_ERROR_INVALID_FREEFORM: [36, '0.71', 'The free-form proposal is not valid.'],
  PROPOSAL_ERROR_INSUFFICIENT_EQUITY_LIKE_SHARE: [37, '0.71', 'The proposer has too small a share of the liquidity of the market.'],
  PROPOSAL_ERROR_INVALID_MARKET: [38, '0.71', 'The market is not valid.'],
  PROPOSAL_ERROR_TOO_MANY_MARKET_DECIMAL_PLACES: [39, '0.71', 'The market has more decimal places than its asset.'],
  PROPOSAL_ERROR_TOO_MANY_PRICE_MONITORING_TRIGGERS: [40, '0.71', 'The market has too many triggers of price monitoring.'],
  PROPOSAL_ERROR_ERC20_ADDRESS_ALREADY_IN_USE: [41, '0.71', 'Another asset has the address of the ERC-20 contract.'],
  PROPOSAL_ERROR_LP_PRICE_RANGE_NONPOSITIVE: [42, '0.71', 'The price range of liquidity is not above 0.'],
  PROPOSAL_ERROR_LP_PRICE_RANGE_TOO_LARGE: [43, '0.71', 'The price range of liquidity is too large.'],
  PROPOSAL_ERROR_LINEAR_SLIPPAGE_FACTOR_OUT_OF_RANGE: [44, '0.71', 'The linear slippage factor is out of range.'],
  PROPOSAL_ERROR_QUADRATIC_SLIPPAGE_FACTOR_OUT_OF_RANGE: [45, '0.71', 'The quadratic slippage factor is out of range.'],
  PROPOSAL_ERROR_INVALID_SPOT: [46, '0.72', 'The spot product is not valid.'],
  PROPOSAL_ERROR_SPOT_PRODUCT_DISABLED: [47, '0.72', 'The network does not allow spot markets.'],
  PROPOSAL_ERROR_INVALID_SUCCESSOR_MARKET: [48, '0.72', 'The market cannot succeed its parent.'],
  PROPOSAL_ERROR_GOVERNANCE_TRANSFER_PROPOSAL_FAILED: [49, '0.72', 'The transfer could not be made.'],
  PROPOSAL_ERROR_GOVERNANCE_TRANSFER_PROPOSAL_INVALID: [50, '0.72', 'The transfer is not valid.'],
  PROPOSAL_ERROR_GOVERNANCE_CANCEL_TRANSFER_PROPOSAL_INVALID: [51, '0.72', 'The transfer cannot be cancelled.'],
  PROPOSAL_ERROR_INVALID_MARKET_STATE_UPDATE: [52, '0.73', 'The state of the market cannot be changed so.'],
  PROPOSAL_ERROR_INVALID_SLA_PARAMS: [53, '0.73', 'The liquidity SLA parameters are not valid.'],
  PROPOSAL_ERROR_MISSING_SLA_PARAMS: [54, '0.73', 'The liquidity SLA parameters are missing.'],
  PROPOSAL_ERROR_INVALID_PERPETUAL_PRODUCT: [55, '0.73', 'The perpetual is not valid.'],
  PROPOSAL_ERROR_INVALID_REFERRAL_PROGRAM: [56, '0.73', 'The referral program is not valid.'],
  PROPOSAL_ERROR_INVALID_VOLUME_DISCOUNT_PROGRAM: [57, '0.73', 'The volume discount program is not valid.'],
  PROPOSAL_ERROR_PROPOSAL_IN_BATCH_REJECTED: [58, '0.74', 'Another proposal of the batch was rejected.'],
  PROPOSAL_ERROR_PROPOSAL_IN_BATCH_DECLINED: [59, '0.74', 'Another proposal of the batch was declined.'],
  PROPOSAL_ERROR_INVALID_SIZE_DECIMAL_PLACES: [60, '0.76', 'The number of decimal places of sizes is not valid.'],
  PROPOSAL_ERROR_INVALID_VOLUME_REBATE_PROGRAM: [61, '0.78', 'The volume rebate program is not valid.'],
  PROPOSAL_ERROR_INVALID_PROTOCOL_AUTOMATED_PURCHASE: [62, '0.79', 'The purchase by the network is not valid.'],
});

// biome-ignore format: a line for each value
export const proposalStates = new Enumeration('ProposalState', 'STATE_', 'The state of a proposal.', {
  STATE_UNSPECIFIED: [0, '0.71', 'No state.'],
  STATE_FAILED: [1, '0.71', 'Accepted by vote, but failed when it was carried out.'],
  STATE_OPEN: [2, '0.71', 'Open for votes.'],
  STATE_PASSED: [3, '0.71', 'Accepted by vote, and waiting to be carried out.'],
  STATE_REJECTED: [4, '0.71', 'Refused by the network before any vote.'],
  STATE_DECLINED: [5, '0.71', 'Declined by vote.'],
  STATE_ENACTED: [6, '0.71', 'Accepted by vote and carried out.'],
  STATE_WAITING_FOR_NODE_VOTE: [7, '0.71', 'Waiting for the validators.'],
});

// biome-ignore format: a line for each value
export const tradeSides = new Enumeration('TradeSide', 'SIDE_', 'The side of a trade.', {
  SIDE_UNSPECIFIED: [0, '0.71', 'Neither side.'],
  SIDE_BUY: [1, '0.71', 'The side of the buyer.'],
  SIDE_SELL: [2, '0.71', 'The side of the seller.'],
});

// biome-ignore format: a line for each value
export const tradeTypes = new Enumeration('TradeType', 'TYPE_', 'The way in which a trade came about.', {
  TYPE_UNSPECIFIED: [0, '0.71', 'No type.'],
  TYPE_DEFAULT: [1, '0.71', 'Two parties traded with each other.'],
  TYPE_NETWORK_CLOSE_OUT_GOOD: [2, '0.71', 'The network closed out a position with a party whose order was in the book.'],
  TYPE_NETWORK_CLOSE_OUT_BAD: [3, '0.71', 'The network closed out a position with the party whose it was.'],
});

// biome-ignore format: a line for each value
export const voteValues = new Enumeration('VoteValue', 'VALUE_', 'The choice of a vote.', {
  VALUE_UNSPECIFIED: [0, '0.71', 'No choice. Not valid for a vote.'],
  VALUE_NO: [1, '0.71', 'Against the proposal.'],
  VALUE_YES: [2, '0.71', 'For the proposal.'],
});

/** All of them, by the names of their GraphQL scalars. */
export const enumerations = {
  AccountType: accountTypes,
  AssetStatus: assetStatuses,
  AuctionTrigger: auctionTriggers,
  BatchProposalChange: batchProposalChanges,
  CompositePriceType: compositePriceTypes,
  DepositStatus: depositStatuses,
  LiquidityFeeMethod: liquidityFeeMethods,
  MarginMode: marginModes,
  MarketState: marketStates,
  MarketTradingMode: marketTradingModes,
  ProposalChange: proposalChanges,
  ProposalError: proposalErrors,
  ProposalState: proposalStates,
  TradeSide: tradeSides,
  TradeType: tradeTypes,
  VoteValue: voteValues,
} as const satisfies Readonly<Record<string, Enumeration>>;

export type EnumerationName = keyof typeof enumerations;

export function isEnumerationName(name: string): name is EnumerationName {
  return Object.hasOwn(enumerations, name);
}

export type AccountType = NameOf<typeof accountTypes>;
export type AuctionTrigger = NameOf<typeof auctionTriggers>;
export type DepositStatus = NameOf<typeof depositStatuses>;
export type MarketState = NameOf<typeof marketStates>;
export type MarketTradingMode = NameOf<typeof marketTradingModes>;
export type ProposalChange = NameOf<typeof proposalChanges>;
export type ProposalError = NameOf<typeof proposalErrors>;
export type ProposalState = NameOf<typeof proposalStates>;
export type VoteValue = NameOf<typeof voteValues>;
