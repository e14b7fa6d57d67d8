import { useSignal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import { AssetChoice } from '../asset-choice.tsx';
import { Choice } from '../choice.tsx';
import { graphql } from '../graphql.ts';
import { Link } from '../link.tsx';
import { type Fold, List, type ListColumn } from '../list.tsx';
import { Amount, Name, nameOf } from '../values.tsx';

const Accounts = graphql(`
  query Accounts($at: Uint64, $first: Int, $after: String, $filter: AccountFilter, $orderBy: ListOrder) {
    asOf(height: $at) {
      block { height }
      accounts(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
        totalCount
        pageInfo { hasNextPage endCursor }
        edges {
          node { owner type balance asset marketId assetNode { symbol decimals } market { instrumentCode } }
        }
      }
    }
  }
`);

const ORDERS = { CREATED: 'Newest', BALANCE_DESC: 'Largest', BALANCE_ASC: 'Smallest' } as const;
const ANY_ORDER = ['BALANCE_DESC', 'BALANCE_ASC', 'CREATED'] as const;
const TYPES = [
  'GENERAL',
  'MARGIN',
  'ORDER_MARGIN',
  'BOND',
  'HOLDING',
  'VESTING_REWARDS',
  'VESTED_REWARDS',
  'INSURANCE',
];

/** The accounts of a party, an asset or a market. Those without a balance are folded. */
export function AccountList({ title = 'Accounts', partyId, assetId, marketId }: AccountListProps) {
  const type = useSignal('');
  const asset = useSignal('');
  const order = useSignal('');
  const ofAsset = assetId ?? asset.value;
  // Balances of several assets have no order.
  const orders = ofAsset === '' ? (['CREATED'] as const) : ANY_ORDER;
  const filter = {
    ...(partyId !== undefined && { partyIds: [partyId] }),
    ...(marketId !== undefined && { marketIds: [marketId] }),
    ...(ofAsset !== '' && { assetId: ofAsset }),
    ...(type.value !== '' && { accountTypes: [type.value] }),
  };
  const known = [
    partyId !== undefined && OWNER,
    assetId !== undefined && ASSET,
    marketId !== undefined && MARKET,
  ];
  const types = TYPES.map((one) => [`${TYPE}${one}`, nameOf(one, TYPE)] as const);
  return (
    <List
      id="account-list"
      title={title}
      operation={Accounts}
      variables={{
        first: partyId === undefined ? 15 : 100,
        filter,
        orderBy: orders.find((one) => one === order.value) ?? orders[0],
      }}
      find={({ asOf }) => asOf?.accounts}
      csv={{
        path: '/api/v2/accounts',
        filters: {
          'filter.partyIds': partyId,
          'filter.marketIds': marketId,
          'filter.assetId': ofAsset,
          'filter.accountTypes': type.value,
        },
      }}
      empty="There are no such accounts with a balance."
      columns={COLUMNS.filter((one) => !known.includes(one))}
      keyOf={({ owner, type, asset, marketId }) => [owner, type, asset, marketId].join(' ')}
      fold={EMPTY as Fold<Account>}
      choices={
        <>
          <Choice name="Type" of={type} options={[['', 'All'], ...types]} />
          {assetId === undefined && <AssetChoice of={asset} />}
          <Choice name="Order" of={order} options={orders.map((one) => [one, ORDERS[one]] as const)} />
        </>
      }
    />
  );
}

const TYPE = 'ACCOUNT_TYPE_';

const EMPTY: Fold<{ readonly balance: string }> = {
  isFolded: ({ balance }) => balance === '0',
  name: 'empty account',
};

interface AccountListProps {
  readonly title?: string;
  readonly partyId?: string;
  readonly assetId?: string;
  readonly marketId?: string;
}

type Account = NonNullable<ResultOf<typeof Accounts>['asOf']>['accounts']['edges'][number]['node'];

const OWNER: ListColumn<Account> = { name: 'Owner', cell: ({ owner }) => <Link kind="party" id={owner} /> };
const ASSET: ListColumn<Account> = {
  name: 'Asset',
  cell: ({ asset, assetNode }) => (
    <Link kind="asset" id={asset}>
      {assetNode?.symbol}
    </Link>
  ),
};
const MARKET: ListColumn<Account> = {
  name: 'Market',
  cell: ({ marketId, market }) =>
    marketId === '' ? (
      <span class="quiet">–</span>
    ) : (
      <Link kind="market" id={marketId}>
        {market?.instrumentCode}
      </Link>
    ),
};
const COLUMNS: readonly ListColumn<Account>[] = [
  OWNER,
  { name: 'Type', cell: ({ type }) => <Name of={type} after={TYPE} /> },
  MARKET,
  ASSET,
  {
    name: 'Balance',
    kind: 'number',
    cell: ({ balance, assetNode }) => <Amount raw={balance} unit={assetNode} decimals={4} hasUnit />,
  },
];
