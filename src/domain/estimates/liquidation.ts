import { Decimal } from '../decimals.ts';
import { type LiquidationPriceName, UndefinedLiquidationPriceError } from './errors.ts';
import type { Position, PositionOrder } from './position.ts';
import { fundingMargin, type Scenario, slippage } from './scenario.ts';

/** One value for the open volume alone, and one for each side's orders. */
export type ByOrders<Value> = { readonly [name in LiquidationPriceName]: Value };

/** Canonical decimals. By release 0.71 they have up to 16 places and are in asset decimals, neither rounded to a tick nor scaled to the market. */
export type LiquidationPrices = ByOrders<string>;

/** In what releases of the network, and margin modes, differ. */
export interface LiquidationRules {
  /** What there is to tell once orders have closed the position: nothing at all by release 0.71.4, zero by newer ones. */
  readonly closed: 'refused' | 'zero';
  /** In isolated margin mode, what a limit order brings along when it trades: this much of its value. */
  readonly isolatedFactor: Decimal | null;
}

const RELEASE_071: LiquidationRules = { closed: 'refused', isolatedFactor: null };

/**
 * The prices at which the collateral no longer covers the maintenance margin: of the open volume alone, and as it
 * would be once the buy or the sell orders had traded on the way there. The collateral is in asset decimals; it may
 * be fractional, and even negative. With places, which release 0.73 has, prices are told as `wholePrices` does. Throws an
 * UndefinedLiquidationPriceError where there is no such price. Source: reference data node 0.71.4, EstimatePosition.
 */
export function liquidationPrices(
  position: Position,
  collateral: Decimal,
  scenario: Scenario,
  places: number | null = null,
): LiquidationPrices {
  const prices = solveLiquidation(position, collateral, scenario, RELEASE_071);
  return places === null ? mapPrices(prices, (price) => price.toString()) : wholePrices(prices, places);
}

/** Solves for the liquidation prices by any rules, as numbers. */
export function solveLiquidation(
  { volume, buys, sells }: Position,
  collateral: Decimal,
  scenario: Scenario,
  rules: LiquidationRules,
): ByOrders<Decimal> {
  const holding = { volume, collateral, price: scenario.price };
  const openVolumeOnly =
    volume.sign === 0 ? Decimal.zero : liquidationPrice(holding, scenario, 'openVolumeOnly');
  const after = (orders: readonly PositionOrder[], name: OrdersName) =>
    afterOrders({ holding, liquidation: openVolumeOnly, orders, name }, scenario, rules);
  return {
    openVolumeOnly,
    includingBuyOrders: after(buys, 'includingBuyOrders'),
    includingSellOrders: after(sells, 'includingSellOrders'),
  };
}

/**
 * Prices in asset decimals as newer releases tell them: whole, and in decimals that are this many places less. To scale one is to
 * divide, which rounds to 16 places.
 */
export function wholePrices(prices: ByOrders<Decimal>, places: number): LiquidationPrices {
  const scale = (price: Decimal) => (places === 0 ? price : price.shift(-places).round(16));
  return mapPrices(prices, (price) => scale(price).round(0).toString());
}

function mapPrices<From, To>(prices: ByOrders<From>, map: (price: From) => To): ByOrders<To> {
  return {
    openVolumeOnly: map(prices.openVolumeOnly),
    includingBuyOrders: map(prices.includingBuyOrders),
    includingSellOrders: map(prices.includingSellOrders),
  };
}

/** A volume valued at a price, with the collateral that is left at that price. */
interface Holding {
  readonly volume: Decimal;
  readonly collateral: Decimal;
  readonly price: Decimal;
}

/**
 * The price at which collateral and margin meet; with X the volume, K the collateral at price p, r the risk factor of
 * X's side and f(X) what its funding takes:
 *
 *     (K - X * p - f(X)) / (slip(X) + |X| * r - X),   never below 0
 *
 * The quotient is rounded to 16 places, halves away from zero; nothing else is. The price is undefined where the
 * divisor is zero. Where slippage and risk exceed a long position's whole value, the divisor is positive and the price
 * grows with the collateral; the reference answers that too.
 */
