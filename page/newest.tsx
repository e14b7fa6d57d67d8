import type { VNode } from 'preact';
import { newest } from './network.ts';
import { chooseParty, party } from './party.ts';
import { Table } from './table.tsx';
import { Amount, Name, Time } from './values.tsx';

/** The newest deposits, rewards and votes. */
export function Newest() {
  const { deposits, rewards, votes } = newest.value ?? {};
  return (
    <>
      <List
        id="deposits"
        title="Newest deposits"
        columns={['Party', 'Status', 'Amount']}
        rows={deposits?.edges.map(({ node }) => (
          <tr key={node.id}>
            <PartyCell id={node.partyId} />
            <td>
              <Name of={node.status} after="STATUS_" />
            </td>
            <td class="number">
              <Amount raw={node.amount} unit={node.assetNode} decimals={2} hasUnit />
            </td>
          </tr>
        ))}
      />
      <List
        id="rewards"
        title="Newest rewards"
        columns={['Party', 'Epoch', 'Amount']}
        rows={rewards?.edges.map(({ node }) => (
          <tr key={node.nodeId}>
            <PartyCell id={node.partyId} />
            <td>{node.epoch}</td>
            <td class="number">
              <Amount raw={node.amount} unit={node.asset} decimals={2} hasUnit />
            </td>
          </tr>
        ))}
      />
      <List
        id="votes"
        title="Newest votes"
        columns={['Party', 'Vote', 'Time']}
        rows={votes?.edges.map(({ node }) => (
          <tr key={node.nodeId}>
            <PartyCell id={node.partyId} />
            <td>
              <span
                class={node.value === 'VALUE_YES' ? 'vote yes' : 'vote no'}
                title={`On proposal ${node.proposalId}`}
              >
                <Name of={node.value} after="VALUE_" />
              </span>
            </td>
            <td class="number">
              <Time of={node.timestamp} isShort />
            </td>
          </tr>
        ))}
      />
    </>
  );
}

function List({ id, title, columns: [first, second, last], rows = [] }: ListProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <Table kind="list" columns={[[first], [second], [last, 'number']]} rows={rows} />
    </section>
  );
}

interface ListProps {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly [string, string, string];
  readonly rows: readonly VNode[] | undefined;
}

/** A party, in short; pressed, its accounts are shown. */
function PartyCell({ id }: { readonly id: string }) {
  return (
    <td>
      <button
        type="button"
        class="party"
        title={`Show the accounts of ${id}`}
        aria-pressed={party.value === id}
        onClick={() => chooseParty(id)}
      >
        {shorten(id)}
      </button>
    </td>
  );
}

function shorten(id: string): string {
  return id.length > 12 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id;
}
