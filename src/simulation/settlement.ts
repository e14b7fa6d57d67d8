import { transfer, transferUpTo } from './accounts.ts';
import { payFunding } from './funding.ts';
import { shareLiquidityFees } from './liquidity.ts';
import { maintenanceMargin, refreshMargin } from './margins.ts';
import { generalAccount, generalBalance } from './parties.ts';
import { positionOf } from './positions.ts';
import { releaseOrders } from './spot-trading.ts';
import { amountOf, type Market, type Position, settlingOf } from './state/markets.ts';
import type { SimulatedBlock } from './state/network.ts';

/** Positions are marked to market once in so many blocks. */
export const BLOCKS_PER_MARK = 5;

/**
 * Pays what the price has done since the last mark, closes those who cannot go on, and renews the margins. A spot has
 * nothing of that.
 */
export function markToMarket(block: SimulatedBlock, market: Market): void {
  if (market.base !== null) {
    market.markPrice = market.price;
    shareLiquidityFees(block, market);
    return;
  }
  if (market.funding !== null) payFunding(block, market, market.funding);
  settleProfits(block, market);
  for (const position of [...market.positions]) closeOutIfDistressed(block, market, position);
  for (const position of market.positions) refreshMargin(block, market, position);
  market.positions = market.positions.filter(({ size }) => size !== 0);
  shareLiquidityFees(block, market);
}

/** The last settlement: everyone is paid and gets the margin back; or, of a spot, what orders hold. */
export function closePositions(block: SimulatedBlock, market: Market): void {
  if (market.base !== null) {
    releaseOrders(block, market, market.base);
    shareLiquidityFees(block, market);
    return;
  }
  settleProfits(block, market);
  for (const position of market.positions) {
    position.size = 0;
    refreshMargin(block, market, position);
  }
  market.positions = [];
  shareLiquidityFees(block, market);
}

/** The losers pay into the settlement account, the winners are paid from it; it is empty before and after. */
function settleProfits(block: SimulatedBlock, market: Market): void {
  const { settlement, insurance } = settlingOf(market);
  const moved = BigInt(market.price - market.markPrice);
  const due = market.positions.map((position) => {
    const profit = amountOf(market, BigInt(position.size) * moved + position.carry);
    position.carry = 0n;
    return { position, profit };
  });
  market.markPrice = market.price;
  for (const { position, profit } of due) if (profit < 0n) collectLoss(block, market, position, -profit);
  const collected = settlement.balance;
  const profits = due.reduce((sum, { profit }) => (profit > 0n ? sum + profit : sum), 0n);
  for (const { position, profit } of due) {
    if (profit <= 0n) continue;
    const paid = profits <= collected ? profit : (profit * collected) / profits;
    transfer(block, settlement, position.margin, paid);
  }
  transfer(block, settlement, insurance, settlement.balance);
}

/** From the margin, then from what else the party has, then from the insurance; the winners bear the rest. */
function collectLoss(block: SimulatedBlock, market: Market, { party, margin }: Position, loss: bigint): void {
  const { settlement, insurance } = settlingOf(market);
  let left = loss - transferUpTo(block, margin, settlement, loss);
  left -= transferUpTo(block, generalAccount(block, party, market.asset), settlement, left);
  transferUpTo(block, insurance, settlement, left);
}

/**
 * Who cannot cover the maintenance margin loses margin and position: the insurance gets the one, the market's
 * first provider the other.
 */
function closeOutIfDistressed(block: SimulatedBlock, market: Market, position: Position): void {
  const provider = market.providers[0]?.party;
  if (!provider || provider === position.party) return;
  const cover = position.margin.balance + generalBalance(position.party, market.asset);
  if (position.size === 0 || cover >= maintenanceMargin(market, position.size)) return;
  transfer(block, position.margin, settlingOf(market).insurance, position.margin.balance);
  positionOf(block, market, provider).size += position.size;
  position.size = 0;
}
