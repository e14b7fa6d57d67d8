import { useSignal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import { useAsked } from '../asked.ts';
import { readQuantity, shift } from '../decimals.ts';
import { suggestPosition } from '../estimate.ts';
import { graphql } from '../graphql.ts';
import type { Market } from '../network.ts';
import { type Curve, curveOf, LEAST_UNITS, operationOf, volumesAround } from './estimates.ts';
import { MarginCurve } from './margin-curve.tsx';
import { limitsOf } from './margin-limits.ts';
import { Nothing, Shown } from './shown.tsx';

const MarketOfCurve = graphql(`
  query MarketOfCurve($at: Uint64, $id: ID!) {
    asOf(height: $at) {
      market(id: $id) {
        product decimalPlaces positionDecimalPlaces cap { maxPrice fullyCollateralised }
        settlementAssetNode { symbol decimals }
        marketData { markPrice }
      }
    }
  }
`);

type OneMarket = NonNullable<NonNullable<ResultOf<typeof MarketOfCurve>['asOf']>['market']>;

/** Margins and liquidation price of a market over open volumes up to twice the one that is typed, either way. */
export function MarginPanel({ marketId }: { readonly marketId: string }) {
  const asked = useAsked(MarketOfCurve, { id: marketId });
  return (
    <div class="plot-panel">
      <Shown asked={asked.value} what="margins" isBehind={hasMargins(asked.value.data?.asOf?.market)}>
        {({ asOf }) => {
          const market = asOf?.market;
          if (!market || !hasMargins(market))
            return <Nothing>A market without prices or positions has no margins.</Nothing>;
          return <Form key={marketId} marketId={marketId} market={market} />;
        }}
      </Shown>
    </div>
  );
}

/** Whether there is something to estimate with. */
function hasMargins(market: OneMarket | null | undefined): boolean {
  return !!market?.marketData && market.settlementAssetNode !== null && market.product !== 'SPOT';
}

/** Takes the volume and the collateral as people write them. */
function Form({ marketId, market }: FormProps) {
  const decimals = market.settlementAssetNode?.decimals ?? 0;
  const suggested = useSignal(suggestFor(market));
  const volume = useSignal(suggested.value.volume);
  const funds = useSignal(suggested.value.collateral);
  const [openVolume, amount] = [
    readQuantity(volume.value, market.positionDecimalPlaces)?.replace('-', ''),
    readQuantity(funds.value, decimals),
  ];
  const isGiven = openVolume && openVolume !== '0' && amount && !amount.startsWith('-');
  return (
    <>
      <form onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Open volume, contracts</span>
          <input
            inputMode="decimal"
            value={volume.value}
            onInput={(event) => (volume.value = event.currentTarget.value)}
          />
        </label>
        <label>
          <span>Collateral, {market.settlementAssetNode?.symbol}</span>
          <input
            inputMode="decimal"
            value={funds.value}
            onInput={(event) => (funds.value = event.currentTarget.value)}
          />
        </label>
        {!isGiven && (
          <p class="problem" role="alert">
            A volume has at most {market.positionDecimalPlaces} decimals and is not zero; the collateral has
            at most {decimals}, and is not below zero.
          </p>
        )}
      </form>
      {isGiven && <CurveOf of={{ marketId, openVolume, collateral: amount }} market={market} />}
    </>
  );
}

interface FormProps {
  readonly marketId: string;
  readonly market: OneMarket;
}

/** A volume with so many units that the points around it differ. */
function suggestFor(market: OneMarket) {
  const { markPrice = '0' } = market.marketData ?? {};
  const { volume, collateral } = suggestPosition({ markPrice, marketNode: market } as unknown as Market);
  const times = market.positionDecimalPlaces > 0 ? 1n : LEAST_UNITS;
  return { volume: `${BigInt(volume) * times}`, collateral: `${BigInt(collateral) * times}` };
}

function CurveOf({ of, market }: { readonly of: Curve; readonly market: OneMarket }) {
  const volumes = volumesAround(of.openVolume);
  const asked = useAsked(operationOf(volumes), { marketId: of.marketId, collateral: of.collateral });
  const unit = market.settlementAssetNode ?? { symbol: 'smallest units', decimals: 0 };
  const inAsset = (price: string) => shift(price, unit.decimals - market.decimalPlaces);
  return (
    <Shown asked={asked.value} what="estimates">
      {({ asOf }) => {
        const curve = {
          points: asOf === null ? [] : curveOf(asOf),
          unit,
          volumeDecimals: market.positionDecimalPlaces,
          markPrice: inAsset(market.marketData?.markPrice ?? '0'),
        };
        if (curve.points.length === 0)
          return <Nothing>Nothing can be estimated as of the block that is shown.</Nothing>;
        const limits = {
          collateral: of.collateral,
          highestPrice: market.cap && inAsset(market.cap.maxPrice),
          isFullyCollateralised: market.cap?.fullyCollateralised ?? false,
        };
        return (
          <>
            <MarginCurve {...curve} />
            <p class="limits quiet">{limitsOf({ ...curve, ...limits }).join(' ')}</p>
          </>
        );
      }}
    </Shown>
  );
}
