import { Decimal } from '../decimals.ts';
import { EstimateInputError } from './errors.ts';
import type { MarginedPosition, MarginRule } from './margin-rule.ts';
import { inAssetDecimals, type PriceCap, valuationPrice } from './market-terms.ts';
import { limitOrders, marketVolume, type Position, total, totalVolume } from './position.ts';

/**
 * A future below a cap that margins a position with all that it can lose: a unit bought at p with p, a unit sold at p
 * with cap - p. Nothing moves the margin then, so that all four levels are one, best case and worst are one, and a
 * position is worthless at 0 (long) or at the cap (short) and nowhere before. Market orders count as traded at the
 * market's price. Limit orders are margined at their own prices on top of the position, the dearer side of them, even
 * where they would close it; in isolated mode their margin is the order margin instead.
 *
 * So does the network itself (release 0.79, whose events say it). Its data node's estimate is wrong here: it does not
 * divide by 10^(position decimals), multiplies the levels, averages a short position's orders with the wrong sign,
 * counts market orders at the price 0, adds sells for the liquidation price, and answers it unscaled.
 */
export function fullyCollateralised(
  { terms, position, isolatedFactor }: MarginedPosition,
  cap: PriceCap,
  entryPrice: Decimal,
): MarginRule {
  const highest = inAssetDecimals(terms, Decimal.parse(cap.maxPrice));
  const isPossible = entryPrice.sign >= 0 && entryPrice.compare(highest) <= 0;
  if (!isPossible && position.volume.sign !== 0)
    throw new EstimateInputError('averageEntryPrice', `it is not within 0 and the cap of ${cap.maxPrice}.`);
  const held = positionMargin(position, { entryPrice, marketPrice: valuationPrice(terms), highest });
  const margin = isolatedFactor === null ? held.add(ordersMargin(position, highest)) : held;
  const worthlessAt = (volume: Decimal) => (volume.sign < 0 ? highest : Decimal.zero);
  return {
    maintenance: () => margin,
    levels(maintenance) {
      const level = maintenance.round(0).toString();
      return {
        maintenanceMargin: level,
        searchLevel: level,
        initialMargin: level,
        collateralReleaseLevel: level,
      };
    },
    liquidation: () => ({
      openVolumeOnly: worthlessAt(position.volume),
      includingBuyOrders: worthlessAt(position.volume.add(totalVolume(position.buys))),
      includingSellOrders: worthlessAt(position.volume.subtract(totalVolume(position.sells))),
    }),
  };
}

interface Prices {
  readonly entryPrice: Decimal;
  readonly marketPrice: Decimal;
  readonly highest: Decimal;
}

/** All that the open volume can lose, once the market orders have traded. */
function positionMargin(position: Position, { entryPrice, marketPrice, highest }: Prices): Decimal {
  const traded = marketVolume(position);
  const volume = position.volume.add(traded);
  const lossPerUnit = (price: Decimal) => (volume.sign < 0 ? highest.subtract(price) : price);
  const margin = (size: Decimal, price: Decimal) => size.abs().multiply(lossPerUnit(price));
  // Volume that trades against the position closes units of it; what is left has one price.
  if (position.volume.sign * traded.sign >= 0)
    return margin(position.volume, entryPrice).add(margin(traded, marketPrice));
  return margin(volume, volume.sign === position.volume.sign ? entryPrice : marketPrice);
}

/** What the side needs that needs more. */
function ordersMargin({ buys, sells }: Position, highest: Decimal): Decimal {
  const bought = total(limitOrders(buys), ({ volume, price }) => volume.multiply(price));
  const sold = total(limitOrders(sells), ({ volume, price }) => volume.multiply(highest.subtract(price)));
  return bought.max(sold);
}
