import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openNdjson } from '../../src/ingest/ndjson.ts';
import { createFolder } from '../support/events.ts';
import { startOwnGateway, type TestGateway } from '../support/gateway.ts';
import { openNdjson as openStream } from '../support/http-clients.ts';

const FEEDING = readFileSync('docs/feeding.md', 'utf8');
/** The lines of JSON of docs/feeding.md, with more that has ids like nobody else's. */
const LINES = /```json\n(\{"type":"network"[\s\S]*?)```/.exec(FEEDING)?.[1] ?? '';
const ODD = ['a/b?c=d&e', ' ', 'Ünï 😀', '%41', `x'"--`, 'A'.repeat(63), 'y'.repeat(256)];
const HEX = 'AbCdEf0123456789'.repeat(4);

let gateway: TestGateway;

beforeAll(async () => {
  const deposit = { partyId: 'bob', asset: 'usd', amount: '1', status: 'STATUS_OPEN' };
  const more = [...ODD, HEX].map((id) => ({ type: 'deposit', data: { ...deposit, id } }));
  const vote = { type: 'vote', data: { partyId: HEX, proposalId: HEX, value: 'VALUE_NO' } };
  const lines = [LINES.trim(), ...[...more, vote].map((line) => JSON.stringify(line))];
  await using folder = await createFolder();
  const file = await folder.write(lines.join('\n'));
  gateway = await startOwnGateway(async (url) => {
    await using writer = await Writer.open(url);
    const source = await openNdjson(file);
    await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
  });
});

afterAll(() => gateway?.[Symbol.asyncDispose]());

describe("the data of the documentation's lines of JSON can be asked for over REST", () => {
  const AMOUNT = '100000000000000000000000000';

  test.each([
    ['/api/v2/deposits?partyId=alice', ['deposits', 'edges', 0, 'node', 'amount'], AMOUNT],
    ['/api/v2/deposit/d1', ['deposit', 'status'], 'STATUS_FINALIZED'],
    [
      '/api/v2/accounts?filter.partyIds=alice&filter.assetId=usd',
      ['accounts', 'edges', 0, 'node', 'balance'],
      AMOUNT,
    ],
    ['/api/v2/rewards?partyId=alice&assetId=usd', ['rewards', 'edges', 0, 'node', 'amount'], '450'],
    ['/api/v2/market/data/btc-usd/latest', ['marketData', 'markPrice'], '2315000'],
    // 23150 USD * 0.001 of slippage + 23150 * 0.053 of risk, in 5 decimals; without slippage.
    [
      '/api/v2/estimate/position?marketId=btc-usd&openVolume=1000',
      ['margin', 'worstCase', 'maintenanceMargin'],
      '125010000',
    ],
    [
      '/api/v2/estimate/position?marketId=btc-usd&openVolume=1000',
      ['margin', 'bestCase', 'maintenanceMargin'],
      '122695000',
    ],
    ['/api/v2/estimate/fee?marketId=btc-usd&price=2315000&size=1000', ['fee', 'makerFee'], '463000'],
    ['/votes?proposal=p1&party=alice', ['votes', 0, 'value'], 'VALUE_YES'],
  ] as const)('%s', async (path, keys, value) => {
    const { status, body } = await gateway.rest(path);
    const found = keys.reduce((inner, key) => inner?.[key], body);
    expect([status, found]).toEqual([200, value]);
  });

  test('as a stream, too', async () => {
    for (const [query, count] of [
      ['partyId=alice&asset=usd', 1],
      ['marketId=btc-usd', 0],
      ['partyId=Alice', 0],
    ] as const) {
      await using stream = await openStream(gateway.url, `/api/v2/stream/accounts?${query}`);
      expect((await stream.next()).result.snapshot.accounts).toHaveLength(count);
    }
  });
});

