// Made from schema.graphql by generate.mjs.

import type { Subscription } from './subscription.ts';
import { type BucketOf, bucketsOf } from './sums.ts';

/* Of each list of rows what they are told apart by, and what they have by themselves. */
const accountsList = { type: 'Account', key: 'id', fields: 'asset balance id marketId owner type' };
const assetsList = { type: 'Asset', key: 'id', fields: 'chainId contractAddress decimals id lifetimeLimit maxFaucetAmount name quantum status symbol withdrawThreshold' };
const sumsList = { type: 'BalanceSeries', key: 'id', fields: 'key { asset market party type } buckets { close end high isComplete low open start }' };
const depositsList = { type: 'Deposit', key: 'id', fields: 'amount asset createdTimestamp creditedTimestamp id partyId status txHash' };
const marginLevelsList = { type: 'MarginLevel', key: 'id', fields: 'asset collateralReleaseLevel id initialMargin maintenanceMargin marginFactor marginMode marketId orderMargin partyId searchLevel timestamp' };
const marketDataList = { type: 'MarketData', key: 'id', fields: 'auctionEnd auctionStart bestBidPrice bestBidVolume bestOfferPrice bestOfferVolume bestStaticBidPrice bestStaticBidVolume bestStaticOfferPrice bestStaticOfferVolume extensionTrigger id indicativePrice indicativeVolume lastTradedPrice markPrice markPriceType market marketGrowth marketState marketTradingMode marketValueProxy midPrice nextMarkToMarket nextNetworkCloseout openInterest staticMidPrice suppliedStake targetStake timestamp trigger' };
const marketsList = { type: 'Market', key: 'id', fields: 'allowedEmptyAmmLevels allowedSellers baseAsset buyBackFee closeTimestamp collateralRelease decimalPlaces enableTransactionReordering fullyCollateralised id infrastructureFee initialMargin instrumentCode instrumentId instrumentName insurancePoolFraction linearSlippageFactor liquidityFee lpPriceRange makerFee openTimestamp parentMarketId pendingTimestamp positionDecimalPlaces product proposedTimestamp quadraticSlippageFactor quoteAsset quoteName searchLevel settlementAsset state tags tickSize tradingMode treasuryFee' };
const partiesList = { type: 'Party', key: 'id', fields: 'id' };
const partyProfilesList = { type: 'PartyProfile', key: 'partyId', fields: 'alias partyId' };
const proposalsList = { type: 'Proposal', key: 'id', fields: 'batchId errorDetails id partyId reason reference requiredLiquidityProviderMajority requiredLiquidityProviderParticipation requiredMajority requiredParticipation state timestamp' };
const rewardsList = { type: 'Reward', key: 'id', fields: 'amount assetId epoch gameId id lockedUntilEpoch marketId partyId percentageOfTotal quantumAmount receivedAt rewardType' };
const riskFactorsList = { type: 'RiskFactor', key: 'marketId', fields: 'long marketId short' };
const tradesList = { type: 'Trade', key: 'id', fields: 'aggressor assetPrice buyOrder buyer buyerAuctionBatch id marketId price sellOrder seller sellerAuctionBatch size timestamp type' };
const votesList = { type: 'Vote', key: 'id', fields: 'id partyId proposalId timestamp totalEquityLikeShareWeight totalGovernanceTokenBalance totalGovernanceTokenWeight value' };
const bucketsList = { type: 'MarketBucket', key: 'start', fields: 'close end high isComplete lastUpdate low notional open start trades volume' };

/** A snapshot of the accounts that pass the filter, then each change of a balance, in order, by whole blocks. */
export const accounts: Subscription<{
  /** The conditions that the accounts must meet. Without it, all accounts. */
  readonly filter?: AccountFilter | null;
}, { readonly accounts: readonly Account[]; }> = {
  name: 'accounts',
  types: { message: 'AccountsMessage', updates: 'AccountsUpdates' },
  args: { filter: 'AccountFilter' },
  lists: { accounts: accountsList },
};

/** A snapshot of the assets, then each change of one, in order, by whole blocks. */
export const assets: Subscription<Readonly<Record<never, never>>, { readonly assets: readonly Asset[]; }> = {
  name: 'assets',
  types: { message: 'AssetsMessage', updates: 'AssetsUpdates' },
  args: { },
  lists: { assets: assetsList },
};

