import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { accountTypes, voteValues } from '../../src/domain/enumerations.ts';
import { applySource } from '../../src/ingest/apply.ts';
import type { NetworkEvent } from '../../src/ingest/events.ts';
import { routes } from '../../src/rest/index.ts';
import { getRaw } from '../http/serve.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sourceOf } from '../support/events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask } from '../support/state.ts';
import { countStatements } from '../support/statements.ts';

const ACCOUNTS = '/api/v2/accounts';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const USUAL = 'public, max-age=0, s-maxage=1, stale-while-revalidate=1';
/** More than are read at once. */
const VOTES = 1500;

let database: TestDatabase;
let writer: Writer;
let gateway: TestGateway;
/** All that has happened so far: a height that begins again goes on with what came before it. */
let events: NetworkEvent[];

beforeEach(async () => {
  events = [];
  database = await createTestDatabase();
  writer = await Writer.open(database.url);
  for (const height of [1, 2, 3]) await apply(height, account('alice', `${height}0`));
  gateway = await startTestGateway(database.url);
});

afterEach(async () => {
  await gateway?.close();
  await writer?.close();
  await database?.[Symbol.asyncDispose]();
});

/** Applies a block with these events, which follow its begin. */
async function apply(height: number, ...changes: readonly NetworkEvent[]): Promise<void> {
  const begin = { height, timestamp: timeOf(height), hash: `hash ${height} ${events.length}` };
  events.push({ type: 'beginBlock', ...begin }, ...changes, { type: 'endBlock', height });
  await applySource(sourceOf(events), writer, { pace: 'max', signal: new AbortController().signal });
}

/** As `apply`, and waits until the gateway names the block. */
async function advance(height: number, ...changes: readonly NetworkEvent[]): Promise<void> {
  await apply(height, ...changes);
  const named = async () => (await gateway.rest('/api/v2/rewards')).headers.get('x-block-height');
  await expect.poll(named, { interval: 10 }).toBe(`${height}`);
}

function timeOf(height: number): bigint {
  return 1_767_225_600_000_000_000n + BigInt(height) * 1_000_000_000n;
}

function account(owner: string, balance: string): NetworkEvent {
  const type = accountTypes.numbers.ACCOUNT_TYPE_GENERAL;
  return { type: 'account', row: { owner, balance, assetId: 'gold', marketId: '', type } };
}

function vote(partyId: string, value: 'VALUE_YES' | 'VALUE_NO'): NetworkEvent {
  const totals = { totalGovernanceTokenBalance: '1', totalGovernanceTokenWeight: '0' };
  const others = { totalEquityLikeShareWeight: '0', elsPerMarket: null };
  const row = { partyId, proposalId: 'p', value: voteValues.numbers[value], timestamp: 1n };
  return { type: 'vote', row: { ...row, ...totals, ...others } };
}

async function balanceAt(address: string): Promise<string> {
  return (await gateway.rest(address)).body.accounts.edges[0].node.balance;
}

/** Block, `Cache-Control`, and whether the tag is a strong one. */
async function headOf(address: string): Promise<readonly unknown[]> {
  const { status, headers } = await fetch(`${gateway.url}${address}`, {
    headers: { 'Accept-Encoding': 'identity' },
  });
  const names = ['x-block-height', 'x-block-timestamp', 'cache-control'];
  return [status, ...names.map((name) => headers.get(name)), /^"[\w-]+"$/.test(headers.get('etag') ?? '')];
}

