import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql.ts';
import { Link } from '../link.tsx';
import { List, type ListColumn } from '../list.tsx';
import { Amount, Name, Time } from '../values.tsx';

const Trades = graphql(`
  query Trades($at: Uint64, $first: Int, $after: String, $filter: TradeFilter) {
    asOf(height: $at) {
      block { height }
      trades(first: $first, after: $after, filter: $filter) {
        totalCount
        pageInfo { hasNextPage endCursor }
        edges {
          node {
            nodeId id marketId buyer seller aggressor price size timestamp type
            market {
              instrumentCode decimalPlaces positionDecimalPlaces quoteName quoteAssetNode { symbol } baseAssetNode { symbol }
            }
          }
        }
      }
    }
  }
`);

/** The trades of the network, in a market, or of a party on either side. */
export function TradeList({ title = 'Trades', marketId, partyId, isShort = false }: TradeListProps) {
  const filter = {
    ...(marketId !== undefined && { marketIds: [marketId] }),
    ...(partyId !== undefined && { partyIds: [partyId] }),
  };
  return (
    <List
      id="trades"
      title={title}
      operation={Trades}
      variables={{ first: isShort ? 8 : 15, filter }}
      find={({ asOf }) => asOf?.trades}
      csv={{ path: '/api/v2/trades', filters: { marketIds: marketId, partyIds: partyId } }}
      empty="Nothing was traded."
      kind={isShort ? 'short thirds' : 'list'}
      columns={isShort ? SHORT : COLUMNS.filter((one) => marketId === undefined || one !== MARKET)}
      keyOf={({ marketId, id }) => `${marketId} ${id}`}
    />
  );
}

interface TradeListProps {
  readonly title?: string;
  readonly marketId?: string;
  readonly partyId?: string;
  readonly isShort?: boolean;
}

type Trade = NonNullable<ResultOf<typeof Trades>['asOf']>['trades']['edges'][number]['node'];

const MARKET: ListColumn<Trade> = {
  name: 'Market',
  cell: ({ marketId, market }) => (
    <Link kind="market" id={marketId}>
      {market?.instrumentCode}
    </Link>
  ),
};
const SIZE: ListColumn<Trade> = {
  name: 'Size',
  kind: 'number',
  cell: ({ size, market }) => (
    <Amount
      raw={size}
      unit={{
        // A spot trades the asset itself.
        symbol: market?.baseAssetNode?.symbol ?? 'contracts',
        decimals: market?.positionDecimalPlaces ?? 0,
      }}
    />
  ),
};
const PRICE: ListColumn<Trade> = {
  name: 'Price',
  kind: 'number',
  cell: ({ price, market }) => (
    <Amount
      raw={price}
      unit={{
        symbol: market?.quoteName || market?.quoteAssetNode?.symbol || '',
        decimals: market?.decimalPlaces ?? 0,
      }}
      decimals={market?.decimalPlaces ?? 0}
      hasUnit
    />
  ),
};
const SHORT = [MARKET, SIZE, PRICE];
const COLUMNS: readonly ListColumn<Trade>[] = [
  { name: 'Time', cell: ({ timestamp }) => <Time of={timestamp} /> },
  MARKET,
  { name: 'Buyer', cell: ({ buyer }) => <Link kind="party" id={buyer} /> },
  { name: 'Seller', cell: ({ seller }) => <Link kind="party" id={seller} /> },
  { name: 'Aggressor', kind: 'spare', cell: ({ aggressor }) => <Name of={aggressor} after="SIDE_" /> },
  SIZE,
  PRICE,
];
