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
import { proposalErrors } from './proposal-errors.ts';
import {
  double,
  enumeration,
  field,
  int64,
  type MessageType,
  member,
  message,
  oneof,
  optional,
  repeated,
  text,
  uint32,
  uint64,
} from './wire.ts';

/**
 * The network's messages, as far as the gateway reads them: field numbers and types of the network's protocol,
 * release 0.71.4. The values are as sent; `decode.ts` turns them into our terms.
 */
const deposit = message('Deposit', {
  id: field(1, text),
  status: field(2, enumeration('Deposit.Status', depositStatuses)),
  partyId: field(3, text),
  asset: field(4, text),
  amount: field(5, text),
  txHash: field(6, text),
  creditedTimestamp: field(7, int64),
  createdTimestamp: field(8, int64),
});

const account = message('Account', {
  id: field(1, text),
  owner: field(2, text),
  balance: field(3, text),
  asset: field(4, text),
  marketId: field(5, text),
  type: field(6, enumeration('AccountType', accountTypes)),
});

const party = message('Party', { id: field(1, text) });

const rewardPayout = message('RewardPayoutEvent', {
  party: field(1, text),
  epochSeq: field(2, text),
  asset: field(3, text),
  amount: field(4, text),
  percentOfTotalReward: field(5, text),
  timestamp: field(6, int64),
  rewardType: field(7, text),
  market: field(8, text),
});

const marginLevels = message('MarginLevels', {
  maintenanceMargin: field(1, text),
  searchLevel: field(2, text),
  initialMargin: field(3, text),
  collateralReleaseLevel: field(4, text),
  partyId: field(5, text),
  marketId: field(6, text),
  asset: field(7, text),
  timestamp: field(8, int64),
});

const proposal = message('Proposal', {
  id: field(1, text),
  reference: field(2, text),
  partyId: field(3, text),
  state: field(4, enumeration('Proposal.State', proposalStates)),
  timestamp: field(5, int64),
  reason: optional(7, enumeration('ProposalError', proposalErrors)),
  errorDetails: optional(8, text),
  requiredParticipation: field(10, text),
  requiredMajority: field(11, text),
  requiredLiquidityProviderParticipation: optional(12, text),
  requiredLiquidityProviderMajority: optional(13, text),
});

const vote = message('Vote', {
  partyId: field(1, text),
  value: field(2, enumeration('Vote.Value', voteValues)),
  proposalId: field(3, text),
  timestamp: field(4, int64),
  totalGovernanceTokenBalance: field(5, text),
  totalGovernanceTokenWeight: field(6, text),
  totalEquityLikeShareWeight: field(7, text),
});

const riskFactor = message('RiskFactor', {
  market: field(1, text),
  short: field(2, text),
  long: field(3, text),
});

const asset = message('Asset', {
  id: field(1, text),
  details: optional(
    2,
    message('AssetDetails', {
      name: field(1, text),
      symbol: field(2, text),
      decimals: field(4, uint64),
      quantum: field(5, text),
      source: oneof({
        builtinAsset: member(101, message('BuiltinAsset', { maxFaucetAmountMint: field(1, text) })),
        erc20: member(
          102,
          message('ERC20', {
            contractAddress: field(1, text),
            lifetimeLimit: field(2, text),
            withdrawThreshold: field(3, text),
          }),
        ),
      }),
    }),
  ),
  status: field(3, enumeration('Asset.Status', assetStatuses)),
});

const marketState = enumeration('Market.State', marketStates);
const tradingMode = enumeration('Market.TradingMode', marketTradingModes);
const auctionTrigger = enumeration('AuctionTrigger', auctionTriggers);

const market = message('Market', {
  id: field(1, text),
  tradableInstrument: optional(
    2,
    message('TradableInstrument', {
      instrument: optional(
        1,
        message('Instrument', {
          id: field(1, text),
          code: field(2, text),
          name: field(3, text),
          metadata: optional(4, message('InstrumentMetadata', { tags: repeated(1, text) })),
          future: optional(
            100,
            message('Future', { settlementAsset: field(1, text), quoteName: field(2, text) }),
          ),
        }),
      ),
      marginCalculator: optional(
        2,
        message('MarginCalculator', {
          scalingFactors: optional(
            1,
            message('ScalingFactors', {
              searchLevel: field(1, double),
              initialMargin: field(2, double),
              collateralRelease: field(3, double),
            }),
          ),
        }),
      ),
    }),
  ),
  decimalPlaces: field(3, uint64),
  fees: optional(
    4,
    message('Fees', {
      factors: optional(
        1,
        message('FeeFactors', {
          makerFee: field(1, text),
          infrastructureFee: field(2, text),
          liquidityFee: field(3, text),
        }),
      ),
    }),
  ),
  tradingMode: field(8, tradingMode),
  state: field(9, marketState),
  marketTimestamps: optional(
    10,
    message('MarketTimestamps', {
      proposed: field(1, int64),
      pending: field(2, int64),
      open: field(3, int64),
      close: field(4, int64),
    }),
  ),
  positionDecimalPlaces: field(11, int64),
  lpPriceRange: field(12, text),
  linearSlippageFactor: field(13, text),
  quadraticSlippageFactor: field(14, text),
});

