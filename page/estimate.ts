import { computed, signal } from '@preact/signals';
import type { ResultOf, VariablesOf } from 'gql.tada';
import { shift } from './decimals.ts';
import { graphql } from './graphql.ts';
import { type Market, markets } from './network.ts';
import { at } from './place.ts';

/** An estimate is of the market as it is, or was: each block may change it. */
export const EstimatePosition = graphql(`
  query EstimatePosition($at: Uint64, $marketId: ID!, $openVolume: Int64!, $collateral: Decimal!) {
    asOf(height: $at) {
      market(id: $marketId) {
        decimalPlaces cap { fullyCollateralised } settlementAssetNode { symbol decimals } marketData { markPrice }
      }
      estimatePosition(marketId: $marketId, openVolume: $openVolume, collateralAvailable: $collateral) {
        margin {
          bestCase { maintenanceMargin searchLevel initialMargin collateralReleaseLevel }
          worstCase { maintenanceMargin searchLevel initialMargin collateralReleaseLevel }
        }
        liquidation { bestCase { openVolumeOnly } worstCase { openVolumeOnly } }
      }
    }
  }
`);

export type Question = Omit<VariablesOf<typeof EstimatePosition>, 'at'>;
export type Estimate = NonNullable<
  NonNullable<ResultOf<typeof EstimatePosition>['asOf']>['estimatePosition']
>;
export type MarginLevels = Estimate['margin']['bestCase'];

/** What is estimated, in the network's units. Null until the first is known. */
export const question = signal<Question | null>(null);

/** Why there is no position in a market to estimate; null where there can be one. */
export function whyNoPosition(market: Market | undefined): string | null {
  if (market?.marketNode?.product !== 'SPOT') return null;
  return 'A spot market has no positions: what is bought is paid for at once, and orders hold what they may cost. So there is no margin, and nothing to be closed out.';
}

/** The same as it is asked, for whoever wants to ask it too; null while nothing is. */
export const asked = computed(
  () =>
    question.value && {
      operation: EstimatePosition,
      variables: { ...question.value, at: at.value },
    },
);

/** The market that a new question is about: of those that trade, the first that has positions; null until there are any. */
export const firstMarket = computed<string | null>(() => {
  const all = [...markets.value.values()];
  const trading = all.filter((market) => market.marketState === 'STATE_ACTIVE');
  const first = trading.find((market) => whyNoPosition(market) === null) ?? trading[0] ?? all[0];
  return first?.market ?? null;
});

/** A position to begin with: one contract, or one lot of them, for a quarter of its value. In whole units, as people write them. */
export function suggestPosition({ markPrice, marketNode }: Market): { volume: string; collateral: string } {
  const places = marketNode?.positionDecimalPlaces ?? 0;
  const volume = shift('1', Math.max(0, -places));
  const value = BigInt(markPrice) * BigInt(shift(volume, Math.max(0, places)));
  const [collateral = '0'] = shift(
    `${value / 4n}`,
    -(marketNode?.decimalPlaces ?? 0) - Math.max(0, places),
  ).split('.');
  return { volume, collateral: collateral === '0' ? '1' : collateral };
}
