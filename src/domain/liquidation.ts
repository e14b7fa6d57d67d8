import { Decimal } from './decimals.ts';
import { type LiquidationPriceName, UndefinedLiquidationPriceError } from './estimate-errors.ts';
import { type Position, type PositionOrder, type Scenario, slippage } from './margin.ts';

/** Canonical decimals with up to 16 places, in asset decimals: neither rounded to a tick nor scaled to the market. */
export type LiquidationPrices = { readonly [name in LiquidationPriceName]: string };

/**
 * The prices at which the collateral no longer covers the maintenance margin: of the open volume alone, and as it
 * would be once the buy or the sell orders had traded on the way there. The collateral is in asset decimals; it may
 * be fractional, and even negative. Throws an UndefinedLiquidationPriceError where there is no such price.
 * Source: reference data node 0.71.4, EstimatePosition.
 */
export function liquidationPrices(
  position: Position,
  collateral: Decimal,
  scenario: Scenario,
): LiquidationPrices {
  const { volume } = position;
  const holding = { volume, collateral, price: scenario.price };
  const open = volume.sign === 0 ? Decimal.zero : liquidationPrice(holding, scenario, 'openVolumeOnly');
  return {
    openVolumeOnly: open.toString(),
    includingBuyOrders: afterOrders(holding, open, position.buys, scenario, 'includingBuyOrders').toString(),
    includingSellOrders: afterOrders(
      holding,
      open,
      position.sells,
      scenario,
      'includingSellOrders',
    ).toString(),
  };
}

/** A volume valued at a price, with the collateral that is left at that price. */
interface Holding {
  readonly volume: Decimal;
  readonly collateral: Decimal;
  readonly price: Decimal;
}

/**
 * The price at which collateral and margin meet; with X the volume, K the collateral at price p and r the risk
 * factor of X's side:
 *
 *     (K - X * p) / (slip(X) + |X| * r - X),   never below 0
 *
 * The quotient is rounded to 16 places, halves away from zero; nothing else is. The price is undefined where the
 * divisor is zero. Where slippage and risk exceed a long position's whole value, the divisor is positive and the price
 * grows with the collateral; the reference answers that too.
 */
function liquidationPrice(holding: Holding, scenario: Scenario, name: LiquidationPriceName): Decimal {
  const { volume, collateral, price } = holding;
  const riskFactor = volume.sign < 0 ? scenario.riskFactorShort : scenario.riskFactorLong;
  const divisor = slippage(volume, scenario).add(volume.abs().multiply(riskFactor)).subtract(volume);
  if (divisor.sign === 0) throw new UndefinedLiquidationPriceError(scenario.name, name, reasonFor(volume));
  const quotient = collateral.subtract(volume.multiply(price)).divide(divisor);
  return quotient.sign < 0 ? Decimal.zero : quotient;
}

function reasonFor(volume: Decimal): string {
  if (volume.sign === 0) return 'the orders close the position';
  return 'at every price the maintenance margin is the whole value of the position';
}

/**
 * Lets the orders of one side trade in turn, those nearest to the price first (buys from the highest price down,
 * sells from the lowest up, market orders at the market's price), until the position would be closed out before the
 * next is reached. Each trade first settles the position to its price: `K + X * (order's price - p)`.
 */
function afterOrders(
  start: Holding,
  startPrice: Decimal,
  orders: readonly PositionOrder[],
  scenario: Scenario,
  name: 'includingBuyOrders' | 'includingSellOrders',
): Decimal {
  const direction = name === 'includingBuyOrders' ? 1 : -1;
  const trades = orders
    .map((order) => ({ volume: order.volume, price: order.price ?? scenario.price }))
    .sort((a, b) => direction * b.price.compare(a.price));
  let holding = start;
  let liquidation = startPrice;
  for (const trade of trades) {
    const wouldGrow = holding.volume.sign === direction;
    if (wouldGrow && direction * trade.price.compare(liquidation) < 0) break;
    const gain = holding.volume.multiply(trade.price.subtract(holding.price));
    holding = {
      volume: direction > 0 ? holding.volume.add(trade.volume) : holding.volume.subtract(trade.volume),
      collateral: holding.collateral.add(gain),
      price: trade.price,
    };
    liquidation = liquidationPrice(holding, scenario, name);
  }
  return liquidation;
}
