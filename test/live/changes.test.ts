import { expect, test } from 'vitest';
import type { Random } from '../../src/simulation/random.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openGraphqlSse } from '../support/http-clients.ts';
import { chooseRandom } from '../support/seed.ts';
import { openGraphqlWs } from '../support/socket-clients.ts';
import { openNetwork } from './live-network.ts';

const OPTIONS = { seed: 9, blocks: 90, parties: 60, markets: 4, release: '0.79' } as const;
const FIRST_BLOCKS = 40;
const BLOCKS_A_SECOND = 12;

/** What is asked of a row of each noun, of which the first say which row it is. */
const NOUNS = {
  PARTIES: ['parties', 'id'],
  ASSETS: ['assets', 'id', 'status', 'quantum'],
  MARKETS: ['markets', 'id', 'state', 'tradingMode'],
  RISK_FACTORS: ['riskFactors', 'marketId', 'short', 'long'],
  MARKET_DATA: ['marketData', 'market', 'markPrice', 'timestamp', 'openInterest'],
  ACCOUNTS: ['accounts', 'owner asset marketId type', 'balance'],
  DEPOSITS: ['deposits', 'id', 'status', 'creditedTimestamp'],
  REWARDS: ['rewards', 'nodeId', 'amount'],
  PROPOSALS: ['proposals', 'id', 'state'],
  VOTES: ['votes', 'proposalId partyId', 'value', 'timestamp'],
  MARGIN_LEVELS: ['marginLevels', 'partyId marketId asset', 'maintenanceMargin', 'timestamp'],
} as const;
type NounName = keyof typeof NOUNS;
const ALL = Object.keys(NOUNS) as readonly NounName[];
const ROWS = Object.values(NOUNS)
  .map(([name, ...fields]) => `${name} { ${fields.join(' ')} }`)
  .join(' ');
const ARGUMENTS = '$nouns: [ChangedNoun!]!, $filter: ChangesFilter, $after: String';
const GIVEN = 'nouns: $nouns, filter: $filter, after: $after';
const STREAM = `subscription(${ARGUMENTS}, $progress: Boolean) { changes(${GIVEN}, progress: $progress) {
  cursor block { height } snapshot { lastPage ${ROWS} } updates { block { height } ${ROWS} } } }`;
const PAGE = `query(${ARGUMENTS}, $first: Int) { block { height } changes(${GIVEN}, first: $first) {
  edges { cursor node { block { height } ${ROWS} } } pageInfo { hasNextPage endCursor } } }`;

type Rows = Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
type Block = Rows & { readonly block: { readonly height: string } };
interface Asked {
  readonly nouns: readonly NounName[];
  readonly filter?: Readonly<Record<string, readonly string[]>>;
}

test('changes are told once each to who polls and follows in turns, and make the state of the snapshot', async () => {
  const random = chooseRandom('changes');
  const network = await openNetwork(OPTIONS);
  await using database = await createTestDatabase();
  await network.write(database.url, FIRST_BLOCKS, 'max');
  await using gateway = await startTestGateway(database.url, { STREAM_HEARTBEAT_MS: '300' });
  const { owner } = random.pick(network.chain.accounts);
  const { data } = await gateway.graphql('{ markets(first: 1) { edges { node { id } } } }');
  const market = data.markets.edges[0].node.id;
  const asked: readonly Asked[] = [
    { nouns: ALL },
    { nouns: ['MARKET_DATA', 'DEPOSITS', 'VOTES'] },
    {
      nouns: ['ACCOUNTS', 'DEPOSITS', 'REWARDS', 'VOTES', 'MARGIN_LEVELS', 'PARTIES'],
      filter: { partyIds: [owner] },
    },
    { nouns: ['ACCOUNTS', 'MARKETS', 'MARKET_DATA', 'RISK_FACTORS'], filter: { marketIds: [market] } },
  ];
  const writing = network.write(database.url, OPTIONS.blocks, BLOCKS_A_SECOND);
  const folded = await Promise.all(asked.map((one) => walk(gateway, random, one)));
  await writing;
  for (const [index, one] of asked.entries()) {
    const { state } = await readSnapshot(gateway.url, one);
    expect(Object.fromEntries(folded[index] ?? [])).toEqual(Object.fromEntries(state));
    expect(state.size).toBeGreaterThan(3);
  }
  // A filter is a subset.
  const [all = new Map(), , ofParty = new Map()] = folded;
  for (const [key, row] of ofParty) expect(all.get(key)).toEqual(row);
});

