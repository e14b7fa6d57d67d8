/**
 * What graphcache is told of the types that have no `id`: a block is known by its height; all others are values, and
 * part of the object that has them.
 */
const VALUES = [
  'AccountsMessage',
  'AccountsSnapshot',
  'AccountsUpdates',
  'AsOf',
  'BatchProposalTerms',
  'BatchProposalTermsChange',
  'BlocksMessage',
  'CollateralIncreaseEstimate',
  'CompositePriceConfiguration',
  'CompositePriceSource',
  'CompositePriceState',
  'DepositsMessage',
  'DepositsSnapshot',
  'DepositsUpdates',
  'Epoch',
  'EquityLikeShare',
  'EstimatedMarginLevel',
  'FeeDiscount',
  'FeeEstimate',
  'FundingTerms',
  'FutureCap',
  'LiquidationEstimate',
  'LiquidationPrices',
  'LiquidationStrategy',
  'LiquidityFeeSettings',
  'LiquidityProviderFeeShare',
  'LiquidityProviderSla',
  'LiquiditySla',
  'MarginEstimate',
  'MarketDataMessage',
  'MarketDataSnapshot',
  'MarketDataUpdates',
  'PartyMetadata',
  'PartyProfile',
  'PerpetualData',
  'PositionEstimate',
  'PriceMonitoringBounds',
  'PriceMonitoringTrigger',
  'ProductData',
  'ProposalTerms',
  'RewardsMessage',
  'RewardsSnapshot',
  'RewardsUpdates',
  'RiskFactor',
  'RiskFactorOverride',
  'VotesMessage',
  'VotesSnapshot',
  'VotesUpdates',
];

export const keys = {
  Block: ({ height }) => height ?? null,
  ...Object.fromEntries(VALUES.map((type) => [type, () => null])),
};

const byNodeId = ({ nodeId }) => nodeId ?? null;

/**
 * Who asks about the past as well adds these: the `id` of these types is the documented one, which names them at every
 * block. All others have their block in it.
 */
export const keysOfPast = {
  Asset: byNodeId,
  Deposit: byNodeId,
  Market: byNodeId,
  Party: byNodeId,
  Proposal: byNodeId,
};
