import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useAsked } from './asked.ts';
import { Copy } from './copy.tsx';
import { nameOfMarket } from './market-name.ts';
import { Panel } from './panel.tsx';
import { type Account, AccountsAt, accounts, chooseParty, party, refusal, traders } from './party.ts';
import { at, hrefOf } from './place.ts';
import { Trouble } from './state.tsx';
import { type Column, Table } from './table.tsx';
import { Amount, Name } from './values.tsx';

const MOST_ROWS = 14;
const COLUMNS: readonly Column[] = [['Account'], ['Balance', 'number'], ['Raw', 'number']];

/** The accounts of the chosen party, as blocks arrive. */
export function Accounts() {
  const asked = { operation: AccountsAt, variables: { party: party.value, at: at.value } };
  return (
    <Panel id="accounts" title="Accounts of a party" asked={asked} kind="accounts">
      <PartyForm />
      {at.value !== null && party.value !== '' ? (
        // What another party had is not shown under the name of this one.
        <PastRows key={party.value} of={party.value} />
      ) : (
        <FollowedRows />
      )}
    </Panel>
  );
}

function PastRows({ of }: { readonly of: string }) {
  const { data, error } = useAsked(AccountsAt, { party: of }).value;
  return (
    <>
      {error && <Trouble error={error} isOld={data !== null} />}
      <Rows of={data?.asOf?.accounts.edges.map(({ node }) => node)} />
    </>
  );
}

function FollowedRows() {
  if (refusal.value === null) return <Rows of={party.value === '' ? undefined : accounts.value?.values()} />;
  return (
    <p class="problem state-note" role="alert">
      {refusal.value}
    </p>
  );
}

/** Nothing is known of them without `of`. */
function Rows({ of }: { readonly of: Iterable<Account> | undefined }) {
  const isChosen = party.value !== '';
  const rows = [...(of ?? [])].sort(byPurpose);
  return (
    <>
      <Table
        columns={COLUMNS}
        rows={rows.slice(0, MOST_ROWS).map((account) => <Row key={account.nodeId} account={account} />)}
        empty={emptyOf(isChosen, of !== undefined)}
      />
      {isChosen && (
        <p class="foot">
          <a href={hrefOf('party', party.value)}>
            {rows.length > MOST_ROWS
              ? `All ${rows.length} accounts, and more of this party`
              : 'More of this party'}
          </a>
        </p>
      )}
    </>
  );
}

function emptyOf(isChosen: boolean, isKnown: boolean): string {
  if (!isChosen) return 'No party is chosen.';
  return isKnown ? 'This party has no accounts.' : 'Waiting for the accounts…';
}

function PartyForm() {
  const input = useSignal(party.value);
  const last = useRef(party.value);
  const form = useRef<HTMLFormElement>(null);
  // Another party is chosen elsewhere, too: what somebody is writing stays, but not what was left half written.
  useSignalEffect(() => {
    const isWritten = form.current?.contains(document.activeElement) && input.peek().trim() !== last.current;
    if (!isWritten) input.value = party.value;
    last.current = party.value;
  });
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        chooseParty(input.value);
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        // Another window has the focus for a while only. In Safari a button that is pressed has none: what is around it has.
        if (!(relatedTarget instanceof Node) || relatedTarget.contains(currentTarget)) return;
        if (!currentTarget.contains(relatedTarget)) input.value = party.peek();
      }}
    >
      <label class="grow">
        <span>Party</span>
        <input
          class="id"
          name="party"
          list="traders"
          value={input.value}
          maxLength={256}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => {
            input.value = event.currentTarget.value;
          }}
        />
      </label>
      <datalist id="traders">
        {traders.value.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <button type="submit">Show</button>
    </form>
  );
}

function Row({ account }: { readonly account: Account }) {
  const { type, market, balance, assetNode } = account;
  return (
    <tr>
      <th scope="row">
        <Name of={type} after="ACCOUNT_TYPE_" />
        {market && <span class="quiet"> {nameOfMarket(market.id, market.instrumentCode)}</span>}
      </th>
      <td class="number">
        <span key={balance} class="balance">
          <Amount raw={balance} unit={assetNode} hasUnit />
        </span>
      </td>
      <td class="number">
        <Copy text={balance} />
      </td>
    </tr>
  );
}

/** Those with a balance first, of these the general ones, then by market and asset. */
function byPurpose(a: Account, b: Account): number {
  const key = ({ type, asset, market, balance }: Account) =>
    [
      balance === '0' ? 1 : 0,
      type === 'ACCOUNT_TYPE_GENERAL' ? 0 : 1,
      type,
      market?.instrumentCode ?? '',
      asset,
    ].join(' ');
  return key(a) < key(b) ? -1 : 1;
}