/** The sums of the balances of all accounts that pass the filter, as they change. A message has the buckets that were not over in the one before: each that has ended, once, as it stays, and the last as it is so far. */
export const balanceSeries: Subscription<{
  /** What they are summed by. The asset is always among it. */
  readonly by?: readonly ('ASSET' | 'MARKET' | 'PARTY' | 'TYPE')[] | null;
  /** How wide the buckets are, as `series` takes it. */
  readonly every: string;
  /** The conditions that the accounts must meet. Without it, all accounts. */
  readonly filter?: AccountFilter | null;
  /** A time in the first bucket, as `series` takes it: 0 begins with what is known first, and a time to come once it is there. Without it the stream begins with the bucket that is under way. With `after` it goes on from there, with nothing that ends before `from`. */
  readonly from?: string | null;
  /** The IANA time zone whose days, weeks and months are meant. It is UTC by default. */
  readonly zone?: string | null;
}, { readonly sums: readonly BucketOf<BalanceSeriesKey, Bucket>[]; }> = {
  name: 'balanceSeries',
  types: { message: 'BalanceSeriesMessage', updates: 'BalanceSeriesMessage' },
  args: { by: '[BalanceKey!]', every: 'String!', filter: 'AccountFilter', from: 'Timestamp', zone: 'String' },
  lists: { sums: sumsList },
  isSeries: true,
  rowsOf: ({ sums }) => ({ sums: bucketsOf(sums as never) }),
};

/** The latest block, then each later block, in order. */
export const blocks: Subscription<Readonly<Record<never, never>>, Readonly<Record<never, never>>> = {
  name: 'blocks',
  types: { message: 'BlocksMessage', updates: 'BlocksMessage' },
  args: { },
  lists: { },
  isSeries: true,
};

/** The changes of several kinds of things as one stream: a snapshot of the rows that pass the filter, then each change of one, in order, by whole blocks. */
export const changes: Subscription<{
  /** The conditions that changed rows must meet. Without it, all changes. */
  readonly filter?: ChangesFilter | null;
  /** The kinds of things whose changes are wanted. */
  readonly nouns: readonly ('ACCOUNTS' | 'ASSETS' | 'DEPOSITS' | 'MARGIN_LEVELS' | 'MARKETS' | 'MARKET_DATA' | 'PARTIES' | 'PARTY_PROFILES' | 'PROPOSALS' | 'REWARDS' | 'RISK_FACTORS' | 'TRADES' | 'VOTES')[];
}, { readonly accounts: readonly Account[]; readonly assets: readonly Asset[]; readonly deposits: readonly Deposit[]; readonly marginLevels: readonly MarginLevel[]; readonly marketData: readonly MarketData[]; readonly markets: readonly Market[]; readonly parties: readonly Party[]; readonly partyProfiles: readonly PartyProfile[]; readonly proposals: readonly Proposal[]; readonly rewards: readonly Reward[]; readonly riskFactors: readonly RiskFactor[]; readonly trades: readonly Trade[]; readonly votes: readonly Vote[]; }> = {
  name: 'changes',
  types: { message: 'ChangesMessage', updates: 'BlockChanges' },
  args: { filter: 'ChangesFilter', nouns: '[ChangedNoun!]!' },
  lists: { accounts: accountsList, assets: assetsList, deposits: depositsList, marginLevels: marginLevelsList, marketData: marketDataList, markets: marketsList, parties: partiesList, partyProfiles: partyProfilesList, proposals: proposalsList, rewards: rewardsList, riskFactors: riskFactorsList, trades: tradesList, votes: votesList },
};

/** A snapshot of the deposits, then each change of a deposit, in order, by whole blocks. */
export const deposits: Subscription<{
  /** Only deposits for this party. */
  readonly partyId?: string | null;
}, { readonly deposits: readonly Deposit[]; }> = {
  name: 'deposits',
  types: { message: 'DepositsMessage', updates: 'DepositsUpdates' },
  args: { partyId: 'ID' },
  lists: { deposits: depositsList },
};

/** A snapshot of the margin levels that pass the filter, then each change of one, in order, by whole blocks. */
export const marginLevels: Subscription<{
  /** Only margin levels in this market. */
  readonly marketId?: string | null;
  /** Only margin levels of this party. */
  readonly partyId?: string | null;
}, { readonly marginLevels: readonly MarginLevel[]; }> = {
  name: 'marginLevels',
  types: { message: 'MarginLevelsMessage', updates: 'MarginLevelsUpdates' },
  args: { marketId: 'ID', partyId: 'ID' },
  lists: { marginLevels: marginLevelsList },
};

