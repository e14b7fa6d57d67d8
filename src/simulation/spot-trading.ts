import { transfer } from './accounts.ts';
import { feesOn, payFees, sumOf } from './fees.ts';
import { generalAccount, generalBalance, holdingAccount } from './parties.ts';
import { baseAmount, findOwner, renewOrders, takeBack } from './spot-orders.ts';
import type { Asset } from './state/assets.ts';
import { type Market, type RestingOrder, worth } from './state/markets.ts';
import type { Network, SimulatedBlock } from './state/network.ts';

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

  block.events.push({ type: 'other', kind: 5 }, { type: 'other', kind: 8 });
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
