import { expect, test } from 'vitest';
import { writeStreamCursor } from '../../src/domain/cursors.ts';
import type { Random } from '../../src/simulation/random.ts';
import { createTestDatabase } from '../support/database.ts';
import { getJson, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { chooseRandom } from '../support/seed.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';
import { openNetwork } from './live-network.ts';
import { GatewayProcess, WriterProcess } from './restarted-processes.ts';

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
  TRADES: ['trades', 'id', 'marketId price size', 'timestamp'],
  REWARDS: ['rewards', 'partyId assetId marketId rewardType epoch amount', 'receivedAt'],
  PROPOSALS: ['proposals', 'id', 'state'],
  VOTES: ['votes', 'proposalId partyId', 'value', 'timestamp'],
  MARGIN_LEVELS: ['marginLevels', 'partyId marketId asset', 'maintenanceMargin', 'timestamp'],
  PARTY_PROFILES: ['partyProfiles', 'partyId', 'alias'],
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
      nouns: ['ACCOUNTS', 'DEPOSITS', 'TRADES', 'REWARDS', 'VOTES', 'MARGIN_LEVELS', 'PARTIES'],
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
      edges.push(...data.page.changes.edges);
      ({ hasNextPage: isMore, endCursor: after } = data.page.changes.pageInfo);
    }
    return edges;
  };
  const { data } = await gateway.graphql('{ asOf(height: "20") { block { cursor } } }');
  const few = `changes(nouns: [${ALL}], first: 50)`;
  const rows = `{ block { height } ${ROWS} }`;
  const both = await gateway.graphql(`{ ${few} { edges { node ${rows} } nodes ${rows} } }`);
  expect(both.errors).toBeUndefined();
  expect(both.data.changes.nodes).toEqual(both.data.changes.edges.map(({ node }: { node: Block }) => node));
  const some = await walkAll('asOf(height: "35")', data.asOf.block.cursor);
  const all = await walkAll('asOf', null);
  const heightOf = ({ node }: { readonly node: Block }) => Number(node.block.height);
  expect(some).toEqual(all.filter((edge) => heightOf(edge) > 20 && heightOf(edge) <= 35));
  expect(some.length).toBeGreaterThan(10);
  // Whatever block is asked about, what a block changed is of that block.
  for (const edge of some)
    for (const [, nodeId = ''] of JSON.stringify(edge).matchAll(/"nodeId":"([^"]*)"/g))
      expect(Buffer.from(nodeId, 'base64').toString()).toContain(`@${heightOf(edge)}:`);
});

test('so they are while the writer and the gateway are killed between pages, and those of REST are the others', async () => {
  const random = chooseRandom('killed changes');
  const options = { seed: 9, blocks: 110, parties: 60, markets: 4 } as const;
  const asked: Asked = { nouns: ['ACCOUNTS', 'DEPOSITS', 'MARKETS', 'MARKET_DATA', 'REWARDS'] };
  const { chain, ...network } = await openNetwork(options);
  await using database = await createTestDatabase();
  await network.write(database.url, FIRST_BLOCKS, 'max');
  await using gateway = await GatewayProcess.start(database.url);
  await using writer = WriterProcess.simulating(database.url, options, BLOCKS_A_SECOND);
  const told: Block[] = [];
  let after: string | null = null;
  for (let reached = 0; reached < options.blocks; ) {
    if (random.oneIn(10)) writer.kill();
    if (random.oneIn(10)) await gateway.restart();
    // A stream on which nothing more comes would be waited for, and one without a cursor begins with a snapshot.
    const mayFollow = after !== null && reached < options.blocks - 10;
    const turn = random.pick([
      'rest',
      'graphql',
      mayFollow ? 'stream' : 'rest',
      mayFollow ? 'restStream' : 'graphql',
    ] as const);
    const part: Part = await READ[turn](gateway.url, asked, after, random);
    told.push(...part.blocks);
    ({ after, reached = reached } = part);
  }
  await writer.done;
  console.info(`the writer was started ${writer.starts} times`);
  const heights = told.map(({ block }) => Number(block.height));
  expect(heights).toEqual([...new Set(heights)].sort((a, b) => a - b));
  const none = { owners: [], markets: [], assets: [], types: [] };
  for (let height = 1; height <= options.blocks; height++) {
    const { accounts = [] } = (told[heights.indexOf(height)] ?? {}) as Rows;
    const changed = [...chain.changesOf(height, none).values()];
    expect(accounts).toHaveLength(changed.length);
    expect([height, accounts]).toEqual([height, expect.arrayContaining(changed)]);
  }
  const whole: Block[] = [];
  for (let part: Part | null = null; part?.reached === undefined; whole.push(...part.blocks))
    part = await READ.graphql(gateway.url, asked, part?.after ?? null, random);
  expect(told).toEqual(whole);
});

