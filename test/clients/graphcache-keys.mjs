/**
 * What graphcache is told of the types that have no `id`: a block is known by its height; all others are values, and
 * part of the object that has them.
 */
const VALUES = [
  'AccountsMessage',
  'AccountsSnapshot',
  'AccountsUpdates',
  'BlocksMessage',
  'DepositsMessage',
  'DepositsSnapshot',
  'DepositsUpdates',
  'EstimatedMarginLevel',
  'FeeEstimate',
  'LiquidationEstimate',
  'LiquidationPrices',
  'LiquidityProviderFeeShare',
  'MarginEstimate',
  'MarketDataMessage',
  'MarketDataSnapshot',
  'MarketDataUpdates',
  'PositionEstimate',
  'PriceMonitoringBounds',
  'PriceMonitoringTrigger',
  'RewardsMessage',
  'RewardsSnapshot',
  'RewardsUpdates',
  'RiskFactor',
  'VotesMessage',
  'VotesSnapshot',
  'VotesUpdates',
];

export const keys = {
  Block: ({ height }) => height ?? null,
  ...Object.fromEntries(VALUES.map((type) => [type, () => null])),
};
