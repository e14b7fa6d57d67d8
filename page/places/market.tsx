import type { ResultOf } from 'gql.tada';
import { useAsked } from '../asked.ts';
import { Facts } from '../facts.tsx';
import { graphql } from '../graphql.ts';
import { Heading } from '../heading.tsx';
import { Link } from '../link.tsx';
import { AccountList } from '../lists/accounts.tsx';
import { TradeList } from '../lists/trades.tsx';
import { Panel } from '../panel.tsx';
import { percentOf } from '../percent.ts';
import { Plot } from '../plot.tsx';
import { Found } from '../state.tsx';
import { AccountSums } from '../sums/account-sums.tsx';
import { Amount, Name, Time, type Unit } from '../values.tsx';

const MarketPage = graphql(`
  query MarketPage($at: Uint64, $id: ID!) {
    asOf(height: $at) {
      market(id: $id) {
        id instrumentCode instrumentName product state tradingMode decimalPlaces positionDecimalPlaces quoteName
        makerFee infrastructureFee liquidityFee openTimestamp closeTimestamp
        settlementAssetNode { id symbol decimals } baseAssetNode { id symbol decimals } quoteAssetNode { id symbol decimals }
        cap { maxPrice } parentMarket { id instrumentCode } riskFactor { long short }
        marketData {
          markPrice lastTradedPrice midPrice bestBidPrice bestBidVolume bestOfferPrice bestOfferVolume openInterest
          indicativePrice suppliedStake targetStake timestamp
          productData { perpetualData { fundingRate fundingPayment } }
        }
      }
    }
  }
`);

type Market = NonNullable<NonNullable<ResultOf<typeof MarketPage>['asOf']>['market']>;

/** A market: what it is, its prices, who has what in it, and its trades. */
export function MarketPlace({ id }: { readonly id: string }) {
  const asked = useAsked(MarketPage, { id }).value;
  return (
    <Found asked={asked} find={({ asOf }) => asOf?.market} what="market">
      {(market) => (
        <>
          <Heading kind="Market" name={market.instrumentCode || market.id} id={market.id}>
            <span>{market.instrumentName}</span>
          </Heading>
          <Plot
            id="candles"
            title="Trades over time"
            draw={({ CandlePanel }) => <CandlePanel marketId={id} />}
          />
          <div class="pair even">
            <Panel id="data" title="Prices" asked={asked}>
              <Prices market={market} />
            </Panel>
            <Panel id="terms" title="Terms" asked={asked}>
              <Terms market={market} />
            </Panel>
          </div>
          <TradeList marketId={id} />
          {market.product !== 'SPOT' && (
            <Plot
              id="margins"
              title="Margins over open volumes"
              draw={({ MarginPanel }) => <MarginPanel marketId={id} />}
            />
          )}
          <div class="pair even">
            <AccountSums marketId={id} />
            <AccountList marketId={id} />
          </div>
        </>
      )}
    </Found>
  );
}

function Prices({ market }: { readonly market: Market }) {
  const { marketData: data } = market;
  if (data === null) return <p class="quiet">The market has no prices yet.</p>;
  const { price, volume, settlement } = unitsOf(market);
  const funding = data.productData?.perpetualData;
  return (
    <Facts
      facts={[
        ['Mark', <Price raw={data.markPrice} unit={price} />],
        ['Last trade', <Price raw={data.lastTradedPrice} unit={price} />],
        ['Best bid', <Price raw={data.bestBidPrice} unit={price} volume={data.bestBidVolume} of={volume} />],
        [
          'Best offer',
          <Price raw={data.bestOfferPrice} unit={price} volume={data.bestOfferVolume} of={volume} />,
        ],
        ['Mid', <Price raw={data.midPrice} unit={price} />],
        [
          'Indicative',
          data.indicativePrice === '0' ? null : <Price raw={data.indicativePrice} unit={price} />,
        ],
        [
          'Open interest',
          market.product === 'SPOT' ? null : <Amount raw={data.openInterest} unit={volume} hasUnit />,
        ],
        ['Funding rate', funding?.fundingRate ? percentOf(funding.fundingRate, 6) : null],
        ['Supplied stake', <Amount raw={data.suppliedStake} unit={settlement} decimals={2} hasUnit />],
        ['Target stake', <Amount raw={data.targetStake} unit={settlement} decimals={2} hasUnit />],
        ['Updated', <Time of={data.timestamp} />],
      ]}
    />
  );
}

function Terms({ market }: { readonly market: Market }) {
  const { price } = unitsOf(market);
  const { riskFactor: risk, parentMarket: parent } = market;
  return (
    <Facts
      facts={[
        ['Product', <Name of={market.product ?? 'unknown'} after="" />],
        ['State', <Name of={market.state} after="STATE_" />],
        ['Trading mode', <Name of={market.tradingMode} after="TRADING_MODE_" />],
        ['Settled in', assetLink(market.settlementAssetNode)],
        ['Base', assetLink(market.baseAssetNode)],
        ['Quote', assetLink(market.quoteAssetNode)],
        ['Highest price', market.cap && <Amount raw={market.cap.maxPrice} unit={price} hasUnit />],
        ['Maker fee', percentOf(market.makerFee)],
        ['Infrastructure fee', percentOf(market.infrastructureFee)],
        ['Liquidity fee', percentOf(market.liquidityFee)],
        ['Risk factors', risk && `long ${risk.long}, short ${risk.short}`],
        [
          'Successor of',
          parent && (
            <Link kind="market" id={parent.id}>
              {parent.instrumentCode}
            </Link>
          ),
        ],
        ['Opened', market.openTimestamp === '0' ? null : <Time of={market.openTimestamp} />],
        ['Closed', market.closeTimestamp === '0' ? null : <Time of={market.closeTimestamp} />],
      ]}
    />
  );
}

function assetLink(asset: { readonly id: string; readonly symbol: string } | null) {
  return (
    asset && (
      <Link kind="asset" id={asset.id}>
        {asset.symbol}
      </Link>
    )
  );
}

/** A price of zero is none. */
function Price({ raw, unit, volume, of }: PriceProps) {
  if (raw === '0') return <span class="quiet">none</span>;
  return (
    <>
      <Amount raw={raw} unit={unit} decimals={unit.decimals} hasUnit />
      {volume && of && (
        <span class="quiet">
          {' '}
          for <Amount raw={volume} unit={of} />
        </span>
      )}
    </>
  );
}

interface PriceProps {
  readonly raw: string;
  readonly unit: Unit;
  readonly volume?: string;
  readonly of?: Unit;
}

function unitsOf(market: Market): {
  readonly price: Unit;
  readonly volume: Unit;
  readonly settlement: Unit | null;
} {
  return {
    price: {
      symbol: market.quoteName || market.quoteAssetNode?.symbol || '',
      decimals: market.decimalPlaces,
    },
    volume: {
      symbol: market.product === 'SPOT' ? (market.baseAssetNode?.symbol ?? '') : 'contracts',
      decimals: market.positionDecimalPlaces,
    },
    settlement: market.settlementAssetNode ?? market.quoteAssetNode,
  };
}
