import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql.ts';
import { Link } from '../link.tsx';
import { type Fold, List, type ListColumn } from '../list.tsx';
import { Amount } from '../values.tsx';

const MarginLevels = graphql(`
  query MarginLevels($at: Uint64, $id: ID!, $first: Int, $after: String) {
    asOf(height: $at) {
      block { height }
      party(id: $id) {
        marginLevels(first: $first, after: $after) {
          totalCount
          pageInfo { hasNextPage endCursor }
          edges {
            node {
              marketId maintenanceMargin searchLevel initialMargin collateralReleaseLevel
              market { instrumentCode } assetNode { symbol decimals }
            }
          }
        }
      }
    }
  }
`);

/** What margins a party needs, by market. */
export function MarginLevelList({ partyId }: { readonly partyId: string }) {
  return (
    <List
      id="margin-levels"
      title="Margin levels"
      operation={MarginLevels}
      variables={{ first: 15, id: partyId }}
      find={({ asOf }) => asOf?.party?.marginLevels}
      empty="This party needs no margin."
      columns={COLUMNS}
      keyOf={({ marketId }) => marketId}
      fold={NONE}
    />
  );
}

type Party = NonNullable<NonNullable<ResultOf<typeof MarginLevels>['asOf']>['party']>;
type Level = Party['marginLevels']['edges'][number]['node'];

const NONE: Fold<Level> = {
  isFolded: ({ initialMargin }) => initialMargin === '0',
  name: 'markets without a margin',
};

const COLUMNS: readonly ListColumn<Level>[] = [
  {
    name: 'Market',
    cell: ({ marketId, market }) => (
      <Link kind="market" id={marketId}>
        {market?.instrumentCode}
      </Link>
    ),
  },
  column('Maintenance', ({ maintenanceMargin }) => maintenanceMargin),
  column('Search', ({ searchLevel }) => searchLevel, 'spare'),
  column('Initial', ({ initialMargin }) => initialMargin),
  column('Release', ({ collateralReleaseLevel }) => collateralReleaseLevel, 'spare'),
];

function column(name: string, of: (level: Level) => string, kind = ''): ListColumn<Level> {
  return {
    name,
    kind: `number ${kind}`.trim(),
    cell: (level) => <Amount raw={of(level)} unit={level.assetNode} decimals={2} hasUnit />,
  };
}
