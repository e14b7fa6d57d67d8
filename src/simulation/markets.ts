import type { MarketState, MarketTradingMode } from '../domain/enumerations.ts';
import { transfer } from './accounts.ts';
import { advanceAuction, closeAuction, collectOrders, openAuction, watchMarket } from './auctions.ts';
import { createMarket, openMarketAccounts } from './create-market.ts';
import { beginFunding, observePrices } from './funding.ts';
import { commitLiquidity, returnLiquidity } from './liquidity.ts';
import { announceMarketData } from './market-data.ts';
import { marketKind } from './market-kinds.ts';
import { announceMarket, announceRiskFactor } from './market-terms.ts';
import { propose } from './proposals.ts';
import { BLOCKS_PER_MARK, closePositions, markToMarket } from './settlement.ts';
import { accountsOf, type Market } from './state/markets.ts';
import type { Network, SimulatedBlock } from './state/network.ts';
import { makeRandomTrade } from './trading.ts';

/** Brings every market one block further; a slot whose market is over proposes another after a while. */
export function advanceMarkets(network: Network, block: SimulatedBlock): void {
  const { markets, random } = network;
  for (const [slot, market] of markets.entries()) {
    if (market) {
      if (advanceMarket(network, block, market)) markets[slot] = null;
    } else if (block.height === 1 + (slot % 5)) {
      markets[slot] = proposeMarket(network, block, slot, true);
    } else if (block.height > 5 && random.oneIn(6)) {
      markets[slot] = proposeMarket(network, block, slot, false);
    }
  }
}

/** True when the market is over. */
function advanceMarket(network: Network, block: SimulatedBlock, market: Market): boolean {
  switch (market.state) {
    case 'STATE_PROPOSED':
      return decide(network, block, market);
    case 'STATE_PENDING':
      return prepare(network, block, market);
    case 'STATE_TRADING_TERMINATED':
      return settle(network, block, market);
    default:
      keepTrading(network, block, market);
      return false;
  }
}

function proposeMarket(network: Network, block: SimulatedBlock, slot: number, certain: boolean): Market {
  const kind = marketKind(network, slot).base === null ? 'market' : 'spot market';
  const market = createMarket(network, block, slot, propose(network, block, kind, certain));
  announceMarket(block, market);
  announceMarketData(network, block, market);
  return market;
}

/** The vote decides: into the opening auction, or away. */
function decide(network: Network, block: SimulatedBlock, market: Market): boolean {
  const { state } = market.proposal;
  if (state === 'STATE_OPEN') return false;
  if (state !== 'STATE_PASSED') {
    enterState(network, block, market, 'STATE_REJECTED', 'TRADING_MODE_NO_TRADING');
    return true;
  }
  market.pendingTimestamp = block.timestamp;
  market.nextStageAt = block.height + 1;
  market.accounts = openMarketAccounts(network, block, market);
  market.providers = commitLiquidity(network, block, market);
  openAuction(market, block, 'AUCTION_TRIGGER_OPENING', market.proposal.enactsAt - block.height);
  enterState(network, block, market, 'STATE_PENDING', 'TRADING_MODE_OPENING_AUCTION');
  return false;
}

/** The opening auction lasts until the proposal is enacted, which can fail. */
function prepare(network: Network, block: SimulatedBlock, market: Market): boolean {
  if (block.height === market.nextStageAt && market.base === null) announceRiskFactor(block, market);
  const { state } = market.proposal;
  if (state === 'STATE_PASSED') {
    collectOrders(network, market);
    announceMarketData(network, block, market);
    return false;
  }
  if (state === 'STATE_FAILED') {
    returnLiquidity(block, market);
    market.closeTimestamp = block.timestamp;
    market.auction = null;
    enterState(network, block, market, 'STATE_CANCELLED', 'TRADING_MODE_NO_TRADING');
    return true;
  }
  market.openTimestamp = block.timestamp;
  // Only a future has an end of its own.
  const [least, most] = market.kind.product === 'FUTURE' ? ([120, 300] as const) : ([400, 900] as const);
  market.nextStageAt = block.height + network.random.between(least, most);
  closeAuction(network, block, market);
  beginFunding(block, market);
  enterState(network, block, market, 'STATE_ACTIVE', 'TRADING_MODE_CONTINUOUS');
  return false;
}

function keepTrading(network: Network, block: SimulatedBlock, market: Market): void {
  const { random } = network;
  if (market.auction) {
    if (advanceAuction(network, block, market)) {
      enterState(network, block, market, 'STATE_ACTIVE', 'TRADING_MODE_CONTINUOUS');
    }
  } else if (block.height >= market.nextStageAt) {
    market.closeTimestamp = block.timestamp;
    market.nextStageAt = block.height + 3;
    enterState(network, block, market, 'STATE_TRADING_TERMINATED', 'TRADING_MODE_NO_TRADING');
    return;
  } else if (watchMarket(network, block, market)) {
    enterState(network, block, market, 'STATE_SUSPENDED', 'TRADING_MODE_MONITORING_AUCTION');
  } else {
    observePrices(network, market);
    const trades = random.below(3);
    for (let made = 0; made < trades; made++) makeRandomTrade(network, block, market);
    if (block.height % BLOCKS_PER_MARK === 0) markToMarket(block, market);
  }
  if (!random.oneIn(6)) announceMarketData(network, block, market);
}

/** After the last settlement (only futures have one: governance closes the others) all margin, bonds and fees go back; what insured the market insures all. */
function settle(network: Network, block: SimulatedBlock, market: Market): boolean {
  if (block.height < market.nextStageAt) return false;
  const { settling } = accountsOf(market);
  closePositions(block, market);
  returnLiquidity(block, market);
  if (settling !== null)
    transfer(block, settling.insurance, market.asset.globalInsurance, settling.insurance.balance);
  const last = market.kind.product === 'FUTURE' ? 'STATE_SETTLED' : 'STATE_CLOSED';
  enterState(network, block, market, last, 'TRADING_MODE_NO_TRADING');
  return true;
}

function enterState(
  network: Network,
  block: SimulatedBlock,
  market: Market,
  state: MarketState,
  tradingMode: MarketTradingMode,
): void {
  market.state = state;
  market.tradingMode = tradingMode;
  announceMarket(block, market);
  announceMarketData(network, block, market);
}
