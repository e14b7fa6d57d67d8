import { useSignal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import { Choice } from '../choice.tsx';
import { graphql } from '../graphql.ts';
import { Link } from '../link.tsx';
import { List, type ListColumn } from '../list.tsx';
import { percentOf } from '../percent.ts';
import { Name, Time } from '../values.tsx';
import { PARTY } from './party-column.tsx';

const Votes = graphql(`
  query Votes($at: Uint64, $first: Int, $after: String, $filter: VoteFilter, $orderBy: ListOrder) {
    asOf(height: $at) {
      block { height }
      votes(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
        totalCount
        pageInfo { hasNextPage endCursor }
        edges {
          node {
            partyId proposalId value timestamp totalGovernanceTokenBalance totalGovernanceTokenWeight
            proposal { reference }
          }
        }
      }
    }
  }
`);

/** The votes of the network, a party or on a proposal. */
export function VoteList({ title = 'Votes', partyId, proposalId, isShort = false }: VoteListProps) {
  const value = useSignal('');
  const order = useSignal<'CREATED' | 'UPDATED'>('CREATED');
  const filter = {
    ...(partyId !== undefined && { partyIds: [partyId] }),
    ...(proposalId !== undefined && { proposalIds: [proposalId] }),
    ...(value.value !== '' && { values: [value.value] }),
  };
  const known = [partyId !== undefined && PARTY, proposalId !== undefined && PROPOSAL];
  return (
    <List
      id="votes"
      title={title}
      operation={Votes}
      variables={{ first: isShort ? 8 : 15, filter, orderBy: order.value }}
      find={({ asOf }) => asOf?.votes}
      csv={value.value === '' ? { path: '/votes', filters: { party: partyId, proposal: proposalId } } : null}
      empty="There are no such votes."
      kind={isShort ? 'short' : 'list'}
      columns={isShort ? SHORT : COLUMNS.filter((one) => !known.includes(one))}
      keyOf={(vote) => `${vote.partyId} ${vote.proposalId}`}
      choices={
        isShort ? undefined : (
          <>
            <Choice name="Vote" of={value} options={VALUES} />
            <Choice name="Order" of={order} options={ORDERS} />
          </>
        )
      }
    />
  );
}

interface VoteListProps {
  readonly title?: string;
  readonly partyId?: string;
  readonly proposalId?: string;
  readonly isShort?: boolean;
}

type Vote = NonNullable<ResultOf<typeof Votes>['asOf']>['votes']['edges'][number]['node'];

const VALUES = [
  ['', 'All'],
  ['VALUE_YES', 'Yes'],
  ['VALUE_NO', 'No'],
] as const;
const ORDERS = [
  ['CREATED', 'Newest'],
  ['UPDATED', 'Updated last'],
] as const;

const PROPOSAL: ListColumn<Vote> = {
  name: 'Proposal',
  cell: ({ proposalId, proposal }) => (
    <Link kind="proposal" id={proposalId}>
      {proposal?.reference || undefined}
    </Link>
  ),
};
const VALUE: ListColumn<Vote> = {
  name: 'Vote',
  cell: ({ value }) => (
    <span class={value === 'VALUE_YES' ? 'vote yes' : 'vote no'}>
      <Name of={value} after="VALUE_" />
    </span>
  ),
};
const SHORT: readonly ListColumn<Vote>[] = [PARTY, VALUE, { ...PROPOSAL, kind: 'number' }];
const COLUMNS: readonly ListColumn<Vote>[] = [
  PARTY,
  PROPOSAL,
  VALUE,
  { name: 'Time', kind: 'spare', cell: ({ timestamp }) => <Time of={timestamp} /> },
  {
    name: 'Share of tokens',
    kind: 'number',
    cell: ({ totalGovernanceTokenBalance: raw, totalGovernanceTokenWeight: weight }) =>
      raw === '0' ? (
        <span class="quiet">not counted yet</span>
      ) : (
        <span title={`${raw} smallest units of the governance token`}>{percentOf(weight, 2)}</span>
      ),
  },
];
