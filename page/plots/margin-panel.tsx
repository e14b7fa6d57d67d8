import { useSignal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import { useAsked } from '../asked.ts';
import { readQuantity, shift } from '../decimals.ts';
import { suggestPosition } from '../estimate.ts';
import { graphql } from '../graphql.ts';
import type { Market } from '../network.ts';
import { type Curve, curveOf, operationOf, volumesAround } from './estimates.ts';
import { MarginCurve } from './margin-curve.tsx';
import { Nothing, Shown } from './shown.tsx';

const MarketOfCurve = graphql(`
  query MarketOfCurve($at: Uint64, $id: ID!, $parties: [ID!]) {
    asOf(height: $at) {
      market(id: $id) {
        product decimalPlaces positionDecimalPlaces settlementAsset
        settlementAssetNode { symbol decimals }
        marketData { markPrice }
      }
      accounts(first: 200, filter: { partyIds: $parties, accountTypes: [ACCOUNT_TYPE_MARGIN, ACCOUNT_TYPE_GENERAL] }) {
        nodes { asset marketId balance }
      }
    }
  }
`);

type Answer = NonNullable<ResultOf<typeof MarketOfCurve>['asOf']>;
type OneMarket = NonNullable<Answer['market']>;

/** Margins and liquidation price of a market over open volumes up to twice the one that is typed, either way. */
export function MarginPanel({ marketId, partyId }: MarginPanelProps) {
  const asked = useAsked(MarketOfCurve, { id: marketId, parties: [partyId ?? ''] });
  return (
    <div class="plot-panel">
      <Shown asked={asked.value} what="margins">
        {({ asOf }) => {
          const market = asOf?.market;
          if (!asOf || !market?.marketData || !market.settlementAssetNode || market.product === 'SPOT')
            return <Nothing>A market without prices or positions has no margins.</Nothing>;
          return (
            <Form key={marketId} marketId={marketId} market={market} collateral={fundsOf(asOf, marketId)} />
          );
        }}
      </Shown>
    </div>
  );
}

interface MarginPanelProps {
  readonly marketId: string;
  /** Whose funds are the collateral unless another is typed. */
  readonly partyId?: string;
}

/** What a party could lose in a market: its margin there and what it has in the asset freely; null if that is nothing. */
function fundsOf({ market, accounts }: Answer, marketId: string): string | null {
  const sum = accounts.nodes
    .filter((one) => one.asset === market?.settlementAsset && ['', marketId].includes(one.marketId))
    .reduce((before, { balance }) => before + BigInt(balance), 0n);
  return sum === 0n ? null : `${sum}`;
}

/** Takes the volume and the collateral as people write them. */
function Form({ marketId, market, collateral }: FormProps) {
  const decimals = market.settlementAssetNode?.decimals ?? 0;
  const suggested = useSignal(suggestFor(market));
  const volume = useSignal(suggested.value.volume);
  const funds = useSignal(collateral === null ? suggested.value.collateral : shift(collateral, -decimals));
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
  readonly collateral: string | null;
}

function suggestFor(market: OneMarket) {
  const { markPrice = '0' } = market.marketData ?? {};
  return suggestPosition({ markPrice, marketNode: market } as unknown as Market);
}

function CurveOf({ of, market }: { readonly of: Curve; readonly market: OneMarket }) {
  const volumes = volumesAround(of.openVolume);
  const asked = useAsked(operationOf(volumes), { marketId: of.marketId, collateral: of.collateral });
  const unit = market.settlementAssetNode ?? { symbol: 'smallest units', decimals: 0 };
  return (
    <Shown asked={asked.value} what="estimates">
      {({ asOf }) => (
        <MarginCurve
          points={asOf === null ? [] : curveOf(asOf)}
          unit={unit}
          volumeDecimals={market.positionDecimalPlaces}
          markPrice={shift(market.marketData?.markPrice ?? '0', unit.decimals - market.decimalPlaces)}
        />
      )}
    </Shown>
  );
}