/** A snapshot of the market data, then the data of each block that changes them, in order. */
export const marketData: Subscription<{
  /** Only data of these markets. An empty list is no condition. */
  readonly marketIds?: readonly (string)[] | null;
}, { readonly marketData: readonly MarketData[]; }> = {
  name: 'marketData',
  types: { message: 'MarketDataMessage', updates: 'MarketDataUpdates' },
  args: { marketIds: '[ID!]' },
  lists: { marketData: marketDataList },
};

/** The buckets of one value of a market, as they change. A message has the buckets that were not over in the one before: each that has ended, once, as it stays, and the last as it is so far. */
export const marketSeries: Subscription<{
  /** How wide the buckets are, as `series` takes it. */
  readonly every: string;
  /** A time in the first bucket, as `series` takes it: 0 begins with what is known first, and a time to come once it is there. Without it the stream begins with the bucket that is under way. With `after` it goes on from there, with nothing that ends before `from`. */
  readonly from?: string | null;
  /** The market's identifier. */
  readonly marketId: string;
  /** Which value. */
  readonly of?: 'BEST_BID_PRICE' | 'BEST_OFFER_PRICE' | 'FUNDING_PAYMENT' | 'FUNDING_RATE' | 'INDICATIVE_PRICE' | 'LAST_TRADED_PRICE' | 'MARK_PRICE' | 'MID_PRICE' | 'OPEN_INTEREST' | 'TRADE_PRICE' | null;
  /** The IANA time zone whose days, weeks and months are meant. It is UTC by default. */
  readonly zone?: string | null;
}, { readonly buckets: readonly MarketBucket[]; }> = {
  name: 'marketSeries',
  types: { message: 'MarketSeriesMessage', updates: 'MarketSeriesMessage' },
  args: { every: 'String!', from: 'Timestamp', marketId: 'ID!', of: 'MarketValue', zone: 'String' },
  lists: { buckets: bucketsList },
  isSeries: true,
};

/** A snapshot of the markets, then each change of one, in order, by whole blocks. */
export const markets: Subscription<Readonly<Record<never, never>>, { readonly markets: readonly Market[]; }> = {
  name: 'markets',
  types: { message: 'MarketsMessage', updates: 'MarketsUpdates' },
  args: { },
  lists: { markets: marketsList },
};

/** The parties that are there, then each new one, in order, by whole blocks. */
export const parties: Subscription<Readonly<Record<never, never>>, { readonly parties: readonly Party[]; }> = {
  name: 'parties',
  types: { message: 'PartiesMessage', updates: 'PartiesUpdates' },
  args: { },
  lists: { parties: partiesList },
};

/** A snapshot of what parties say of themselves, then each change of it, in order, by whole blocks. */
export const partyProfiles: Subscription<Readonly<Record<never, never>>, { readonly partyProfiles: readonly PartyProfile[]; }> = {
  name: 'partyProfiles',
  types: { message: 'PartyProfilesMessage', updates: 'PartyProfilesUpdates' },
  args: { },
  lists: { partyProfiles: partyProfilesList },
};

/** A snapshot of the proposals, then each change of one, in order, by whole blocks. */
export const proposals: Subscription<Readonly<Record<never, never>>, { readonly proposals: readonly Proposal[]; }> = {
  name: 'proposals',
  types: { message: 'ProposalsMessage', updates: 'ProposalsUpdates' },
  args: { },
  lists: { proposals: proposalsList },
};

/** A snapshot of the rewards, then each new reward, in order, by whole blocks. */
export const rewards: Subscription<{
  /** Only rewards of this party. */
  readonly partyId?: string | null;
}, { readonly rewards: readonly Reward[]; }> = {
  name: 'rewards',
  types: { message: 'RewardsMessage', updates: 'RewardsUpdates' },
  args: { partyId: 'ID' },
  lists: { rewards: rewardsList },
};

/** A snapshot of the risk factors of all markets, then each change of them, in order, by whole blocks. */
export const riskFactors: Subscription<Readonly<Record<never, never>>, { readonly riskFactors: readonly RiskFactor[]; }> = {
  name: 'riskFactors',
  types: { message: 'RiskFactorsMessage', updates: 'RiskFactorsUpdates' },
  args: { },
  lists: { riskFactors: riskFactorsList },
};

