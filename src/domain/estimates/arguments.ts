import { Decimal, DecimalError } from '../decimals.ts';
import { EstimateInputError } from './errors.ts';

/** Reads an argument. Throws an EstimateInputError naming it when it is no decimal. */
export function readDecimal(field: string, text: string): Decimal {
  try {
    return Decimal.parse(text);
  } catch (error) {
    if (error instanceof DecimalError) throw new EstimateInputError(field, error.message);
    throw error;
  }
}
