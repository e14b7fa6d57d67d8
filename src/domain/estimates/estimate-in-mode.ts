import type { Decimal } from '../decimals.ts';
import { marginModes } from '../enumerations.ts';
import {
  type Account,
  collateralIncrease,
  type GivenAccounts,
  readBalances,
  weighAccounts,
} from './accounts.ts';
import { EstimateInputError, readDecimal, type ScenarioName } from './errors.ts';
import { fullyCollateralised } from './fully-collateralised.ts';
import { type LiquidationPrices, wholePrices } from './liquidation.ts';
import type { MarginLevels } from './margin.ts';
import { type MarginedPosition, type MarginRule, riskBased } from './margin-rule.ts';
import {
  fundingPerUnit,
  inAssetDecimals,
  indicativePrice,
  type MarginedProduct,
  type PositionTerms,
  priceShift,
} from './market-terms.ts';
import { type GivenPosition, newerPriceCheck, readPosition } from './position.ts';
import { bestCaseOf, readWorstCase, type Scenario } from './scenario.ts';

/** A position, and how its party keeps its margin. */
export interface ModeEstimateInput extends PositionTerms, GivenPosition, ModeQuestion {}

/** What is asked of a margin mode. */
export interface ModeQuestion extends GivenAccounts {
  /** Decimal text in market decimals; where there is no open volume, any. */
  readonly averageEntryPrice: string | null;
  /** Liquidation prices in market decimals instead of asset decimals. */
  readonly scaleLiquidationPriceToMarketDecimals: boolean;
}

export interface ModeEstimate {
  readonly margin: Cases<ModeLevels>;
  /** Canonical whole numbers, in asset decimals; below zero where collateral would be released. */
  readonly collateralIncrease: Cases<string>;
  readonly liquidation: Cases<LiquidationPrices>;
}

type Cases<Value> = { readonly [name in ScenarioName]: Value };

/** In isolated mode there is no search and no release, and those levels are 0. */
export interface ModeLevels extends MarginLevels {
  /** By which rules they are: a mode that is unspecified has those of cross mode. */
  readonly marginMode: number;
  /** A canonical whole number in asset decimals; null in all modes but isolated, as the factor is. */
  readonly orderMargin: string | null;
  readonly marginFactor: string | null;
}

/**
 * The margin that a position needs in a margin mode, what it lacks of it, and the prices at which what there is would
 * no longer suffice. Throws an EstimateInputError naming the argument that cannot be taken, the first as the reference
 * reads them, or an EstimatePreconditionError.
 *
 * Source: reference data node 0.79.0, EstimatePosition. Where that is wrong by the network's own rules, and different
 * in consequence, are:
 *
 *   fully collateralised caps   all levels, the order margin, what is lacking in cross mode, and the liquidation prices
 *                               of short volume and with sells: see `fullyCollateralised`
 *   isolated mode, limit orders the liquidation prices that include them: the order margin of the last limit order is
 *                               not all the collateral there is, as the reference takes it, but comes to it; it is
 *                               never below zero for sells; and closing a part leaves the other's share
 *
 * Nothing else differs, to the last digit.
 */
export function estimateInMode(input: ModeEstimateInput): ModeEstimate {
  const { product } = input.market;
  const balances = readBalances(input);
  const position = readPosition(input, input, newerPriceCheck(product));
  const withoutFunding = readWorstCase(input);
  const entryPrice = inAssetDecimals(input, readEntryPrice(input));
  const worst = { ...withoutFunding, funding: fundingPerUnit(product, input.marketData) };
  const account = weighAccounts(input, balances, {
    position,
    entryPrice,
    marketPrice: worst.price,
    indicativePrice: indicativePrice(input),
  });
  const margined = { terms: input, position, isolatedFactor: account.isolated?.marginFactor ?? null };
  const rule = ruleOf(product, margined, entryPrice);
  const places = input.scaleLiquidationPriceToMarketDecimals ? priceShift(input) : 0;
  const best = estimateCase(rule, account, bestCaseOf(worst), places);
  return pair(best, estimateCase(rule, account, worst, places));
}

function ruleOf(product: MarginedProduct, margined: MarginedPosition, entryPrice: Decimal): MarginRule {
  const cap = product.kind === 'future' ? product.cap : null;
  return cap?.fullyCollateralised ? fullyCollateralised(margined, cap, entryPrice) : riskBased(margined);
}

interface CaseEstimate {
  readonly margin: ModeLevels;
  readonly collateralIncrease: string;
  readonly liquidation: LiquidationPrices;
}

function estimateCase(rule: MarginRule, account: Account, scenario: Scenario, places: number): CaseEstimate {
  const levels = rule.levels(rule.maintenance(scenario));
  return {
    margin: levelsIn(account, levels),
    collateralIncrease: collateralIncrease(account, levels),
    liquidation: wholePrices(rule.liquidation(scenario, account.collateral), places),
  };
}

const { MARGIN_MODE_CROSS_MARGIN, MARGIN_MODE_ISOLATED_MARGIN } = marginModes.numbers;

function levelsIn({ isolated }: Account, levels: MarginLevels): ModeLevels {
  if (isolated === null)
    return { ...levels, marginMode: MARGIN_MODE_CROSS_MARGIN, orderMargin: null, marginFactor: null };
  return {
    ...levels,
    searchLevel: '0',
    collateralReleaseLevel: '0',
    marginMode: MARGIN_MODE_ISOLATED_MARGIN,
    orderMargin: isolated.orderMargin.round(0).toString(),
    marginFactor: isolated.marginFactor.toString(),
  };
}

function pair(bestCase: CaseEstimate, worstCase: CaseEstimate): ModeEstimate {
  return {
    margin: { bestCase: bestCase.margin, worstCase: worstCase.margin },
    collateralIncrease: {
      bestCase: bestCase.collateralIncrease,
      worstCase: worstCase.collateralIncrease,
    },
    liquidation: { bestCase: bestCase.liquidation, worstCase: worstCase.liquidation },
  };
}

function readEntryPrice({ averageEntryPrice: text }: ModeEstimateInput): Decimal {
  const field = 'averageEntryPrice';
  if (text === null)
    throw new EstimateInputError(field, 'it is missing. Where there is no position, it is "0".');
  return readDecimal(field, text);
}
