import { Decimal } from '../decimals.ts';
import { marginModes } from '../enumerations.ts';
import { EstimateInputError, readDecimal } from './errors.ts';
import type { MarginLevels } from './margin.ts';
import {
  afterMarketOrders,
  type LimitOrder,
  limitOrders,
  marketVolume,
  type Position,
  type PositionOrder,
  total,
} from './position.ts';

/** The margin mode of a party and what it has; all but the mode are decimal text in asset decimals, fractions and debts too. */
export interface GivenAccounts {
  /** Unspecified is neither mode: margined as in cross mode, with the margin account alone as collateral. */
  readonly marginMode: number;
  readonly marginAccountBalance: string | null;
  readonly orderMarginAccountBalance: string | null;
  /** Read in cross mode only. */
  readonly generalAccountBalance: string | null;
  /** Read in isolated mode only: what part of a position's value its margin is. No unit. */
  readonly marginFactor: string | null;
  /** Of isolated mode: as if the margin account held what the position requires, whatever its balance. */
  readonly includeRequiredPositionMarginInAvailableCollateral: boolean;
}

interface Balances {
  readonly margin: Decimal;
  readonly orderMargin: Decimal;
  /** Zero unless in cross mode. */
  readonly general: Decimal;
  /** Null unless in isolated mode. */
  readonly marginFactor: Decimal | null;
}

/** Reads what the mode takes into account. Throws an EstimateInputError naming what is missing or cannot be taken. */
export function readBalances(given: GivenAccounts): Balances {
  const margin = read(given, 'marginAccountBalance');
  const orderMargin = read(given, 'orderMarginAccountBalance');
  const { MARGIN_MODE_UNSPECIFIED, MARGIN_MODE_CROSS_MARGIN, MARGIN_MODE_ISOLATED_MARGIN } =
    marginModes.numbers;
  const general = Decimal.zero;
  switch (given.marginMode) {
    case MARGIN_MODE_UNSPECIFIED:
      return { margin, orderMargin, general, marginFactor: null };
    case MARGIN_MODE_CROSS_MARGIN:
      return { margin, orderMargin, general: read(given, 'generalAccountBalance'), marginFactor: null };
    case MARGIN_MODE_ISOLATED_MARGIN:
      return { margin, orderMargin, general, marginFactor: read(given, 'marginFactor') };
    default:
      throw new EstimateInputError(
        'marginMode',
        `how ${marginModes.nameOf(given.marginMode)} margins a position is not known.`,
      );
  }
}

type AmountField =
  | 'marginAccountBalance'
  | 'orderMarginAccountBalance'
  | 'generalAccountBalance'
  | 'marginFactor';

function read(given: GivenAccounts, field: AmountField): Decimal {
  const text = given[field];
  if (text === null)
    throw new EstimateInputError(field, `it is missing.${field === 'marginFactor' ? '' : ZERO}`);
  return readDecimal(field, text);
}

const ZERO = ' An empty account has "0".';

/** What a position is weighed against. */
export interface Account {
  /** What is there for margin already, of positions and of orders. */
  readonly held: Decimal;
  /** What the maintenance margin is weighed against. */
  readonly collateral: Decimal;
  /** Null in all modes but isolated. */
  readonly isolated: Isolated | null;
}

interface Isolated {
  readonly marginFactor: Decimal;
  /** What the limit orders require. */
  readonly orderMargin: Decimal;
  /** What position and limit orders together require. */
  readonly required: Decimal;
}

export interface AccountedPosition {
  readonly position: Position;
  readonly entryPrice: Decimal;
  /** The prices of the market: what positions are valued at, and what its auction would trade at. */
  readonly marketPrice: Decimal;
  readonly indicativePrice: Decimal;
}

/** Source: reference data node 0.79.0, EstimatePosition. */
export function weighAccounts(
  given: GivenAccounts,
  { margin, orderMargin: ordered, general, marginFactor }: Balances,
  accounted: AccountedPosition,
): Account {
  const held = margin.add(ordered);
  if (marginFactor === null) {
    const isCross = given.marginMode === marginModes.numbers.MARGIN_MODE_CROSS_MARGIN;
    return { held, collateral: isCross ? held.add(general) : margin, isolated: null };
  }
  const required = requiredPositionMargin(accounted, marginFactor);
  return {
    held,
    collateral: given.includeRequiredPositionMarginInAvailableCollateral ? required : margin,
    isolated: {
      marginFactor,
      orderMargin: orderMargin(accounted.position, marginFactor, accounted.indicativePrice),
      required: required.add(wholeOrderMargin(accounted, marginFactor)),
    },
  };
}

/**
 * What would have to be added to the accounts to bring them to what is required; below zero where some would be
 * released. Rounded to a whole number, halves away from zero. In cross mode the initial margin is required, and nothing
 * is released up to the collateral release level.
 */
export function collateralIncrease({ held, isolated }: Account, levels: MarginLevels): string {
  if (isolated !== null) return isolated.required.subtract(held).round(0).toString();
  // These have more digits than anybody may give where prices have as many.
  const level = (text: string) => Decimal.ofScaled(BigInt(text), 0);
  const missing = level(levels.initialMargin).subtract(held);
  const isReleased = held.compare(level(levels.collateralReleaseLevel)) > 0;
  return (missing.sign > 0 || isReleased ? missing : Decimal.zero).round(0).toString();
}

/** A part of the value that the position was entered with, market orders entering at the market's price. */
function requiredPositionMargin(
  { position, entryPrice, marketPrice }: AccountedPosition,
  marginFactor: Decimal,
): Decimal {
  return position.volume
    .multiply(entryPrice)
    .add(marketVolume(position).multiply(marketPrice))
    .abs()
    .multiply(marginFactor)
    .round(16);
}

/** The order margin once the market orders have traded, in whole units and from prices in whole units, as the network transfers it. */
function wholeOrderMargin({ position, indicativePrice }: AccountedPosition, marginFactor: Decimal): Decimal {
  const { volume, buys, sells } = afterMarketOrders(position);
  const whole = (orders: readonly PositionOrder[]) =>
    limitOrders(orders).map((order) => ({ ...order, price: order.price.truncate() }));
  return orderMargin(
    { volume, buys: whole(buys), sells: whole(sells) },
    marginFactor,
    indicativePrice.truncate(),
  ).truncate();
}

/**
 * What the limit orders of a party in isolated margin mode are margined with, apart from its position: their value,
 * each at its own price or at `leastPrice` where that is higher, times the margin factor; of the two sides the greater.
 * Volume that would close the position is free, the first to trade being the first that closes. Rounded to 16 places,
 * halves away from zero; in asset decimals. Source: reference data node 0.79.0, EstimatePosition.
 */
function orderMargin({ volume, buys, sells }: Position, marginFactor: Decimal, leastPrice: Decimal): Decimal {
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
