import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountNetwork, ASSET, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const QUERY = `{
  accounts(filter: { partyIds: ["${party(1)}"] }) { edges { node { balance } } }
  ...Newest
  again: block { height }
}
fragment Newest on Query { block { height } }`;

let network: AccountNetwork;
let gateway: TestGateway;

beforeAll(async () => {
  network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  gateway = await startTestGateway(network.url);
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await network[Symbol.asyncDispose]();
});

test('the newest block is one for the whole answer, and nothing in the answer is older', async () => {
  let isWritten = false;
  const writing = (async () => {
    for (let height = 2; height <= 150; height++)
      await network.block({ owner: party(1), balance: `${height}` });
    isWritten = true;
  })();
  const heights = new Set<number>();
  while (!isWritten) {
    const { data } = await gateway.graphql(QUERY);
    const height = Number(data.block.height);
    expect(data.again.height).toBe(data.block.height);
    expect(Number(data.accounts.edges[0].node.balance)).toBeGreaterThanOrEqual(height);
    heights.add(height);
  }
  await writing;
  expect(heights.size).toBeGreaterThan(3);
});

test('an empty id is an id that nothing has, not a filter left out', async () => {
  const { data } = await gateway.graphql(`{
    all: accounts { totalCount }
    none: accounts(filter: { assetId: "" }) { totalCount }
    some: accounts(filter: { assetId: "${ASSET}", marketIds: [] }) { totalCount }
    general: accounts(filter: { marketIds: [""] }) { totalCount }
  }`);
  expect(data).toEqual({
    all: { totalCount: 1 },
    none: { totalCount: 0 },
    some: { totalCount: 1 },
    general: { totalCount: 1 },
  });
});
