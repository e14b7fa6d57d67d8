import { expect, test } from 'vitest';
import { exchange } from '../http/serve.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { askRaw } from '../support/raw-answers.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

/** Says "no body", at length: a request with it is not plain, and goes through the layers of the application. */
const NO_BODY = 'Transfer-Encoding: chunked';

const database = await forAllTests(
  createSimulatedDatabase({ seed: 11, blocks: 30, parties: 40, markets: 2 }),
);
/** As it is, and with nothing kept and nothing answered in front. */
const fronted = await forAllTests(startTestGateway(database.url));
const layered = await forAllTests(startTestGateway(database.url, { KEPT_ANSWERS_MB: '0' }));
const [deposit] = await database.readTable('deposits');
const [market] = await database.readTable('market_data');
const ids = {
  deposit: deposit?.['id'] ?? '',
  party: deposit?.['party_id'] ?? '',
  asset: deposit?.['asset_id'] ?? '',
  market: market?.['market_id'] ?? '',
};

function paths(): readonly string[] {
  const { deposit, party, market, asset } = ids;
  const page = (list: string) => [
    `/api/v2/${list}`,
    `/api/v2/${list}?pagination.first=2`,
    `/api/v2/${list}?pagination.last=3&pagination.newestFirst=false&pretty`,
    `/api/v2/${list}?pagination.first=1&pretty=1`,
    `/api/v2/${list}?pagination.first=zero&nothing=1&nor%20this=%00`,
    `/api/v2/${list}?pagination.first=1&pagination.last=1`,
    `/api/v2/${list}?pagination.after=${Buffer.from('1.x.1').toString('base64url')}`,
    `/api/v2/${list}?%zz`,
    `/api/v2/${list}?a;b`,
    `/api/v2/${list}?`,
    `/api/v2/${list}/`,
    `/API/v2/${list}`,
    `//api/v2/${list}`,
    `/api/v2/${list}#fragment`,
    `/api/v2/${list}?pagination.first=1#pretty`,
    `/api/v2/${list}?caf\xe9=\xfc&mistyped=1`,
  ];
  return [
    ...['deposits', 'accounts', 'rewards'].flatMap(page),
    `/api/v2/deposits?partyId=${party}&dateRange.startTimestamp=1000000000000000000&dateRange.endTimestamp=9000000000000000000`,
    `/api/v2/deposits?party_id=${party}&date_range.start_timestamp=9000000000000000000`,
    `/api/v2/accounts?filter.partyIds=${party},${party}&filter.accountTypes=4&filter.assetId=${asset}`,
    `/api/v2/accounts?filter.marketIds=${market}&filter.accountTypes=nothing`,
    `/api/v2/rewards?partyId=${party}&assetId=${asset}&fromEpoch=0&toEpoch=100`,
    ...['', '?pretty', '?unknown=1&pretty=', '?'].flatMap((query) => [
      `/api/v2/deposit/${deposit}${query}`,
      `/api/v2/deposit/${deposit.toUpperCase()}${query}`,
      `/api/v2/market/data/${market}/latest${query}`,
    ]),
    '/api/v2/deposit/',
    '/api/v2/deposit/unknown',
    '/api/v2/deposit/a%2Fb%20%3C%E2%82%AC',
    '/api/v2/deposit/%00',
    '/api/v2/deposit/%zz',
    '/api/v2/deposit/%ff',
    `/api/v2/deposit/${'x'.repeat(300)}`,
    '/api/v2/market/data/unknown/latest',
    '/api/v2/market/data//latest',
    `/api/v2/market/data/${market}/latest/`,
    `/api/v2/estimate/fee?marketId=${market}&price=100&size=7`,
    `/api/v2/estimate/fee?marketId=${market}&price=0&size=7`,
    '/api/v2/estimate/fee?marketId=unknown&price=1&size=7',
    `/api/v2/estimate/position?marketId=${market}&openVolume=-5&collateralAvailable=1e9`,
    `/api/v2/estimate/position?marketId=${market}&openVolume=5&pretty`,
    '/votes',
    '/votes?pretty',
    '/nothing/here',
  ];
}

const ENCODINGS = [
  'gzip',
  'br',
  'deflate',
  'gzip, deflate, br',
  'gzip,deflate',
  'GZIP',
  'br;q=0.1, gzip',
  '*',
  '',
];
const HEADS: readonly (readonly string[])[] = [
  [],
  ...ENCODINGS.map((encoding) => [`Accept-Encoding: ${encoding}`]),
  ['Accept-Encoding: gzip', 'Accept-Encoding: br'],
  ['Accept-Encoding: identity;q=0, gzip;q=0'],
  ['Origin: https://app.example', 'X-Request-Id: given'],
  ['X-Request-Id: {"no":"id"}'],
  ['If-None-Match: *'],
  ['If-None-Match: "something", W/"else"'],
  ['Expect: something'],
];

