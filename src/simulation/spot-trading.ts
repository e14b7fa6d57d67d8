import { transfer } from './accounts.ts';
import { feesOn, payFees, sumOf } from './fees.ts';
import { generalAccount, generalBalance, holdingAccount } from './parties.ts';
import { type Market, type RestingOrder, worth } from './state/markets.ts';
import type { Network, SimulatedBlock } from './state/network.ts';
import type { Asset, Party } from './state/parties.ts';
import { announceTrade } from './trades.ts';

/**
 * One asset goes from seller to buyer, and the other the other way, from what an order holds and from whoever takes it.
 * Nobody owes anything then: there is no position, and no margin.
 */
export function tradeSpot(network: Network, block: SimulatedBlock, market: Market, base: Asset): void {
  renewOrders(network, block, market, base);
  const order = market.orders.find(({ isBuy, limit }) =>
    isBuy ? limit >= market.price : limit <= market.price,
  );
  if (order && network.random.oneIn(2)) fill(network, block, market, base, order);
}

function fill(
  network: Network,
  block: SimulatedBlock,
  market: Market,
  base: Asset,
  order: RestingOrder,
): void {
  const { party: maker, isBuy, size, held } = order;
  const quote = market.asset;
  const value = worth(market, size, market.price);
  const amount = baseAmount(market, base, size);
  const fees = feesOn(block, market, value);
  // Who sells pays the fees out of what is paid for it.
  const taker = findOwner(network, isBuy ? base : quote, isBuy ? amount : value + sumOf(fees), maker);
  if (!taker || (isBuy && generalBalance(taker, quote) + value < sumOf(fees))) return;

  announceTrade(block, market, { taker, maker, isTakerBuying: !isBuy, size, fees });
  const general = (owner: typeof maker, asset: Asset) => generalAccount(block, owner, asset);
  if (isBuy) {
    transfer(block, general(taker, base), general(maker, base), amount);
    transfer(block, holdingAccount(block, maker, quote), general(taker, quote), value);
  } else {
    transfer(block, holdingAccount(block, maker, base), general(taker, base), amount);
    transfer(block, general(taker, quote), general(maker, quote), value);
  }
  payFees(block, market, taker, maker, fees);
  takeBack(block, market, base, order, held - (isBuy ? value : amount));
}

/** So many orders wait in a spot market at most, and so many blocks each. */
const MOST_ORDERS = 12;
const BLOCKS_OF_AN_ORDER = 25;

/** Takes back the orders that have waited for too long, and lets someone place another, if there is room for it. */
function renewOrders(network: Network, block: SimulatedBlock, market: Market, base: Asset): void {
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
function takeBack(
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
function findOwner(
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
function baseAmount({ kind }: Market, base: Asset, size: number): bigint {
  return BigInt(size) * 10n ** BigInt(base.row.decimals - kind.positionDecimalPlaces);
}
