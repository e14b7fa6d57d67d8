import { Decimal } from '../decimals.ts';
import type { MarketTerms } from './market-terms.ts';
import {
  afterMarketOrders,
  type LimitOrder,
  limitOrders,
  type Position,
  total,
  totalVolume,
} from './position.ts';
import { fundingMargin, type Scenario, slippage } from './scenario.ts';

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

export function readScaling(market: MarketTerms): ScalingFactors {
  return {
    searchLevel: Decimal.parse(market.searchLevel),
    initialMargin: Decimal.parse(market.initialMargin),
    collateralRelease: Decimal.parse(market.collateralRelease),
  };
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
 * and what the funding of V takes. In an auction each order counts at its own price instead of P, or all of them at
 * `auctionPrice` where that comes to more (null out of auctions); that sum alone is rounded, to 16 places, halves away
 * from zero. Sources: reference data node 0.71.4, which has neither funding nor an auction price (zero), and 0.79.0.
 */
export function maintenanceMargin(
  position: Position,
  scenario: Scenario,
  auctionPrice: Decimal | null,
): Decimal {
  const { volume, buys, sells } = afterMarketOrders(position);
  const sideMargin = (held: Decimal, orders: readonly LimitOrder[], riskFactor: Decimal) =>
    riskMargin(held, orders, riskFactor, scenario, auctionPrice);
  const long = sideMargin(volume, limitOrders(buys), scenario.riskFactorLong);
  const short = sideMargin(volume.negate(), limitOrders(sells), scenario.riskFactorShort);
  return long.max(short).add(fundingMargin(volume, scenario));
}

/** One side's margin; for the short side the volume comes negated, so that both sides read alike. Never negative. */
function riskMargin(
  volume: Decimal,
  orders: readonly LimitOrder[],
  riskFactor: Decimal,
  scenario: Scenario,
  auctionPrice: Decimal | null,
): Decimal {
  const ordered = totalVolume(orders);
  if (volume.add(ordered).sign <= 0) return Decimal.zero;
  const held = volume.max(Decimal.zero);
  const heldMargin = scenario.price.multiply(slippage(held, scenario).add(held.multiply(riskFactor)));
  const ordersValue =
    auctionPrice === null
      ? ordered.multiply(scenario.price)
      : worthOf(orders).max(ordered.multiply(auctionPrice)).round(16);
  return heldMargin.add(ordersValue.multiply(riskFactor));
}

/** What all of them would trade for, at their own prices. */
function worthOf(orders: readonly LimitOrder[]): Decimal {
  return total(orders, ({ volume, price }) => volume.multiply(price));
}
