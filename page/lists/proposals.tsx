import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql.ts';
import { Link } from '../link.tsx';
import { List, type ListColumn } from '../list.tsx';
import { Name, Time } from '../values.tsx';

const Proposals = graphql(`
  query Proposals($at: Uint64, $first: Int, $after: String, $filter: ProposalFilter) {
    asOf(height: $at) {
      block { height }
      proposals(first: $first, after: $after, filter: $filter) {
        totalCount
        pageInfo { hasNextPage endCursor }
        edges { node { id reference state timestamp terms { change } batchTerms { changes { change } } } }
      }
    }
  }
`);

/** The proposals of the network or a party. */
export function ProposalList({ title = 'Proposals', partyId, isShort = false }: ProposalListProps) {
  return (
    <List
      id="proposals"
      title={title}
      operation={Proposals}
      variables={{ first: isShort ? 8 : 15, filter: partyId === undefined ? null : { partyIds: [partyId] } }}
      find={({ asOf }) => asOf?.proposals}
      empty="Nothing was proposed."
      kind={isShort ? 'short named' : 'list'}
      columns={isShort ? SHORT : COLUMNS}
      keyOf={({ id }) => id}
    />
  );
}

interface ProposalListProps {
  readonly title?: string;
  readonly partyId?: string;
  readonly isShort?: boolean;
}

type Proposal = NonNullable<ResultOf<typeof Proposals>['asOf']>['proposals']['edges'][number]['node'];

const REFERENCE: ListColumn<Proposal> = {
  name: 'Proposal',
  cell: ({ id, reference }) => (
    <Link kind="proposal" id={id}>
      {reference || undefined}
    </Link>
  ),
};
const STATE: ListColumn<Proposal> = {
  name: 'State',
  cell: ({ state }) => <Name of={state} after="STATE_" />,
};
const SHORT: readonly ListColumn<Proposal>[] = [
  REFERENCE,
  STATE,
  { name: 'Time', kind: 'number', cell: ({ timestamp }) => <Time of={timestamp} isShort /> },
];
const COLUMNS: readonly ListColumn<Proposal>[] = [
  REFERENCE,
  {
    name: 'Changes',
    cell: ({ terms, batchTerms }) =>
      batchTerms ? (
        `${batchTerms.changes.length} things`
      ) : (
        <Name of={terms?.change ?? 'CHANGE_UNKNOWN'} after="CHANGE_" />
      ),
  },
  STATE,
  { name: 'Proposed', kind: 'number', cell: ({ timestamp }) => <Time of={timestamp} /> },
];
