import { describe, expect, test } from 'vitest';
import { ASSET, party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';

const STREAM = '/api/v2/stream/accounts';
const STRICT = { headers: { Prefer: 'handling=strict' } };

const network = await forAllTests(startAccountNetwork());
await network.block({ owner: party(1), balance: '10' });
const gateway = await forAllTests(startTestGateway(network.url));

const ask = async (path: string, init: RequestInit = STRICT) => {
  const response = await fetch(`${gateway.url}${path}`, init);
  const { headers, status } = response;
  return { status, headers, applied: headers.get('preference-applied'), text: await response.text() };
};

describe('with Prefer: handling=strict a parameter that does not exist is refused', () => {
  test.each([
    ['/api/v2/deposits?partyID=x', 'partyID', 'partyId'],
    ['/api/v2/accounts?assetId=x', 'assetId', 'filter.assetId'],
    ['/api/v2/accounts?filter.partyIs=x', 'filter.partyIs', 'filter.partyIds'],
    ['/api/v2/rewards?from_epocs=1', 'from_epocs', 'fromEpoch'],
    ['/votes?proposalId=p', 'proposalId', 'proposal'],
    ['/votes?partys=p', 'partys', 'party'],
    ['/api/v2/market/data/m1/latest?color=red', 'color', null],
    [`${STREAM}?market=m`, 'market', 'marketId'],
    [`${STREAM}?partyID=m`, 'partyID', 'partyId'],
    [`/votes?${'x'.repeat(5000)}=1`, `${'x'.repeat(64)}...`, null],
  ])('%s', async (path, field, near) => {
    const { status, applied, headers, text } = await ask(path);
    const { code, message, details } = JSON.parse(text);
    expect([status, code, applied]).toEqual([400, 3, 'handling=strict']);
    expect(details[0].fieldViolations).toEqual([{ field, description: message }]);
    const meant = / (\S+) was probably meant/.exec(message)?.[1] ?? null;
    expect([message, meant]).toEqual([expect.stringContaining('has no meaning here'), near]);
    expect([headers.get('vary'), headers.get('x-ignored-parameters')]).toEqual([
      expect.stringContaining('Prefer'),
      field,
    ]);
  });

  test.each([
    `/api/v2/accounts?filter.party_ids=${party(1)}&pretty`,
    '/api/v2/accounts?filter.assetId=',
    '/votes',
  ])('and one that does is not: %s', async (path) => {
    const strict = await ask(path);
    expect([strict.status, strict.applied]).toEqual([200, 'handling=strict']);
    const usual = await ask(path, {});
    expect([usual.status, usual.applied, usual.text]).toEqual([200, null, strict.text]);
    const etag = strict.headers.get('etag') ?? '';
    const again = await ask(path, { headers: { ...STRICT.headers, 'If-None-Match': etag } });
    expect([again.status, again.applied]).toEqual([304, 'handling=strict']);
  });

  test('a stream on a WebSocket, too', async () => {
    const { WebSocket } = await import('ws');
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}${STREAM}?assetID=${ASSET}`, STRICT);
    const message = await new Promise<string>((resolve, reject) => {
      socket.once('message', (data) => resolve(String(data)));
      socket.once('error', reject);
    });
    socket.terminate();
    expect(JSON.parse(message).error.message).toContain('assetId was probably meant');
  });
});

test.each([
  ['respond-async, handling=strict; wait=1', true],
  ['HANDLING = "strict"', true],
  ['handling=strictly', false],
  ['mishandling=strict', false],
  ['return=minimal', false],
])('Prefer: %s', async (Prefer, isStrict) => {
  const { status } = await ask('/votes?color=red', { headers: { Prefer } });
  expect(status).toBe(isStrict ? 400 : 200);
});

test('pages of other origins may send it', async () => {
  const headers = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'prefer' };
  const answer = await ask('/votes', {
    method: 'OPTIONS',
    headers: { ...headers, Origin: 'https://a.example' },
  });
  expect(answer.headers.get('access-control-allow-headers')).toBe('*, Authorization');
});
