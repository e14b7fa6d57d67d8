import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASSET, party, startAccountNetwork } from '../support/account-network.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { openNdjson, openSse } from '../support/http-clients.ts';
import { anyText } from '../support/texts.ts';

const HEADER = 'x-ignored-parameters';
const STREAM = '/api/v2/stream/accounts';

const network = await forAllTests(startAccountNetwork());
await network.block({ owner: party(1), balance: '10' }, { owner: party(2), balance: '20' });
const gateway = await forAllTests(startTestGateway(network.url));

const headerOf = async (path: string) => (await gateway.rest(path)).headers.get(HEADER);

describe('a parameter that does not exist is ignored, and named', () => {
  test.each([
    ['/api/v2/accounts?partyID=x', 'partyID'],
    ['/api/v2/deposits?partyID=x&first=2&partyId=', 'partyID, first'],
    ['/api/v2/accounts?filter.asset=x&pagination.size=1', 'filter.asset, pagination.size'],
    ['/api/v2/rewards?%70artyID&epoch=', 'partyID, epoch'],
    ['/votes?proposalId=p&partyId=q', 'proposalId, partyId'],
    ['/api/v2/rewards?=&a=1&&a=2&A=3', 'a, A'],
  ])('%s', async (path, names) => {
    const { status, headers } = await gateway.rest(path);
    expect([status, headers.get(HEADER)]).toEqual([200, names]);
  });

  test.each([
    '/api/v2/accounts',
    '/api/v2/accounts?',
    `/api/v2/accounts?filter.partyIds=${party(1)}&filter.party_ids=&pagination.newest_first=true`,
    '/api/v2/accounts?pretty',
    '/api/v2/accounts?pretty=true&filter.assetId=',
    '/votes?proposal=p&party=q&pretty',
  ])('and none that does: %s', async (path) => {
    const { status, headers } = await gateway.rest(path);
    expect([status, headers.get(HEADER)]).toEqual([200, null]);
  });

  test('with an answer that is an error, too', async () => {
    const estimate = '/api/v2/estimate/position?marketId=m&openVolume=1';
    for (const [path, status, names] of [
      ['/api/v2/deposits?first=2&pagination.first=x', 400, 'first'],
      // A name that is refused is not ignored.
      ['/api/v2/accounts?filter=x&filter[partyIds]=y&color=red', 400, 'color'],
      ['/api/v2/deposits?partyId=%zz&a;b=1&color=red', 400, 'a%3Bb, color'],
      [`${estimate}&order=1`, 404, 'order'],
      [`${estimate}&orders=1`, 400, null],
      ['/api/v2/deposit/d1?id=d2', 404, 'id'],
      ['/api/v2/market/data/m1/latest?%zz=1&b=2', 400, '%25zz, b'],
    ] as const) {
      const answer = await gateway.rest(path);
      expect([path, answer.status, answer.headers.get(HEADER)]).toEqual([path, status, names]);
    }
  });

  test('with an answer that has no body', async () => {
    const head = await fetch(`${gateway.url}/votes?proposalId=p`, { method: 'HEAD' });
    expect([head.status, head.headers.get(HEADER)]).toEqual([200, 'proposalId']);
  });

  test('to pages of other origins, too', async () => {
    const { headers } = await gateway.rest('/votes?proposalId=p');
    expect(headers.get('access-control-expose-headers')).toBe('*');
  });

  test('with a stream, as lines and as events', async () => {
    for (const open of [openNdjson, openSse]) {
      await using named = await open(gateway.url, `${STREAM}?assetID=${ASSET}&market=&pretty`);
      expect(named.headers[HEADER]).toBe('assetID, market');
      await using plain = await open(gateway.url, `${STREAM}?assetId=${ASSET}&party_id=&cursors=1`);
      expect(plain.headers).not.toHaveProperty(HEADER);
      const refused = await fetch(`${gateway.url}${STREAM}?color=red&type=x`);
      expect([refused.status, refused.headers.get(HEADER)]).toEqual([400, 'color']);
    }
  });
});

describe('the header', () => {
  test('has twenty names at most, each once', async () => {
    const query = Array.from({ length: 3000 }, (_, n) => `x${n % 25}`).join('&');
    const names = Array.from({ length: 20 }, (_, n) => `x${n}`);
    expect(await headerOf(`/votes?${query}`)).toBe([...names, '...'].join(', '));
    expect(await headerOf(`/votes?${names.join('&')}&${names.join('&')}`)).toBe(names.join(', '));
  });

  test('cuts long names, between characters', async () => {
    expect(await headerOf(`/votes?${'x'.repeat(64)}`)).toBe('x'.repeat(64));
    expect(await headerOf(`/votes?${'x'.repeat(65)}=1`)).toBe(`${'x'.repeat(64)}...`);
    expect(await headerOf(`/votes?${encodeURIComponent('😀'.repeat(30))}`)).toBe(
      `${encodeURIComponent('😀'.repeat(5))}...`,
    );
  });

  test('holds nothing but safe characters, whatever is sent, and says what it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(anyText({ maxLength: 8 }), { maxLength: 5 }), async (texts) => {
        const names = texts.map((text) => `?${text}`);
        const query = names.map((name) => `${encodeURIComponent(name)}=1`).join('&');
        const { status, headers } = await gateway.rest(`/api/v2/deposit/none?${query}`);
        const header = headers.get(HEADER) ?? '';
        expect(status).toBe(404);
        expect(header).toMatch(/^[\w.~%, -]*$/);
        const told = header === '' ? [] : header.split(', ');
        // A NUL cannot be decoded, so that its name stands there as it was sent, encoded once more.
        const expected = names.map((name) => (name.includes('\0') ? encodeURIComponent(name) : name));
        for (const [n, name] of told.entries()) {
          if (name.endsWith('...'))
            expect(expected[n]).toSatisfy((full: string) =>
              full.startsWith(decodeURIComponent(name.slice(0, -3))),
            );
          else expect(decodeURIComponent(name)).toBe(expected[n]);
        }
        expect(told.length).toBe(names.length);
      }),
      { numRuns: 100 },
    );
  });
});