describe('an answer as of a block', () => {
  test.each([ACCOUNTS, '/votes', '/api/v2/deposits'])(
    'names that block, and is final where it is not the newest: %s',
    async (path) => {
      const final = [200, '2', `${timeOf(2)}`, IMMUTABLE, true];
      expect(await headOf(`${path}?asOf=2`)).toEqual(final);
      expect(await headOf(`${path}?as_of=2`)).toEqual(final);
      expect(await headOf(`${path}?asOfTime=${timeOf(2) + 5n}`)).toEqual(final);
      const newest = [200, '3', `${timeOf(3)}`, USUAL, false];
      expect(await headOf(`${path}?asOf=3`)).toEqual(newest);
      expect(await headOf(`${path}?asOfTime=${timeOf(9)}`)).toEqual(newest);
      expect(await headOf(`${path}?asOf=`)).toEqual(newest);
      expect(await headOf(path)).toEqual(newest);
      await advance(4);
      expect(await headOf(`${path}?asOf=3`)).toEqual([200, '3', `${timeOf(3)}`, IMMUTABLE, true]);
    },
  );

  test.each([`${ACCOUNTS}?asOf=1`, '/votes?asOf=1'])(
    'is the same for ever: a client that has it is told so, whatever came since: %s',
    async (address) => {
      const port = Number(new URL(gateway.url).port);
      const first = await getRaw(port, address, {});
      await advance(4, account('alice', '40'), vote('alice', 'VALUE_YES'));
      for (const method of ['GET', 'HEAD']) {
        const etag = String(first.headers['etag']);
        const again = await getRaw(port, address, { 'If-None-Match': etag }, method);
        expect([again.status, again.headers['etag'], again.headers['cache-control']]).toEqual([
          ...[304, etag, IMMUTABLE],
        ]);
        expect([again.headers['x-block-height'], again.headers['x-block-timestamp']]).toEqual([
          ...['1', `${timeOf(1)}`],
        ]);
      }
      expect((await getRaw(port, address, {})).body.toString()).toBe(first.body.toString());
    },
  );

  test('has a weak tag where it is compressed, which names the same', async () => {
    await advance(4, ...Array.from({ length: 20 }, (_, n) => account(`party ${n}`, '1')));
    await advance(5);
    const port = Number(new URL(gateway.url).port);
    const ask = (headers: Record<string, string>) => getRaw(port, `${ACCOUNTS}?asOf=4`, headers);
    const plain = await ask({});
    const packed = await ask({ 'Accept-Encoding': 'gzip' });
    expect([packed.headers['content-encoding'], packed.headers['etag']]).toEqual([
      ...['gzip', `W/${plain.headers['etag']}`],
    ]);
    const head = await getRaw(port, `${ACCOUNTS}?asOf=4`, { 'Accept-Encoding': 'gzip' }, 'HEAD');
    expect([head.headers['content-encoding'], head.headers['etag'], head.body.length]).toEqual([
      ...['gzip', packed.headers['etag'], 0],
    ]);
    const again = await ask({ 'Accept-Encoding': 'gzip', 'If-None-Match': String(plain.headers['etag']) });
    expect([again.status, again.headers['etag']]).toEqual([304, packed.headers['etag']]);
  });

  test('is kept, whatever comes: no block takes it away', async () => {
    const address = `${ACCOUNTS}?asOf=2`;
    // The first block after a start lets go of what came before it.
    await advance(4);
    for (let n = 0; n < 3; n += 1) expect(await balanceAt(address)).toBe('20');
    for (const height of [5, 6, 7]) await advance(height, account('alice', `${height}0`));
    // As a writer of an older version leaves its blocks: what they changed is not known.
    await ask(database.url, 'ALTER TABLE block_touches RENAME TO hidden');
    await ask(database.url, 'CREATE TABLE block_touches (LIKE hidden)');
    await ask(database.url, 'GRANT SELECT ON block_touches TO PUBLIC');
    try {
      await advance(8, account('alice', '80'));
      using statements = countingStatements();
      for (let n = 0; n < 3; n += 1) expect(await balanceAt(address)).toBe('20');
      expect(statements.reads('accounts')).toBe(0);
      expect(await balanceAt(ACCOUNTS)).toBe('80');
    } finally {
      // The database is another test's afterwards.
      await ask(database.url, 'DROP TABLE block_touches');
      await ask(database.url, 'ALTER TABLE hidden RENAME TO block_touches');
    }
  });

  test('of the newest block is read again when that block goes on', async () => {
    const before = await Promise.all([1, 2, 3].map(() => balanceAt(`${ACCOUNTS}?asOf=3`)));
    expect(before).toEqual(['30', '30', '30']);
    await apply(3, account('alice', '31'));
    const balance = () => balanceAt(`${ACCOUNTS}?asOf=3`);
    await expect.poll(balance, { interval: 10 }).toBe('31');
    expect((await headOf(`${ACCOUNTS}?asOf=3`))[3]).toBe(USUAL);
    expect(await balanceAt(`${ACCOUNTS}?asOf=2`)).toBe('20');
  });

  test('waits for the newest block where that is asked for, and is of its own all the same', async () => {
    const asked = fetch(`${gateway.url}${ACCOUNTS}?asOf=1`, { headers: { 'X-Min-Block-Height': '4' } });
    await apply(4);
    const answer = await asked;
    expect([answer.status, answer.headers.get('x-block-height')]).toEqual([200, '1']);
  });

  test('may still be given when the past is forgotten, since it is true', async () => {
    const address = `${ACCOUNTS}?asOf=1`;
    await advance(4);
    for (let n = 0; n < 3; n += 1) expect(await balanceAt(address)).toBe('10');
    // No block has said so: the statement that would read it finds nothing.
    const from = 3 * 2 ** 20;
    await ask(database.url, `UPDATE networks SET past_from = ${from}, history_from = ${from}`);
    await ask(database.url, `DELETE FROM balance_changes WHERE position < ${from}`);
    expect(await balanceAt(address)).toBe('10');
    const { status, body } = await gateway.rest(`${address}&pretty`);
    expect([status, body.code, body.message, body.details]).toEqual([
      ...[400, 11],
      'What the accounts were at block 1 is not kept: the first block that can be asked about them is 3.',
      [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          ...{ reason: 'BLOCK_NOT_KEPT', domain: 'periscope', metadata: { firstHeight: '3' } },
        },
      ],
    ]);
  });
});

