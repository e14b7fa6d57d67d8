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

/** There is no liquidation price to give. A fact about the input: the same question is never answered. */
export class UndefinedLiquidationPriceError extends Error {
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
