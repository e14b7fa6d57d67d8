import { useSignal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import { AssetChoice } from '../asset-choice.tsx';
import { Choice } from '../choice.tsx';
import { graphql } from '../graphql.ts';
import { Link } from '../link.tsx';
import { List, type ListColumn } from '../list.tsx';
import { Amount, Name, nameOf, Time } from '../values.tsx';
import { PARTY } from './party-column.tsx';

const Deposits = graphql(`
  query Deposits($at: Uint64, $first: Int, $after: String, $filter: DepositFilter, $orderBy: ListOrder) {
    asOf(height: $at) {
      block { height }
      deposits(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
        totalCount
        pageInfo { hasNextPage endCursor }
        edges { node { id partyId amount status createdTimestamp assetNode { id symbol decimals } } }
      }
    }
  }
`);

const STATUSES = ['STATUS_OPEN', 'STATUS_FINALIZED', 'STATUS_CANCELLED', 'STATUS_DUPLICATE_REJECTED'];
const ORDERS = {
  CREATED: 'Newest',
  UPDATED: 'Updated last',
  AMOUNT_DESC: 'Largest',
  AMOUNT_ASC: 'Smallest',
} as const;

/** The deposits of the network, a party or an asset; `isShort` has the newest few, as a panel of the home page. */
export function DepositList({ title = 'Deposits', partyId, assetId, isShort = false }: DepositListProps) {
  const status = useSignal('');
  const asset = useSignal('');
  const order = useSignal('CREATED');
  const ofAsset = assetId ?? asset.value;
  // Amounts of several assets have no order; and the deposits of one have none by their updates.
  const orders =
    ofAsset === '' ? (['CREATED', 'UPDATED'] as const) : (['CREATED', 'AMOUNT_DESC', 'AMOUNT_ASC'] as const);
  const orderBy = orders.find((one) => one === order.value) ?? 'CREATED';
  const filter = {
    ...(partyId !== undefined && { partyIds: [partyId] }),
    ...(ofAsset !== '' && { assetIds: [ofAsset] }),
    ...(status.value !== '' && { statuses: [status.value] }),
  };
  const columns = isShort ? SHORT : COLUMNS.filter((one) => partyId === undefined || one !== PARTY);
  return (
    <List
      id="deposits"
      title={title}
      operation={Deposits}
      variables={{ first: isShort ? 8 : 15, filter, orderBy }}
      find={({ asOf }) => asOf?.deposits}
      csv={status.value === '' && ofAsset === '' ? { path: '/api/v2/deposits', filters: { partyId } } : null}
      empty="There are no such deposits."
      kind={isShort ? 'short' : 'list'}
      columns={columns}
      keyOf={({ id }) => id}
      choices={
        isShort ? undefined : (
          <>
            <Choice
              name="Status"
              of={status}
              options={[['', 'All'], ...STATUSES.map((one) => [one, nameOf(one, 'STATUS_')] as const)]}
            />
            {assetId === undefined && <AssetChoice of={asset} />}
            <Choice name="Order" of={order} options={orders.map((one) => [one, ORDERS[one]] as const)} />
          </>
        )
      }
    />
  );
}

type Deposit = NonNullable<ResultOf<typeof Deposits>['asOf']>['deposits']['edges'][number]['node'];

const STATUS: ListColumn<Deposit> = {
  name: 'Status',
  cell: ({ id, status }) => (
    <Link kind="deposit" id={id}>
      <Name of={status} after="STATUS_" />
    </Link>
  ),
};
const AMOUNT: ListColumn<Deposit> = {
  name: 'Amount',
  kind: 'number',
  cell: ({ amount, assetNode }) => <Amount raw={amount} unit={assetNode} decimals={2} hasUnit />,
};
const SHORT = [PARTY, STATUS, AMOUNT];
const COLUMNS: readonly ListColumn<Deposit>[] = [
  { name: 'Deposit', cell: ({ id }) => <Link kind="deposit" id={id} /> },
  PARTY,
  { name: 'Status', cell: ({ status }) => <Name of={status} after="STATUS_" /> },
  { name: 'Created', kind: 'spare', cell: ({ createdTimestamp }) => <Time of={createdTimestamp} /> },
  AMOUNT,
];

interface DepositListProps {
  readonly title?: string;
  readonly partyId?: string;
  readonly assetId?: string;
  readonly isShort?: boolean;
}
