import { feesOn, payFees, sumOf } from './fees.ts';
import { initialMargin, refreshMargin } from './margins.ts';
import { generalBalance } from './parties.ts';
import { findPosition, MAX_POSITIONS, positionOf } from './positions.ts';
import { tradeSpot } from './spot-trading.ts';
import { type Market, worth } from './state/markets.ts';
import type { Network, SimulatedBlock } from './state/network.ts';
import type { Party } from './state/parties.ts';
import { announceTrade } from './trades.ts';

/** Where the price goes next: a small step, rarely a jump, drawn back when it strayed far from where it began, below a cap. */
export function walkPrice({ random }: Network, { auction, price, kind }: Market): number {
  const from = auction?.indicativePrice || price || kind.price;
  const pull = from > kind.price * 2 ? -100 : from * 2 < kind.price ? 100 : 0;
  const jump = random.oneIn(120) ? random.between(2000, 8000) * (random.oneIn(2) ? 1 : -1) : 0;
  const step = BigInt(random.between(-300, 300) + pull + jump);
  const next = Math.max(1, Number(BigInt(from) + (BigInt(from) * step) / 100_000n));
  return kind.cap === null ? next : Math.min(next, kind.cap - 1);
}

/** Two parties trade with each other, in a spot or at the market's price, if both can pay for it. */
export function makeRandomTrade(network: Network, block: SimulatedBlock, market: Market): void {
  if (market.base !== null) {
    tradeSpot(network, block, market, market.base);
    return;
  }
  const { random } = network;
  const taker = findTrader(network, market);
  const maker = findTrader(network, market);
  if (!taker || !maker || taker === maker) return;
  const held = findPosition(market, taker)?.size ?? 0;
  const closing = held !== 0 && random.oneIn(3);
  const change = closing ? -held : random.between(1, market.kind.lot) * (random.oneIn(2) ? 1 : -1);
  const fees = feesOn(block, market, worth(market, Math.abs(change), market.price));
  if (!canCarry(market, taker, change, sumOf(fees))) return;
  if (!canCarry(market, maker, -change, 0n)) return;

  announceTrade(block, market, { taker, maker, isTakerBuying: change > 0, size: Math.abs(change), fees });
  payFees(block, market, taker, maker, fees);
  changePosition(block, market, taker, change);
  changePosition(block, market, maker, -change);
}

/** One who has a position, or, while there is room for more, anyone with something to spend. */
function findTrader({ random, parties }: Network, { positions, asset }: Market): Party | undefined {
  const full = positions.length > MAX_POSITIONS - 2;
  if (full || (positions.length > 0 && random.oneIn(2))) return random.pick(positions).party;
  for (let tries = 0; tries < 4; tries++) {
    const party = random.pick(parties);
    if (generalBalance(party, asset) > 0n) return party;
  }
  return undefined;
}

/** With half as much again as the margin that is asked for, so that the next step of the price is no ruin. */
function canCarry(market: Market, party: Party, change: number, fees: bigint): boolean {
  const position = findPosition(market, party);
  const available = generalBalance(party, market.asset) - fees;
  const needed = initialMargin(market, (position?.size ?? 0) + change);
  return available >= 0n && (available + (position?.margin.balance ?? 0n)) * 2n >= needed * 3n;
}

function changePosition(block: SimulatedBlock, market: Market, party: Party, change: number): void {
  const position = positionOf(block, market, party);
  position.size += change;
  position.carry += BigInt(change) * BigInt(market.markPrice - market.price);
  refreshMargin(block, market, position);
}
