import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccountNetwork, ASSET, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openGraphqlSse, openNdjson, openSse } from '../support/http-clients.ts';
import { openDocumentedWebSocket, openGraphqlWs } from '../support/socket-clients.ts';

const PATH = '/api/v2/stream/accounts';
const MARKET = party(0xaaa);

const FIELDS =
  'block { height } cursor snapshot { accounts { owner balance } lastPage } updates { accounts { owner balance } }';
const SUBSCRIPTION = `subscription($after: String) { accounts(after: $after) { ${FIELDS} } }`;

function account(owner: number, balance: string, marketId = '', type = 'ACCOUNT_TYPE_GENERAL'): string {
  return `{"owner":"${party(owner)}","balance":"${balance}","asset":"${ASSET}","marketId":"${marketId}","type":"${type}"}`;
}

describe('a stream on every transport', () => {
  let network: AccountNetwork;
  let gateway: TestGateway;

  beforeAll(async () => {
    network = await startAccountNetwork();
    await network.block({ owner: party(1), balance: '10' });
    await network.block({ owner: party(2), balance: '0', marketId: MARKET, type: 'ACCOUNT_TYPE_MARGIN' });
    gateway = await startTestGateway(network.url);
  });

  afterAll(async () => {
    await gateway.close();
    await network[Symbol.asyncDispose]();
  });

  const SNAPSHOT = `{"result":{"snapshot":{"accounts":[${account(1, '10')},${account(2, '0', MARKET, 'ACCOUNT_TYPE_MARGIN')}],"lastPage":true}}}`;

  test('begins with the documented snapshot', async () => {
    await using lines = await openNdjson(gateway.url, PATH);
    await using socket = await openDocumentedWebSocket(gateway.url, PATH);
    await using events = await openSse(gateway.url, PATH);
    expect(await lines.nextText()).toBe(SNAPSHOT);
    expect(await socket.nextText()).toBe(SNAPSHOT);
    expect(await events.nextText()).toMatch(/^id: \S+\ndata: /);
    expect(lines.headers).toMatchObject({
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    expect(events.headers['content-type']).toBe('text/event-stream');
    await using ws = await openGraphqlWs(gateway.url, SUBSCRIPTION);
    await using sse = await openGraphqlSse(gateway.url, SUBSCRIPTION);
    console.log(await ws.nextText(), await sse.nextText(), gateway.openStreams);
  });
});
