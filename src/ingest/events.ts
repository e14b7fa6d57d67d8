import type { LiquidityProviderFeeShare, PriceMonitoringBounds } from '../data/market-data.ts';
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

/**
 * What every event source yields: the network's events in their order, told in our own terms.
 *
 * Quantities, prices and factors are canonical decimal text (`domain/decimals.ts`), never empty; times are
 * nanoseconds since the epoch; ids are lower-case hexadecimal as the network sent them; the built-in party `*`
 * is already `network`, the market `!` (none) already the empty text.
 */
export type NetworkEvent =
  | {
      readonly type: 'beginBlock';
      readonly height: number;
      readonly timestamp: bigint;
      readonly hash: string;
    }
  /** The height is 0 in recordings of older releases, which do not say which block ends. */
  | { readonly type: 'endBlock'; readonly height: number }
  | { readonly type: 'party'; readonly id: string }
  | ({ readonly type: 'asset' } & AssetEvent)
  | ({ readonly type: 'market' } & MarketEvent)
  | ({ readonly type: 'riskFactor' } & RiskFactorEvent)
  | ({ readonly type: 'marketData' } & MarketDataEvent)
  | ({ readonly type: 'account' } & AccountEvent)
  | ({ readonly type: 'deposit' } & DepositEvent)
  | ({ readonly type: 'reward' } & RewardEvent)
  | ({ readonly type: 'proposal' } & ProposalEvent)
  | ({ readonly type: 'vote' } & VoteEvent)
  | ({ readonly type: 'marginLevels' } & MarginLevelsEvent)
  /** The network stops after its latest block, to go on with a new release. Comes between two blocks. */
  | { readonly type: 'upgradeStarted' }
  /** An event of a kind that the gateway does not keep. It still takes a place in its block's order. */
  | { readonly type: 'other' };

/** The events that change what the gateway holds. */
export type KeptEvent = Exclude<
  NetworkEvent,
  { readonly type: 'beginBlock' | 'endBlock' | 'upgradeStarted' | 'other' }
>;

export interface AssetEvent {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly quantum: string;
  readonly status: AssetStatus;
  /** Null unless the asset is built in. */
  readonly maxFaucetAmount: string | null;
  /** Null, like the two below, unless the asset is an ERC-20 token. */
  readonly contractAddress: string | null;
  readonly lifetimeLimit: string | null;
  readonly withdrawThreshold: string | null;
}

export interface MarketEvent {
  readonly id: string;
  readonly instrumentId: string;
  readonly instrumentCode: string;
  readonly instrumentName: string;
  readonly tags: readonly string[];
  readonly settlementAssetId: string;
  readonly quoteName: string;
  readonly decimalPlaces: number;
  readonly positionDecimalPlaces: number;
  readonly makerFee: string;
  readonly infrastructureFee: string;
  readonly liquidityFee: string;
  /** The margin scaling factors: the shortest decimal that reads back as the double on the wire. */
  readonly searchLevel: string;
  readonly initialMargin: string;
  readonly collateralRelease: string;
  /** Null where the network did not tell it: 0 would be a factor. */
  readonly linearSlippageFactor: string | null;
  readonly quadraticSlippageFactor: string | null;
  readonly lpPriceRange: string;
  readonly state: MarketState;
  readonly tradingMode: MarketTradingMode;
  readonly proposedTimestamp: bigint;
  readonly pendingTimestamp: bigint;
  readonly openTimestamp: bigint;
  readonly closeTimestamp: bigint;
}

export interface RiskFactorEvent {
  readonly marketId: string;
  /** Rounded to 16 decimals, half away from zero, as the reference keeps them. */
  readonly short: string;
  readonly long: string;
}

