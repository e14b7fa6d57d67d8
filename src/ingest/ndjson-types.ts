import type { NounName } from '../data/nouns/index.ts';
import {
  accountTypes,
  assetStatuses,
  auctionTriggers,
  depositStatuses,
  marketStates,
  marketTradingModes,
  proposalStates,
  voteValues,
} from '../domain/enumerations.ts';
import type { EventRow } from './events.ts';
import {
  blockTimeOrOwn,
  listOf,
  named,
  nullable,
  numberAs,
  object,
  oneOf,
  otherwise,
  type Reader,
  required,
  text,
  textAs,
  time,
} from './json-objects.ts';
import { proposalErrors } from './proposal-errors.ts';
import {
  decimal,
  decimalPlaces,
  id,
  int64,
  integer,
  optionalDecimal,
  optionalId,
  optionalMarketId,
  partyId,
  percentage,
  refusal,
  riskFactor as toRiskFactor,
  uint63,
} from './values.ts';

const ids = textAs(id);
const parties = textAs(partyId);
const integers = numberAs(integer);
const decimals = numberAs(decimal);
const optionalDecimals = numberAs(optionalDecimal);
const places = (least: 0 | -255) =>
  numberAs((field, value) => decimalPlaces(field, int64(field, value), least));

export const network = object({ chainId: required(ids) });

/** 2001-09-09. No network has a block from before, so that such a time is a mistake; 0 is none. */
const EARLIEST_BLOCK = 10n ** 18n;

const blockTime: Reader<bigint> = (path, value, context) => {
  const timestamp = time(path, value, context);
  if (timestamp !== 0n && timestamp < EARLIEST_BLOCK) {
    throw refusal(path, `${timestamp}`, 'is before 2001-09-09; times are nanoseconds since 1970');
  }
  return timestamp;
};

export const block = object({
  height: required(numberAs((field, value) => Number(uint63(field, value)))),
  timestamp: required(blockTime),
  hash: otherwise('', text),
});

const party = object({ id: required(parties) });

const asset = object({
  id: required(ids),
  name: otherwise('', text),
  symbol: otherwise('', text),
  decimals: required(places(0)),
  quantum: otherwise('1', decimals),
  status: otherwise('STATUS_ENABLED', oneOf(assetStatuses)),
  maxFaucetAmount: otherwise(null, nullable(decimals)),
  contractAddress: otherwise(null, nullable(text)),
  lifetimeLimit: otherwise(null, nullable(decimals)),
  withdrawThreshold: otherwise(null, nullable(decimals)),
});

const market = object({
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
  state: otherwise('STATE_ACTIVE', oneOf(marketStates)),
  tradingMode: otherwise('TRADING_MODE_CONTINUOUS', oneOf(marketTradingModes)),
  proposedTimestamp: otherwise(0n, time),
  pendingTimestamp: otherwise(0n, time),
  openTimestamp: otherwise(0n, time),
  closeTimestamp: otherwise(0n, time),
});

const riskFactor = object({
  marketId: required(ids),
  short: required(numberAs(toRiskFactor)),
  long: required(numberAs(toRiskFactor)),
});

const priceMonitoringBounds = object({
  minValidPrice: required(decimals),
  maxValidPrice: required(decimals),
  referencePrice: required(decimals),
  trigger: otherwise(
    null,
    nullable(
      object({
        horizon: required(integers),
        probability: required(decimals),
        auctionExtension: required(integers),
      }),
    ),
  ),
});

const liquidityProviderFeeShare = object({
  party: required(parties),
  equityLikeShare: required(decimals),
  averageEntryValuation: required(decimals),
  averageScore: otherwise('0', decimals),
});