test('every request is answered as the layers of the application answer it, byte for byte', async () => {
  let plain = 0;
  for (const path of paths()) {
    for (const method of ['GET', 'HEAD']) {
      const heads =
        path.includes('pagination.first=2') || path === '/api/v2/deposits' ? HEADS : HEADS.slice(0, 2);
      for (const head of heads) {
        const [cold, again, other] = [
          await ask(fronted, method, path, head),
          // What comes twice is kept from then on.
          await ask(fronted, method, path, head).then(() => ask(fronted, method, path, head)),
          await ask(layered, method, path, [...head, NO_BODY]),
        ];
        const asked = [method, path, ...head];
        expect([...asked, cold]).toEqual([...asked, other]);
        expect([...asked, again]).toEqual([...asked, other]);
        if (cold.status === 200) plain += 1;
      }
    }
  }
  expect(plain).toBeGreaterThan(100);
});

test.each([
  ['two hosts', ['Host: x']],
  ['a host that is none', ['Host: <>'], ''],
  ['no host', [], ''],
  ['too many headers', Array.from({ length: 101 }, (_, n) => `X-${n}: y`)],
  ['another version', [], 'Host: x', 'HTTP/1.0'],
])('so is one with %s', async (_, head, host = 'Host: x', version = 'HTTP/1.1') => {
  const path = '/api/v2/deposits?pagination.first=2';
  const own = version === 'HTTP/1.0' ? [] : [NO_BODY];
  const [one, other] = [
    await ask(fronted, 'GET', path, head, host, version),
    await ask(layered, 'GET', path, [...head, ...own], host, version),
  ];
  expect(one).toEqual(other);
});

test.each([
  ['an allowed origin', 'Origin: https://a.example'],
  ['another origin', 'Origin: https://c.example'],
  ['none', 'X: y'],
])('pages of some origins alone may read: %s', async (_, head) => {
  const settings = { CORS_ORIGIN: 'https://a.example,https://b.example' };
  await using one = await startTestGateway(database.url, settings);
  await using other = await startTestGateway(database.url, { ...settings, KEPT_ANSWERS_MB: '0' });
  const path = '/api/v2/deposits?pagination.first=2';
  for (let n = 0; n < 3; n++)
    expect(await ask(one, 'GET', path, [head])).toEqual(await ask(other, 'GET', path, [head, NO_BODY]));
});

test.each([
  ['GET', []],
  ['GET', ['If-None-Match: *', 'Origin: https://app.example']],
  ['HEAD', []],
])('so are those of a connection that goes on: %s %j', async (method, head) => {
  const path = '/api/v2/deposits?pagination.first=2';
  const asked = { method, path, head: [...head, 'X-Request-Id: given'] };
  const [one, other] = [
    await askThrice(fronted, asked),
    await askThrice(layered, { ...asked, head: [...asked.head, NO_BODY] }, '0\r\n\r\n'),
  ];
  expect(one.match(/^Keep-Alive: timeout=/gm)).toHaveLength(2);
  expect(sorted(one)).toEqual(sorted(other));
});

/** All that comes back to three equal requests on one connection, which the last one ends. */
function askThrice(
  { url }: TestGateway,
  {
    method,
    path,
    head,
  }: { readonly method: string; readonly path: string; readonly head: readonly string[] },
  body = '',
): Promise<string> {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', ...head].join('\r\n');
  const last = `${lines}\r\nConnection: close\r\n\r\n${body}`;
  return exchange(Number(new URL(url).port), `${`${lines}\r\n\r\n${body}`.repeat(2)}${last}`);
}

/** The lines of some answers, but for the date: the layers set their headers in another order. */
function sorted(answers: string): readonly string[] {
  return answers
    .split('\r\n')
    .filter((line) => !line.startsWith('Date: '))
    .sort();
}

function ask(
  { url }: TestGateway,
  method: string,
  path: string,
  head: readonly string[],
  host = 'Host: x',
  version = 'HTTP/1.1',
) {
  const lines = [`${method} ${path} ${version}`, ...(host === '' ? [] : [host]), ...head];
  return askRaw(url, lines, head.includes(NO_BODY) ? '0\r\n\r\n' : '');
}
