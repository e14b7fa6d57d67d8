import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountTypes } from '../../src/domain/enumerations.ts';
import { type AccountNetwork, ASSET, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';
import type { StreamClient } from '../support/stream-client.ts';

const PATH = '/api/v2/stream/accounts';
const MARKET = party(0xaaa);
const SUBSCRIPTION = `subscription($after: String) {
  accounts(after: $after) { block { height } cursor snapshot { accounts { owner balance } lastPage } updates { accounts { owner balance } } }
}`;

/** How an account is written in the documented shape. */
function written(owner: number, balance: string, marketId = '', type = 'ACCOUNT_TYPE_GENERAL'): string {
  return `{"owner":"${party(owner)}","balance":"${balance}","asset":"${ASSET}","marketId":"${marketId}","type":"${type}"}`;
}

describe('a stream of accounts', () => {
  let network: AccountNetwork;
  let gateway: TestGateway;

  beforeAll(async () => {
    network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '10' });
    await network.block({
      owner: party(2),
      balance: '0',
      marketId: MARKET,
      type: accountTypes.numbers.ACCOUNT_TYPE_MARGIN,
    });
    gateway = await startTestGateway(network.url);
  });

  afterAll(async () => {
    await gateway.close();
    await network[Symbol.asyncDispose]();
  });

  const MARGIN = written(2, '0', MARKET, 'ACCOUNT_TYPE_MARGIN');
  const ofMarket = `${PATH}?marketId=${MARKET}`;
  const snapshot = (accounts: string) => `{"result":{"snapshot":{"accounts":[${accounts}],"lastPage":true}}}`;

  test('is written as documented, as lines, frames and events alike', async () => {
    await using lines = await openNdjson(gateway.url, ofMarket);
    await using frames = await openDocumentedWebSocket(gateway.url, ofMarket);
    await using events = await openSse(gateway.url, ofMarket);
    expect(await lines.nextText()).toBe(snapshot(MARGIN));
    expect(await frames.nextText()).toBe(snapshot(MARGIN));
    expect(await events.nextText()).toBe(`id: ${cursorAt(2)}\ndata: ${snapshot(MARGIN)}`);

    const height = await network.block(
      { owner: party(9), balance: '1' },
      { owner: party(3), balance: '7', marketId: MARKET },
      { owner: party(3), balance: '8', marketId: MARKET },
    );
    const updates = `{"result":{"updates":{"accounts":[${written(3, '8', MARKET)}]}}}`;
    expect(await lines.nextText()).toBe(updates);
    expect(await frames.nextText()).toBe(updates);
    expect(await events.nextText()).toBe(`id: ${cursorAt(height, 3)}\ndata: ${updates}`);
  });

  test('says in its head what it is, and that nobody in between may hold it back', async () => {
    await using lines = await openNdjson(gateway.url, PATH, { 'Accept-Encoding': 'gzip, br' });
    await using events = await openSse(gateway.url, PATH);
    await using graphql = await openGraphqlSse(gateway.url, SUBSCRIPTION);
    for (const [client, type] of [
      [lines, 'application/json'],
      [events, 'text/event-stream'],
      [graphql, 'text/event-stream'],
    ] as const) {
      expect(client.headers).toMatchObject({
        'content-type': type,
        'transfer-encoding': 'chunked',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      });
      expect(client.headers).not.toHaveProperty('content-encoding');
    }
    for (const { headers } of [lines, events]) expect(headers.vary).toContain('Accept');
  });

  test('shows a browser by a first comment that it is there, before there is a message', async () => {
    await using old = await openNdjson(gateway.url, `${PATH}?cursors=true`);
    const { cursor } = await old.next();
    // Nothing comes after the cursor: what comes is the comment alone.
    for (const events of [
      await openSse(gateway.url, PATH, cursor),
      await openGraphqlSse(gateway.url, SUBSCRIPTION, { after: cursor }),
    ]) {
      await expect.poll(() => events.heartbeats).toBeGreaterThan(0);
      events.close();
    }
  });

  test('names its block and its cursor beside the result where that is asked for', async () => {
    const path = `${ofMarket}&cursors=true`;
    for (const client of [
      await openNdjson(gateway.url, path),
      await openDocumentedWebSocket(gateway.url, path),
    ]) {
      await using stream = client;
      const text = await stream.nextText();
      expect(text).toMatch(
        /^\{"result":\{"snapshot":.*\},"block":\{"height":"\d+","timestamp":"\d+"\},"cursor":"[\w-]+"\}$/,
      );
    }
  });

  test('begins with one empty page where there is nothing yet, and goes on from there', async () => {
    const path = `${PATH}?partyId=${party(77)}`;
    const clients = [
      await openNdjson(gateway.url, path),
      await openDocumentedWebSocket(gateway.url, path),
      await openSse(gateway.url, path),
    ];
    for (const client of clients) {
      const text = await client.nextText();
      expect(text?.replace(/^id: \S+\ndata: /, '')).toBe(snapshot(''));
    }
    await network.block({ owner: party(77), balance: '1' });
    for (const client of clients) {
      expect(await client.nextText()).toContain(`{"result":{"updates":{"accounts":[${written(77, '1')}]}}}`);
      client.close();
    }
  });

  test.each([
    ['partyId', () => `partyId=${party(1)}`, [party(1)]],
    ['party_id', () => `party_id=${party(1)}`, [party(1)]],
    ['a name of a type', () => `type=ACCOUNT_TYPE_MARGIN&partyId=${party(2)}`, [party(2)]],
    ['a number of a type', () => `type=3&partyId=${party(2)}`, [party(2)]],
    ['all types', () => `type=ACCOUNT_TYPE_UNSPECIFIED&partyId=${party(2)}`, [party(2)]],
    ['another type', () => `type=BOND&partyId=${party(2)}`.replace('BOND', 'ACCOUNT_TYPE_BOND'), []],
    ['asset', () => `asset=${ASSET}&partyId=${party(1)}`, [party(1)]],
    ['another asset', () => `asset=${party(5)}&partyId=${party(1)}`, []],
    ['assetId', () => `assetId=${party(5)}&partyId=${party(1)}`, []],
    ['an id in upper case', () => `asset=${ASSET.toUpperCase()}&partyId=${party(1)}`, [party(1)]],
    [
      'nothing after the =',
      () => `marketId=&asset=&assetId=&type=&after=&cursors=&partyId=${party(1)}`,
      [party(1)],
    ],
    ['an unknown parameter', () => `color=red&partyId=${party(1)}`, [party(1)]],
  ])('chooses by %s', async (_, query, owners) => {
    await using stream = await openNdjson(gateway.url, `${PATH}?${query()}`);
    const { result } = await stream.next();
    expect(result.snapshot.accounts.map(({ owner }: { owner: string }) => owner)).toEqual(owners);
  });

  test.each([
    ['partyId', `partyId=${'x'.repeat(257)}`],
    ['marketId', `market_id=${'1'.repeat(257)}`],
    ['asset', 'asset=%00'],
    ['type', 'type=GENERAL'],
    ['type', 'type=8'],
    ['partyId', `partyId=${party(1)}&partyId=${party(2)}`],
    ['assetId', `asset=${ASSET}&assetId=${party(5)}`],
    ['cursors', 'cursors=maybe'],
    ['after', 'after=x'],
  ])('is refused for a bad %s (%s), whatever the transport', async (field, query) => {
    const body = {
      code: 3,
      message: expect.stringContaining(field),
      details: [{ fieldViolations: [{ field }] }],
    };
    const opened = [openNdjson, openSse].map((open) =>
      open(gateway.url, `${PATH}?${query}`).then(
        () => null,
        (error) => error,
      ),
    );
    for (const refusal of await Promise.all(opened)) expect(refusal).toMatchObject({ status: 400, body });
    await using frames = await openDocumentedWebSocket(gateway.url, `${PATH}?${query}`);
    expect(await frames.next()).toMatchObject({ error: body });
    expect(await frames.ended).toMatchObject({ code: 1008, reason: expect.stringContaining(field) });
    expect(gateway.openStreams).toBe(0);
  });

  test('refuses a cursor ahead of the database before it begins', async () => {
    const refused = openNdjson(gateway.url, `${PATH}?after=${cursorAt(1_000_000)}`);
    await expect(refused).rejects.toMatchObject({ status: 400, body: { code: 11 } });
  });

  test('answers HEAD without a stream, and other methods with 405', async () => {
    const head = await fetch(`${gateway.url}${PATH}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'application/json',
      '',
    ]);
    const post = await fetch(`${gateway.url}${PATH}`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(gateway.openStreams).toBe(0);
  });

  test('goes on after a cursor on any other transport', async () => {
    const openers: readonly ((after: string) => Promise<StreamClient>)[] = [
      (after) => openNdjson(gateway.url, `${PATH}?cursors=true&after=${after}`),
      (after) => openSse(gateway.url, `${PATH}?cursors=true`, after),
      (after) => openDocumentedWebSocket(gateway.url, `${PATH}?cursors=true&after=${after}`),
      (after) => openGraphqlWs(gateway.url, SUBSCRIPTION, { after }),
      (after) => openGraphqlSse(gateway.url, SUBSCRIPTION, { after }),
    ];
    await using first = await openNdjson(gateway.url, `${PATH}?cursors=true`);
    let { cursor } = await first.next();
    for (const [balance, open] of [...openers, ...openers].entries()) {
      const height = await network.block({ owner: party(40), balance: `${balance}` });
      await using stream = await open(cursor);
      const message = await stream.next();
      const told = message.data?.accounts ?? message.data ?? message;
      expect(told.block.height).toBe(`${height}`);
      expect((told.updates ?? told.result.updates).accounts).toMatchObject([
        { owner: party(40), balance: `${balance}` },
      ]);
      cursor = told.cursor;
    }
  });

  test('goes on from where a browser stood, not from where its page once began', async () => {
    await using old = await openSse(gateway.url, PATH);
    const { id } = await old.next();
    await network.block({ owner: party(50), balance: '1' });
    const { id: newer } = await old.next();
    await network.block({ owner: party(50), balance: '2' });
    await using again = await openSse(gateway.url, `${PATH}?after=${id}`, newer);
    expect((await again.next()).data.result.updates.accounts).toMatchObject([{ balance: '2' }]);
  });
});

/** The cursor after a block whose events were so many. */
function cursorAt(height: number, events = 1): string {
  const position = BigInt(height) * 2n ** 20n + BigInt(events + 1);
  return Buffer.from(`stream1.accounts.${position}`).toString('base64url');
}
