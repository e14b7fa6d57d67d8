import { describe, expect, test } from 'vitest';
import { ASSET, party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { ask, readHeight, WRITES_BLOCKS, withClient } from '../support/state.ts';
import { countStatements, settled } from '../support/statements.ts';

const QUERY = `{
  accounts(filter: { partyIds: ["${party(1)}"] }) { edges { node { balance } } }
  ...Newest
  again: block { height }
}
fragment Newest on Query { block { height } }`;

const network = await forAllTests(startAccountNetwork());
await network.block({ owner: party(1), balance: '1' });
// Reads wait for a lock here, as long as the test holds it.
const gateway = await forAllTests(startTestGateway(network.url, { STATEMENT_TIMEOUT_MS: '60000' }));

test('the newest block is one for the whole answer, and nothing in the answer is older', async () => {
  const heights = new Set<number>();
  const writing = (async () => {
    for (let height = 2; heights.size < 8; height++)
      await network.block({ owner: party(1), balance: `${height}` });
  })();
  while (heights.size < 8) {
    const { data } = await gateway.graphql(QUERY);
    const height = Number(data.block.height);
    expect(data.again.height).toBe(data.block.height);
    expect(Number(data.accounts.edges[0].node.balance)).toBeGreaterThanOrEqual(height);
    heights.add(height);
  }
  await writing;
});

describe('the newest block is read before anything else,', () => {
  const ACCOUNTS = `accounts(filter: { partyIds: ["${party(1)}"] }) { edges { node { balance } } }`;

  test.each([
    ['as a field', `{ ${ACCOUNTS} block { height } }`],
    ['under another name', `{ ${ACCOUNTS} newest: block { height } }`],
    ['in a fragment', `{ ${ACCOUNTS} ...F } fragment F on Query { block { height } }`],
    ['in an inline fragment', `{ ${ACCOUNTS} ... on Query { block { height } } }`],
    ['in an inline fragment without a type', `{ ${ACCOUNTS} ... @include(if: true) { block { height } } }`],
    [
      'in fragments within fragments',
      `{ ${ACCOUNTS} ... { ...F } } fragment F on Query { ...G } fragment G on Query { ... on Query { block { height } } }`,
    ],
    [
      'in a fragment that is spread after another',
      `{ ...A ...F } fragment A on Query { ${ACCOUNTS} } fragment F on Query { block { height } }`,
    ],
    ['as the end of a list', `{ ${ACCOUNTS} blocks(first: 1) { nodes { height } } }`],
    ['as of no block in particular', `{ ${ACCOUNTS} asOf { block { height } } }`],
    [
      'as of none that a variable says',
      `query ($at: Uint64) { ${ACCOUNTS} asOf(height: $at) { block { height } } }`,
    ],
    [
      'as of a time that is to come',
      `{ ${ACCOUNTS} asOf(time: "9000000000000000000") { block { height } } }`,
    ],
    ['in the operation that is asked for', `query A { ${ACCOUNTS} block { height } } query B { __typename }`],
  ])('%s', async (_, query) => {
    await ask(network.url, `UPDATE accounts SET balance = '1'`);
    const height = await readHeight(network.url);
    const statements = countStatements();
    const answer = await withClient(network.url, async (writer) => {
      await writer.query('BEGIN; LOCK TABLE blocks');
      const asked = post(query, query.includes('query A') ? 'A' : undefined);
      await expect.poll(waitingForBlock).toHaveLength(1);
      // Whatever is read side by side with the block has been read by then, and is older than the block.
      await settled(statements.count);
      await writer.query(
        `${WRITES_BLOCKS}; INSERT INTO blocks SELECT height + 1, hash, timestamp, last_position + 1 FROM blocks WHERE height = ${height};
         UPDATE accounts SET balance = '2'; COMMIT`,
      );
      return asked;
    }).finally(() => statements.stop());
    const { accounts, ...rest } = answer.data;
    const named = Object.values(rest as Record<string, { nodes?: unknown[]; block?: unknown }>);
    expect(named.flatMap((one) => one.nodes ?? one.block ?? one)).toEqual([{ height: `${height + 1}` }]);
    expect(accounts.edges[0].node.balance).toBe('2');
  });
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

async function post(query: string, operationName?: string) {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, operationName }),
  });
  return response.json();
}

/** Who reads the newest block and waits for a lock. Within a transaction the view would not change. */
function waitingForBlock() {
  return ask(
    network.url,
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%height DESC%'`,
  );
}
