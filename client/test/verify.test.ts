import { expect, test } from 'vitest';
import { forAllTests } from '../../test/support/for-all-tests.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import { createSimulatedDatabase } from '../../test/support/simulated.ts';
import {
  type Account,
  accounts,
  assets,
  deposits,
  followOver,
  keep,
  marginLevels,
  marketData,
  markets,
  type OneKind,
  parties,
  proposals,
  rewards,
  riskFactors,
  serverSentEvents,
  system,
  trades,
  votes,
} from '../src/index.ts';
import { verifyRows } from '../src/verify.ts';

const BLOCKS = 120;

const network = await forAllTests(
  createSimulatedDatabase({ seed: 9, blocks: BLOCKS, parties: 30, markets: 3 }),
);
const gateway = await forAllTests(startTestGateway(network.url));

/** Of any kind, as a test looks at ids and balances alone. */
type Kind = OneKind<object, Account>;

/** Rows as of the gateway's block, of which a test may spoil some before they are kept. */
async function open(
  subscription: Kind,
  given: object = {},
  spoil = (rows: readonly Account[]) => rows,
  height?: string,
) {
  const following = followOver([serverSentEvents], subscription, { url: gateway.url, ...given });
  const next = following.next.bind(following);
  following.next = async () => {
    const result = await next();
    if (result.value?.kind !== 'snapshot') return result;
    const { rows, block } = result.value;
    const [list = ''] = Object.keys(rows);
    const spoilt = {
      rows: { [list]: spoil(rows[list] ?? []) },
      block: { ...block, ...(height && { height }) },
    };
    return { done: false, value: { ...result.value, ...spoilt } };
  };
  const live = keep(subscription, following);
  await live.ready;
  const close = () => {
    live.close();
    return live.done;
  };
  return { live, [Symbol.asyncDispose]: close };
}

test('rows of every kind, by every filter, are those that the gateway has as of their block', async () => {
  const ids = (
    await gateway.graphql('{ accounts(first: 40) { nodes { owner marketId } } markets { nodes { id } } }')
  ).data;
  const party = ids.accounts.nodes.find((row: Account) => row.marketId !== '').owner as string;
  const market = ids.markets.nodes[0].id as string;
  const all = [accounts, assets, deposits, marginLevels, marketData, markets, parties, proposals, rewards];
  const asked = [
    ...[...all, riskFactors, trades, votes].map((kind) => [kind, {}] as const),
    [accounts, { filter: { partyIds: [party] } }],
    [accounts, { fields: { accounts: 'id nodeId balance' } }],
    [
      accounts,
      { fields: { accounts: 'id balance party { id nodeId } market { nodeId marketData { id } }' } },
    ],
    [marginLevels, { fields: { marginLevels: 'nodeId id' } }],
    [deposits, { partyId: party }],
    [marginLevels, { partyId: party }],
    [marginLevels, { partyId: party, marketId: market }],
    [marginLevels, { marketId: market }],
    [marginLevels, { partyId: 'nobody' }],
    [marketData, { marketIds: [market] }],
    [marketData, { marketIds: [market.toUpperCase()] }],
    [trades, { partyIds: [party] }],
    [votes, { partyId: party }],
    [rewards, { partyId: party }],
  ] as unknown as readonly (readonly [Kind, object])[];
  const sizes: Record<string, number> = {};
  for (const [subscription, given] of asked) {
    await using rows = await open(subscription, given);
    const { outcome, missing, extra, different, block } = await rows.live.verify();
    expect({ outcome, missing, extra, different, of: subscription.name, given }).toMatchObject({
      ...{ outcome: 'equal', missing: [], extra: [], different: [] },
    });
    expect(block).toEqual(rows.live.asOf);
    sizes[subscription.name + JSON.stringify(given)] = rows.live.size;
  }
  expect(Object.values(sizes).filter((size) => size > 0).length).toBeGreaterThan(15);
});

test('rows whose ids look like global ones and are none are compared as they are', async () => {
  await using rows = await open(accounts as Kind);
  const [row] = [...rows.live.values()];
  const ids = ['bad_', 'bad-', 'a===', 'AbC4', '\u00e9\u00e9\u00e9\u00e9'];
  const block = rows.live.asOf as { height: string; timestamp: string };
  const listed = ids.map((id) => ({ ...(row as Account), id }));
  const answer = { asOf: { page: { nodes: listed, pageInfo: { hasNextPage: false } } } };
  const asked = {
    ...followOver([serverSentEvents], accounts, { url: gateway.url }).asked,
    environment: { ...system, fetch: async () => Response.json({ data: answer }) },
  };
  const held = new Map(listed.map((one) => [one.id, one]));
  expect(await verifyRows<Account>(asked, 'id', { block, rows: held })).toMatchObject({ outcome: 'equal' });
});

test('rows that are missing, that are too many or that differ are told, field by field', async () => {
  const lost: Account[] = [];
  await using rows = await open(accounts as Kind, {}, ([first, second, ...others]) => {
    lost.push(first as Account, second as Account);
    return [
      { ...(second as Account), balance: '1', type: 'ACCOUNT_TYPE_BOND' },
      { ...(first as Account), id: 'nobody' },
      ...others,
    ];
  });
  const [first, second] = lost as [Account, Account];
  const { outcome, missing, extra, different } = await rows.live.verify();
  expect({ outcome, missing, extra }).toEqual({
    outcome: 'different',
    missing: [first],
    extra: [{ ...first, id: 'nobody' }],
  });
  expect(different).toEqual([{ held: rows.live.get(second.id), told: second, fields: expect.anything() }]);
  expect([...(different[0]?.fields ?? [])].sort()).toEqual(['balance', 'type']);
});

test('rows of a block that the gateway cannot speak of are not compared, and it says so', async () => {
  for (const height of ['0', `${BLOCKS + 1_000}`]) {
    await using rows = await open(accounts as Kind, {}, undefined, height);
    expect(await rows.live.verify()).toMatchObject({
      outcome: 'forgotten',
      block: { height },
      message: expect.stringContaining(`no block at height ${height}: the first is`),
    });
  }
});
