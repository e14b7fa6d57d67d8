import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptValues } from '../../src/cache/kept-values.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { accountTypes, depositStatuses, voteValues } from '../../src/domain/enumerations.ts';
import { Engine } from '../../src/engine/engine.ts';
import { createClientAddresses } from '../../src/http/limits/client-address.ts';
import type { RequestScope } from '../../src/http/request-scope.ts';
import { AnswerWriter } from '../../src/http/write/answer-writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { NetworkEvent } from '../../src/ingest/events.ts';
import { routes } from '../../src/rest/index.ts';
import { keepingTags, type ListTag } from '../../src/rest/list-tags.ts';
import { serveRest } from '../../src/rest/serve.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { engineParts } from '../support/engine.ts';
import { assetIdOf, marketEvents, marketIdOf } from '../support/estimate-markets.ts';
import { sourceOf } from '../support/events.ts';
import { type RestAnswer, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask, WRITES_BLOCKS, withClient } from '../support/state.ts';

const ASSET = assetIdOf('gold');
const MARKET = marketIdOf('gold');
/** How often each path is asked while blocks are applied. */
const ROUNDS = 10;
/** How many blocks their answers name at least. */
const BLOCKS = 10;

let database: TestDatabase;
let writer: Writer;
let gateway: TestGateway;
let height: number;

beforeEach(async () => {
  database = await createTestDatabase();
  writer = await Writer.open(database.url);
  gateway = await startTestGateway(database.url, { STATEMENT_TIMEOUT_MS: '60000' });
  height = 0;
});

afterEach(async () => {
  await gateway?.close();
  await writer?.close();
  await database?.[Symbol.asyncDispose]();
});

/** Every path, the table that its statement reads, and how to tell what block an answer is of. */
const PATHS: readonly (readonly [string, string, (body: RestAnswer['body'], block: number) => boolean])[] = [
  ['/api/v2/deposits', 'deposits', ({ deposits }, block) => hasBlock(nodesOf(deposits), 'amount', block)],
  ['/api/v2/deposit/latest', 'deposits', ({ deposit }, block) => Number(deposit.amount) >= block],
  ['/api/v2/accounts', 'accounts', ({ accounts }, block) => hasBlock(nodesOf(accounts), 'balance', block)],
  ['/api/v2/rewards', 'rewards', ({ rewards }, block) => hasBlock(nodesOf(rewards), 'amount', block)],
  [
    `/api/v2/market/data/${MARKET}/latest`,
    'market_data',
    ({ marketData }, block) => Number(marketData.markPrice) >= block,
  ],
  [
    `/api/v2/estimate/position?marketId=${MARKET}&openVolume=1`,
    'market_data',
    ({ margin }, block) => Number(margin.bestCase.maintenanceMargin) >= block,
  ],
  [
    `/api/v2/estimate/fee?marketId=${MARKET}&price=1&size=1`,
    'markets',
    ({ fee }, block) => Number(fee.makerFee) >= block,
  ],
  ['/votes', 'votes', ({ votes }, block) => hasBlock(votes, 'totalGovernanceTokenBalance', block)],
];

