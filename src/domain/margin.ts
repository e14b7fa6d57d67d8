import { Decimal } from './decimals.ts';
import type { ScenarioName } from './estimate-errors.ts';

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

/** What a market charges for risk in one of the two cases that an estimate looks at. */
export interface Scenario {
  readonly name: ScenarioName;
  /** The price of one unit, in asset decimals. */
  readonly price: Decimal;
  readonly riskFactorLong: Decimal;
  readonly riskFactorShort: Decimal;
  /** Zero, like the quadratic one, in the best case. */
  readonly linearSlippageFactor: Decimal;
  readonly quadraticSlippageFactor: Decimal;
}

/** Factors on the maintenance margin. */
export interface ScalingFactors {
  readonly searchLevel: Decimal;
  readonly initialMargin: Decimal;
  readonly collateralRelease: Decimal;
}

/** Canonical whole numbers, in asset decimals. */
export interface MarginLevels {
  readonly maintenanceMargin: string;
  readonly searchLevel: string;
  readonly initialMargin: string;
  readonly collateralReleaseLevel: string;
}

/**
 * The maintenance margin and its three multiples. Each is rounded to a whole number, halves away from zero, from the
 * unrounded maintenance margin. Source: reference data node 0.71.4, EstimatePosition.
 */
export function marginLevels(maintenance: Decimal, scaling: ScalingFactors): MarginLevels {
  return {
    maintenanceMargin: maintenance.round(0).toString(),
    searchLevel: maintenance.multiply(scaling.searchLevel).round(0).toString(),
    initialMargin: maintenance.multiply(scaling.initialMargin).round(0).toString(),
    collateralReleaseLevel: maintenance.multiply(scaling.collateralRelease).round(0).toString(),
  };
}

/**
 * The maintenance margin, unrounded, in asset decimals. Market orders count as traded. With P the price, V the volume,
 * B and S the volumes of limit buys and sells, slip(x) = linear * x + quadratic * x^2, it is the greater of
 *
 *     long  = P * (slip(x) + x * riskLong)  + P * B * riskLong,   x = max(V, 0),    where V + B > 0, else 0
 *     short = P * (slip(x) + x * riskShort) + P * S * riskShort,  x = max(-V, 0),   where V - S < 0, else 0
 *
 * In an auction each order counts at its own price instead of P; that sum alone is rounded, to 16 places, halves
 * away from zero. Source: reference data node 0.71.4, EstimatePosition.
 */
export function maintenanceMargin(position: Position, scenario: Scenario, inAuction: boolean): Decimal {
  const traded = position.volume.add(marketVolume(position.buys)).subtract(marketVolume(position.sells));
  const long = sideMargin(traded, position.buys, scenario.riskFactorLong, scenario, inAuction);
  const short = sideMargin(traded.negate(), position.sells, scenario.riskFactorShort, scenario, inAuction);
  return long.compare(short) > 0 ? long : short;
}

/** What moving out of a volume costs, per unit of price: `linear * |x| + quadratic * x^2`. */
export function slippage(volume: Decimal, scenario: Scenario): Decimal {
  const size = volume.abs();
  return scenario.quadraticSlippageFactor.multiply(size).add(scenario.linearSlippageFactor).multiply(size);
}

/** One side's margin; for the short side the volume comes negated, so that both sides read alike. Never negative. */
function sideMargin(
  volume: Decimal,
  orders: readonly PositionOrder[],
  riskFactor: Decimal,
  scenario: Scenario,
  inAuction: boolean,
): Decimal {
  const limits = orders.filter((order) => order.price !== null);
  const ordered = total(limits.map((order) => order.volume));
  if (volume.add(ordered).sign <= 0) return Decimal.zero;
  const held = volume.sign > 0 ? volume : Decimal.zero;
  const heldMargin = scenario.price.multiply(slippage(held, scenario).add(held.multiply(riskFactor)));
  const ordersValue = inAuction ? worthOf(limits) : ordered.multiply(scenario.price);
  return heldMargin.add(ordersValue.multiply(riskFactor));
}

function marketVolume(orders: readonly PositionOrder[]): Decimal {
  return total(orders.filter((order) => order.price === null).map((order) => order.volume));
}

function worthOf(orders: readonly PositionOrder[]): Decimal {
  return total(orders.map((order) => order.volume.multiply(order.price ?? Decimal.zero))).round(16);
}

function total(terms: readonly Decimal[]): Decimal {
  return terms.reduce((sum, term) => sum.add(term), Decimal.zero);
}
