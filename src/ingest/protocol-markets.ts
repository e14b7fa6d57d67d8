import { assetStatuses, auctionTriggers, marketStates, marketTradingModes } from '../domain/enumerations.ts';
import {
  double,
  enumeration,
  field,
  int64,
  member,
  message,
  oneof,
  optional,
  repeated,
  text,
  uint64,
} from './wire.ts';

/** The messages about assets and markets; `protocol.ts` has the rest and the envelope. */
export const riskFactor = message('RiskFactor', {
  market: field(1, text),
  short: field(2, text),
  long: field(3, text),
});

export const asset = message('Asset', {
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

export const market = message('Market', {
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

export const marketData = message('MarketData', {
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
