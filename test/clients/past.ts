import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.ts';

/** A party, a block, and the balances of the party now and then, by REST: some differ. */
export interface PastBalances {
  readonly party: string;
  readonly height: string;
  readonly shown: { readonly now: readonly string[]; readonly before: readonly string[] };
}

/** Finds a party some of whose balances have changed since a block. */
export async function findPastBalances(
  gateway: TestGateway,
  parties: readonly string[],
  height: string,
): Promise<PastBalances> {
  for (const party of parties) {
    const address = `/api/v2/accounts?filter.partyIds=${party}`;
    const [now, then] = [await gateway.rest(address), await gateway.rest(`${address}&asOf=${height}`)];
    const shown = { now: balancesOf(now.body), before: balancesOf(then.body) };
    if (shown.before.length > 0 && shown.now.join() !== shown.before.join()) return { party, height, shown };
  }
  return expect.fail('no party has other balances now');
}

function balancesOf(body: {
  readonly accounts: { readonly edges: readonly { readonly node: { readonly balance: string } }[] };
}): readonly string[] {
  return body.accounts.edges.map(({ node }) => node.balance);
}
