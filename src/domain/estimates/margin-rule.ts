import type { Decimal } from '../decimals.ts';
import { type ByOrders, solveLiquidation } from './liquidation.ts';
import { type MarginLevels, maintenanceMargin, marginLevels, readScaling } from './margin.ts';
import { indicativePrice, isInAuction, type PositionTerms } from './market-terms.ts';
import { type Position, withoutLimitOrders } from './position.ts';
import type { Scenario } from './scenario.ts';

/** How a market margins a position, by the newest release of the network. All is in asset decimals. */
export interface MarginRule {
  /** Unrounded. */
  maintenance(scenario: Scenario): Decimal;
  levels(maintenance: Decimal): MarginLevels;
  /** Throws an UndefinedLiquidationPriceError. */
  liquidation(scenario: Scenario, collateral: Decimal): ByOrders<Decimal>;
}

/** A position as its market and the party's margin mode look at it. */
export interface MarginedPosition {
  readonly terms: PositionTerms;
  readonly position: Position;
  /** The margin factor in isolated mode, in which limit orders are margined apart; null in others. */
  readonly isolatedFactor: Decimal | null;
}

/**
 * By risk factors and slippage, as all but fully collateralised markets do. A position that the collateral does not
 * cover is closed out at once, whatever its orders: its prices are the market's. Source: reference data node 0.79.0,
 * EstimatePosition.
 */
export function riskBased({ terms, position, isolatedFactor }: MarginedPosition): MarginRule {
  const scaling = readScaling(terms.market);
  const auctionPrice = isInAuction(terms.marketData) ? indicativePrice(terms) : null;
  const margined = isolatedFactor === null ? position : withoutLimitOrders(position);
  const maintenance = (scenario: Scenario) => maintenanceMargin(margined, scenario, auctionPrice);
  return {
    maintenance,
    levels: (margin) => marginLevels(margin, scaling),
    liquidation(scenario, collateral) {
      const { price } = scenario;
      if (collateral.compare(maintenance(scenario)) < 0)
        return { openVolumeOnly: price, includingBuyOrders: price, includingSellOrders: price };
      return solveLiquidation(position, collateral, scenario, { closed: 'zero', isolatedFactor });
    },
  };
}
