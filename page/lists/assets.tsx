import type { ResultOf } from 'gql.tada';
import { graphql } from '../graphql.ts';
import { Link } from '../link.tsx';
import { List, type ListColumn } from '../list.tsx';

const AssetRows = graphql(`
  query AssetRows($at: Uint64, $first: Int, $after: String) {
    asOf(height: $at) {
      block { height }
      assets(first: $first, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        edges { node { id name symbol decimals } }
      }
    }
  }
`);

/** The assets of the network. */
export function AssetList() {
  return (
    <List
      id="assets"
      title="Assets"
      operation={AssetRows}
      variables={{ first: 8 }}
      find={({ asOf }) => asOf?.assets}
      csv={{ path: '/api/v2/assets', filters: {} }}
      empty="There are no assets."
      kind="short middle"
      columns={COLUMNS}
      keyOf={({ id }) => id}
    />
  );
}

type Asset = NonNullable<ResultOf<typeof AssetRows>['asOf']>['assets']['edges'][number]['node'];

const COLUMNS: readonly ListColumn<Asset>[] = [
  {
    name: 'Symbol',
    cell: ({ id, symbol }) => (
      <Link kind="asset" id={id}>
        {symbol}
      </Link>
    ),
  },
  { name: 'Name', cell: ({ name }) => name },
  { name: 'Decimals', kind: 'number', cell: ({ decimals }) => `${decimals}` },
];
