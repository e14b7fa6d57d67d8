import type { TableRow } from '../support/simulated.ts';
import type { DocumentedList } from './documented-lists.ts';

/** The lists of the reference's further paths. What an answer makes of a row is told here once more, by hand. */
export const FURTHER_LISTS: readonly DocumentedList[] = [
  {
    path: '/api/v2/assets',
    field: 'assets',
    table: 'assets',
    isPaged: true,
    filters: [{ name: 'assetId', snakeName: 'asset_id', column: 'id', kind: 'one' }],
    fields: {},
    node: assetOf,
  },
  {
    path: '/api/v2/markets',
    field: 'markets',
    table: 'markets',
    isPaged: true,
    shows: (row) => row['state'] !== 'STATE_REJECTED',
    filters: [{ name: 'includeSettled', snakeName: 'include_settled', column: 'state', kind: 'settled' }],
    fields: {},
    node: marketOf,
  },
  {
    path: '/api/v2/parties',
    field: 'parties',
    table: 'parties',
    isPaged: true,
    filters: [{ name: 'partyId', snakeName: 'party_id', column: 'id', kind: 'one' }],
    fields: { id: 'id' },
  },
  {
    path: '/api/v2/trades',
    field: 'trades',
    table: 'trades',
    isPaged: true,
    filters: [
      { name: 'marketIds', snakeName: 'market_ids', column: 'market_id', kind: 'many' },
      { name: 'orderIds', snakeName: 'order_ids', column: 'buy_order', orColumn: 'sell_order', kind: 'many' },
      { name: 'partyIds', snakeName: 'party_ids', column: 'buyer', orColumn: 'seller', kind: 'many' },
      {
        name: 'dateRange.startTimestamp',
        snakeName: 'date_range.start_timestamp',
        column: 'updated_timestamp',
        kind: 'from',
      },
      {
        name: 'dateRange.endTimestamp',
        snakeName: 'date_range.end_timestamp',
        column: 'updated_timestamp',
        kind: 'before',
      },
    ],
    fields: {},
    node: tradeOf,
  },
];

export function tradeOf(row: TableRow): object {
  return {
    id: row['id'],
    marketId: row['market_id'],
    price: row['price'],
    size: row['size'],
    buyer: row['buyer'],
    seller: row['seller'],
    aggressor: row['aggressor'],
    buyOrder: row['buy_order'],
    sellOrder: row['sell_order'],
    timestamp: row['updated_timestamp'],
    type: row['type'],
    buyerFee: feeOf(row['buyer_fee']),
    sellerFee: feeOf(row['seller_fee']),
    buyerAuctionBatch: row['buyer_auction_batch'],
    sellerAuctionBatch: row['seller_auction_batch'],
    assetPrice: row['asset_price'] ?? '',
  };
}

function feeOf(text: string | null | undefined): object {
  const amounts = (text ?? '').split(',');
  const names = [
    ...['makerFee', 'infrastructureFee', 'liquidityFee'],
    ...['makerFeeVolumeDiscount', 'infrastructureFeeVolumeDiscount', 'liquidityFeeVolumeDiscount'],
    ...['makerFeeReferrerDiscount', 'infrastructureFeeReferrerDiscount', 'liquidityFeeReferrerDiscount'],
    ...['treasuryFee', 'buyBackFee', 'highVolumeMakerFee'],
  ];
  return Object.fromEntries(names.map((name, place) => [name, amounts[place] || '0']));
}

export function assetOf(row: TableRow): object {
  return {
    id: row['id'],
    details: {
      name: row['name'],
      symbol: row['symbol'],
      decimals: row['decimals'],
      quantum: row['quantum'],
      ...(row['max_faucet_amount'] !== null && {
        builtinAsset: { maxFaucetAmountMint: row['max_faucet_amount'] },
      }),
      ...(row['contract_address'] !== null && {
        erc20: {
          contractAddress: row['contract_address'],
          lifetimeLimit: row['lifetime_limit'],
          withdrawThreshold: row['withdraw_threshold'],
          ...there('chainId', row['chain_id']),
        },
      }),
    },
    status: row['status'],
  };
}