test('what REST cannot take is refused by the name of the parameter', async () => {
  await using database = await createTestDatabase();
  await using gateway = await startTestGateway(database.url);
  const refusal = async (query: string) => {
    const { status, body } = await gateway.rest(`/api/v2/changes?${query}`);
    return [status, body.details[0].fieldViolations[0].field, body.message];
  };
  const names =
    'parties, assets, markets, riskFactors, marketData, accounts, deposits, trades, rewards, proposals, votes, marginLevels, partyProfiles';
  expect(await refusal('')).toEqual([400, 'nouns', `Parameter nouns is missing; it takes one of ${names}.`]);
  expect(await refusal('nouns=,')).toEqual(await refusal('filter.partyIds=a'));
  expect(await refusal('nouns=accounts,orders')).toEqual([
    ...[400, 'nouns', `Parameter nouns is "orders"; it takes one of ${names}.`],
  ]);
  expect(await refusal('nouns=accounts&nouns=assets&filter.party_ids=a')).toEqual([
    ...[400, 'filter.partyIds', 'filter.partyIds cannot choose among assets: ask for these by themselves.'],
  ]);
  for (const [name, value] of [
    ['first', '0'],
    ['after', 'x'],
    ['newestFirst', 'true'],
    ['last', '3'],
    ['before', 'x'],
  ]) {
    const [status, field, message] = await refusal(`nouns=accounts&pagination.${name}=${value}`);
    expect([status, field]).toEqual([400, `pagination.${name}`]);
    expect(message).toContain(`"${value}"`);
  }
  const { status } = await gateway.rest(
    '/api/v2/changes?nouns=MARKET_DATA,parties&pagination.newest_first=f',
  );
  expect(status).toBe(200);
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

test('a poll with a cursor that is ahead is refused by its reason, by GraphQL as often as it asks and by REST', async () => {
  await using database = await createTestDatabase();
  await using gateway = await startTestGateway(database.url);
  const after = writeStreamCursor({ stream: 'changes', position: 2n ** 53n - 1n, row: null });
  const refused = { reason: 'NO_SUCH_BLOCK' };
  const polls = Array.from(
    { length: 40 },
    (_, n) => `p${n}: changes(nouns: [ACCOUNTS], after: $after) { nodes { __typename } }`,
  );
  const { errors } = await gateway.graphql(`query($after: String) { ${polls.join(' ')} }`, { after });
  expect(errors).toHaveLength(polls.length);
  for (const { extensions } of errors ?? []) expect(extensions).toMatchObject({ details: [refused] });
  const { status, body } = await gateway.rest(`/api/v2/changes?nouns=accounts&pagination.after=${after}`);
  expect([status, body]).toMatchObject([400, { code: 11, details: [refused] }]);
});

/** Polls pages of REST and GraphQL and follows the stream in turns, to the last block; gives what all rows came to. */
async function walk({ url }: TestGateway, random: Random, asked: Asked): Promise<Map<string, unknown>> {
  const { state, cursor } = await readSnapshot(url, asked);
  let after: string | null = cursor;
  let last = 0;
  const tell = (height: number) => {
    expect(height, 'each block once, in order').toBeGreaterThan(last);
    last = height;
  };
  for (let reached = 0; reached < OPTIONS.blocks; ) {
    // A stream on which nothing more comes would be waited for.
    const mayFollow = reached < OPTIONS.blocks - 20;
    const turn = random.pick([
      'rest',
      'graphql',
      mayFollow ? 'stream' : 'rest',
      mayFollow ? 'restStream' : 'graphql',
    ] as const);
    const part: Part = await READ[turn](url, asked, after, random);
    for (const { block, ...rows } of part.blocks) {
      tell(Number(block.height));
      fold(state, rows as Rows);
    }
    ({ after, reached = reached } = part);
  }
  return state;
}

/** What is told at once: whole blocks, with these fields of their rows. */
interface Part {
  readonly blocks: readonly Block[];
  readonly after: string;
  /** The block that everything is told up to, where that is known. */
  readonly reached: number | undefined;
}

const STREAMS = [openNdjson, openSse, openDocumentedWebSocket];

type Read = (url: string, asked: Asked, after: string | null, random: Random) => Promise<Part>;

const PAGE_SIZES = [1, 7, 50, 700];

const READ: Readonly<Record<'rest' | 'graphql' | 'stream' | 'restStream', Read>> = {
  async rest(url, { nouns, filter = {} }, after, random) {
    const query = new URLSearchParams({ 'pagination.first': `${random.pick(PAGE_SIZES)}` });
    const names = nouns.map((name) => NOUNS[name][0] as string);
    if (random.oneIn(2)) query.set('nouns', nouns.join());
    else for (const name of names) query.append('nouns', name);
    for (const [part, values] of Object.entries(filter)) query.set(`filter.${part}`, values.join());
    if (after !== null) query.set('pagination.after', after);
    const { status, headers, body } = await getJson(`${url}/api/v2/changes?${query}`);
    expect([status, body.message]).toEqual([200, undefined]);
    const { edges, pageInfo } = body.changes;
    const blocks = edges.map(({ node }: { readonly node: Block }) => {
      const members = Object.values(NOUNS).flatMap(([name]) => (names.includes(name) ? [name] : []));
      expect(Object.keys(node)).toEqual(['block', ...members]);
      return inGraphql(node);
    });
    const reached = pageInfo.hasNextPage ? undefined : Number(headers.get('x-block-height'));
    return { blocks, after: pageInfo.endCursor, reached };
  },

  async graphql(url, asked, after, random) {
    const { body } = await getJson(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: PAGE, variables: { ...asked, after, first: random.pick(PAGE_SIZES) } }),
    });
    expect(body.errors).toBeUndefined();
    const { edges, pageInfo } = body.data.changes;
    const blocks = edges.map(({ node }: { readonly node: Block }) => node);
    const reached = pageInfo.hasNextPage ? undefined : Number(body.data.block.height);
    return { blocks, after: pageInfo.endCursor, reached };
  },

  async stream(url, asked, after, random) {
    const open = random.pick([openGraphqlWs, openGraphqlSse]);
    await using client = await open(url, STREAM, { ...asked, after, progress: true });
    const { data, errors } = await client.next();
    expect(errors).toBeUndefined();
    const { updates, snapshot, block, cursor } = data.changes;
    expect(snapshot).toBeNull();
    return { blocks: updates === null ? [] : [updates], after: cursor, reached: Number(block.height) };
  },

  async restStream(url, { nouns, filter = {} }, after, random) {
    const query = new URLSearchParams({
      nouns: nouns.join(),
      cursors: 'true',
      progress: 'true',
      after: `${after}`,
    });
    for (const [part, values] of Object.entries(filter)) query.set(`filter.${part}`, values.join());
    await using client = await random.pick(STREAMS)(url, `/api/v2/stream/changes?${query}`);
    const message = await client.next();
    const { result, reached, error, ...about } = message.data ?? message;
    expect(error).toBeUndefined();
    const { block, cursor } = reached ?? about;
    const blocks = result === undefined ? [] : [inGraphql(result.updates)];
    return { blocks, after: cursor, reached: Number(block.height) };
  },
};

/** A block as the tests ask GraphQL for it, of one that REST tells. */
function inGraphql({ block: { height }, ...rows }: Block): Block {
  const lists = Object.values(NOUNS).map(([name, ...fields]) => [
    name,
    ((rows as Rows)[name] ?? []).map((row) => {
      const { details = {}, ...members } = row as { readonly details?: object };
      const all: Readonly<Record<string, string>> = { ...details, ...members };
      return Object.fromEntries(
        fields
          .join(' ')
          .split(' ')
          .map((field) => [field, all[field]]),
      );
    }),
  ]);
  return { block: { height }, ...Object.fromEntries(lists) };
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
