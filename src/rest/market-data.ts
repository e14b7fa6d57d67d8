import { graphql } from './graphql.ts';
import { inPath } from './params.ts';
import { route } from './route.ts';
import { id } from './value-types.ts';

export const marketDataRoutes = [
  route({
    path: '/api/v2/market/data/:marketId/latest',
    summary: 'The latest market data of a market',
    parameters: { marketId: inPath(id, 'The id of the market.') },
    operation: graphql(`
      query GetLatestMarketData($marketId: ID!) {
        marketData(marketId: $marketId) {
          markPrice bestBidPrice bestBidVolume bestOfferPrice bestOfferVolume
          bestStaticBidPrice bestStaticBidVolume bestStaticOfferPrice bestStaticOfferVolume
          midPrice staticMidPrice market timestamp openInterest auctionEnd auctionStart
          indicativePrice indicativeVolume marketTradingMode trigger extensionTrigger
          targetStake suppliedStake
          priceMonitoringBounds {
            minValidPrice maxValidPrice trigger { horizon probability auctionExtension } referencePrice active
          }
          marketValueProxy
          liquidityProviderFeeShare { party equityLikeShare averageEntryValuation averageScore virtualStake }
          marketState nextMarkToMarket lastTradedPrice marketGrowth
          productData {
            perpetualData {
              fundingPayment fundingRate internalTwap externalTwap seqNum startTime
              internalCompositePrice nextInternalCompositePriceCalc internalCompositePriceType
              underlyingIndexPrice
              internalCompositePriceState { priceSources { priceSource price lastUpdated } }
            }
          }
          liquidityProviderSla {
            party currentEpochFractionOfTimeOnBook lastEpochFractionOfTimeOnBook
            lastEpochFeePenalty lastEpochBondPenalty hysteresisPeriodFeePenalties
            requiredLiquidity notionalVolumeBuys notionalVolumeSells
          }
          nextNetworkCloseout markPriceType
          markPriceState { priceSources { priceSource price lastUpdated } }
          activeProtocolAutomatedPurchase { id orderId }
        }
      }
    `),
    absentWhenNull: [
      ...[
        'active',
        'virtualStake',
        'marketGrowth',
        'productData',
        'liquidityProviderSla',
        'nextNetworkCloseout',
      ],
      ...[
        'markPriceType',
        'markPriceState',
        'activeProtocolAutomatedPurchase',
        'orderId',
        'seqNum',
        'startTime',
      ],
      ...['internalCompositePrice', 'nextInternalCompositePriceCalc', 'internalCompositePriceType'],
      ...['underlyingIndexPrice', 'internalCompositePriceState'],
    ],
    variables: ({ marketId }) => ({ marketId }),
    passes: 'data',
    missing: {
      field: 'marketData',
      noun: 'market data',
      name: ({ marketId }) => marketId,
      message: ({ marketId }) =>
        `There are no market data of market ${JSON.stringify(marketId)}: it is unknown, or has none yet.`,
    },
  }),
];