const marketData = object({
  marketId: named('market', required(ids)),
  markPrice: required(decimals),
  lastTradedPrice: otherwise('0', decimals),
  midPrice: otherwise('0', decimals),
  staticMidPrice: otherwise('0', decimals),
  bestBidPrice: otherwise('0', decimals),
  bestBidVolume: otherwise('0', integers),
  bestOfferPrice: otherwise('0', decimals),
  bestOfferVolume: otherwise('0', integers),
  bestStaticBidPrice: otherwise('0', decimals),
  bestStaticBidVolume: otherwise('0', integers),
  bestStaticOfferPrice: otherwise('0', decimals),
  bestStaticOfferVolume: otherwise('0', integers),
  indicativePrice: otherwise('0', decimals),
  indicativeVolume: otherwise('0', integers),
  openInterest: otherwise('0', integers),
  marketValueProxy: otherwise('0', decimals),
  suppliedStake: otherwise('0', decimals),
  targetStake: otherwise('0', decimals),
  nextMarkToMarket: otherwise(0n, time),
  auctionStart: otherwise(0n, time),
  auctionEnd: otherwise(0n, time),
  timestamp: blockTimeOrOwn,
  marketState: otherwise('STATE_ACTIVE', oneOf(marketStates)),
  marketTradingMode: otherwise('TRADING_MODE_CONTINUOUS', oneOf(marketTradingModes)),
  trigger: otherwise('AUCTION_TRIGGER_UNSPECIFIED', oneOf(auctionTriggers)),
  extensionTrigger: otherwise('AUCTION_TRIGGER_UNSPECIFIED', oneOf(auctionTriggers)),
  priceMonitoringBounds: otherwise([], listOf(priceMonitoringBounds)),
  liquidityProviderFeeShare: otherwise([], listOf(liquidityProviderFeeShare)),
});

const account = object({
  owner: required(parties),
  marketId: otherwise('', textAs(optionalMarketId)),
  assetId: named('asset', required(ids)),
  balance: required(integers),
  type: required(oneOf(accountTypes)),
});

const deposit = object({
  id: required(ids),
  partyId: required(parties),
  assetId: named('asset', required(ids)),
  amount: required(integers),
  status: required(oneOf(depositStatuses)),
  txHash: otherwise('', text),
  createdTimestamp: blockTimeOrOwn,
  creditedTimestamp: otherwise(0n, time),
});

const reward = object({
  assetId: required(ids),
  marketId: otherwise('', textAs(optionalMarketId)),
  partyId: required(parties),
  epoch: required(numberAs(uint63)),
  amount: required(integers),
  percentageOfTotal: required(numberAs(percentage)),
  receivedAt: blockTimeOrOwn,
  rewardType: required(text),
});

const proposal = object({
  id: required(ids),
  reference: otherwise('', text),
  partyId: required(parties),
  state: required(oneOf(proposalStates)),
  timestamp: blockTimeOrOwn,
  reason: otherwise(null, nullable(oneOf(proposalErrors))),
  errorDetails: otherwise(null, nullable(text)),
  requiredParticipation: otherwise('0', decimals),
  requiredMajority: otherwise('0', decimals),
  requiredLiquidityProviderParticipation: otherwise(null, nullable(decimals)),
  requiredLiquidityProviderMajority: otherwise(null, nullable(decimals)),
});

const vote = object({
  partyId: required(parties),
  proposalId: required(ids),
  timestamp: blockTimeOrOwn,
  value: required(oneOf(voteValues)),
  totalGovernanceTokenBalance: otherwise('0', decimals),
  totalGovernanceTokenWeight: otherwise('0', decimals),
  totalEquityLikeShareWeight: otherwise('0', decimals),
});

const marginLevel = object({
  marketId: required(ids),
  partyId: required(parties),
  assetId: named('asset', required(ids)),
  initialMargin: required(decimals),
  maintenanceMargin: required(decimals),
  searchLevel: required(decimals),
  collateralReleaseLevel: required(decimals),
  timestamp: blockTimeOrOwn,
});

/** How the rows of each type of line are read; the documented objects have their documented fields. */
export const rowReaders: { readonly [Name in NounName]: Reader<EventRow<Name>> } = {
  party,
  asset,
  market,
  riskFactor,
  marketData,
  account,
  deposit,
  reward,
  proposal,
  vote,
  marginLevel,
};
