import { Decimal } from '../decimals.ts';
import { type ScenarioName, UntoldFactorError } from './errors.ts';
import { type MarketTerms, type PositionTerms, valuationPrice } from './market-terms.ts';

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
  /** What a long position is margined for the funding to come, for each unit, in asset decimals; below zero for a short one. */
  readonly funding: Decimal;
}

/** The case that counts the market's slippage, without funding. Throws an UntoldFactorError. */
export function readWorstCase(terms: PositionTerms): Scenario {
  return {
    name: 'worstCase',
    price: valuationPrice(terms),
    riskFactorLong: Decimal.parse(terms.riskFactor.long),
    riskFactorShort: Decimal.parse(terms.riskFactor.short),
    linearSlippageFactor: readFactor(terms.market, 'linearSlippageFactor'),
    quadraticSlippageFactor: readFactor(terms.market, 'quadraticSlippageFactor'),
    funding: Decimal.zero,
  };
}

/** The scenario without slippage. */
export function bestCaseOf(worstCase: Scenario): Scenario {
  return {
    ...worstCase,
    name: 'bestCase',
    linearSlippageFactor: Decimal.zero,
    quadraticSlippageFactor: Decimal.zero,
  };
}

/** What moving out of a volume costs, per unit of price: `linear * |x| + quadratic * x^2`. */
export function slippage(volume: Decimal, scenario: Scenario): Decimal {
  const size = volume.abs();
  return scenario.quadraticSlippageFactor.multiply(size).add(scenario.linearSlippageFactor).multiply(size);
}

/** What a position has to have for the funding to come; nothing where it would be paid: `max(funding * x, 0)`. */
export function fundingMargin(volume: Decimal, scenario: Scenario): Decimal {
  return scenario.funding.multiply(volume).max(Decimal.zero);
}

function readFactor(market: MarketTerms, name: 'linearSlippageFactor' | 'quadraticSlippageFactor'): Decimal {
  const factor = market[name];
  if (factor === null) throw new UntoldFactorError(name, 'there is no worst case to tell');
  return Decimal.parse(factor);
}