/** A snapshot of the trades, then each new trade, in order, by whole blocks. */
export const trades: Subscription<{
  /** Only trades in one of these markets. An empty list is no condition. */
  readonly marketIds?: readonly (string)[] | null;
  /** Only trades that one of these parties bought or sold in. An empty list is no condition. */
  readonly partyIds?: readonly (string)[] | null;
}, { readonly trades: readonly Trade[]; }> = {
  name: 'trades',
  types: { message: 'TradesMessage', updates: 'TradesUpdates' },
  args: { marketIds: '[ID!]', partyIds: '[ID!]' },
  lists: { trades: tradesList },
};

/** A snapshot of the votes, then each change of a vote, in order, by whole blocks. */
export const votes: Subscription<{
  /** Only votes of this party. */
  readonly partyId?: string | null;
  /** Only votes on this proposal. */
  readonly proposalId?: string | null;
}, { readonly votes: readonly Vote[]; }> = {
  name: 'votes',
  types: { message: 'VotesMessage', updates: 'VotesUpdates' },
  args: { partyId: 'ID', proposalId: 'ID' },
  lists: { votes: votesList },
};

/** The conditions that an account must meet, all of them. An empty list is no condition. */
export interface AccountFilter {
  /** Only accounts of one of these types. */
  readonly accountTypes?: readonly (string)[] | null;
  /** Only accounts that hold this asset. */
  readonly assetId?: string | null;
  /** Only accounts that hold one of these assets. */
  readonly assetIds?: readonly (string)[] | null;
  /** Only accounts with at least this balance, in the asset's smallest unit. In lists with orderBy BALANCE_DESC or BALANCE_ASC alone: no other order has an index of it. */
  readonly balanceFrom?: string | null;
  /** Only accounts with at most this balance. In lists with orderBy BALANCE_DESC or BALANCE_ASC alone: no other order has an index of it. */
  readonly balanceTo?: string | null;
  /** Only accounts that belong to one of these markets. */
  readonly marketIds?: readonly (string)[] | null;
  /** Only accounts that one of these parties owns. */
  readonly partyIds?: readonly (string)[] | null;
}

/** The conditions that changed rows must meet. Each is refused where one of the nouns that are asked for cannot be chosen by it. */
export interface ChangesFilter {
  /** Only rows about one of these assets. */
  readonly assetIds?: readonly (string)[] | null;
  /** Only rows about one of these markets. */
  readonly marketIds?: readonly (string)[] | null;
  /** Only rows about one of these parties. */
  readonly partyIds?: readonly (string)[] | null;
}

/** The balance that an owner holds of one asset for one purpose. */
export interface Account {
  /** The identifier of the asset in the account. */
  readonly asset: string;
  /** The balance, in the asset's smallest unit. */
  readonly balance: string;
  /** The identifier of the object among those of its type: the documented one; where the network has none, the global ID. */
  readonly id: string;
  /** The identifier of the account's market; empty if it has none. */
  readonly marketId: string;
  /** The identifier of the party that owns the account; `network` for the network's own. */
  readonly owner: string;
  /** The purpose of the account. */
  readonly type: string;
}

/** An asset that the network holds and markets settle in. */
export interface Asset {
  /** The identifier of the chain that the contract is on, such as `1`; null unless the asset is bridged and the network said so (from release 0.76 on). */
  readonly chainId: string | null;
  /** The address of the ERC-20 contract; null unless the asset is bridged. */
  readonly contractAddress: string | null;
  /** The number of decimal places between the smallest unit and the whole one. */
  readonly decimals: number;
  /** The identifier of the asset. */
  readonly id: string;
  /** The total amount that one address can ever deposit; null unless the asset is bridged. */
  readonly lifetimeLimit: string | null;
  /** The largest amount that one call of the faucet gives; null unless the asset is built in. */
  readonly maxFaucetAmount: string | null;
  /** The name of the asset, such as `Euro`. */
  readonly name: string;
  /** The smallest amount that is economically meaningful, in the asset's smallest unit. */
  readonly quantum: string;
  /** The status of the asset. */
  readonly status: string;
  /** The symbol of the asset, such as `EUR`. */
  readonly symbol: string;
  /** The amount from which a withdrawal is delayed; null unless the asset is bridged. */
  readonly withdrawThreshold: string | null;
}

