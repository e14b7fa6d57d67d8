import type { ResultOf } from 'gql.tada';
import { graphql } from './graphql.ts';

/** What the documented shape of a market is made of. */
export const MarketFields = graphql(`
  fragment MarketFields on Market {
    id state tradingMode proposedTimestamp pendingTimestamp openTimestamp closeTimestamp
    instrumentId instrumentCode instrumentName tags
    product settlementAsset baseAsset quoteAsset quoteName
    cap { maxPrice binarySettlement fullyCollateralised }
    funding {
      marginFundingFactor interestRate clampLowerBound clampUpperBound
      fundingRateScalingFactor fundingRateLowerBound fundingRateUpperBound
    }
    internalCompositePrice { ...CompositePriceFields }
    searchLevel initialMargin collateralRelease fullyCollateralised
    logNormalRiskModel { riskAversionParameter tau mu r sigma }
    simpleRiskModel { factorLong factorShort maxMoveUp minMoveDown probabilityOfTrading }
    riskFactorOverride { short long }
    decimalPlaces positionDecimalPlaces tickSize
    makerFee infrastructureFee liquidityFee treasuryFee buyBackFee
    liquidityFeeSettings { method feeConstant }
    openingAuction { duration volume }
    priceMonitoringTriggers { horizon probability auctionExtension }
    liquidityMonitoring { targetStakeParameters { timeWindow scalingFactor } triggeringRatio auctionExtension }
    lpPriceRange linearSlippageFactor quadraticSlippageFactor
    parentMarketId insurancePoolFraction
    liquiditySla { priceRange commitmentMinTimeFraction performanceHysteresisEpochs slaCompetitionFactor }
    liquidationStrategy {
      disposalTimeStep disposalFraction fullDisposalSize maxFractionConsumed disposalSlippageRange
    }
    markPriceConfiguration { ...CompositePriceFields }
    enableTransactionReordering allowedEmptyAmmLevels allowedSellers
  }
  fragment CompositePriceFields on CompositePriceConfiguration {
    decayWeight decayPower cashAmount sourceWeights sourceStalenessTolerance compositePriceType
  }
`);

export type Market = ResultOf<typeof MarketFields>;

/** What a market has where it has any. */
export type PartOf<Name extends keyof Market> = NonNullable<Market[Name]>;