test('the largest page of each path can be asked for as of a block', async () => {
  const paged = routes.filter(({ parameters }) => 'pagination.first' in parameters);
  expect(paged.length).toBeGreaterThan(10);
  for (const { path, parameters } of paged) {
    const size = parameters['pagination.first'];
    const largest = [5000, 2500, 1750, 1000, 700].find((one) => size?.type.read(`${one}`) !== undefined);
    const needed = [
      ...('nouns' in parameters ? ['nouns=marketData,markets,proposals'] : []),
      ...('candleId' in parameters ? ['candleId=trades_candle_1_hour_one'] : []),
    ].join('&');
    const address = path.replace(/:\w+/, 'one');
    const { status, text } = await gateway.rest(
      `${address}?asOf=2&pagination.first=${largest}&startTimestamp=0&${needed}`,
    );
    expect([path, largest, status, status === 200 ? '' : text]).toEqual([path, largest, 200, '']);
  }
});

test('a long list is walked as of one block, though its rows change meanwhile', async () => {
  const parties = Array.from({ length: VOTES }, (_, n) => `party ${n}`);
  await advance(4, ...parties.map((one) => vote(one, 'VALUE_YES')));
  await advance(5, ...parties.map((one) => vote(one, 'VALUE_NO')), vote('another', 'VALUE_NO'));
  // A time to come is the newest block until there is another: all pages are of the first one's.
  const asked = [gateway.rest('/votes?asOf=4'), gateway.rest(`/votes?asOfTime=${timeOf(99)}`)];
  await advance(6, ...parties.map((one) => vote(one, 'VALUE_YES')));
  const [past, newest] = await Promise.all(asked);
  const valuesOf = (body: { readonly votes: readonly { readonly value: string }[] }) =>
    [...new Set(body.votes.map(({ value }) => value))].join();
  expect([past?.body.votes.length, valuesOf(past?.body)]).toEqual([VOTES, 'VALUE_YES']);
  expect(newest?.body.votes.length).toBe(VOTES + 1);
});

