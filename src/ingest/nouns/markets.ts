import { decimalOfDouble } from '../../domain/decimals.ts';
import { marketStates, marketTradingModes } from '../../domain/enumerations.ts';
import {
  enumerated,
  listOf,
  nullable,
  object,
  otherwise,
  required,
  text,
  textAs,
  time,
} from '../json-objects.ts';
import { decimals, ids, optionalDecimals, places } from '../json-values.ts';
import { decimal, decimalPlaces, id, optionalDecimal, optionalId } from '../values.ts';
import type { IngestNoun } from './noun.ts';

export const market: IngestNoun<'market', 'marketCreated' | 'marketUpdated'> = {
  events: { marketCreated: 17, marketUpdated: 26 },
  fromMessage(market) {
    const instrument = market.tradableInstrument?.instrument;
    const scaling = market.tradableInstrument?.marginCalculator?.scalingFactors;
    const fees = market.fees?.factors;
    const times = market.marketTimestamps;
    return {
      id: id('id', market.id),
      instrumentId: optionalId('instrument.id', instrument?.id ?? ''),
      instrumentCode: instrument?.code ?? '',
      instrumentName: instrument?.name ?? '',
      tags: instrument?.metadata?.tags ?? [],
      settlementAssetId: id('future.settlementAsset', instrument?.future?.settlementAsset ?? ''),
      quoteName: instrument?.future?.quoteName ?? '',
      decimalPlaces: decimalPlaces('decimalPlaces', market.decimalPlaces),
      positionDecimalPlaces: decimalPlaces('positionDecimalPlaces', market.positionDecimalPlaces, -255),
      makerFee: decimal('makerFee', fees?.makerFee ?? ''),
      infrastructureFee: decimal('infrastructureFee', fees?.infrastructureFee ?? ''),
      liquidityFee: decimal('liquidityFee', fees?.liquidityFee ?? ''),
      searchLevel: decimalOfDouble(scaling?.searchLevel ?? 0),
      initialMargin: decimalOfDouble(scaling?.initialMargin ?? 0),
      collateralRelease: decimalOfDouble(scaling?.collateralRelease ?? 0),
      linearSlippageFactor: optionalDecimal('linearSlippageFactor', market.linearSlippageFactor),
      quadraticSlippageFactor: optionalDecimal('quadraticSlippageFactor', market.quadraticSlippageFactor),
      lpPriceRange: decimal('lpPriceRange', market.lpPriceRange),
      state: market.state,
      tradingMode: market.tradingMode,
      proposedTimestamp: times?.proposed ?? 0n,
      pendingTimestamp: times?.pending ?? 0n,
      openTimestamp: times?.open ?? 0n,
      closeTimestamp: times?.close ?? 0n,
    };
  },
  fromJson: object({
    id: required(ids),
    instrumentId: otherwise('', textAs(optionalId)),
    instrumentCode: otherwise('', text),
    instrumentName: otherwise('', text),
    tags: otherwise([], listOf(text)),
    settlementAssetId: required(ids),
    quoteName: otherwise('', text),
    decimalPlaces: required(places(0)),
    positionDecimalPlaces: required(places(-255)),
    makerFee: otherwise('0', decimals),
    infrastructureFee: otherwise('0', decimals),
    liquidityFee: otherwise('0', decimals),
    searchLevel: otherwise('0', decimals),
    initialMargin: otherwise('0', decimals),
    collateralRelease: otherwise('0', decimals),
    linearSlippageFactor: otherwise(null, nullable(optionalDecimals)),
    quadraticSlippageFactor: otherwise(null, nullable(optionalDecimals)),
    lpPriceRange: otherwise('0', decimals),
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
};