/** What the accounts of a sum have in common. What they are not summed by is null. */
export interface BalanceSeriesKey {
  /** The identifier of the asset. */
  readonly asset: string;
  /** The identifier of the accounts' market; empty for those that have none. */
  readonly market: string | null;
  /** The identifier of the party that owns the accounts. */
  readonly party: string | null;
  /** The purpose of the accounts. */
  readonly type: string | null;
}

/** What a value was in one piece of time. What held before is carried into it, so that every bucket has values once anything held. */
export interface Bucket {
  /** What held at its end, or holds at the last block; null if nothing does. In the unit of the value. */
  readonly close: string | null;
  /** The time at which it ends, which is the begin of the next one. */
  readonly end: string;
  /** The greatest of `open` and what it changed to; null if there is none. In the unit of the value. */
  readonly high: string | null;
  /** Whether it is over, so that no later block can change it. */
  readonly isComplete: boolean;
  /** The least of `open` and what it changed to; null if there is none. In the unit of the value. */
  readonly low: string | null;
  /** What held when it began; null if nothing did yet. In the unit of the value. */
  readonly open: string | null;
  /** The time at which it begins. */
  readonly start: string;
}

/** A deposit: an amount of an asset that a party moves into the network. */
export interface Deposit {
  /** The amount, in the asset's smallest unit. */
  readonly amount: string;
  /** The identifier of the asset deposited. */
  readonly asset: string;
  /** The time at which the deposit was created. */
  readonly createdTimestamp: string;
  /** The time at which the deposit was credited; `"0"` until then. */
  readonly creditedTimestamp: string;
  /** The identifier of the deposit. */
  readonly id: string;
  /** The identifier of the party that the deposit is for. */
  readonly partyId: string;
  /** The status of the deposit. */
  readonly status: string;
  /** The hash of the transaction on the chain that the asset comes from. May be empty. */
  readonly txHash: string;
}

/** The latest margin levels of a party in a market. */
export interface MarginLevel {
  /** The identifier of the asset of the margin. */
  readonly asset: string;
  /** The collateral release level, in the asset's smallest unit. With more, the network releases margin. */
  readonly collateralReleaseLevel: string;
  /** The identifier of the object among those of its type: the documented one; where the network has none, the global ID. */
  readonly id: string;
  /** The initial margin, in the asset's smallest unit. It is needed to open the position. */
  readonly initialMargin: string;
  /** The maintenance margin, in the asset's smallest unit. With less, the position is closed out. */
  readonly maintenanceMargin: string;
  /** The part of the value of the position that is its margin, from 0 to 1, in isolated margin mode; `"0"` in others, and null before release 0.74. */
  readonly marginFactor: string | null;
  /** The way in which the margin of the position is kept; null before release 0.74. */
  readonly marginMode: string | null;
  /** The identifier of the market of the position. */
  readonly marketId: string;
  /** The margin that the orders of the party need by themselves, in the asset's smallest unit: more than 0 in isolated margin mode only. Null before release 0.74. */
  readonly orderMargin: string | null;
  /** The identifier of the party that holds the position. */
  readonly partyId: string;
  /** The search level, in the asset's smallest unit. With less, the network takes margin from the party's general account. */
  readonly searchLevel: string;
  /** The time at which the levels were computed. */
  readonly timestamp: string;
}

