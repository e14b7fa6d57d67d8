import { useAsked } from '../asked.ts';
import { Copy } from '../copy.tsx';
import { Facts } from '../facts.tsx';
import { graphql } from '../graphql.ts';
import { Heading } from '../heading.tsx';
import { Link, shorten } from '../link.tsx';
import { Panel } from '../panel.tsx';
import { Found } from '../state.tsx';
import { Table } from '../table.tsx';
import { Amount, Name, Time } from '../values.tsx';

const DepositPage = graphql(`
  query DepositPage($at: Uint64, $id: ID!) {
    asOf(height: $at) {
      deposit(id: $id) {
        id partyId status amount txHash createdTimestamp creditedTimestamp asset assetNode { id symbol decimals }
        history(first: 50) { edges { block { height timestamp } node { status } } }
      }
    }
  }
`);

/** A deposit: whose, of what, and how it went. */
export function DepositPlace({ id }: { readonly id: string }) {
  const asked = useAsked(DepositPage, { id }).value;
  return (
    <Found asked={asked} find={({ asOf }) => asOf?.deposit} what="deposit">
      {(deposit) => (
        <>
          <Heading kind="Deposit" name={shorten(deposit.id)} id={deposit.id} />
          <div class="pair even">
            <Panel id="deposit" title="Deposit" asked={asked}>
              <Facts
                facts={[
                  ['Amount', <Amount raw={deposit.amount} unit={deposit.assetNode} hasUnit />],
                  ['Status', <Name of={deposit.status} after="STATUS_" />],
                  ['Party', <Link kind="party" id={deposit.partyId} />],
                  [
                    'Asset',
                    <Link kind="asset" id={deposit.asset}>
                      {deposit.assetNode?.symbol}
                    </Link>,
                  ],
                  ['Created', <Time of={deposit.createdTimestamp} />],
                  [
                    'Credited',
                    deposit.creditedTimestamp === '0' ? 'not yet' : <Time of={deposit.creditedTimestamp} />,
                  ],
                  ['Transaction', deposit.txHash && <Copy text={deposit.txHash} />],
                ]}
              />
            </Panel>
            <Panel id="history" title="How it went" asked={asked}>
              <Table
                kind="list"
                columns={[['Status'], ['Block'], ['Time', 'number']]}
                rows={deposit.history.edges.map(({ block, node }) => (
                  <tr key={block.height}>
                    <td>
                      <Name of={node.status} after="STATUS_" />
                    </td>
                    <td>
                      <Link kind="block" id={block.height}>
                        {block.height}
                      </Link>
                    </td>
                    <td class="number">
                      <Time of={block.timestamp} />
                    </td>
                  </tr>
                ))}
              />
            </Panel>
          </div>
        </>
      )}
    </Found>
  );
}