export function marketOf(row: TableRow): object {
  const isNewer = row['tick_size'] !== null;
  return {
    id: row['id'],
    tradableInstrument: {
      instrument: {
        id: row['instrument_id'],
        code: row['instrument_code'],
        name: row['instrument_name'],
        metadata: { tags: listOf(row['tags']) },
        ...productOf(row),
      },
      marginCalculator: row['search_level'] === null ? null : marginCalculatorOf(row),
      ...riskModelOf(row),
    },
    decimalPlaces: row['decimal_places'],
    fees: {
      factors: {
        makerFee: row['maker_fee'],
        infrastructureFee: row['infrastructure_fee'],
        liquidityFee: row['liquidity_fee'],
        ...there('treasuryFee', row['treasury_fee']),
        ...there('buyBackFee', row['buy_back_fee']),
      },
      ...there('liquidityFeeSettings', feeSettingsOf(json(row['liquidity_fee_settings']))),
    },
    openingAuction: inOrder(json(row['opening_auction']), ['duration', 'volume']),
    priceMonitoringSettings: triggersOf(json(row['price_monitoring_triggers'])),
    liquidityMonitoringParameters: liquidityOf(json(row['liquidity_monitoring'])),
    tradingMode: row['trading_mode'],
    state: row['state'],
    marketTimestamps: {
      proposed: row['proposed_timestamp'],
      pending: row['pending_timestamp'],
      open: row['open_timestamp'],
      close: row['close_timestamp'],
    },
    positionDecimalPlaces: row['position_decimal_places'],
    lpPriceRange: row['lp_price_range'] ?? '',
    linearSlippageFactor: row['linear_slippage_factor'] ?? '',
    quadraticSlippageFactor: row['quadratic_slippage_factor'] ?? '',
    ...there('parentMarketId', row['parent_market_id']),
    ...there('insurancePoolFraction', row['insurance_pool_fraction']),
    ...there(
      'liquiditySlaParams',
      inOrder(json(row['liquidity_sla']), [
        ...['priceRange', 'commitmentMinTimeFraction', 'performanceHysteresisEpochs', 'slaCompetitionFactor'],
      ]),
    ),
    ...there(
      'liquidationStrategy',
      inOrder(json(row['liquidation_strategy']), [
        ...['disposalTimeStep', 'disposalFraction', 'fullDisposalSize', 'maxFractionConsumed'],
        'disposalSlippageRange',
      ]),
    ),
    ...there('markPriceConfiguration', compositeOf(json(row['mark_price_configuration']))),
    ...there('tickSize', row['tick_size']),
    ...(isNewer && {
      enableTransactionReordering: row['enable_transaction_reordering'] === 't',
      allowedEmptyAmmLevels: row['allowed_empty_amm_levels'],
      allowedSellers: listOf(row['allowed_sellers']),
    }),
  };
}

function productOf(row: TableRow): object {
  const settled = { settlementAsset: row['settlement_asset_id'], quoteName: row['quote_name'] ?? '' };
  if (row['product'] === null) return {};
  if (row['product'] === 'SPOT')
    return { spot: { baseAsset: row['base_asset_id'], quoteAsset: row['quote_asset_id'] } };
  if (row['product'] === 'FUTURE') {
    const cap = inOrder(json(row['cap']), ['maxPrice', 'binarySettlement', 'fullyCollateralised']);
    return { future: { ...settled, ...there('cap', cap) } };
  }
  const given = json(row['funding']);
  const funding = {
    marginFundingFactor: given?.['marginFundingFactor'] ?? '',
    ...inOrder(given, ['interestRate', 'clampLowerBound', 'clampUpperBound']),
    ...inOrder(given, ['fundingRateScalingFactor', 'fundingRateLowerBound', 'fundingRateUpperBound']),
  };
  const price = compositeOf(json(row['internal_composite_price']));
  return { perpetual: { ...settled, ...funding, ...there('internalCompositePriceConfiguration', price) } };
}

