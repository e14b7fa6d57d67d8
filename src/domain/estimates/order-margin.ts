import { Decimal } from '../decimals.ts';
import { type LimitOrder, limitOrders, type Position, total } from './position.ts';

/**
 * What the limit orders of a party in isolated margin mode are margined with, apart from its position: their value,
 * each at its own price or at `leastPrice` where that is higher, times the margin factor; of the two sides the greater.
 * Volume that would close the position is free, the first to trade being the first that closes. Rounded to 16 places,
 * halves away from zero; in asset decimals. Source: reference data node 0.79.0, EstimatePosition.
 */
export function orderMargin(
  { volume, buys, sells }: Position,
  marginFactor: Decimal,
  leastPrice: Decimal,
): Decimal {
  const closing = (side: 1 | -1) => (volume.sign * side < 0 ? volume.abs() : Decimal.zero);
  const sideMargin = (orders: readonly LimitOrder[], free: Decimal) =>
    total(beyond(free, orders), (order) => order.volume.multiply(order.price.max(leastPrice)))
      .multiply(marginFactor)
      .round(16);
  const bought = [...limitOrders(buys)].sort((a, b) => b.price.compare(a.price));
  const sold = [...limitOrders(sells)].sort((a, b) => a.price.compare(b.price));
  return sideMargin(bought, closing(1)).max(sideMargin(sold, closing(-1)));
}

/** What is left of orders once a volume of them has traded. */
function beyond(volume: Decimal, orders: readonly LimitOrder[]): readonly LimitOrder[] {
  let closing = volume;
  return orders.map((order) => {
    const left = order.volume.subtract(closing);
    closing = left.negate().max(Decimal.zero);
    return { ...order, volume: left.max(Decimal.zero) };
  });
}