test('changes between two blocks are those as of the second after the first', async () => {
  const network = await openNetwork(OPTIONS);
  await using database = await createTestDatabase();
  await network.write(database.url, 60, 'max');
  await using gateway = await startTestGateway(database.url);
  const page = `changes(nouns: [${ALL}], after: $after, first: 1000) {
    edges { cursor node { block { height } ${ROWS} } } pageInfo { hasNextPage endCursor } }`;
  /** All pages as of a block, or of the present. */
  const walkAll = async (asOf: string, from: string | null) => {
    const edges: { readonly node: Block }[] = [];
    let [after, isMore] = [from, true];
    while (isMore) {
      const { data } = await gateway.graphql(`query($after: String) { page: ${asOf} { ${page} } }`, {
        after,
      });
      // Global IDs are of the block that is asked about.
      edges.push(...JSON.parse(JSON.stringify(data.page.changes.edges).replace(/"nodeId":"[^"]*",?/g, '')));
      ({ hasNextPage: isMore, endCursor: after } = data.page.changes.pageInfo);
    }
    return edges;
  };
  const { data } = await gateway.graphql('{ asOf(height: "20") { block { cursor } } }');
  const some = await walkAll('asOf(height: "35")', data.asOf.block.cursor);
  const all = await walkAll('asOf', null);
  const heightOf = ({ node }: { readonly node: Block }) => Number(node.block.height);
  expect(some).toEqual(all.filter((edge) => heightOf(edge) > 20 && heightOf(edge) <= 35));
  expect(some.length).toBeGreaterThan(10);
});

test('what cannot be asked of changes is refused by its name', async () => {
  await using database = await createTestDatabase();
  await using gateway = await startTestGateway(database.url);
  const refusal = async (args: string) => {
    const { errors } = await gateway.graphql(`{ changes(${args}) { edges { cursor } } }`);
    return errors?.[0]?.message;
  };
  expect(await refusal('nouns: []')).toContain('nouns is empty');
  expect(await refusal('nouns: [ACCOUNTS, ASSETS], filter: { partyIds: ["a"] }')).toContain(
    'filter.partyIds cannot choose among assets',
  );
  expect(await refusal('nouns: [ACCOUNTS], first: 0')).toContain('first takes 1 to 5000');
  expect(await refusal('nouns: [ACCOUNTS], after: "x"')).toContain('after takes a cursor');
});

/** Polls pages and follows the stream in turns, to the last block; gives what all rows came to. */
async function walk(gateway: TestGateway, random: Random, asked: Asked): Promise<Map<string, unknown>> {
  const { url } = gateway;
  const { state, cursor } = await readSnapshot(url, asked);
  let after = cursor;
  let last = 0;
  let reached = 0;
  const tell = ({ block, ...rows }: Block) => {
    expect(Number(block.height), 'each block once, in order').toBeGreaterThan(last);
    last = Number(block.height);
    fold(state, rows as Rows);
  };
  while (reached < OPTIONS.blocks) {
    // A stream on which nothing more comes would be waited for.
    if (reached < OPTIONS.blocks - 20 && random.below(2) === 0) {
      const open = random.pick([openGraphqlWs, openGraphqlSse]);
      await using client = await open(url, STREAM, { ...asked, after, progress: true });
      const { data, errors } = await client.next();
      expect(errors).toBeUndefined();
      const { updates, snapshot, block, cursor } = data.changes;
      expect(snapshot).toBeNull();
      if (updates !== null) tell(updates);
      else {
        expect(Number(block.height)).toBeGreaterThan(last);
        last = Number(block.height);
      }
      after = cursor;
    }
    for (let pages = random.between(1, 3); pages > 0; pages--) {
      const { data } = await gateway.graphql(PAGE, { ...asked, after, first: random.pick([1, 7, 50, 2000]) });
      for (const { node } of data.changes.edges) tell(node);
      after = data.changes.pageInfo.endCursor;
      if (!data.changes.pageInfo.hasNextPage) reached = Number(data.block.height);
    }
  }
  return state;
}

async function readSnapshot(url: string, asked: Asked) {
  const state = new Map<string, unknown>();
  await using client = await openGraphqlWs(url, STREAM, { ...asked });
  for (;;) {
    const { data } = await client.next();
    const { snapshot, cursor } = data.changes;
    fold(state, snapshot);
    if (snapshot.lastPage) return { state, cursor: cursor as string };
  }
}

function fold(state: Map<string, unknown>, rows: Rows): void {
  for (const [name, key] of Object.values(NOUNS)) {
    for (const row of rows[name] ?? [])
      state.set(`${name} ${key.split(' ').map((field) => row[field])}`, row);
  }
}
