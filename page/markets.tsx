import { block, isOver, type Market, markets, PLOTTED_BLOCKS } from './network.ts';
import { PricePlot } from './price-plot.tsx';
import { Product, priceUnit } from './product.tsx';
import { type Column, Table } from './table.tsx';
import { Amount, Name, type Unit } from './values.tsx';

const MOST_ROWS = 8;
const COLUMNS: readonly Column[] = [
  ['Market', 'name'],
  ['State', 'short'],
  [`Mark price, last ${PLOTTED_BLOCKS} blocks`, 'wide'],
  ['Mark', 'number'],
  ['Bid', 'number'],
  ['Offer', 'number'],
  ['Open interest', 'number spare'],
];

/** The markets, those that are over last. */
export function Markets() {
  const all = [...markets.value.values()].sort((a, b) => Number(isOver(a)) - Number(isOver(b)));
  return (
    <section aria-labelledby="markets">
      <h2 id="markets">Markets</h2>
      <Table
        kind="markets"
        columns={COLUMNS}
        rows={all.slice(0, MOST_ROWS).map((market) => <Row key={market.market} market={market} />)}
        count={all.length}
        empty="No market has prices yet."
      />
    </section>
  );
}

function Row({ market }: { readonly market: Market }) {
  const { marketNode: node, markPrice, prices } = market;
  const unit = priceUnit(market);
  const volume = { symbol: 'contracts', decimals: node?.positionDecimalPlaces ?? 0 };
  const height = BigInt(block.value?.height ?? prices.at(-1)?.height ?? 0);
  return (
    <tr>
      <th scope="row">
        <span class="code">{node?.instrumentCode || market.market.slice(0, 8)}</span>
        <span class="quiet spare"> {node?.instrumentName}</span>
        <Product market={market} />
      </th>
      <td>
        <span class={isActive(market) ? 'state active' : 'state'}>
          <Name of={market.marketState} after="STATE_" />
        </span>
      </td>
      <td class="wide">
        <PricePlot prices={prices} height={height} decimals={unit.decimals} />
      </td>
      <td class="number">
        <span key={markPrice} class={`mark ${directionOf(market)}`}>
          <PriceOrNone raw={markPrice} unit={unit} />
        </span>
      </td>
      <td class="number bid">
        <PriceOrNone raw={market.bestBidPrice} unit={unit} />
      </td>
      <td class="number offer">
        <PriceOrNone raw={market.bestOfferPrice} unit={unit} />
      </td>
      <td class="number spare">
        {node?.product === 'SPOT' ? (
          <span class="quiet" title="A spot market has no positions">
            –
          </span>
        ) : (
          <Amount raw={market.openInterest} unit={volume} />
        )}
      </td>
    </tr>
  );
}

/** A price of zero is none: nobody has traded yet, or nobody bids or offers. */
function PriceOrNone({ raw, unit }: { readonly raw: string; readonly unit: Unit }) {
  if (raw !== '0') return <Amount raw={raw} unit={unit} decimals={unit.decimals} />;
  return (
    <data class="amount quiet" value={raw} title="none">
      –
    </data>
  );
}

function isActive({ marketState }: Market): boolean {
  return marketState === 'STATE_ACTIVE';
}

/** Where the mark price went last, for the colour with which it changes. */
function directionOf({ prices }: Market): 'up' | 'down' | '' {
  const [before, now] = [prices.at(-2), prices.at(-1)];
  if (!before || !now || before.price === now.price) return '';
  return BigInt(now.price) > BigInt(before.price) ? 'up' : 'down';
}
