import type {
  AccountType,
  AssetStatus,
  AuctionTrigger,
  DepositStatus,
  MarketState,
  MarketTradingMode,
  ProposalState,
  VoteValue,
} from '../domain/enumerations.ts';
import { builder } from './builder.ts';

/** Makes a GraphQL enum of a network's enumeration; each of its values must be described. */
function defineEnum<Name extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Name, string>>,
) {
  const entries = (Object.keys(values) as Name[]).map((value) => [
    value,
    { value, description: values[value] },
  ]);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(entries) as Record<Name, { value: Name; description: string }>,
  });
}

export const AccountTypeEnum = defineEnum<AccountType>('AccountType', 'What an account is for.', {
  ACCOUNT_TYPE_UNSPECIFIED: 'No type. No account has it.',
  ACCOUNT_TYPE_INSURANCE: 'The insurance pool of a market.',
  ACCOUNT_TYPE_SETTLEMENT: 'Where gains and losses of a market pass through while it settles.',
  ACCOUNT_TYPE_MARGIN: 'What a party has put up as margin in a market.',
  ACCOUNT_TYPE_GENERAL: 'What a party holds of an asset and can use freely.',
  ACCOUNT_TYPE_FEES_INFRASTRUCTURE: 'Infrastructure fees of an asset, until they are paid out.',
  ACCOUNT_TYPE_FEES_LIQUIDITY: 'Liquidity fees of a market, until they are paid out.',
  ACCOUNT_TYPE_FEES_MAKER: 'Maker fees of a market, until they are paid out.',
  ACCOUNT_TYPE_BOND: 'What a liquidity provider has committed to a market.',
  ACCOUNT_TYPE_EXTERNAL: 'The outside world, as deposits and withdrawals see it.',
  ACCOUNT_TYPE_GLOBAL_INSURANCE: 'The insurance pool of an asset across markets.',
  ACCOUNT_TYPE_GLOBAL_REWARD: 'The pool that staking rewards are paid from.',
  ACCOUNT_TYPE_PENDING_TRANSFERS: 'Transfers on their way.',
  ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES: 'The pool that rewards parties for maker fees they paid.',
  ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES: 'The pool that rewards parties for maker fees they received.',
  ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES: 'The pool that rewards liquidity providers for fees they received.',
  ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS: 'The pool that rewards those who proposed markets.',
});

export const AssetStatusEnum = defineEnum<AssetStatus>('AssetStatus', 'How far an asset is listed.', {
  STATUS_UNSPECIFIED: 'No status.',
  STATUS_PROPOSED: 'Proposed, and not yet voted on.',
  STATUS_REJECTED: 'Refused.',
  STATUS_PENDING_LISTING: 'Accepted, and waiting to be listed on its bridge.',
  STATUS_ENABLED: 'In use.',
});

export const AuctionTriggerEnum = defineEnum<AuctionTrigger>(
  'AuctionTrigger',
  'What started or extended an auction.',
  {
    AUCTION_TRIGGER_UNSPECIFIED: 'No auction.',
    AUCTION_TRIGGER_BATCH: 'The market trades in batch auctions.',
    AUCTION_TRIGGER_OPENING: 'The market opens.',
    AUCTION_TRIGGER_PRICE: 'The price would have moved beyond its bounds.',
    AUCTION_TRIGGER_LIQUIDITY: 'There was too little liquidity. No longer used by the network.',
    AUCTION_TRIGGER_LIQUIDITY_TARGET_NOT_MET: 'The stake supplied fell short of its target.',
    AUCTION_TRIGGER_UNABLE_TO_DEPLOY_LP_ORDERS: 'The orders of a liquidity provider could not be placed.',
  },
);

export const DepositStatusEnum = defineEnum<DepositStatus>('DepositStatus', 'How far a deposit has come.', {
  STATUS_UNSPECIFIED: 'No status. Not valid for a deposit.',
  STATUS_OPEN: 'The network is working on it.',
  STATUS_CANCELLED: 'Refused by the network; no account changed.',
  STATUS_FINALIZED: 'Credited to the account of the party.',
});

export const MarketStateEnum = defineEnum<MarketState>('MarketState', 'Where a market is in its life.', {
  STATE_UNSPECIFIED: 'No state.',
  STATE_PROPOSED: 'Proposed, and not yet voted on.',
  STATE_REJECTED: 'Refused.',
  STATE_PENDING: 'Accepted, and in its opening auction.',
  STATE_CANCELLED: 'Accepted, and ended before it opened.',
  STATE_ACTIVE: 'Trading.',
  STATE_SUSPENDED: 'In an auction that price or liquidity monitoring started.',
  STATE_CLOSED: 'Closed. Not used by the network.',
  STATE_TRADING_TERMINATED: 'No longer trading, and not yet settled.',
  STATE_SETTLED: 'Settled, for good.',
});

export const MarketTradingModeEnum = defineEnum<MarketTradingMode>(
  'MarketTradingMode',
  'How a market matches orders.',
  {
    TRADING_MODE_UNSPECIFIED: 'No mode.',
    TRADING_MODE_CONTINUOUS: 'Orders trade as they come.',
    TRADING_MODE_BATCH_AUCTION: 'Orders trade in batches.',
    TRADING_MODE_OPENING_AUCTION: 'In the auction that opens the market.',
    TRADING_MODE_MONITORING_AUCTION: 'In an auction that price or liquidity monitoring started.',
    TRADING_MODE_NO_TRADING: 'Orders do not trade.',
  },
);

export const ProposalStateEnum = defineEnum<ProposalState>(
  'ProposalState',
  'Where a proposal is in its life.',
  {
    STATE_UNSPECIFIED: 'No state.',
    STATE_FAILED: 'Accepted by vote, and failed when it was carried out.',
    STATE_OPEN: 'Open for votes.',
    STATE_PASSED: 'Accepted by vote, and waiting to be carried out.',
    STATE_REJECTED: 'Refused by the network before any vote.',
    STATE_DECLINED: 'Declined by vote.',
    STATE_ENACTED: 'Accepted by vote and carried out.',
    STATE_WAITING_FOR_NODE_VOTE: 'Waiting for the validators.',
  },
);

export const VoteValueEnum = defineEnum<VoteValue>('VoteValue', 'What a vote says.', {
  VALUE_UNSPECIFIED: 'Nothing. Not valid for a vote.',
  VALUE_NO: 'Against the proposal.',
  VALUE_YES: 'For the proposal.',
});
