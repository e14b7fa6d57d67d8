import type { AccountType, MarketState, MarketTradingMode } from '../domain/enumerations.ts';
import { NETWORK_PARTY, openAccount } from './accounts.ts';
import { type Asset, GOVERNANCE_ASSET, SETTLEMENT_ASSETS } from './assets.ts';
import type { Auction } from './auctions.ts';
import { type MarketKind, marketKind } from './market-kinds.ts';
import type { Account, Block, Network } from './network.ts';
import type { Party } from './parties.ts';
import type { Position } from './positions.ts';
import type { PriceBound } from './price-monitoring.ts';
import type { Proposal } from './proposals.ts';

export interface Market {
  readonly id: string;
  readonly kind: MarketKind;
  readonly asset: Asset;
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
  /** Of the last trade, and the one that positions were settled at last; zero before the first. */
  price: number;
  markPrice: number;
  auction: Auction | null;
  bounds: readonly PriceBound[];
  positions: Position[];
  providers: readonly Provider[];
  accounts: MarketAccounts | null;
}

export interface Provider {
  readonly party: Party;
  readonly bond: Account;
}

export interface MarketAccounts {
  readonly insurance: Account;
  readonly settlement: Account;
  readonly liquidityFees: Account;
  readonly makerFees: Account;
  readonly rewards: {
    readonly makerPaid: Account;
    readonly makerReceived: Account;
    readonly liquidity: Account;
    readonly proposers: Account;
  };
}

/** A market that its proposal has just named: no accounts, no price, nobody in it. */
export function createMarket(
  { random, assets }: Network,
  block: Block,
  slot: number,
  proposal: Proposal,
): Market {
  const kind = marketKind(slot);
  const asset = assets[1 + (slot % SETTLEMENT_ASSETS)];
  if (!asset) throw new RangeError(`no settlement asset for slot ${slot}`);
  const exponent = asset.event.decimals - kind.decimalPlaces - kind.positionDecimalPlaces;
  return {
    id: proposal.id,
    kind,
    asset,
    proposal,
    numerator: 10n ** BigInt(Math.max(exponent, 0)),
    denominator: 10n ** BigInt(Math.max(-exponent, 0)),
    riskFactor: {
      short: 500_000_000_000_000n + random.belowLarge(1_000_000_000_000_000n),
      long: 400_000_000_000_000n + random.belowLarge(900_000_000_000_000n),
    },
    liquidityFee: random.between(1, 20),
    proposedTimestamp: block.timestamp,
    lpPriceRange: '0.95',
    state: 'STATE_PROPOSED',
    tradingMode: 'TRADING_MODE_NO_TRADING',
    pendingTimestamp: 0n,
    openTimestamp: 0n,
    closeTimestamp: 0n,
    nextStageAt: 0,
    price: 0,
    markPrice: 0,
    auction: null,
    bounds: [],
    positions: [],
    providers: [],
    accounts: null,
  };
}

/** The accounts of a market that was voted in. */
export function openMarketAccounts({ assets }: Network, block: Block, market: Market): MarketAccounts {
  const settlement = market.asset.event.id;
  const governance = assets[GOVERNANCE_ASSET]?.event.id ?? settlement;
  const open = (type: AccountType, assetId: string) =>
    openAccount(block, type, assetId, NETWORK_PARTY, market.id);
  return {
    insurance: open('ACCOUNT_TYPE_INSURANCE', settlement),
    settlement: open('ACCOUNT_TYPE_SETTLEMENT', settlement),
    liquidityFees: open('ACCOUNT_TYPE_FEES_LIQUIDITY', settlement),
    makerFees: open('ACCOUNT_TYPE_FEES_MAKER', settlement),
    rewards: {
      makerPaid: open('ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES', governance),
      makerReceived: open('ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES', settlement),
      liquidity: open('ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES', governance),
      proposers: open('ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS', governance),
    },
  };
}

/** The accounts of a market that got past its vote. */
export function accountsOf(market: Market): MarketAccounts {
  if (!market.accounts) throw new RangeError(`market ${market.id} has no accounts yet`);
  return market.accounts;
}

/** What a size is worth at a price, in the asset's smallest unit, cut off towards zero. */
export function worth(market: Market, size: number, price: number): bigint {
  return amountOf(market, BigInt(size) * BigInt(price));
}

/** The amount in the asset for a product of size and price. */
export function amountOf(market: Market, product: bigint): bigint {
  return (product * market.numerator) / market.denominator;
}
