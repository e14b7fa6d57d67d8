import type { Product } from '../../data/nouns/markets.ts';
import type { AuctionTrigger, MarketState, MarketTradingMode } from '../../domain/enumerations.ts';
import type { Account, Asset, Party } from './parties.ts';
import type { Proposal } from './proposals.ts';

/** A market, from its proposal to its settlement. */
export interface Market {
  readonly id: string;
  readonly kind: MarketKind;
  /** What it settles in; of a spot, what is paid with. */
  readonly asset: Asset;
  /** What a spot buys and sells; null for what is no spot. */
  readonly base: Asset | null;
  readonly proposal: Proposal;
  /** An amount in the asset is `size * price * numerator / denominator`. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** The margin on a unit of exposure, in units of 10^-16. */
  readonly riskFactor: { readonly short: bigint; readonly long: bigint };
  /** In units of 10^-4. */
  readonly liquidityFee: number;
  readonly proposedTimestamp: bigint;
  lpPriceRange: string;
  state: MarketState;
  tradingMode: MarketTradingMode;
  pendingTimestamp: bigint;
  openTimestamp: bigint;
  closeTimestamp: bigint;
  /** The height at which the market goes on to its next stage, where only time decides. */
  nextStageAt: number;
  /** What it trades at, what its last trade was at, and what positions were settled at last; zero before the first. */
  price: number;
  lastTradedPrice: number;
  markPrice: number;
  auction: Auction | null;
  bounds: readonly PriceBound[];
  positions: Position[];
  /** Of a perpetual. */
  funding: FundingPeriod | null;
  /** Of a spot, which has no positions: the orders that wait for the price to come to theirs. */
  orders: readonly RestingOrder[];
  providers: readonly Provider[];
  /** Null until the market is voted in. */
  accounts: MarketAccounts | null;
}

/** What a market trades. Prices are in units of 10^-decimalPlaces, sizes of 10^-positionDecimalPlaces. */
export interface MarketKind {
  readonly product: Product;
  /** The index of the asset that a spot buys and sells. */
  readonly base: number | null;
  /** The price that a capped future cannot pass. */
  readonly cap: number | null;
  readonly code: string;
  readonly name: string;
  readonly quote: string;
  readonly tags: readonly string[];
  readonly decimalPlaces: number;
  readonly positionDecimalPlaces: number;
  /** The price that the walk starts from and is drawn back to. */
  readonly price: number;
  /** The largest size of one trade; a small part of what a party of ordinary means can carry. */
  readonly lot: number;
  readonly quadraticSlippageFactor: string;
}

/** The accounts of the market itself; those of its parties are in its positions and providers. */
export interface MarketAccounts {
  /** A spot has nothing to settle or to insure. */
  readonly settling: SettlingAccounts | null;
  readonly liquidityFees: Account;
  readonly makerFees: Account;
  readonly rewards: {
    readonly makerPaid: Account;
    readonly makerReceived: Account;
    readonly liquidity: Account;
    readonly proposers: Account;
  };
}

export interface SettlingAccounts {
  readonly insurance: Account;
  readonly settlement: Account;
}

/** The prices since the last funding payment of a perpetual, in its own decimals. */
export interface FundingPeriod {
  readonly sequence: number;
  readonly startedAt: bigint;
  /** How many prices the sums are of: those of the market, and those outside the network. */
  readonly points: number;
  readonly internal: bigint;
  readonly external: bigint;
  /** The newest one outside. */
  readonly index: number;
}

/** An order of a spot market, and what it holds: base to sell, or quote to pay. */
export interface RestingOrder {
  readonly party: Party;
  readonly isBuy: boolean;
  readonly size: number;
  readonly limit: number;
  readonly held: bigint;
  /** The height at which it is taken back. */
  readonly expiresAt: number;
}

/** One who provides liquidity to a market, and the bond put up for it. */
export interface Provider {
  readonly party: Party;
  readonly bond: Account;
}

/** A party's position in the market, and the margin account behind it. */
export interface Position {
  readonly party: Party;
  readonly margin: Account;
  /** Above zero when long, below when short. */
  size: number;
  /** Size times price, not paid yet: what trades since the last mark were off the mark price. */
  carry: bigint;
}

/** A pause of continuous trading, in which orders are collected until one price is found. */
export interface Auction {
  readonly trigger: AuctionTrigger;
  readonly startedAt: bigint;
  extensionTrigger: AuctionTrigger;
  endsAt: bigint;
  /** The height at which it ends. */
  lastBlock: number;
  /** What would trade if the auction ended now; zero until orders cross. */
  indicativePrice: number;
  indicativeVolume: number;
}

/** The range that a price may move in before the market goes into an auction. */
export interface PriceBound {
  readonly trigger: PriceTrigger;
  readonly reference: number;
  readonly minimum: number;
  readonly maximum: number;
  /** The height at which the reference is taken anew. */
  readonly staleAt: number;
}

/** How far and how fast a price may move, and the auction that follows when it moves further. */
export interface PriceTrigger {
  /** Seconds. */
  readonly horizon: number;
  readonly probability: string;
  /** Seconds, which are blocks. */
  readonly auctionExtension: number;
  /** How far from its reference the price may go, in thousandths. */
  readonly reach: number;
  readonly blocksPerReference: number;
}

/** The accounts of a market that was voted in; throws for one that was not. */
export function accountsOf(market: Market): MarketAccounts {
  if (!market.accounts) throw new RangeError(`market ${market.id} has no accounts yet`);
  return market.accounts;
}

/** The accounts of a market that settles; throws for a spot. */
export function settlingOf(market: Market): SettlingAccounts {
  const { settling } = accountsOf(market);
  if (!settling) throw new RangeError(`market ${market.id} settles nothing`);
  return settling;
}

/** What a size is worth at a price, in the asset's smallest unit, cut off towards zero. */
export function worth(market: Market, size: number, price: number): bigint {
  return amountOf(market, BigInt(size) * BigInt(price));
}

/** The amount in the asset for a product of size and price. */
export function amountOf(market: Market, product: bigint): bigint {
  return (product * market.numerator) / market.denominator;
}
