import { transfer } from './accounts.ts';
import { generalAccount, generalBalance, holdingAccount } from './parties.ts';
import type { Asset } from './state/assets.ts';
import { type Market, type RestingOrder, worth } from './state/markets.ts';
import type { Network, SimulatedBlock } from './state/network.ts';
import type { Party } from './state/parties.ts';

/** So many orders wait in a spot market at most, and so many blocks each. */
const MOST_ORDERS = 12;
const BLOCKS_OF_AN_ORDER = 25;

/** Takes back the orders that have waited for too long, and lets someone place another, if there is room for it. */
export function renewOrders(network: Network, block: SimulatedBlock, market: Market, base: Asset): void {
  const { random } = network;
  for (const order of market.orders) {
    if (order.expiresAt <= block.height) takeBack(block, market, base, order);
  }
  if (market.orders.length >= MOST_ORDERS) return;
  const isBuy = random.oneIn(2);
  const size = random.between(1, market.kind.lot);
  const away = Math.trunc((market.price / 1000) * random.below(4));
  const limit = Math.max(1, isBuy ? market.price - away : market.price + away);
  const held = isBuy ? worth(market, size, limit) : baseAmount(market, base, size);
  const party = findOwner(network, isBuy ? market.asset : base, held);
  if (held === 0n || !party) return;
  const paid = isBuy ? market.asset : base;
  block.events.push({ type: 'other', kind: 5 });
  transfer(block, generalAccount(block, party, paid), holdingAccount(block, party, paid), held);
  const expiresAt = block.height + BLOCKS_OF_AN_ORDER;
  market.orders = [...market.orders, { party, isBuy, size, limit, held, expiresAt }];
}

/** Gives back all that orders hold. */
export function releaseOrders(block: SimulatedBlock, market: Market, base: Asset): void {
  for (const order of market.orders) takeBack(block, market, base, order);
}

/** Gives back what an order holds, or what is left of it, and forgets the order. */
export function takeBack(
  block: SimulatedBlock,
  market: Market,
  base: Asset,
  order: RestingOrder,
  left = order.held,
): void {
  const paid = order.isBuy ? market.asset : base;
  transfer(block, holdingAccount(block, order.party, paid), generalAccount(block, order.party, paid), left);
  market.orders = market.orders.filter((one) => one !== order);
}

/** Someone who has so much of an asset to spend. */
export function findOwner(
  { random, parties }: Network,
  asset: Asset,
  amount: bigint,
  other?: Party,
): Party | undefined {
  for (let tries = 0; tries < 6; tries++) {
    const party = tries === 5 ? parties[0] : random.pick(parties);
    if (party && party !== other && generalBalance(party, asset) >= amount) return party;
  }
  return undefined;
}

/** What a size is of the asset that is bought and sold, in its smallest unit. */
export function baseAmount({ kind }: Market, base: Asset, size: number): bigint {
  return BigInt(size) * 10n ** BigInt(base.row.decimals - kind.positionDecimalPlaces);
}
