import type { LiquidityMonitoring, MarketObjects, OpeningAuction } from '../../data/nouns/markets.ts';
import { listOf, object, optional, otherwise, required } from '../json-objects.ts';
import { decimals, integers, optionalDecimals } from '../json-values.ts';
import type {
  AuctionDuration,
  LiquidityMonitoringParameters,
  Market,
} from '../protocol/generated/markets_pb.ts';
import { decimalFromDouble, optionalDecimal } from '../values.ts';
import { fromTrigger, priceMonitoringTrigger } from './price-monitoring.ts';

/** When a market goes into an auction, from both sources; null where the network did not say. */
type Monitoring = Pick<MarketObjects, 'openingAuction' | 'priceMonitoringTriggers' | 'liquidityMonitoring'>;

export function fromMonitoring(market: Market): Monitoring {
  const { openingAuction, priceMonitoringSettings, liquidityMonitoringParameters } = market;
  return {
    openingAuction: fromAuction(openingAuction),
    priceMonitoringTriggers: priceMonitoringSettings?.parameters?.triggers.map(fromTrigger) ?? null,
    liquidityMonitoring: fromLiquidity(liquidityMonitoringParameters),
  };
}

function fromAuction(message: AuctionDuration | undefined): OpeningAuction | null {
  return message === undefined
    ? null
    : { duration: String(message.duration), volume: String(message.volume) };
}

function fromLiquidity(message: LiquidityMonitoringParameters | undefined): LiquidityMonitoring | null {
  if (message === undefined) return null;
  const { targetStakeParameters: stake, triggeringRatio, auctionExtension } = message;
  return {
    targetStakeParameters: stake
      ? {
          timeWindow: String(stake.timeWindow),
          scalingFactor: decimalFromDouble('liquidityMonitoring.scalingFactor', stake.scalingFactor),
        }
      : null,
    triggeringRatio: optionalDecimal('liquidityMonitoring.triggeringRatio', triggeringRatio),
    auctionExtension: String(auctionExtension),
  };
}

/** The same fields of a line of JSON. */
export const monitoringRules = {
  openingAuction: optional(object({ duration: required(integers), volume: otherwise('0', integers) })),
  priceMonitoringTriggers: optional(listOf(priceMonitoringTrigger)),
  liquidityMonitoring: optional(
    object({
      targetStakeParameters: optional(
        object({ timeWindow: required(integers), scalingFactor: required(decimals) }),
      ),
      triggeringRatio: optional(optionalDecimals),
      auctionExtension: otherwise('0', integers),
    }),
  ),
};
