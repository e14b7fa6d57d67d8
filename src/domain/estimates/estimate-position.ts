import { Decimal } from '../decimals.ts';
import { EstimatePreconditionError, readDecimal, type ScenarioName } from './errors.ts';
import { type LiquidationPrices, liquidationPrices, wholePrices } from './liquidation.ts';
import { type MarginLevels, maintenanceMargin, marginLevels, readScaling } from './margin.ts';
import { riskBased } from './margin-rule.ts';
import {
  fundingPerUnit,
  isInAuction,
  type MarginedProduct,
  type PositionTerms,
  priceShift,
} from './market-terms.ts';
import { type GivenPosition, newerPriceCheck, readPosition } from './position.ts';
import { bestCaseOf, readWorstCase, type Scenario } from './scenario.ts';

/** A position, and one amount of collateral: all that releases up to 0.73 could be asked. */
export interface PositionEstimateInput extends PositionTerms, GivenPosition {
  /** Decimal text in asset decimals; where it is absent, so are the liquidation prices. */
  readonly collateralAvailable?: string | null | undefined;
  /** Liquidation prices in market decimals instead of asset decimals, and so whole: release 0.73 has it. */
  readonly scaleLiquidationPriceToMarketDecimals?: boolean | null | undefined;
}

export interface PositionEstimate {
  readonly margin: { readonly [name in ScenarioName]: MarginLevels };
  readonly liquidation: { readonly [name in ScenarioName]: LiquidationPrices } | null;
}

/**
 * The margin that a position needs, and the prices at which the given collateral would no longer suffice. The worst
 * case counts the market's slippage factors, the best case counts none. Exact at any size; rounding as
 * `marginLevels` and `liquidationPrices` say. Throws an EstimateInputError naming an argument that cannot be taken,
 * or an EstimatePreconditionError.
 *
 * In a future it is the estimate of reference data node 0.71.4. Of other products that release knew nothing, and its
 * formula is wrong for them: they are estimated as `estimateInMode` does, in cross mode with this collateral. A fully
 * collateralised future is refused, as its margin comes from the price that the position was entered at.
 */
export function estimatePosition(input: PositionEstimateInput): PositionEstimate {
  const { product } = input.market;
  const collateral = readCollateral(input.collateralAvailable);
  const isKnownTo071 = product.kind === 'future' && product.cap === null;
  const { worstCase, levels, liquidation } = isKnownTo071 ? byRelease071(input) : inCrossMode(input, product);
  const bestCase = bestCaseOf(worstCase);
  return {
    margin: { bestCase: levels(bestCase), worstCase: levels(worstCase) },
    liquidation: collateral && {
      bestCase: liquidation(bestCase, collateral),
      worstCase: liquidation(worstCase, collateral),
    },
  };
}

interface Formula {
  readonly worstCase: Scenario;
  readonly levels: (scenario: Scenario) => MarginLevels;
  readonly liquidation: (scenario: Scenario, collateral: Decimal) => LiquidationPrices;
}

function byRelease071(input: PositionEstimateInput): Formula {
  const position = readPosition(input, input);
  const scaling = readScaling(input.market);
  const auctionPrice = isInAuction(input.marketData) ? Decimal.zero : null;
  const places = input.scaleLiquidationPriceToMarketDecimals ? priceShift(input) : null;
  return {
    worstCase: readWorstCase(input),
    levels: (scenario) => marginLevels(maintenanceMargin(position, scenario, auctionPrice), scaling),
    liquidation: (scenario, collateral) => liquidationPrices(position, collateral, scenario, places),
  };
}

function inCrossMode(input: PositionEstimateInput, product: MarginedProduct): Formula {
  const position = readPosition(input, input, newerPriceCheck(product));
  if (product.kind === 'future' && product.cap?.fullyCollateralised) throw entryPriceMissing();
  const rule = riskBased({ terms: input, position, isolatedFactor: null });
  const places = input.scaleLiquidationPriceToMarketDecimals ? priceShift(input) : 0;
  return {
    worstCase: { ...readWorstCase(input), funding: fundingPerUnit(product, input.marketData) },
    levels: (scenario) => rule.levels(rule.maintenance(scenario)),
    liquidation: (scenario, collateral) => wholePrices(rule.liquidation(scenario, collateral), places),
  };
}

function entryPriceMissing(): EstimatePreconditionError {
  return new EstimatePreconditionError(
    'The market is fully collateralised: what a position needs comes from averageEntryPrice, which is missing (and the margin mode and balances with it).',
  );
}

function readCollateral(text: string | null | undefined): Decimal | null {
  return text === null || text === undefined ? null : readDecimal('collateralAvailable', text);
}
