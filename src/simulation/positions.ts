import { openAccount } from './accounts.ts';
import type { Market, Position } from './state/markets.ts';
import type { SimulatedBlock } from './state/network.ts';
import type { Party } from './state/parties.ts';

/** A market has at most so many positions, so that what it remembers and settles is bounded. */
export const MAX_POSITIONS = 24;

/** The party's position, opened with its margin account when it has none. */
export function positionOf(block: SimulatedBlock, market: Market, party: Party): Position {
  const open = findPosition(market, party);
  if (open) return open;
  const margin = openAccount(block, 'ACCOUNT_TYPE_MARGIN', market.asset.row.id, party.id, market.id);
  const position = { party, margin, size: 0, carry: 0n };
  market.positions.push(position);
  return position;
}

/** The position of the party, if it has one. */
export function findPosition(market: Market, party: Party): Position | undefined {
  return market.positions.find((position) => position.party === party);
}

/** All that is held long, which is as much as is held short. */
export function openInterest(market: Market): number {
  return market.positions.reduce((sum, { size }) => sum + Math.max(size, 0), 0);
}