function marginCalculatorOf(row: TableRow): object {
  return {
    scalingFactors: {
      searchLevel: Number(row['search_level']),
      initialMargin: Number(row['initial_margin']),
      collateralRelease: Number(row['collateral_release']),
    },
    ...(row['fully_collateralised'] !== null && { fullyCollateralised: row['fully_collateralised'] === 't' }),
  };
}

function riskModelOf(row: TableRow): object {
  const [logNormal, simple] = [json(row['log_normal_risk_model']), json(row['simple_risk_model'])];
  const numbers = (model: Json, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, Number(model?.[name])]));
  if (simple !== null) {
    const names = ['factorLong', 'factorShort', 'maxMoveUp', 'minMoveDown', 'probabilityOfTrading'];
    return { simpleRiskModel: { params: numbers(simple, names) } };
  }
  if (logNormal === null) return {};
  const override = inOrder(json(row['risk_factor_override']), ['short', 'long']);
  return {
    logNormalRiskModel: {
      ...numbers(logNormal, ['riskAversionParameter', 'tau']),
      params: numbers(logNormal, ['mu', 'r', 'sigma']),
      ...there('riskFactorOverride', override),
    },
  };
}

function feeSettingsOf(settings: Json): object | null {
  if (settings === null) return null;
  const methods = ['UNSPECIFIED', 'MARGINAL_COST', 'WEIGHTED_AVERAGE', 'CONSTANT'];
  const method = `METHOD_${methods[Number(settings['method'])]}`;
  return { method, ...there('feeConstant', settings['feeConstant']) };
}

function compositeOf(price: Json): object | null {
  const types = ['UNSPECIFIED', 'WEIGHTED', 'MEDIAN', 'LAST_TRADE'];
  if (price === null) return null;
  const names = ['decayWeight', 'decayPower', 'cashAmount', 'sourceWeights', 'sourceStalenessTolerance'];
  const type = types[Number(price['compositePriceType'])];
  return { ...inOrder(price, names), compositePriceType: `COMPOSITE_PRICE_TYPE_${type}` };
}

function triggersOf(triggers: Json): object | null {
  if (!Array.isArray(triggers)) return null;
  const names = ['horizon', 'probability', 'auctionExtension'];
  return { parameters: { triggers: triggers.map((trigger) => inOrder(trigger, names)) } };
}

function liquidityOf(monitoring: Json): object | null {
  if (monitoring === null) return null;
  const stake = monitoring['targetStakeParameters'] as Json;
  return {
    targetStakeParameters: stake && {
      timeWindow: stake['timeWindow'],
      scalingFactor: Number(stake['scalingFactor']),
    },
    triggeringRatio: monitoring['triggeringRatio'] ?? '',
    auctionExtension: monitoring['auctionExtension'],
  };
}

type Json = Readonly<Record<string, unknown>> | null;

function json(text: string | null | undefined): Json {
  return JSON.parse(text ?? 'null');
}

/** The members of these names, without those that are null. */
function inOrder(value: Json, names: readonly string[]): object | null {
  return (
    value && Object.fromEntries(names.flatMap((name) => Object.entries(there(name, value[name] ?? null))))
  );
}

function there(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === null || value === undefined ? {} : { [name]: value };
}

/** A list of PostgreSQL's, of texts that need no quotes. */
function listOf(text: string | null | undefined): readonly string[] {
  const inner = (text ?? '{}').slice(1, -1);
  return inner === '' ? [] : inner.split(',').map((item) => item.replace(/^"(.*)"$/, '$1'));
}
