import { useSignal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import { AssetChoice } from '../asset-choice.tsx';
import { Choice } from '../choice.tsx';
import { graphql } from '../graphql.ts';
import { Link } from '../link.tsx';
import { List, type ListColumn } from '../list.tsx';
import { REWARD_TYPE, rewardTypes } from '../reward-types.ts';
import { Amount, Name, nameOf, Time } from '../values.tsx';
import { PARTY } from './party-column.tsx';

const Rewards = graphql(`
  query Rewards($at: Uint64, $first: Int, $after: String, $filter: RewardFilter, $orderBy: ListOrder) {
    asOf(height: $at) {
      block { height }
      rewards(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
        totalCount
        pageInfo { hasNextPage endCursor }
        edges { node { nodeId partyId assetId amount epoch rewardType receivedAt asset { symbol decimals } } }
      }
    }
  }
`);

const ORDERS = { CREATED: 'Newest', AMOUNT_DESC: 'Largest', AMOUNT_ASC: 'Smallest' } as const;
const ANY_ORDER = ['CREATED', 'AMOUNT_DESC', 'AMOUNT_ASC'] as const;

/** The rewards of the network, a party, or an epoch. */
export function RewardList({ title = 'Rewards', partyId, epoch, isShort = false }: RewardListProps) {
  const asset = useSignal('');
  const type = useSignal('');
  const order = useSignal('CREATED');
  // Amounts of several assets have no order.
  const orders = asset.value === '' ? (['CREATED'] as const) : ANY_ORDER;
  const filter = {
    ...(partyId !== undefined && { partyIds: [partyId] }),
    ...(epoch !== undefined && { fromEpoch: epoch, toEpoch: epoch }),
    ...(asset.value !== '' && { assetIds: [asset.value] }),
    ...(type.value !== '' && { types: [type.value] }),
  };
  const known = [partyId !== undefined && PARTY, epoch !== undefined && EPOCH];
  const filters = { partyId, assetId: asset.value, fromEpoch: epoch, toEpoch: epoch };
  return (
    <List
      id="rewards"
      title={title}
      operation={Rewards}
      variables={{
        first: isShort ? 8 : 15,
        filter,
        orderBy: orders.find((one) => one === order.value) ?? 'CREATED',
      }}
      find={({ asOf }) => asOf?.rewards}
      csv={type.value === '' ? { path: '/api/v2/rewards', filters } : null}
      empty="There are no such rewards."
      kind={isShort ? 'short' : 'list'}
      columns={isShort ? SHORT : COLUMNS.filter((one) => !known.includes(one))}
      keyOf={({ nodeId }) => nodeId}
      choices={
        isShort ? undefined : (
          <>
            <AssetChoice of={asset} />
            <Choice
              name="Type"
              of={type}
              options={[
                ['', 'All'],
                ...rewardTypes.value.map((one) => [one, nameOf(one, REWARD_TYPE)] as const),
              ]}
            />
            <Choice name="Order" of={order} options={orders.map((one) => [one, ORDERS[one]] as const)} />
          </>
        )
      }
    />
  );
}

interface RewardListProps {
  readonly title?: string;
  readonly partyId?: string;
  readonly epoch?: string;
  readonly isShort?: boolean;
}

type Reward = NonNullable<ResultOf<typeof Rewards>['asOf']>['rewards']['edges'][number]['node'];

const EPOCH: ListColumn<Reward> = {
  name: 'Epoch',
  kind: 'brief',
  cell: ({ epoch }) => (
    <Link kind="epoch" id={epoch}>
      {epoch}
    </Link>
  ),
};
const AMOUNT: ListColumn<Reward> = {
  name: 'Amount',
  kind: 'number',
  cell: ({ amount, asset }) => <Amount raw={amount} unit={asset} decimals={2} hasUnit />,
};
const SHORT = [PARTY, EPOCH, AMOUNT];
const COLUMNS: readonly ListColumn<Reward>[] = [
  PARTY,
  EPOCH,
  { name: 'Type', kind: 'long', cell: ({ rewardType }) => <Name of={rewardType} after={REWARD_TYPE} /> },
  { name: 'Received', kind: 'spare', cell: ({ receivedAt }) => <Time of={receivedAt} /> },
  AMOUNT,
];
