import type { AccountType } from '../domain/enumerations.ts';
import { NETWORK_PARTY, openAccount } from './accounts.ts';
import { GOVERNANCE_ASSET, SETTLEMENT_ASSETS } from './assets.ts';
import { marketKind } from './market-kinds.ts';
import type { Market, MarketAccounts } from './state/markets.ts';
import type { Network, SimulatedBlock } from './state/network.ts';
import type { Proposal } from './state/proposals.ts';

/** A market that its proposal has just named: no accounts, no price, nobody in it. */
export function createMarket(
  network: Network,
  block: SimulatedBlock,
  slot: number,
  proposal: Proposal,
): Market {
  const { random, assets, names } = network;
  const kind = names.market(marketKind(network, slot));
  const asset = assets[1 + (slot % SETTLEMENT_ASSETS)];
  if (!asset) throw new RangeError(`no settlement asset for slot ${slot}`);
  const exponent = asset.row.decimals - kind.decimalPlaces - kind.positionDecimalPlaces;
  return {
    id: proposal.id,
    kind,
    asset,
    base: (kind.base === null ? null : assets[kind.base]) ?? null,
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
    lastTradedPrice: 0,
    markPrice: 0,
    auction: null,
    bounds: [],
    positions: [],
    funding: null,
    orders: [],
    providers: [],
    accounts: null,
  };
}

/** The accounts of a market that was voted in. */
export function openMarketAccounts(
  { assets }: Network,
  block: SimulatedBlock,
  market: Market,
): MarketAccounts {
  const settlement = market.asset.row.id;
  const governance = assets[GOVERNANCE_ASSET]?.row.id ?? settlement;
  const open = (type: AccountType, assetId: string) =>
    openAccount(block, type, assetId, NETWORK_PARTY, market.id);
  return {
    settling:
      market.base === null
        ? {
            insurance: open('ACCOUNT_TYPE_INSURANCE', settlement),
            settlement: open('ACCOUNT_TYPE_SETTLEMENT', settlement),
          }
        : null,
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
