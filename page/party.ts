import { effect, signal } from '@preact/signals';
import type { ResultOf } from 'gql.tada';
import { accounts as allAccounts, followOver, keep } from '../client/src/index.ts';
import { ask, GATEWAY, TRANSPORTS, watchConnection } from './connection.ts';
import { graphql, selectionOf } from './graphql.ts';

const AccountRow = graphql(`
  fragment AccountRow on Account {
    nodeId type balance asset assetNode { symbol decimals } market { id instrumentCode }
  }
`);

/** What the party had as of a block. */
export const AccountsAt = graphql(
  `
  query AccountsOfParty($at: Uint64, $party: ID!) {
    asOf(height: $at) {
      accounts(first: 1000, newestFirst: false, filter: { partyIds: [$party] }) { edges { node { ...AccountRow } } }
    }
  }
`,
  [AccountRow],
);

const Traders = graphql(`
  query Traders {
    accounts(first: 50, filter: { accountTypes: [ACCOUNT_TYPE_MARGIN] }) { edges { node { owner balance } } }
  }
`);

export type Account = ResultOf<typeof AccountRow>;

/** The party whose accounts are shown, as the address of the page names it (`#party=…`); empty until one is chosen. */
export const party = signal(readAddress());

/** Some parties that trade, to choose from. */
export const traders = signal<readonly string[]>([]);

/** Its accounts by their ids; null until they are there. */
export const accounts = signal<ReadonlyMap<string, Account> | null>(null);

/** Why the gateway does not tell of it; null where it does. */
export const refusal = signal<string | null>(null);

/** Follows the accounts of the party, whichever it is, for as long as the page is open. */
export function followParty(): void {
  window.addEventListener('hashchange', () => {
    party.value = readAddress() || party.value;
  });
  effect(() => {
    const id = party.value;
    accounts.value = null;
    refusal.value = null;
    if (id === '') return;
    const filter = { partyIds: [id] };
    const fields = { accounts: `id ${selectionOf(AccountRow)}` };
    const followed = followOver(TRANSPORTS, allAccounts, { ...GATEWAY, filter, fields });
    const leave = watchConnection(followed);
    const held = keep(allAccounts, followed);
    // They have what was asked for, and no other fields.
    held.subscribe(() => {
      accounts.value = new Map(held.getSnapshot().rows) as ReadonlyMap<string, unknown> as ReadonlyMap<
        string,
        Account
      >;
    });
    // Blocks and markets are followed all the same: it says nothing of how the page stands with the gateway.
    held.done.catch((error: Error) => {
      leave();
      if (party.peek() === id) refusal.value = error.message;
    });
    return () => {
      leave();
      held.close();
    };
  });
  void findTraders();
}

/** Shows the accounts of a party. */
export function chooseParty(id: string): void {
  party.value = id.trim();
  history.replaceState(null, '', `#party=${encodeURIComponent(party.value)}`);
}

/** Somebody's accounts are shown from the beginning: those of one who trades. */
async function findTraders(): Promise<void> {
  while (traders.value.length === 0) {
    const answer = await ask(Traders, {}).catch(() => null);
    const nodes = answer?.accounts.edges.map(({ node }) => node) ?? [];
    traders.value = [...new Set(nodes.map(({ owner }) => owner))];
    const trading = nodes.find(({ balance }) => balance !== '0') ?? nodes[0];
    if (party.value === '') party.value = trading?.owner ?? '';
    if (traders.value.length === 0) await new Promise((resolve) => setTimeout(resolve, 5_000));
  }
}

function readAddress(): string {
  return new URLSearchParams(location.hash.slice(1)).get('party') ?? '';
}
