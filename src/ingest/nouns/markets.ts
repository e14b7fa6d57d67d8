import { marketStates, marketTradingModes } from '../../domain/enumerations.ts';
import {
  boolean,
  enumerated,
  listOf,
  object,
  optional,
  otherwise,
  required,
  text,
  textAs,
  time,
} from '../json-objects.ts';
import {
  decimals,
  ids,
  integers,
  optionalDecimals,
  optionalIntegers,
  parties,
  places,
} from '../json-values.ts';
import type { FeeFactors, Market, ScalingFactors } from '../protocol/generated/markets_pb.ts';
import {
  decimal,
  decimalFromDouble,
  decimalPlaces,
  id,
  optionalDecimal,
  optionalId,
  optionalInteger,
  partyId,
  ValueError,
} from '../values.ts';
import { fromMonitoring, monitoringRules } from './market-monitoring.ts';
import {
  compositePriceFromJson,
  fromCompositePrice,
  fromLiquidation,
  fromLiquidityFee,
  fromOverride,
  fromSla,
  liquidationFromJson,
  liquidityFeeFromJson,
  overrideFromJson,
  slaFromJson,
} from './market-parts.ts';
import { fromProduct, ofItsProduct, productRules } from './market-products.ts';
import type { IngestNoun } from './noun.ts';
import { fromRiskModel, riskModelRules } from './risk-models.ts';

export const market: IngestNoun<'market', 'marketCreated' | 'marketUpdated'> = {
  events: { marketCreated: 17, marketUpdated: 26 },
  fromMessage(market) {
    const { instrument, marginCalculator, riskModel } = market.tradableInstrument ?? {};
    // A market of any product has one.
    if (instrument === undefined) throw new ValueError('tradableInstrument.instrument is missing');
    return {
      id: id('id', market.id),
      instrumentId: optionalId('instrument.id', instrument.id),
      instrumentCode: instrument.code,
      instrumentName: instrument.name,
      tags: instrument.metadata?.tags ?? [],
      ...fromProduct(instrument),
      decimalPlaces: decimalPlaces('decimalPlaces', market.decimalPlaces),
      positionDecimalPlaces: decimalPlaces('positionDecimalPlaces', market.positionDecimalPlaces, -255),
      tickSize: optionalInteger('tickSize', market.tickSize),
      ...fromFees(market.fees?.factors),
      liquidityFeeSettings: fromLiquidityFee(market.fees?.liquidityFeeSettings),
      ...fromScaling(marginCalculator?.scalingFactors),
      fullyCollateralised: marginCalculator?.fullyCollateralised ?? null,
      ...fromRiskModel(riskModel),
      riskFactorOverride:
        riskModel?.case === 'logNormalRiskModel' ? fromOverride(riskModel.value.riskFactorOverride) : null,
      linearSlippageFactor: optionalDecimal('linearSlippageFactor', market.linearSlippageFactor),
      quadraticSlippageFactor: optionalDecimal('quadraticSlippageFactor', market.quadraticSlippageFactor),
      lpPriceRange: optionalDecimal('lpPriceRange', market.lpPriceRange),
      liquiditySla: fromSla(market.liquiditySlaParams),
      liquidationStrategy: fromLiquidation(market.liquidationStrategy),
      markPriceConfiguration: fromCompositePrice('markPriceConfiguration', market.markPriceConfiguration),
      ...fromMonitoring(market),
      enableTransactionReordering: market.enableTransactionReordering,
      allowedEmptyAmmLevels: String(market.allowedEmptyAmmLevels),
      allowedSellers: market.allowedSellers.map((party) => partyId('allowedSellers', party)),
      parentMarketId: optionalId('parentMarketId', market.parentMarketId ?? '') || null,
      insurancePoolFraction: optionalDecimal('insurancePoolFraction', market.insurancePoolFraction ?? ''),
      ...fromState(market),
    };
  },
  fromJson: ofItsProduct(
    object({
      id: required(ids),
      instrumentId: otherwise('', textAs(optionalId)),
      instrumentCode: otherwise('', text),
      instrumentName: otherwise('', text),
      tags: otherwise([], listOf(text)),
      ...productRules,
      decimalPlaces: required(places(0)),
      positionDecimalPlaces: required(places(-255)),
      tickSize: optional(optionalIntegers),
      makerFee: otherwise('0', decimals),
      infrastructureFee: otherwise('0', decimals),
      liquidityFee: otherwise('0', decimals),
      treasuryFee: optional(optionalDecimals),
      buyBackFee: optional(optionalDecimals),
      liquidityFeeSettings: optional(liquidityFeeFromJson),
      searchLevel: optional(optionalDecimals),
      initialMargin: optional(optionalDecimals),
      collateralRelease: optional(optionalDecimals),
      fullyCollateralised: optional(boolean),
      ...riskModelRules,
      riskFactorOverride: optional(overrideFromJson),
      linearSlippageFactor: optional(optionalDecimals),
      quadraticSlippageFactor: optional(optionalDecimals),
      lpPriceRange: optional(optionalDecimals),
      liquiditySla: optional(slaFromJson),
      liquidationStrategy: optional(liquidationFromJson),
      markPriceConfiguration: optional(compositePriceFromJson),
      ...monitoringRules,
      enableTransactionReordering: otherwise(false, boolean),
      allowedEmptyAmmLevels: otherwise('0', integers),
      allowedSellers: otherwise([], listOf(parties)),
      parentMarketId: optional(ids),
      insurancePoolFraction: optional(optionalDecimals),
      state: otherwise(marketStates.numbers.STATE_ACTIVE, enumerated(marketStates)),
      tradingMode: otherwise(
        marketTradingModes.numbers.TRADING_MODE_CONTINUOUS,
        enumerated(marketTradingModes),
      ),
      proposedTimestamp: otherwise(0n, time),
      pendingTimestamp: otherwise(0n, time),
      openTimestamp: otherwise(0n, time),
      closeTimestamp: otherwise(0n, time),
    }),
  ),
};

function fromFees(fees: FeeFactors | undefined) {
  return {
    makerFee: decimal('makerFee', fees?.makerFee ?? ''),
    infrastructureFee: decimal('infrastructureFee', fees?.infrastructureFee ?? ''),
    liquidityFee: decimal('liquidityFee', fees?.liquidityFee ?? ''),
    treasuryFee: optionalDecimal('treasuryFee', fees?.treasuryFee ?? ''),
    buyBackFee: optionalDecimal('buyBackFee', fees?.buyBackFee ?? ''),
  };
}

/** A market without margin has none of them. */
function fromScaling(scaling: ScalingFactors | undefined) {
  const of = (name: 'searchLevel' | 'initialMargin' | 'collateralRelease') =>
    scaling === undefined ? null : decimalFromDouble(name, scaling[name]);
  return {
    searchLevel: of('searchLevel'),
    initialMargin: of('initialMargin'),
    collateralRelease: of('collateralRelease'),
  };
}

function fromState({ state, tradingMode, marketTimestamps: times }: Market) {
  return {
    state,
    tradingMode,
    proposedTimestamp: times?.proposed ?? 0n,
    pendingTimestamp: times?.pending ?? 0n,
    openTimestamp: times?.open ?? 0n,
    closeTimestamp: times?.close ?? 0n,
  };
}
