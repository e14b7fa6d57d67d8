import { Decimal } from '../decimals.ts';
import { EstimateInputError, readDecimal } from './errors.ts';
import { inAssetDecimals, type MarginedProduct, type PositionTerms } from './market-terms.ts';

/** What a party holds in one market, in whole units of the instrument: volumes already divided by 10^(position decimals). */
export interface Position {
  /** Above zero for a long position, below for a short one. */
  readonly volume: Decimal;
  readonly buys: readonly PositionOrder[];
  readonly sells: readonly PositionOrder[];
}

export interface PositionOrder {
  /** Zero or more. */
  readonly volume: Decimal;
  /** In asset decimals; null for a market order, which trades at the market's price. */
  readonly price: Decimal | null;
}

export interface LimitOrder extends PositionOrder {
  readonly price: Decimal;
}

/** A position as it is asked about, in the units of the market. */
export interface GivenPosition {
  /** In position decimals; below zero for a short position. */
  readonly openVolume: bigint;
  readonly orders?: readonly OpenOrder[] | undefined;
}

export interface OpenOrder {
  readonly side: 'SIDE_BUY' | 'SIDE_SELL';
  /** What is left to trade, in position decimals; not negative. */
  readonly remaining: bigint;
  /** Decimal text in market decimals, not negative; null for a market order. */
  readonly price: string | null;
}

/** What a price in market decimals may not be. Throws an EstimateInputError naming the field. */
export type PriceCheck = (field: string, price: Decimal) => void;

/** Throws an EstimateInputError naming the first order that cannot be taken, and its field. */
export function readPosition(
  terms: Pick<PositionTerms, 'market' | 'asset'>,
  { openVolume, orders = [] }: GivenPosition,
  check?: PriceCheck,
): Position {
  const buys: PositionOrder[] = [];
  const sells: PositionOrder[] = [];
  for (const [index, order] of orders.entries()) {
    const price = readPrice(`orders[${index}]`, order, check);
    (order.side === 'SIDE_BUY' ? buys : sells).push({
      volume: Decimal.ofScaled(order.remaining, terms.market.positionDecimalPlaces),
      price: price && inAssetDecimals(terms, price),
    });
  }
  return { volume: Decimal.ofScaled(openVolume, terms.market.positionDecimalPlaces), buys, sells };
}

function readPrice(order: string, { remaining, price: text }: OpenOrder, check?: PriceCheck): Decimal | null {
  if (remaining < 0n) throw new EstimateInputError(`${order}.remaining`, `${remaining} is negative.`);
  if (text === null) return null;
  const field = `${order}.price`;
  const price = readDecimal(field, text);
  if (price.sign < 0) throw new EstimateInputError(field, `${text} is negative.`);
  check?.(field, price);
  return price;
}

/** By newer releases of the network prices are whole, and below the market's cap where it has one. */
export function newerPriceCheck(product: MarginedProduct): PriceCheck {
  const cap = product.kind === 'future' ? product.cap : null;
  return (field, price) => {
    if (price.truncate().compare(price) !== 0)
      throw new EstimateInputError(field, `${price} is not a whole number.`);
    if (cap !== null && price.compare(Decimal.parse(cap.maxPrice)) >= 0)
      throw new EstimateInputError(field, `${price} is not below the market's cap of ${cap.maxPrice}.`);
  };
}

/** The position once its market orders have traded; only the limit orders are left. */
export function afterMarketOrders(position: Position): Position {
  return {
    volume: position.volume.add(marketVolume(position)),
    buys: limitOrders(position.buys),
    sells: limitOrders(position.sells),
  };
}

/** The position as if it had no limit orders. */
export function withoutLimitOrders({ volume, buys, sells }: Position): Position {
  return { volume, buys: buys.filter(isMarketOrder), sells: sells.filter(isMarketOrder) };
}

/** The volume that the market orders buy, less what they sell. */
export function marketVolume({ buys, sells }: Position): Decimal {
  return totalVolume(buys.filter(isMarketOrder)).subtract(totalVolume(sells.filter(isMarketOrder)));
}

export function limitOrders(orders: readonly PositionOrder[]): readonly LimitOrder[] {
  return orders.filter((order): order is LimitOrder => order.price !== null);
}

export function totalVolume(orders: readonly PositionOrder[]): Decimal {
  return total(orders, (order) => order.volume);
}

/** The sum of what each order counts. */
export function total<Order>(orders: readonly Order[], of: (order: Order) => Decimal): Decimal {
  return orders.reduce((sum, order) => sum.add(of(order)), Decimal.zero);
}

function isMarketOrder(order: PositionOrder): boolean {
  return order.price === null;
}
