import { Decimal, DecimalError } from '../decimals.ts';

/** An argument of an estimate that cannot be taken. The message names the argument and the value that was given. */
export class EstimateInputError extends RangeError {
  override name = 'EstimateInputError';
  /** The argument as a client knows it: `collateralAvailable`, `orders[2].price`. */
  readonly field: string;

  constructor(field: string, complaint: string) {
    super(`${field}: ${complaint}`);
    this.field = field;
  }
}

export type ScenarioName = 'bestCase' | 'worstCase';
export type LiquidationPriceName = 'openVolumeOnly' | 'includingBuyOrders' | 'includingSellOrders';

/** What is asked for cannot be computed as things stand: the arguments are sound. */
export class EstimatePreconditionError extends Error {
  override name = 'EstimatePreconditionError';
}

/** A factor of the market that the network never sent. Taken for 0, it would make an estimate too good in silence. */
export class UntoldFactorError extends EstimatePreconditionError {
  override name = 'UntoldFactorError';
  readonly factor: string;

  constructor(factor: string, consequence: string) {
    super(`The network has not told the market's ${factor}, so that ${consequence}.`);
    this.factor = factor;
  }
}

/** There is no liquidation price to give. A fact about the input: the same question is never answered. */
export class UndefinedLiquidationPriceError extends EstimatePreconditionError {
  override name = 'UndefinedLiquidationPriceError';
  readonly scenario: ScenarioName;
  readonly price: LiquidationPriceName;

  constructor(scenario: ScenarioName, price: LiquidationPriceName, reason: string) {
    super(`The liquidation price ${price} is not defined in the ${CASES[scenario]}: ${reason}.`);
    this.scenario = scenario;
    this.price = price;
  }
}

const CASES = { bestCase: 'best case', worstCase: 'worst case' } as const;

/** Reads an argument. Throws an EstimateInputError naming it when it is no decimal. */
export function readDecimal(field: string, text: string): Decimal {
  try {
    return Decimal.parse(text);
  } catch (error) {
    if (error instanceof DecimalError) throw new EstimateInputError(field, error.message);
    throw error;
  }
}