export interface MarketDataEvent {
  readonly marketId: string;
  readonly markPrice: string;
  readonly lastTradedPrice: string;
  readonly midPrice: string;
  readonly staticMidPrice: string;
  readonly bestBidPrice: string;
  readonly bestBidVolume: string;
  readonly bestOfferPrice: string;
  readonly bestOfferVolume: string;
  readonly bestStaticBidPrice: string;
  readonly bestStaticBidVolume: string;
  readonly bestStaticOfferPrice: string;
  readonly bestStaticOfferVolume: string;
  readonly indicativePrice: string;
  readonly indicativeVolume: string;
  readonly openInterest: string;
  readonly marketValueProxy: string;
  readonly suppliedStake: string;
  readonly targetStake: string;
  readonly nextMarkToMarket: bigint;
  readonly auctionStart: bigint;
  readonly auctionEnd: bigint;
  readonly timestamp: bigint;
  readonly marketState: MarketState;
  readonly marketTradingMode: MarketTradingMode;
  readonly trigger: AuctionTrigger;
  readonly extensionTrigger: AuctionTrigger;
  readonly priceMonitoringBounds: readonly PriceMonitoringBounds[];
  readonly liquidityProviderFeeShare: readonly LiquidityProviderFeeShare[];
}

export interface AccountEvent {
  readonly owner: string;
  readonly assetId: string;
  /** Empty for accounts that belong to no market. */
  readonly marketId: string;
  /** Named so because `type` tells what event this is. */
  readonly accountType: AccountType;
  readonly balance: string;
}

export interface DepositEvent {
  readonly id: string;
  readonly partyId: string;
  readonly assetId: string;
  readonly amount: string;
  readonly status: DepositStatus;
  readonly txHash: string;
  readonly createdTimestamp: bigint;
  readonly creditedTimestamp: bigint;
}

export interface RewardEvent {
  readonly partyId: string;
  readonly assetId: string;
  /** Empty for rewards that belong to no market. */
  readonly marketId: string;
  readonly epoch: bigint;
  readonly amount: string;
  readonly percentageOfTotal: string;
  readonly receivedAt: bigint;
  readonly rewardType: string;
}

export interface ProposalEvent {
  readonly id: string;
  readonly reference: string;
  readonly partyId: string;
  readonly state: ProposalState;
  readonly timestamp: bigint;
  /** The name of the network's reason for refusing; null unless it refused. */
  readonly reason: string | null;
  readonly errorDetails: string | null;
  readonly requiredParticipation: string;
  readonly requiredMajority: string;
  readonly requiredLiquidityProviderParticipation: string | null;
  readonly requiredLiquidityProviderMajority: string | null;
}

export interface VoteEvent {
  readonly proposalId: string;
  readonly partyId: string;
  readonly value: VoteValue;
  readonly timestamp: bigint;
  readonly totalGovernanceTokenBalance: string;
  readonly totalGovernanceTokenWeight: string;
  readonly totalEquityLikeShareWeight: string;
}

export interface MarginLevelsEvent {
  readonly partyId: string;
  readonly marketId: string;
  readonly assetId: string;
  readonly maintenanceMargin: string;
  readonly searchLevel: string;
  readonly initialMargin: string;
  readonly collateralReleaseLevel: string;
  readonly timestamp: bigint;
}

/**
 * Where blocks come from. Iterating yields each event with where it stands (`at`: a byte offset, a line, …,
 * for error messages); it ends with the source, and throws an IngestError when the source is damaged, so that
 * everything before the damage has been yielded already.
 */
export interface EventSource {
  /** The network that the events are of, for example `testnet-001`. */
  readonly chainId: string;
  /** What a progress line and an error call the source: a path, `standard input`, `simulated network`. */
  readonly name: string;
  /** Set where one line stands for the begin and the end of a block, so that they are not counted as events. */
  readonly boundariesImplied?: true;
  /** Throws the signal's reason once it is aborted. A source that cannot start over gives its events once. */
  events(signal: AbortSignal): AsyncIterable<SourceEvent>;
  /** How far the reading has come, in units of its own; `total` is null where the end is not known. */
  progress(): { readonly done: number; readonly total: number | null; readonly unit: 'bytes' | 'blocks' };
}

export interface SourceEvent {
  readonly event: NetworkEvent;
  /** Where the event begins, as an error would say it: `byte 1042`, `line 12`, `block 7`. */
  readonly at: string;
}

/** A source that cannot be read on. The message is for a person and says where. */
export class IngestError extends Error {
  override name = 'IngestError';
}