describe('an id', () => {
  test.each(ODD)('is compared as it is: %j', async (id) => {
    const { status, body } = await gateway.rest(`/api/v2/deposit/${encodeURIComponent(id)}`);
    expect([status, body.deposit?.id]).toEqual([200, id]);
  });

  test.each(['%%34%31', '%4%31', '%2541%%37'])(
    'with a percent escape that is not one is refused: %s',
    async (id) => {
      const { status, body } = await gateway.rest(`/api/v2/deposit/${id}`);
      expect([status, body.message]).toEqual([
        400,
        `The path "/api/v2/deposit/${id}" has a percent escape that is not one, or not of UTF-8.`,
      ]);
    },
  );

  test('of 64 hexadecimal digits is taken in either case, on every path', async () => {
    for (const id of [HEX, HEX.toLowerCase(), HEX.toUpperCase()]) {
      expect((await gateway.rest(`/api/v2/deposit/${id}`)).body.deposit?.id).toBe(HEX.toLowerCase());
      expect((await gateway.rest(`/votes?proposal=${id}`)).body.votes).toHaveLength(1);
      expect((await gateway.rest(`/votes?party=${id}`)).body.votes).toHaveLength(1);
    }
  });

  test('of 64 hexadecimal digits is taken in either case in GraphQL, too', async () => {
    const asked = `query ($id: ID!, $ids: [ID!]) {
      deposit(id: $id) { id } votes(filter: { proposalIds: $ids }) { totalCount } literal: deposit(id: "${HEX}") { id }
    }`;
    for (const id of [HEX, HEX.toLowerCase(), HEX.toUpperCase()]) {
      const { data } = await gateway.graphql(asked, { id, ids: [id] });
      const deposit = { id: HEX.toLowerCase() };
      expect(data).toEqual({ deposit, votes: { totalCount: 1 }, literal: deposit });
    }
  });

  test.each(['nobody', 'Alice', 'alice ', '🙈', 'z'.repeat(256), 'F'.repeat(64)])(
    'that is unknown is 404, or an empty list: %j',
    async (text) => {
      const id = encodeURIComponent(text);
      for (const path of [
        `/api/v2/deposit/${id}`,
        `/api/v2/market/data/${id}/latest`,
        `/api/v2/estimate/position?marketId=${id}&openVolume=1`,
        `/api/v2/estimate/fee?marketId=${id}&price=1&size=1`,
      ]) {
        const { status, body } = await gateway.rest(path);
        expect([path, status, body.code]).toEqual([path, 404, 5]);
      }
      for (const path of [
        `/api/v2/deposits?partyId=${id}`,
        `/api/v2/accounts?filter.assetId=${id}`,
        `/api/v2/accounts?filter.partyIds=${id}`,
        `/api/v2/accounts?filter.marketIds=${id}`,
        `/api/v2/rewards?partyId=${id}`,
        `/api/v2/rewards?assetId=${id}`,
        `/votes?proposal=${id}`,
        `/votes?party=${id}`,
      ]) {
        const { status, body } = await gateway.rest(path);
        const [list] = Object.values(body) as [unknown[] | { edges: unknown[] }];
        expect([path, status, Array.isArray(list) ? list : list.edges]).toEqual([path, 200, []]);
      }
    },
  );

  test.each([['%00'], ['a%00b'], ['x'.repeat(257)], ['%ed%a0%80'], ['%ff']])(
    'that nothing can have is 400: %s',
    async (id) => {
      for (const path of [
        `/api/v2/deposit/${id}`,
        `/api/v2/market/data/${id}/latest`,
        `/api/v2/deposits?partyId=${id}`,
        `/api/v2/accounts?filter.partyIds=${id}`,
        `/api/v2/estimate/fee?marketId=${id}&price=1&size=1`,
        `/api/v2/stream/accounts?asset=${id}`,
        `/votes?party=${id}`,
      ]) {
        const { status, body } = await gateway.rest(path);
        expect([path, status, body.code]).toEqual([path, 400, 3]);
      }
    },
  );
});