describe('a block that cannot be asked about is refused', () => {
  const noBlockAt = (place: string) => `There is no block at ${place}: the first is 1, the newest is 3.`;

  test.each<readonly [query: string, code: number, message: string]>([
    ['asOf=99', 11, noBlockAt('height 99')],
    ['asOf=0', 11, noBlockAt('height 0')],
    ['asOf=18446744073709551615', 11, noBlockAt('height 18446744073709551615')],
    [
      `asOfTime=${timeOf(0)}`,
      11,
      `There is no block at time ${timeOf(0)}: the first is 1, at ${timeOf(1)}, the newest is 3, at ${timeOf(3)}.`,
    ],
    ['asOf=-1', 3, 'Parameter asOf is "-1"; it takes a whole number from 0 to 18446744073709551615.'],
    ['asOf=new', 3, 'Parameter asOf is "new"; it takes a whole number from 0 to 18446744073709551615.'],
    [
      'asOfTime=1767225601',
      3,
      'Parameter asOfTime is "1767225601", which looks like seconds: 1767225601000000000 was probably meant.',
    ],
    [
      `asOf=1&asOfTime=${timeOf(1)}`,
      3,
      `Parameter asOfTime ("${timeOf(1)}") cannot stand beside asOf ("1"); each names a block.`,
    ],
  ])('%s', async (query, code, message) => {
    for (const path of [ACCOUNTS, '/votes', '/api/v2/deposit/d']) {
      const { status, body, headers } = await gateway.rest(`${path}?${query}`);
      expect([path, status, body.code, body.message]).toEqual([path, 400, code, message]);
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
      expect(body.details).toHaveLength(1);
    }
  });

  test('with a cursor of a page of another block, or of the present', async () => {
    await advance(4, account('bob', '1'));
    await advance(5);
    const page = `${ACCOUNTS}?pagination.first=1`;
    const cursorOf = async (at: string) => (await gateway.rest(page + at)).body.accounts.pageInfo.endCursor;
    const [past, present] = [await cursorOf('&asOf=4'), await cursorOf('')];
    const reason = (wanted: string, given: string) =>
      `takes a cursor of a page ${wanted} here; this one is of ${given}.`;
    for (const [name, more, cursor, message] of [
      ['after', '&asOf=5', past, reason('as of block 5', 'a page as of block 4')],
      ['after', '', past, reason('of the present', 'a page as of block 4')],
      ['after', `&asOfTime=${timeOf(4)}`, present, reason('as of block 4', 'a page of the present')],
      ['before', '&asOf=5', past, reason('as of block 5', 'a page as of block 4')],
    ] as const) {
      const parameter = `pagination.${name}`;
      const { status, body } = await gateway.rest(`${ACCOUNTS}?${parameter}=${cursor}${more}`);
      const description = `Parameter ${parameter} ${message}`;
      expect([status, body.code, body.message]).toEqual([400, 3, description]);
      expect(body.details[0].fieldViolations).toEqual([{ field: parameter, description }]);
    }
    const { body } = await gateway.rest(`${page}&pagination.after=${past}&asOf=4`);
    expect(body.accounts.edges[0].node.owner).toBe('alice');
  });
});

describe('GraphQL over GET', () => {
  test.each([
    ['{ asOf(height: "2") { accounts { edges { node { balance } } } } }', true],
    [
      '{ one: asOf(height: "1") { block { hash } } two: asOfEach(from: "1", to: "2", every: "1") { __typename } }',
      true,
    ],
    ['{ asOf(height: "3") { accounts { edges { node { balance } } } } }', false],
    ['{ asOf { block { height } } }', false],
    ['{ asOf(height: "1") { block { height } } accounts { totalCount } }', false],
    ['{ asOf(height: "1") { block { height } } block { height } }', false],
    ['{ asOf(height: "1") { block { height } } __schema { queryType { name } } }', false],
    ['{ accounts { edges { node { balance } } } }', false],
  ])('is final where all of it is as of a block before the newest: %s', async (query, isFinal) => {
    expect(await headOfQuery(query)).toEqual([200, isFinal ? IMMUTABLE : USUAL, isFinal]);
  });

  test('what is posted has no such headers', async () => {
    const query = '{ asOf(height: "2") { block { height } } }';
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual([null, null]);
  });

  async function headOfQuery(query: string): Promise<readonly unknown[]> {
    const { status, headers } = await gateway.rest(`/graphql?query=${encodeURIComponent(query)}`);
    return [status, headers.get('cache-control'), /^"/.test(headers.get('etag') ?? '')];
  }
});

/** Counts the statements that read a table. */
function countingStatements() {
  const counted = countStatements();
  return {
    reads: (table: string) => counted.texts.filter((text) => text.includes(`FROM ${table}`)).length,
    [Symbol.dispose]: () => counted.stop(),
  };
}