/** The latest data of a market. Prices are in market decimals, volumes in position decimals, stakes in asset decimals. */
export interface MarketData {
  /** The time at which the auction ends; `"0"` outside auctions. */
  readonly auctionEnd: string;
  /** The time at which the auction began; `"0"` outside auctions. */
  readonly auctionStart: string;
  /** The highest price of a buy order. In market decimals. */
  readonly bestBidPrice: string;
  /** The volume at the best bid price. In position decimals. */
  readonly bestBidVolume: string;
  /** The lowest price of a sell order. In market decimals. */
  readonly bestOfferPrice: string;
  /** The volume at the best offer price. In position decimals. */
  readonly bestOfferVolume: string;
  /** The highest price of a buy order that is not pegged. In market decimals. */
  readonly bestStaticBidPrice: string;
  /** The volume at the best static bid price. In position decimals. */
  readonly bestStaticBidVolume: string;
  /** The lowest price of a sell order that is not pegged. In market decimals. */
  readonly bestStaticOfferPrice: string;
  /** The volume at the best static offer price. In position decimals. */
  readonly bestStaticOfferVolume: string;
  /** The reason for which the auction was extended. */
  readonly extensionTrigger: string;
  /** The identifier of the object among those of its type: the documented one; where the network has none, the global ID. */
  readonly id: string;
  /** The price of the trades if the auction ended now. In market decimals. */
  readonly indicativePrice: string;
  /** The volume of the trades if the auction ended now. In position decimals. */
  readonly indicativeVolume: string;
  /** The price of the last trade. In market decimals. */
  readonly lastTradedPrice: string;
  /** The mark price. In market decimals. */
  readonly markPrice: string;
  /** The way in which the mark price is made of its sources; null where the network says none, as for spot markets and before release 0.74. */
  readonly markPriceType: string | null;
  /** The identifier of the market. */
  readonly market: string;
  /** The growth of the market since the epoch before, as a share of what it was: 0.1 is a tenth more, and it can be negative. Null before release 0.72. */
  readonly marketGrowth: string | null;
  /** The state of the market. */
  readonly marketState: string;
  /** The trading mode of the market. */
  readonly marketTradingMode: string;
  /** An estimate of the value of the market, in asset decimals. */
  readonly marketValueProxy: string;
  /** The mean of the best bid and best offer prices; `"0"` if one is missing. In market decimals. */
  readonly midPrice: string;
  /** The time at which positions are next marked to market. */
  readonly nextMarkToMarket: string;
  /** The time at which the network next trades to be rid of the positions that it closed out; `"0"` if it has none. Null for spot markets, and before release 0.74. */
  readonly nextNetworkCloseout: string | null;
  /** The sum of all long positions. In position decimals. */
  readonly openInterest: string;
  /** The mean of the best static bid and best static offer prices. In market decimals. */
  readonly staticMidPrice: string;
  /** The stake that liquidity providers have committed, in the asset's smallest unit. */
  readonly suppliedStake: string;
  /** The stake that the market needs, in the asset's smallest unit. */
  readonly targetStake: string;
  /** The time at which the data were computed. */
  readonly timestamp: string;
  /** The reason for which the auction started. */
  readonly trigger: string;
}

