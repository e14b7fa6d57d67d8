import { useAsked } from '../asked.ts';
import { graphql } from '../graphql.ts';
import { Panel } from '../panel.tsx';
import { Watched } from '../sight.tsx';
import { Found } from '../state.tsx';
import { type Column, Table } from '../table.tsx';
import { Name } from '../values.tsx';
import { AssetCell, SumCells } from './sum-cells.tsx';

const AccountSumsOf = graphql(`
  query AccountSums($at: Uint64, $filter: AccountFilter) {
    asOf(height: $at) {
      accounts(first: 0, filter: $filter) {
        sums(by: [TYPE, ASSET], first: 100) { amount count key { type assetId asset { symbol decimals } } }
      }
    }
  }
`);

const COLUMNS: readonly Column[] = [
  ['Type'],
  ['Asset'],
  ['Accounts', 'number spare'],
  ['Together', 'number'],
];

interface AccountSumsProps {
  readonly marketId?: string;
  readonly assetId?: string;
}

/** What the accounts of a market or in an asset come to, by type. */
export function AccountSums(props: AccountSumsProps) {
  return (
    <Watched>
      <WatchedSums {...props} />
    </Watched>
  );
}

function WatchedSums({ marketId, assetId }: AccountSumsProps) {
  const filter = {
    ...(marketId !== undefined && { marketIds: [marketId] }),
    ...(assetId !== undefined && { assetId }),
  };
  const asked = useAsked(AccountSumsOf, { filter }).value;
  return (
    <Panel id="account-sums" title="Accounts by type" asked={asked}>
      <Found asked={asked} find={({ asOf }) => asOf?.accounts.sums} what="sums">
        {(sums) => (
          <Table
            kind="list"
            columns={COLUMNS}
            empty="There are no accounts."
            rows={sums.map(({ amount, count, key }) => (
              <tr key={`${key.type} ${key.assetId}`}>
                <th scope="row">
                  <Name of={key.type ?? ''} after="ACCOUNT_TYPE_" />
                </th>
                <AssetCell id={key.assetId} asset={key.asset} />
                <SumCells count={count} amount={amount} asset={key.asset} />
              </tr>
            ))}
          />
        )}
      </Found>
    </Panel>
  );
}