test.each(PATHS)('%s names a block that was there before anything was read', async (path, table) => {
  await applyBlocks(2);
  await newestBlock(2);
  const answer = await withClient(database.url, async (client) => {
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const asked = gateway.rest(path);
    await expect.poll(() => countLocked(database.url)).toBe(1);
    // An empty block touches no table that is locked.
    await applyBlock([]);
    await newestBlock(3);
    await client.query('ROLLBACK');
    return asked;
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-block-height')).toBe('2');
  expect(answer.headers.get('x-block-timestamp')).toBe('2000000000');

  /** Waits until the gateway knows of a block, as answers that read another table say. */
  async function newestBlock(block: number): Promise<void> {
    const other = table === 'votes' ? '/api/v2/rewards' : '/votes';
    await expect
      .poll(async () => (await gateway.rest(other)).headers.get('x-block-height'))
      .toBe(String(block));
  }
});

test('an answer that a block overtakes names the block before', async () => {
  await applyBlocks(1);
  const { prisma, statements, counts, close } = openDatabase({ url: database.url, readOnly: true });
  // Each operation is overtaken by a block, once it has read what it reads.
  const services = { prisma, statements, counts, feed: null as never };
  const engine = new (class extends Engine {
    override async run(...asked: Parameters<Engine['run']>) {
      const outcome = await super.run(...asked);
      await applyBlocks(1);
      return outcome;
    }
  })(engineParts(services));
  const feed = {
    get latest() {
      return {
        height: BigInt(height),
        timestamp: BigInt(height) * 1_000_000_000n,
        digest: null,
        position: 0n,
      };
    },
    isFollowing: false,
  };
  const logger = pino({ level: 'silent' });
  const clients = createClientAddresses(null, logger);
  const writer = new AnswerWriter({ logger, corsOrigin: '*', stallMs: 10_000, clients, limiter: null });
  const rest = serveRest(routes, {
    ...{ engine, writer },
    tags: new KeptValues<ListTag, RequestScope>({ feed, ...keepingTags(false) }),
    feed,
    columnsOf: async () => [],
  });
  const server = express()
    .use((request, response, next) => {
      writer.begin(request, response, null);
      next();
    }, rest.router)
    .listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const [path, , isOf] of PATHS) {
      const before = height;
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      const body = await response.json();
      expect([path, response.headers.get('x-block-height')]).toEqual([path, String(before)]);
      // The body tells its block: what a later one changed is not in it.
      expect([path, isOf(body, before), isOf(body, before + 1)]).toEqual([path, true, false]);
    }
  } finally {
    server.close();
    await close();
  }
});

test('no answer is older than the block that its header names', async () => {
  await applyBlocks(1);
  await expect.poll(async () => heightOf(await gateway.rest('/votes'))).toBe(1);
  let asking = true;
  const applying = (async () => {
    while (asking) await applyBlocks(1);
  })();
  const heights: number[] = [];
  try {
    // As long as it takes: what is asked and what is applied share the machine.
    for (let round = 0; round < ROUNDS || new Set(heights).size < BLOCKS; round++) {
      for (const [path, , isOf] of PATHS) {
        const answer = await gateway.rest(path);
        const named = heightOf(answer);
        expect(answer.headers.get('x-block-timestamp')).toBe(`${named}000000000`);
        expect([path, named, isOf(answer.body, named)]).toEqual([path, named, true]);
        heights.push(named);
      }
    }
  } finally {
    asking = false;
    await applying;
  }
  expect(heights).toEqual(heights.toSorted((a, b) => a - b));
});

test('all pages of a whole list are of the block that its header names', async () => {
  const parties = Array.from({ length: 1200 }, (_, n) => `party-${n}`);
  await applyBlock(parties.map((party) => voteOf(party, '1')));
  await expect.poll(async () => heightOf(await gateway.rest('/votes'))).toBe(1);
  let asking = true;
  const applying = (async () => {
    // The first and the last row of the list, which are on different pages.
    while (asking) await applyBlock(['party-1199', 'party-0'].map((party) => voteOf(party, `${height + 1}`)));
  })();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const answer = await gateway.rest('/votes');
      const balances = answer.body.votes.map((vote: { totalGovernanceTokenBalance: string }) =>
        Number(vote.totalGovernanceTokenBalance),
      );
      const named = heightOf(answer);
      expect([balances.length, balances[0], balances.at(-1)]).toEqual([parties.length, named, named]);
    }
  } finally {
    asking = false;
    await applying;
  }
});

test.each([
  '/api/v2/deposits?asOf=2&format=csv',
  '/api/v2/deposits?asOf=2&format=json',
  '/votes?asOf=2',
  '/votes?asOf=2&format=ndjson',
  '/api/v2/deposit/nothing?asOf=2&format=csv',
])('%s names no digest of a block from before blocks had one', async (path) => {
  await applyBlocks(3);
  await withClient(database.url, (client) =>
    client.query(`${WRITES_BLOCKS}; UPDATE blocks SET digest = NULL WHERE height <= 2`),
  );
  await expect.poll(async () => heightOf(await gateway.rest('/votes'))).toBe(3);
  const named = async (asked: string) => {
    const headers = { Prefer: 'block-digest' };
    const answer = await fetch(`${gateway.url}${asked}`, { headers });
    await answer.arrayBuffer();
    return ['x-block-height', 'x-block-digest'].map((name) => answer.headers.get(name));
  };
  expect(await named(path)).toEqual(['2', null]);
  expect(await named(path.replace('asOf=2', 'asOf=3'))).toEqual([
    '3',
    expect.stringMatching(/^[\da-f]{64}$/),
  ]);
});

