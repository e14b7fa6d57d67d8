import { useSignal } from '@preact/signals';
import { type Account, accounts, chooseParty, party, traders } from './party.ts';
import { type Column, Table } from './table.tsx';
import { Amount, Name } from './values.tsx';

const MOST_ROWS = 14;
const COLUMNS: readonly Column[] = [['Account'], ['Balance', 'number'], ['Raw', 'number']];

/** The accounts of the chosen party, as blocks arrive. */
export function Accounts() {
  const rows = [...(accounts.value?.values() ?? [])].sort(byPurpose);
  return (
    <section aria-labelledby="accounts" class="accounts">
      <h2 id="accounts">Accounts of a party</h2>
      <PartyForm key={party.value} />
      <Table
        columns={COLUMNS}
        rows={rows.slice(0, MOST_ROWS).map((account) => <Row key={account.nodeId} account={account} />)}
        count={rows.length}
        empty={accounts.value === null ? 'Waiting for the accounts…' : 'This party has no accounts.'}
      />
    </section>
  );
}

function PartyForm() {
  const input = useSignal(party.value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        chooseParty(input.value);
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
        {market && <span class="quiet"> {market.instrumentCode}</span>}
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

/** The raw value; pressed, it is copied, or selected where pages get no clipboard: over plain HTTP from elsewhere. */
function Copy({ text }: { readonly text: string }) {
  const isCopied = useSignal(false);
  const copy = async (button: HTMLButtonElement) => {
    isCopied.value = await writeClipboard(text);
    if (isCopied.value) setTimeout(() => (isCopied.value = false), 1_500);
    else getSelection()?.selectAllChildren(button);
  };
  const title = `${hasClipboard() ? 'Copy' : 'Select'} ${text}`;
  return (
    <button type="button" class="raw" title={title} onClick={(event) => copy(event.currentTarget)}>
      {isCopied.value ? 'Copied' : text}
    </button>
  );
}

/** Whether it is there now. */
async function writeClipboard(text: string): Promise<boolean> {
  if (!hasClipboard()) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

function hasClipboard(): boolean {
  return 'clipboard' in navigator;
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
