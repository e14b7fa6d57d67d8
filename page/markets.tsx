import { type Signal, useSignal } from '@preact/signals';
import { useAsked } from './asked.ts';
import { CsvLink } from './csv-link.tsx';
import { shorten } from './link.tsx';
import { isShared } from './market-name.ts';
import { block, isOver, type Market, MarketsAt, markets, marketsIn, PLOTTED_BLOCKS } from './network.ts';
import { Panel } from './panel.tsx';
import { at, hrefOf } from './place.ts';
import { PricePlot } from './price-plot.tsx';
import { Product, priceUnit } from './product.tsx';
import { Trouble } from './state.tsx';
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

/** The markets, as they are or as they were: those that are over last. */
export function Markets() {
  const isAll = useSignal(false);
  const asked = { operation: MarketsAt, variables: { at: at.value } };
  return (
    <Panel id="markets" title="Markets" asked={asked} tools={<CsvLink of={CSV} title="Markets" />}>
      {at.value === null ? (
        <Rows of={[...markets.value.values()]} height={block.value?.height} isAll={isAll} />
      ) : (
        <PastRows isAll={isAll} />
      )}
    </Panel>
  );
}

function PastRows({ isAll }: Pick<RowsProps, 'isAll'>) {
  const { data, error } = useAsked(MarketsAt, {}).value;
  return (
    <>
      {error && <Trouble error={error} isOld={data !== null} />}
      <Rows of={data && marketsIn(data)} height={data?.asOf?.block?.height} isAll={isAll} />
    </>
  );
}

function Rows({ of, height = '0', isAll }: RowsProps) {
  const sorted = (of ?? []).toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)));
  const shown = isAll.value ? sorted : sorted.slice(0, MOST_ROWS);
  return (
    <Table
      kind="markets"
      columns={COLUMNS}
      rows={shown.map((market) => <Row key={market.market} market={market} height={BigInt(height)} />)}
      count={sorted.length}
      empty={of === null ? 'Waiting for the block…' : 'No market has prices yet.'}
      onMore={() => {
        isAll.value = true;
      }}
    />
  );
}

interface RowsProps {
  /** Null while they are waited for. */
  readonly of: readonly Market[] | null;
  /** The block that they are as of. */
  readonly height: string | undefined;
  /** Whether somebody wants more than the first. */
  readonly isAll: Signal<boolean>;
}

const CSV = { path: '/api/v2/markets/data', filters: {} } as const;

function Row({ market, height }: { readonly market: Market; readonly height: bigint }) {
  const { marketNode: node, markPrice, prices } = market;
  const unit = priceUnit(market);
  const volume = { symbol: 'contracts', decimals: node?.positionDecimalPlaces ?? 0 };
  return (
    <tr>
      <th scope="row">
        <div class="market-name">
          <a class="to code" href={hrefOf('market', market.market)} title={market.market}>
            {node?.instrumentCode || shorten(market.market)}
          </a>
          <span class="quiet spare">{node?.instrumentName}</span>
        </div>
        <Product market={market} />
        {isShared(node?.instrumentCode) && <p class="product quiet">{shorten(market.market)}</p>}
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