/** A market for a future, a perpetual or a spot. */
export interface Market {
  /** The number of price levels without volume that an automated market maker may have; `"0"` before release 0.79. */
  readonly allowedEmptyAmmLevels: string;
  /** A list of the parties that alone may sell in a spot market; if it is empty, all may. */
  readonly allowedSellers: readonly (string)[];
  /** The identifier of the asset that a spot market buys and sells; null for other products. */
  readonly baseAsset: string | null;
  /** The share of the value of a trade that the network buys back tokens with; null if the network gave none (before release 0.78). */
  readonly buyBackFee: string | null;
  /** The time at which the market closed; `"0"` until then. */
  readonly closeTimestamp: string;
  /** The collateral release level, as a multiple of the maintenance margin; null where there is no margin, as in a spot market. */
  readonly collateralRelease: string | null;
  /** The number of decimal places of prices. */
  readonly decimalPlaces: number;
  /** Whether the network takes aggressive orders of a block after the others. */
  readonly enableTransactionReordering: boolean;
  /** Whether the margin of a position is all that it can lose; null if the network did not say. */
  readonly fullyCollateralised: boolean | null;
  /** The identifier of the market. */
  readonly id: string;
  /** The share of the value of a trade that goes to the validators. */
  readonly infrastructureFee: string;
  /** The initial margin, as a multiple of the maintenance margin; null where there is no margin, as in a spot market. */
  readonly initialMargin: string | null;
  /** The code of the instrument. */
  readonly instrumentCode: string;
  /** The identifier of the instrument. May be empty. */
  readonly instrumentId: string;
  /** The name of the instrument. */
  readonly instrumentName: string;
  /** The share of the insurance pool of its parent that the market takes over, from 0 to 1; null without a parent. */
  readonly insurancePoolFraction: string | null;
  /** The slippage that margins assume for each unit of the position, as a share of the mark price; null if the network gave none. */
  readonly linearSlippageFactor: string | null;
  /** The share of the value of a trade that goes to the liquidity providers. */
  readonly liquidityFee: string;
  /** The largest distance from the mid price at which liquidity can be provided, as a share of that price; null from release 0.73 on, where it is in `liquiditySla`. */
  readonly lpPriceRange: string | null;
  /** The share of the value of a trade that goes to its maker. */
  readonly makerFee: string;
  /** The time at which trading began; `"0"` until then. */
  readonly openTimestamp: string;
  /** The identifier of the market that this one succeeds, or would; null if there is none. */
  readonly parentMarketId: string | null;
  /** The time at which the opening auction began; `"0"` until then. */
  readonly pendingTimestamp: string;
  /** The number of decimal places of volumes; negative if the unit is larger than one. Volumes of a spot are in its base asset. */
  readonly positionDecimalPlaces: number;
  /** What the market trades; null for a product of a newer release of the network. */
  readonly product: 'FUTURE' | 'PERPETUAL' | 'SPOT' | null;
  /** The time at which the market was proposed. */
  readonly proposedTimestamp: string;
  /** The slippage that margins assume for the square of the position, as a share of the mark price; null if the network gave none. */
  readonly quadraticSlippageFactor: string | null;
  /** The identifier of the asset that a spot market pays with; null for other products. */
  readonly quoteAsset: string | null;
  /** The name of the unit in which prices are quoted, such as `USD`; null for a spot. */
  readonly quoteName: string | null;
  /** The search level, as a multiple of the maintenance margin; null where there is no margin, as in a spot market. */
  readonly searchLevel: string | null;
  /** The identifier of the asset that the market settles in; null for a spot, whose fees are in its quote asset. */
  readonly settlementAsset: string | null;
  /** The state of the market. */
  readonly state: string;
  /** A list of the tags of the instrument. */
  readonly tags: readonly (string)[];
  /** The step between prices of orders, in market decimals; null if the network gave none (before release 0.75), which is 1. */
  readonly tickSize: string | null;
  /** The trading mode of the market. */
  readonly tradingMode: string;
  /** The share of the value of a trade that goes to the network's treasury; null if the network gave none (before release 0.78). */
  readonly treasuryFee: string | null;
}

/** A participant in the network, identified by a public key. */
export interface Party {
  /** The public key of the party; `network` for the network itself. */
  readonly id: string;
}

/** The profile that a party gives itself. The network does not check it. */
export interface PartyProfile {
  /** The name that the party goes by. May be empty. */
  readonly alias: string;
  /** The public key of the party. */
  readonly partyId: string;
}

/** A change to the network that parties vote on. */
export interface Proposal {
  /** The identifier of the batch that the proposal is part of; null if it is part of none. */
  readonly batchId: string | null;
  /** The details of the refusal, in words; null unless the proposal was refused. */
  readonly errorDetails: string | null;
  /** The identifier of the proposal. */
  readonly id: string;
  /** The identifier of the party that proposed. */
  readonly partyId: string;
  /** The reason for which the network refused the proposal; null unless it did. */
  readonly reason: string | null;
  /** The reference that the proposer gave the proposal. */
  readonly reference: string;
  /** The share of the voting liquidity that must be for the proposal, from 0 to 1; null unless the proposal changes a market. */
  readonly requiredLiquidityProviderMajority: string | null;
  /** The share of the liquidity that must vote, from 0 to 1; null unless the proposal changes a market. */
  readonly requiredLiquidityProviderParticipation: string | null;
  /** The share of the votes that must be for the proposal, from 0 to 1. */
  readonly requiredMajority: string;
  /** The share of all governance tokens that must vote, from 0 to 1. */
  readonly requiredParticipation: string;
  /** The state of the proposal. */
  readonly state: string;
  /** The time at which the proposal was made. */
  readonly timestamp: string;
}

/** A reward that a party was paid at the end of an epoch. */
export interface Reward {
  /** The amount paid out, in the asset's smallest unit. */
  readonly amount: string;
  /** The identifier of the asset paid out. */
  readonly assetId: string;
  /** The epoch that the reward is for. */
  readonly epoch: string;
  /** The identifier of the game that the reward was won in; null if it was won in none. */
  readonly gameId: string | null;
  /** The identifier of the object among those of its type: the documented one; where the network has none, the global ID. */
  readonly id: string;
  /** The epoch until which the reward is locked: it begins to vest then. Null before release 0.73. */
  readonly lockedUntilEpoch: string | null;
  /** The identifier of the market that the reward is for; empty if it is for none. From release 0.74 on the network tells it of no reward. */
  readonly marketId: string;
  /** The identifier of the party that was rewarded. */
  readonly partyId: string;
  /** The share of the whole payout, in percent from 0 to 100. Small shares have an exponent. */
  readonly percentageOfTotal: string;
  /** The amount in quanta of the asset, to six decimals; null before release 0.74. */
  readonly quantumAmount: string | null;
  /** The time at which the reward was paid out. */
  readonly receivedAt: string;
  /** The type of the reward: the name of the type of the account that paid it. */
  readonly rewardType: string;
}

