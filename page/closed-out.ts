import { compare } from './decimals.ts';

/**
 * Whether a position without a liquidation price is closed out at each price, and not at none: its maintenance margin grows faster than
 * its gain where slippage and risk exceed its whole value. What is fully collateralised is never closed out.
 */
export function isClosedOutAtOnce(
  collateral: string,
  maintenanceMargin: string,
  isFullyCollateralised: boolean,
): boolean {
  return !isFullyCollateralised && compare(collateral, maintenanceMargin) < 0;
}