function liquidationPrice(holding: Holding, scenario: Scenario, name: LiquidationPriceName): Decimal {
  const { volume, collateral, price } = holding;
  const riskFactor = volume.sign < 0 ? scenario.riskFactorShort : scenario.riskFactorLong;
  const divisor = slippage(volume, scenario).add(volume.abs().multiply(riskFactor)).subtract(volume);
  if (divisor.sign === 0) throw new UndefinedLiquidationPriceError(scenario.name, name, reasonFor(volume));
  return collateral
    .subtract(volume.multiply(price))
    .subtract(fundingMargin(volume, scenario))
    .divide(divisor)
    .max(Decimal.zero);
}

function reasonFor(volume: Decimal): string {
  if (volume.sign === 0) return 'the orders close the position';
  return 'at every price the maintenance margin is the whole value of the position';
}

type OrdersName = 'includingBuyOrders' | 'includingSellOrders';

interface Walk {
  readonly holding: Holding;
  readonly liquidation: Decimal;
  readonly orders: readonly PositionOrder[];
  readonly name: OrdersName;
}

/** An order that trades: below zero is sold. */
interface Trade {
  readonly volume: Decimal;
  readonly price: Decimal;
  readonly isLimit: boolean;
}

/**
 * Lets the orders of one side trade in turn, those nearest to the price first (buys from the highest price down,
 * sells from the lowest up, market orders at the market's price), until the position would be closed out before the
 * next is reached.
 */
function afterOrders(walk: Walk, scenario: Scenario, rules: LiquidationRules): Decimal {
  const direction = walk.name === 'includingBuyOrders' ? 1 : -1;
  const trades = walk.orders
    .map(({ volume, price }) => ({
      volume: direction > 0 ? volume : volume.negate(),
      price: price ?? scenario.price,
      isLimit: price !== null,
    }))
    .sort((a, b) => direction * b.price.compare(a.price));
  let { holding, liquidation } = walk;
  for (const trade of trades) {
    const wouldGrow = holding.volume.sign === direction;
    if (wouldGrow && direction * trade.price.compare(liquidation) < 0) break;
    holding = afterTrade(holding, trade, rules);
    const isClosed = holding.volume.sign === 0 && rules.closed === 'zero';
    liquidation = isClosed ? Decimal.zero : liquidationPrice(holding, scenario, walk.name);
  }
  return liquidation;
}

/** Each trade first settles the position to its price: `K + X * (order's price - p)`. */
function afterTrade(holding: Holding, trade: Trade, { isolatedFactor }: LiquidationRules): Holding {
  const gain = holding.volume.multiply(trade.price.subtract(holding.price));
  const settled = holding.collateral.add(gain);
  return {
    volume: holding.volume.add(trade.volume),
    collateral:
      isolatedFactor !== null && trade.isLimit
        ? isolatedCollateral({ ...holding, collateral: settled }, trade, isolatedFactor)
        : settled,
    price: trade.price,
  };
}

/**
 * What covers an isolated position once a limit order has traded: volume that is opened brings its order margin along,
 * and volume that is closed takes its share away, to the general account; so nothing covers a position of nothing. The
 * share alone is rounded, to 16 places. Source: the network's rules of isolated margin. The reference data node 0.79.0
 * says something else, which is wrong: see `estimateInMode`.
 */
function isolatedCollateral({ volume, collateral }: Holding, trade: Trade, factor: Decimal): Decimal {
  const size = trade.volume.abs();
  const orderMargin = (opened: Decimal) => opened.multiply(trade.price).multiply(factor);
  if (volume.sign === trade.volume.sign) return collateral.add(orderMargin(size));
  const held = volume.abs();
  if (size.compare(held) >= 0) return orderMargin(size.subtract(held));
  return collateral.multiply(held.subtract(size)).divide(held);
}
