import { Decimal, DecimalError } from './decimals.ts';
import { marketTradingModes } from './enumerations.ts';
import { EstimateInputError, UntoldFactorError } from './estimate-errors.ts';
import { type LiquidationPrices, liquidationPrices } from './liquidation.ts';
import {
  type MarginLevels,
  maintenanceMargin,
  marginLevels,
  type Position,
  type PositionOrder,
  type Scenario,
} from './margin.ts';

/** The terms are rows of the database or whatever else has these fields; prices and factors are decimal text. */
export interface PositionEstimateInput {
  readonly market: MarketTerms;
  readonly asset: { readonly decimals: number };
  readonly riskFactor: { readonly long: string; readonly short: string };
  readonly marketData: MarketPrices;
  /** In position decimals; below zero for a short position. */
  readonly openVolume: bigint;
  readonly orders?: readonly OpenOrder[] | undefined;
  /** Decimal text in asset decimals; where it is absent, so are the liquidation prices. */
  readonly collateralAvailable?: string | null | undefined;
}

export interface MarketTerms {
  readonly decimalPlaces: number;
  readonly positionDecimalPlaces: number;
  /** Null where the network never sent it. */
  readonly linearSlippageFactor: string | null;
  readonly quadraticSlippageFactor: string | null;
  readonly searchLevel: string;
  readonly initialMargin: string;
  readonly collateralRelease: string;
}

/** Prices are in market decimals. */
export interface MarketPrices {
  readonly markPrice: string;
  readonly indicativePrice: string;
  /** Zero unless the market is in an auction that has an end. */
  readonly auctionEnd: bigint;
  readonly marketTradingMode: number;
}

export interface OpenOrder {
  readonly side: 'SIDE_BUY' | 'SIDE_SELL';
  /** What is left to trade, in position decimals; not negative. */
  readonly remaining: bigint;
  /** Decimal text in market decimals, not negative; null for a market order. */
  readonly price: string | null;
}

export interface PositionEstimate {
  readonly margin: { readonly bestCase: MarginLevels; readonly worstCase: MarginLevels };
  readonly liquidation: {
    readonly bestCase: LiquidationPrices;
    readonly worstCase: LiquidationPrices;
  } | null;
}

/**
 * The margin that a position needs, and the prices at which the given collateral would no longer suffice. The worst
 * case counts the market's slippage factors, the best case counts none. Exact at any size; rounding as
 * `marginLevels` and `liquidationPrices` say. Throws an EstimateInputError naming an argument that cannot be taken,
 * or an EstimatePreconditionError. Source: reference data node 0.71.4, EstimatePosition.
 */
export function estimatePosition(input: PositionEstimateInput): PositionEstimate {
  const collateral = readCollateral(input.collateralAvailable);
  const position = readPosition(input);
  const worstCase = readWorstCase(input);
  const bestCase: Scenario = {
    ...worstCase,
    name: 'bestCase',
    linearSlippageFactor: Decimal.zero,
    quadraticSlippageFactor: Decimal.zero,
  };
  const scaling = {
    searchLevel: Decimal.parse(input.market.searchLevel),
    initialMargin: Decimal.parse(input.market.initialMargin),
    collateralRelease: Decimal.parse(input.market.collateralRelease),
  };
  const inAuction = isInAuction(input.marketData);
  const levels = (scenario: Scenario) =>
    marginLevels(maintenanceMargin(position, scenario, inAuction), scaling);
  return {
    margin: { bestCase: levels(bestCase), worstCase: levels(worstCase) },
    liquidation: collateral && {
      bestCase: liquidationPrices(position, collateral, bestCase),
      worstCase: liquidationPrices(position, collateral, worstCase),
    },
  };
}

function readWorstCase({ market, asset, riskFactor, marketData }: PositionEstimateInput): Scenario {
  return {
    name: 'worstCase',
    price: Decimal.parse(priceOf(marketData)).shift(asset.decimals - market.decimalPlaces),
    riskFactorLong: Decimal.parse(riskFactor.long),
    riskFactorShort: Decimal.parse(riskFactor.short),
    linearSlippageFactor: readFactor(market, 'linearSlippageFactor'),
    quadraticSlippageFactor: readFactor(market, 'quadraticSlippageFactor'),
  };
}

function readFactor(market: MarketTerms, name: 'linearSlippageFactor' | 'quadraticSlippageFactor'): Decimal {
  const factor = market[name];
  if (factor === null) throw new UntoldFactorError(name);
  return Decimal.parse(factor);
}

/** An opening auction has no mark price yet, only the price at which it would uncross. */
function priceOf(data: MarketPrices): string {
  const isOpening = isInAuction(data) && data.marketTradingMode === OPENING_AUCTION;
  return isOpening ? data.indicativePrice : data.markPrice;
}

const OPENING_AUCTION = marketTradingModes.numbers.TRADING_MODE_OPENING_AUCTION;

function isInAuction(data: MarketPrices): boolean {
  return data.auctionEnd > 0n;
}

function readCollateral(text: string | null | undefined): Decimal | null {
  return text === null || text === undefined ? null : readArgument('collateralAvailable', text);
}

function readPosition({ market, asset, openVolume, orders = [] }: PositionEstimateInput): Position {
  const buys: PositionOrder[] = [];
  const sells: PositionOrder[] = [];
  for (const [index, order] of orders.entries()) {
    (order.side === 'SIDE_BUY' ? buys : sells).push(readOrder(`orders[${index}]`, order, market, asset));
  }
  return { volume: Decimal.ofScaled(openVolume, market.positionDecimalPlaces), buys, sells };
}

function readOrder(
  field: string,
  { remaining, price: text }: OpenOrder,
  market: MarketTerms,
  asset: PositionEstimateInput['asset'],
): PositionOrder {
  if (remaining < 0n) throw new EstimateInputError(`${field}.remaining`, `${remaining} is negative.`);
  const price = text === null ? null : readArgument(`${field}.price`, text);
  if (price !== null && price.sign < 0)
    throw new EstimateInputError(`${field}.price`, `${text} is negative.`);
  return {
    volume: Decimal.ofScaled(remaining, market.positionDecimalPlaces),
    price: price?.shift(asset.decimals - market.decimalPlaces) ?? null,
  };
}

function readArgument(field: string, text: string): Decimal {
  try {
    return Decimal.parse(text);
  } catch (error) {
    if (error instanceof DecimalError) throw new EstimateInputError(field, error.message);
    throw error;
  }
}