/** Applies blocks each of which changes something that each path answers, and adds to each list. */
async function applyBlocks(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await applyBlock(eventsOf(height + 1));
}

async function applyBlock(events: readonly NetworkEvent[]): Promise<void> {
  height += 1;
  const timestamp = BigInt(height) * 1_000_000_000n;
  const source = sourceOf([
    { type: 'beginBlock', height, timestamp, hash: `hash-${height}` },
    ...events,
    { type: 'endBlock', height },
  ]);
  await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
}

function eventsOf(block: number): readonly NetworkEvent[] {
  const number = String(block);
  const terms = {
    assetDecimals: 0,
    marketDecimals: 0,
    positionDecimalPlaces: 0,
    riskFactorLong: '1',
    markPrice: number,
    makerFee: number,
  };
  return [
    ...marketEvents('gold', terms),
    ...['latest', `deposit-${block}`].map((id) => depositOf(id, number)),
    ...['everybody', `party-${block}`].flatMap((owner) => [
      accountOf(owner, number),
      rewardOf(owner, number),
      voteOf(owner, number),
    ]),
  ];
}

function depositOf(id: string, amount: string): NetworkEvent {
  return {
    type: 'deposit',
    row: {
      id,
      partyId: 'everybody',
      assetId: ASSET,
      amount,
      status: depositStatuses.numbers.STATUS_OPEN,
      txHash: '',
      createdTimestamp: 1n,
      creditedTimestamp: 0n,
    },
  };
}

function accountOf(owner: string, balance: string): NetworkEvent {
  return {
    type: 'account',
    row: {
      owner,
      balance,
      assetId: ASSET,
      marketId: '',
      type: accountTypes.numbers.ACCOUNT_TYPE_GENERAL,
    },
  };
}

function rewardOf(partyId: string, amount: string): NetworkEvent {
  return {
    type: 'reward',
    row: {
      partyId,
      amount,
      assetId: ASSET,
      marketId: '',
      epoch: 1n,
      percentageOfTotal: '1',
      receivedAt: 1n,
      rewardType: 'ACCOUNT_TYPE_GLOBAL_REWARD',
      lockedUntilEpoch: null,
      quantumAmount: null,
      gameId: null,
    },
  };
}

function voteOf(partyId: string, balance: string): NetworkEvent {
  return {
    type: 'vote',
    row: {
      partyId,
      proposalId: 'proposal',
      value: voteValues.numbers.VALUE_YES,
      timestamp: 1n,
      totalGovernanceTokenBalance: balance,
      totalGovernanceTokenWeight: '0',
      totalEquityLikeShareWeight: '0',
      elsPerMarket: null,
    },
  };
}

type Node = Readonly<Record<string, string>>;

function nodesOf(page: { readonly edges: readonly { readonly node: Node }[] }): readonly Node[] {
  return page.edges.map(({ node }) => node);
}

/** Whether a list has what a block added to it, and of the row that every block changes no older state. */
function hasBlock(nodes: readonly Node[], field: string, block: number): boolean {
  const own = nodes.filter(
    (node) => Object.values(node).includes(`party-${block}`) || node['id'] === `deposit-${block}`,
  );
  const changed = nodes.filter(
    ({ id, owner, partyId }) =>
      id === 'latest' || owner === 'everybody' || (id === undefined && partyId === 'everybody'),
  );
  const newest = Math.max(...changed.map((node) => Number(node[field])));
  return own.length === 1 && newest >= block;
}

function heightOf({ headers }: RestAnswer): number {
  return Number(headers.get('x-block-height'));
}

/** How many statements wait for a lock. */
async function countLocked(url: string): Promise<number> {
  const [row] = await ask<{ count: number }>(
    url,
    `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
