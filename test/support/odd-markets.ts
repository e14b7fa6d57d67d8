import { withClient } from './state.ts';

const NOTHING_KEPT = {
  opening_auction: null,
  price_monitoring_triggers: null,
  liquidity_monitoring: null,
  log_normal_risk_model: null,
  simple_risk_model: null,
};

const PRICE = {
  compositePriceType: 1,
  decayWeight: '0.5',
  decayPower: '18446744073709551615',
  cashAmount: '5000000',
  sourceWeights: ['1', '0.25'],
  sourceStalenessTolerance: ['1m0s', '<b>'],
};

/** What markets can be besides what the simulated ones are: columns that differ from those of one that is there. */
const ODD_MARKETS = [
  // As an older version kept it, and over.
  { id: 'odd-settled', state: 9, linear_slippage_factor: null, ...NOTHING_KEPT },
  { id: 'odd-rejected', state: 2 },
  // Of a release that nobody knows.
  { id: 'odd-"<&>', state: 4242, product: null, settlement_asset_id: null, quote_name: null, tags: ['a'] },
  {
    id: 'odd-perpetual',
    product: 'PERPETUAL',
    quote_name: null,
    funding: {
      ...{ marginFundingFactor: null, interestRate: '-0.05', clampLowerBound: '0', clampUpperBound: '0.1' },
      ...{ fundingRateScalingFactor: '1', fundingRateLowerBound: null, fundingRateUpperBound: '0.001' },
    },
    internal_composite_price: PRICE,
    mark_price_configuration: PRICE,
    tick_size: '10',
    treasury_fee: '0.1',
    buy_back_fee: '0',
    liquidity_fee_settings: { method: 3, feeConstant: '0.05' },
    fully_collateralised: false,
    risk_factor_override: { short: '0.5', long: '0.25' },
    lp_price_range: null,
    price_monitoring_triggers: [],
    liquidity_monitoring: { targetStakeParameters: null, triggeringRatio: null, auctionExtension: '0' },
    liquidity_sla: {
      ...{ priceRange: '0.05', commitmentMinTimeFraction: '0.5' },
      ...{ performanceHysteresisEpochs: '1', slaCompetitionFactor: '1' },
    },
    liquidation_strategy: {
      ...{ disposalTimeStep: '5', disposalFraction: '1', fullDisposalSize: '0', maxFractionConsumed: '0.1' },
      disposalSlippageRange: null,
    },
    enable_transaction_reordering: true,
    allowed_empty_amm_levels: '100',
    parent_market_id: 'odd-settled',
    insurance_pool_fraction: '0.5',
  },
  {
    id: 'odd-spot',
    product: 'SPOT',
    ...{ settlement_asset_id: null, base_asset_id: 'btc', quote_asset_id: 'usd', quote_name: null },
    ...{ search_level: null, initial_margin: null, collateral_release: null },
    tick_size: '1',
    allowed_sellers: ['alice', 'network'],
  },
  {
    id: 'odd-capped',
    cap: { maxPrice: '1500', binarySettlement: true, fullyCollateralised: false },
    fully_collateralised: true,
  },
];

/** Adds markets of every product and with every part, or none, to a simulated network. */
export async function writeOddMarkets(url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (const [index, columns] of ODD_MARKETS.entries())
      await client.query(
        `INSERT INTO markets SELECT (jsonb_populate_record(one, $1::jsonb)).*
         FROM markets AS one WHERE created_position = (SELECT max(created_position) FROM markets)`,
        [JSON.stringify({ created_position: index + 1, updated_position: index + 1, ...columns })],
      );
  });
}