const priceMonitoringBounds = message('PriceMonitoringBounds', {
  minValidPrice: field(1, text),
  maxValidPrice: field(2, text),
  trigger: optional(
    3,
    message('PriceMonitoringTrigger', {
      horizon: field(1, int64),
      probability: field(2, text),
      auctionExtension: field(3, int64),
    }),
  ),
  referencePrice: field(4, text),
});

const liquidityProviderFeeShare = message('LiquidityProviderFeeShare', {
  party: field(1, text),
  equityLikeShare: field(2, text),
  averageEntryValuation: field(3, text),
  averageScore: field(4, text),
});

const marketData = message('MarketData', {
  markPrice: field(1, text),
  bestBidPrice: field(2, text),
  bestBidVolume: field(3, uint64),
  bestOfferPrice: field(4, text),
  bestOfferVolume: field(5, uint64),
  bestStaticBidPrice: field(6, text),
  bestStaticBidVolume: field(7, uint64),
  bestStaticOfferPrice: field(8, text),
  bestStaticOfferVolume: field(9, uint64),
  midPrice: field(10, text),
  staticMidPrice: field(11, text),
  market: field(12, text),
  timestamp: field(13, int64),
  openInterest: field(14, uint64),
  auctionEnd: field(15, int64),
  auctionStart: field(16, int64),
  indicativePrice: field(17, text),
  indicativeVolume: field(18, uint64),
  marketTradingMode: field(19, tradingMode),
  trigger: field(20, auctionTrigger),
  extensionTrigger: field(21, auctionTrigger),
  targetStake: field(22, text),
  suppliedStake: field(23, text),
  priceMonitoringBounds: repeated(24, priceMonitoringBounds),
  marketValueProxy: field(25, text),
  liquidityProviderFeeShare: repeated(26, liquidityProviderFeeShare),
  marketState: field(27, marketState),
  nextMarkToMarket: field(28, int64),
  lastTradedPrice: field(29, text),
});

const beginBlock = message('BeginBlock', {
  height: field(1, uint64),
  timestamp: field(2, int64),
  hash: field(3, text),
});

const endBlock = message('EndBlock', { height: field(1, uint64) });

const protocolUpgradeStarted = message('ProtocolUpgradeStarted', { lastBlockHeight: field(1, uint64) });

/** The envelope of every event. `type` is its kind by number; kinds that are not kept have no `event`. */
export const busEvent = message('BusEvent', {
  id: field(1, text),
  block: field(2, text),
  type: field(3, uint32),
  version: field(4, uint32),
  chainId: field(5, text),
  txHash: field(6, text),
  event: oneof({
    account: member(105, account),
    party: member(106, party),
    marginLevels: member(108, marginLevels),
    proposal: member(109, proposal),
    vote: member(110, vote),
    marketData: member(111, marketData),
    marketCreated: member(116, market),
    asset: member(117, asset),
    deposit: member(120, deposit),
    riskFactor: member(122, riskFactor),
    marketUpdated: member(125, market),
    rewardPayout: member(134, rewardPayout),
    beginBlock: member(148, beginBlock),
    endBlock: member(149, endBlock),
    protocolUpgradeStarted: member(150, protocolUpgradeStarted),
  }),
});

export type BusEvent = MessageType<typeof busEvent>;
export type BusEventPayload = NonNullable<BusEvent['event']>;

/** The `type` that each kept event carries in its envelope. */
export const busEventTypes = {
  account: 6,
  party: 7,
  marginLevels: 9,
  proposal: 10,
  vote: 11,
  marketData: 12,
  marketCreated: 17,
  asset: 18,
  deposit: 21,
  riskFactor: 23,
  marketUpdated: 26,
  rewardPayout: 34,
  beginBlock: 49,
  endBlock: 50,
  protocolUpgradeStarted: 51,
} as const satisfies Record<BusEventPayload['name'], number>;

export type PayloadOf<Name extends BusEventPayload['name']> = Extract<
  BusEventPayload,
  { readonly name: Name }
>['value'];
