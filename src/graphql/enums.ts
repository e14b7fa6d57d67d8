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

export const AccountTypeEnum = defineEnum<AccountType>('AccountType', 'The purpose of an account.', {
  ACCOUNT_TYPE_UNSPECIFIED: 'No type. No account has it.',
  ACCOUNT_TYPE_INSURANCE: 'The insurance pool of a market.',
  ACCOUNT_TYPE_SETTLEMENT: 'The gains and losses of a market while it settles.',
  ACCOUNT_TYPE_MARGIN: 'The margin of a party in a market.',
  ACCOUNT_TYPE_GENERAL: 'The funds of a party that it can use freely.',
  ACCOUNT_TYPE_FEES_INFRASTRUCTURE: 'The infrastructure fees of an asset that are not paid out yet.',
  ACCOUNT_TYPE_FEES_LIQUIDITY: 'The liquidity fees of a market that are not paid out yet.',
  ACCOUNT_TYPE_FEES_MAKER: 'The maker fees of a market that are not paid out yet.',
  ACCOUNT_TYPE_BOND: 'The commitment of a liquidity provider to a market.',
  ACCOUNT_TYPE_EXTERNAL: 'The other side of deposits and withdrawals, outside the network.',
  ACCOUNT_TYPE_GLOBAL_INSURANCE: 'The insurance pool of an asset across markets.',
  ACCOUNT_TYPE_GLOBAL_REWARD: 'The pool that staking rewards are paid from.',
  ACCOUNT_TYPE_PENDING_TRANSFERS: 'Transfers that have not arrived yet.',
  ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES: 'The pool that rewards parties for maker fees they paid.',
  ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES: 'The pool that rewards parties for maker fees they received.',
  ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES: 'The pool that rewards liquidity providers for fees they received.',
  ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS: 'The pool that rewards those who proposed markets.',
});

export const AssetStatusEnum = defineEnum<AssetStatus>('AssetStatus', 'The status of an asset.', {
  STATUS_UNSPECIFIED: 'No status.',
  STATUS_PROPOSED: 'Proposed, and not yet voted on.',
  STATUS_REJECTED: 'Refused.',
  STATUS_PENDING_LISTING: 'Accepted, and waiting to be listed on its bridge.',
  STATUS_ENABLED: 'In use.',
});

export const AuctionTriggerEnum = defineEnum<AuctionTrigger>(
  'AuctionTrigger',
  'The reason for which an auction started or was extended.',
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

export const DepositStatusEnum = defineEnum<DepositStatus>('DepositStatus', 'The status of a deposit.', {
  STATUS_UNSPECIFIED: 'No status. Not valid for a deposit.',
  STATUS_OPEN: 'Not yet processed by the network.',
  STATUS_CANCELLED: 'Refused by the network; no account changed.',
  STATUS_FINALIZED: 'Credited to the account of the party.',
});

export const MarketStateEnum = defineEnum<MarketState>('MarketState', 'The state of a market.', {
  STATE_UNSPECIFIED: 'No state.',
  STATE_PROPOSED: 'Proposed, and not yet voted on.',
  STATE_REJECTED: 'Refused.',
  STATE_PENDING: 'Accepted, and in its opening auction.',
  STATE_CANCELLED: 'Accepted, and ended before it opened.',
  STATE_ACTIVE: 'Trading.',
  STATE_SUSPENDED: 'In an auction that price or liquidity monitoring started.',
  STATE_CLOSED: 'Closed. Not used by the network.',
  STATE_TRADING_TERMINATED: 'No longer trading, and not yet settled.',
  STATE_SETTLED: 'Settled. This is final.',
});

export const MarketTradingModeEnum = defineEnum<MarketTradingMode>(
  'MarketTradingMode',
  'The way in which a market matches orders.',
  {
    TRADING_MODE_UNSPECIFIED: 'No mode.',
    TRADING_MODE_CONTINUOUS: 'Orders trade as they arrive.',
    TRADING_MODE_BATCH_AUCTION: 'Orders trade in batches.',
    TRADING_MODE_OPENING_AUCTION: 'In the auction that opens the market.',
    TRADING_MODE_MONITORING_AUCTION: 'In an auction that price or liquidity monitoring started.',
    TRADING_MODE_NO_TRADING: 'Orders do not trade.',
  },
);

export const ProposalStateEnum = defineEnum<ProposalState>('ProposalState', 'The state of a proposal.', {
  STATE_UNSPECIFIED: 'No state.',
  STATE_FAILED: 'Accepted by vote, but failed when it was carried out.',
  STATE_OPEN: 'Open for votes.',
  STATE_PASSED: 'Accepted by vote, and waiting to be carried out.',
  STATE_REJECTED: 'Refused by the network before any vote.',
  STATE_DECLINED: 'Declined by vote.',
  STATE_ENACTED: 'Accepted by vote and carried out.',
  STATE_WAITING_FOR_NODE_VOTE: 'Waiting for the validators.',
});

export const VoteValueEnum = defineEnum<VoteValue>('VoteValue', 'The choice of a vote.', {
  VALUE_UNSPECIFIED: 'No choice. Not valid for a vote.',
  VALUE_NO: 'Against the proposal.',
  VALUE_YES: 'For the proposal.',
});
