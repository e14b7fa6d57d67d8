import { computed, effect, signal } from '@preact/signals';
import type { ResultOf, VariablesOf } from 'gql.tada';
import { ask } from './connection.ts';
import { shift } from './decimals.ts';
import { graphql } from './graphql.ts';
import { block, type Market, markets } from './network.ts';
import { at } from './place.ts';

const EstimatePosition = graphql(`
  query EstimatePosition($at: Uint64, $marketId: ID!, $openVolume: Int64!, $collateral: Decimal!) {
    asOf(height: $at) {
      market(id: $marketId) { decimalPlaces settlementAssetNode { symbol decimals } marketData { markPrice } }
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

type Question = Omit<VariablesOf<typeof EstimatePosition>, 'at'>;
type Answer = NonNullable<ResultOf<typeof EstimatePosition>['asOf']>;
export type Estimate = NonNullable<Answer['estimatePosition']>;
export type MarginLevels = Estimate['margin']['bestCase'];

/** What is estimated, in the network's units; asked again at each block. Null until the first is known. */
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

/** What came of it: an estimate, or why there is none. */
export const estimate = signal<
  | { readonly of: Question; readonly is: Estimate; readonly market: Answer['market'] }
  | { readonly error: string }
  | null
>(null);

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

/** Keeps the estimate as new as the blocks. */
export function followEstimate(): void {
  effect(() => {
    const meant = asked.value;
    // An estimate is of the market as it is, or was: each block may change it.
    if (meant === null || block.value === null) return;
    ask(meant.operation, meant.variables)
      .then(
        ({ asOf }) =>
          asOf?.estimatePosition && { of: meant.variables, is: asOf.estimatePosition, market: asOf.market },
      )
      .catch((error: Error) => ({ error: error.message }))
      .then((answer) => {
        if (asked.peek() === meant) estimate.value = answer ?? null;
      });
  });
}
