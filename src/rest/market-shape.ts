import type { Market } from './market-fields.ts';
import { LiquidationStrategy, LiquiditySla, MarketTimestamps } from './market-liquidity.ts';
import {
  CompositePrice,
  Fees,
  LiquidityMonitoring,
  OpeningAuction,
  PriceMonitoringSettings,
} from './market-settings.ts';
import { flag, has, hasOrNull, listOf, mayHave, object, scalar, scalarOrEmpty, text } from './shape.ts';
import { TradableInstrument } from './tradable-instrument.ts';

const NOT_KEPT = 'null where it was not kept when the market was announced.';

/** A market as the reference has it. What releases since 0.72 added is absent where they said nothing. */
export const MarketShape = object<Market>(
  'Market',
  'A market. The sources of oracles, and which market succeeds this one, are not kept, and so are not here.',
  {
    id: has('The identifier of the market.', text, (market) => market.id),
    tradableInstrument: has('What the market trades.', TradableInstrument, (market) => market),
    decimalPlaces: has(
      'The number of decimal places of prices.',
      scalar('Uint64'),
      (market) => market.decimalPlaces,
    ),
    fees: has('The fees of the market.', Fees, (market) => market),
    openingAuction: hasOrNull(
      `How long the opening auction lasts; ${NOT_KEPT}`,
      OpeningAuction,
      (market) => market.openingAuction,
    ),
    priceMonitoringSettings: hasOrNull(
      `How the price is monitored; ${NOT_KEPT}`,
      PriceMonitoringSettings,
      (market) => market.priceMonitoringTriggers,
    ),
    liquidityMonitoringParameters: hasOrNull(
      `What too little liquidity is; ${NOT_KEPT}`,
      LiquidityMonitoring,
      (market) => market.liquidityMonitoring,
    ),
    tradingMode: has(
      'The trading mode of the market.',
      scalar('MarketTradingMode'),
      (one) => one.tradingMode,
    ),
    state: has('The state of the market.', scalar('MarketState'), (market) => market.state),
    marketTimestamps: has('When the market went from state to state.', MarketTimestamps, (market) => market),
    positionDecimalPlaces: has(
      'The number of decimal places of volumes; negative if the unit is larger than one.',
      scalar('Int64'),
      (market) => market.positionDecimalPlaces,
    ),
    lpPriceRange: has(
      'The largest distance from the mid price at which liquidity can be provided, as a share of that price; empty from release 0.73 on.',
      scalarOrEmpty('Decimal'),
      (market) => market.lpPriceRange,
    ),
    linearSlippageFactor: has(
      'The slippage that margins assume for each unit of the position, as a share of the mark price; empty if the network gave none.',
      scalarOrEmpty('Decimal'),
      (market) => market.linearSlippageFactor,
    ),
    quadraticSlippageFactor: has(
      'The same for the square of the position.',
      scalarOrEmpty('Decimal'),
      (market) => market.quadraticSlippageFactor,
    ),
    parentMarketId: mayHave(
      'The identifier of the market that this one succeeds, or would; absent if there is none.',
      text,
      (market) => market.parentMarketId,
    ),
    insurancePoolFraction: mayHave(
      'The share of the insurance pool of its parent that the market takes over, from 0 to 1; absent without a parent.',
      scalar('Decimal'),
      (market) => market.insurancePoolFraction,
    ),
    liquiditySlaParams: mayHave(
      'What liquidity providers owe the market; absent before release 0.73.',
      LiquiditySla,
      (market) => market.liquiditySla,
    ),
    liquidationStrategy: mayHave(
      'How positions that the network took over are sold; absent in a spot market, and before release 0.74.',
      LiquidationStrategy,
      (market) => market.liquidationStrategy,
    ),
    markPriceConfiguration: mayHave(
      'How the mark price is made; absent before release 0.74.',
      CompositePrice,
      (market) => market.markPriceConfiguration,
    ),
    tickSize: mayHave(
      'The step between prices of orders, in market decimals; absent before release 0.75, when it is 1.',
      scalar('Integer'),
      (market) => market.tickSize,
    ),
    enableTransactionReordering: mayHave(
      'Whether the network takes aggressive orders of a block after the others; absent before release 0.75.',
      flag,
      (market) => toldBy(market, market.enableTransactionReordering),
    ),
    allowedEmptyAmmLevels: mayHave(
      'The number of price levels without volume that an automated market maker may have; absent before release 0.75.',
      scalar('Uint64'),
      (market) => toldBy(market, market.allowedEmptyAmmLevels),
    ),
    allowedSellers: mayHave(
      'A list of the parties that alone may sell in a spot market; if it is empty, all may. Absent before release 0.75.',
      listOf(text),
      (market) => toldBy(market, market.allowedSellers),
    ),
  },
);

/** Which release a market is of shows by its tick size alone: what came later is not sent where it is false, 0 or empty. */
function toldBy<Value extends boolean | string | readonly string[]>(
  { tickSize }: Market,
  value: Value,
): Value | null {
  const saysNothing = value === false || value === '0' || (Array.isArray(value) && value.length === 0);
  return tickSize === null && saysNothing ? null : value;
}