/** The risk factors of a market: the margin that a unit of exposure needs, with 16 decimal places. */
export interface RiskFactor {
  /** The factor for long positions. */
  readonly long: string;
  /** The identifier of the market. */
  readonly marketId: string;
  /** The factor for short positions. */
  readonly short: string;
}

/** A trade: two parties exchange a volume at a price. It never changes. */
export interface Trade {
  /** The side whose order met one that was in the book; neither in an auction. */
  readonly aggressor: string;
  /** The price, in the decimals of the asset; null if the network gave none (before release 0.73). */
  readonly assetPrice: string | null;
  /** The identifier of the order of the buyer. May be empty. */
  readonly buyOrder: string;
  /** The identifier of the party that bought; `network` for the network itself. */
  readonly buyer: string;
  /** The number of the auction batch of the buyer's order; `"0"` for none. */
  readonly buyerAuctionBatch: string;
  /** The identifier of the trade. */
  readonly id: string;
  /** The identifier of the market of the trade. */
  readonly marketId: string;
  /** The price, in market decimals. */
  readonly price: string;
  /** The identifier of the order of the seller. May be empty. */
  readonly sellOrder: string;
  /** The identifier of the party that sold; `network` for the network itself. */
  readonly seller: string;
  /** The number of the auction batch of the seller's order; `"0"` for none. */
  readonly sellerAuctionBatch: string;
  /** The volume, in position decimals. */
  readonly size: string;
  /** The time of the block of the trade. */
  readonly timestamp: string;
  /** The way in which the trade came about. */
  readonly type: string;
}

/** A party's latest vote on a proposal. */
export interface Vote {
  /** The identifier of the object among those of its type: the documented one; where the network has none, the global ID. */
  readonly id: string;
  /** The identifier of the party that voted. */
  readonly partyId: string;
  /** The identifier of the proposal voted on. */
  readonly proposalId: string;
  /** The time at which the party voted. */
  readonly timestamp: string;
  /** The party's share of the liquidity, from 0 to 1; `"0"` unless the proposal changes a market. */
  readonly totalEquityLikeShareWeight: string;
  /** The party's governance tokens, in their smallest unit; `"0"` until voting closes. */
  readonly totalGovernanceTokenBalance: string;
  /** The party's share of the governance tokens that voted, from 0 to 1; `"0"` until voting closes. */
  readonly totalGovernanceTokenWeight: string;
  /** The choice of the party. */
  readonly value: string;
}

/** What a value was in one piece of time. What held before is carried into it, so that every bucket has values once anything held. */
export interface MarketBucket {
  /** What held at its end, or holds at the last block; null if nothing does. In the unit of the value. */
  readonly close: string | null;
  /** The time at which it ends, which is the begin of the next one. */
  readonly end: string;
  /** The greatest of `open` and what it changed to; null if there is none. In the unit of the value. */
  readonly high: string | null;
  /** Whether it is over, so that no later block can change it. */
  readonly isComplete: boolean;
  /** The time of the last block in it of which there is market data, or before it where it has none: of `TRADE_PRICE`, of the last trade. Null if there is none. */
  readonly lastUpdate: string | null;
  /** The least of `open` and what it changed to; null if there is none. In the unit of the value. */
  readonly low: string | null;
  /** The sum of price times size of the trades in it. In market decimals and position decimals together: divide by `10^(decimalPlaces + positionDecimalPlaces)`. */
  readonly notional: string;
  /** What held when it began; null if nothing did yet. In the unit of the value. */
  readonly open: string | null;
  /** The time at which it begins. */
  readonly start: string;
  /** The number of trades in it. */
  readonly trades: number;
  /** The sum of the sizes of the trades in it. In position decimals. */
  readonly volume: string;
}
