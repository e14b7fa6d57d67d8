import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { routes, streamRoutes } from '../../src/rest/index.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { anyText } from '../support/texts.ts';

const BLOCKS = 100;

const simulated = await forAllTests(
  createSimulatedDatabase({ seed: 21, blocks: BLOCKS, parties: 12, markets: 2 }),
);
const gateway = await forAllTests(startTestGateway(simulated.url));

test('pages over HTTP make up the whole list', async () => {
  const whole = (await gateway.rest('/api/v2/rewards?pagination.first=5000')).body.rewards.edges;
  expect(whole.length).toBeGreaterThan(100);
  const walked = [];
  for (let after = ''; ; ) {
    const { body } = await gateway.rest(`/api/v2/rewards?pagination.first=97${after}`);
    walked.push(...body.rewards.edges);
    if (!body.rewards.pageInfo.hasNextPage) break;
    after = `&pagination.after=${body.rewards.pageInfo.endCursor}`;
  }
  expect(walked).toEqual(whole);
});

/** What a required parameter takes, where that is not any text. */
const GOOD: Readonly<Record<string, string>> = {
  nouns: 'accounts',
  candleId: 'trades_candle_1_hour_m',
};

describe('bad input gets 400 with a message that names the parameter and the value, never 500', () => {
  test('values', async () => {
    await fc.assert(
      fc.asyncProperty(badValues, async ([path, name, value]) => {
        const { status, body } = await gateway.rest(`${path}?${name}=${encodeURIComponent(value)}`);
        expect([status, body.code]).toEqual([400, 3]);
        expect(body.message).toContain(camelCased(name));
        // Long values are cut.
        expect(body.message).toContain(JSON.stringify(value).slice(1, -1).slice(0, 60));
        expect(body.details[0].fieldViolations[0].field).toBe(camelCased(name));
      }),
      { numRuns: 100 },
    );
  });

  test('each parameter of each path, for each value that it does not take', async () => {
    for (const { path, parameters } of [...routes, ...streamRoutes]) {
      const required = Object.entries(parameters).filter(([, parameter]) => parameter.required);
      for (const [name, parameter] of Object.entries(parameters)) {
        // Cursors of streams are read by whoever goes on there.
        const isOfStream = name === 'after' || `${path} ${name}` === '/api/v2/changes pagination.after';
        const bad = BAD_TEXTS.filter((text) => isOfStream || parameter.type.read(text) === undefined);
        expect([path, name, bad.length]).not.toEqual([path, name, 0]);
        for (const text of bad) {
          const others = required
            .filter(([other]) => other !== name)
            .map(([other]) => `${other}=${GOOD[other] ?? 1}`);
          const inPath = parameter.in === 'path' ? encodeURIComponent(text) : '1';
          const address = path.replace(/:(\w+)/g, inPath);
          const query = parameter.in === 'path' ? [] : [...others, `${name}=${encodeURIComponent(text)}`];
          const { status, body } = await gateway.rest(`${address}?${query.join('&')}`);
          expect([path, name, text, status, body.code]).toEqual([path, name, text, 400, 3]);
          expect(body.message).toContain(name);
          expect(body.message).toContain(JSON.stringify(text).slice(1, 60).replace(/"$/, ''));
          expect(body.details).toEqual([
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field: name, description: body.message }],
            },
          ]);
        }
      }
      for (const [name] of required.filter(([, parameter]) => parameter.in === 'query')) {
        const others = required
          .filter(([other]) => other !== name)
          .map(([other]) => `${other}=${GOOD[other] ?? 1}`);
        for (const missing of ['', `&${name}=`]) {
          const { status, body } = await gateway.rest(`${path}?${others.join('&')}${missing}`);
          expect([path, status, body.message]).toEqual([
            path,
            400,
            expect.stringMatching(new RegExp(`^Parameter ${name} is missing; it takes `)),
          ]);
        }
      }
    }
  });

  test('anything at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), anyQuery, async (path, query) => {
        const { status, body } = await gateway.rest(`${path}?${query}`);
        expect([200, 400]).toContain(status);
        if (status === 400) expect(body).toMatchObject({ code: 3, details: [{ fieldViolations: [{}] }] });
      }),
      { numRuns: 120 },
    );
  });

  test.each([
    ['/api/v2/deposits?partyId=network&party_id=network', 'partyId'],
    ['/api/v2/deposits?partyId=%', 'partyId'],
    ['/api/v2/deposits?partyId=%00', 'partyId'],
    ['/api/v2/deposits?partyId=%ff', 'partyId'],
    ['/votes?proposal=a%00b', 'proposal'],
    ['/api/v2/rewards?fromEpoch=18446744073709551616', 'fromEpoch'],
    ['/api/v2/deposits?dateRange.startTimestamp=9223372036854775808', 'dateRange.startTimestamp'],
    ['/api/v2/deposits?dateRange.startTimestamp=1767225600', 'dateRange.startTimestamp'],
    ['/api/v2/deposits?date_range.end_timestamp=1767225600000000', 'dateRange.endTimestamp'],
    ['/api/v2/deposits?pagination.first=1&pagination.last=1', 'pagination.last'],
    ['/api/v2/deposits?pagination.first=0', 'pagination.first'],
    ['/api/v2/deposits?pagination.first=5001', 'pagination.first'],
    ['/api/v2/deposits?pagination.first=-1', 'pagination.first'],
    ['/api/v2/accounts?filter[partyIds]=network', 'filter'],
    ['/api/v2/deposit/%00', 'id'],
    [`/api/v2/deposit/${'x'.repeat(257)}`, 'id'],
    [`/api/v2/market/data/${'x'.repeat(257)}/latest`, 'marketId'],
    [`/votes?party=${'x'.repeat(257)}`, 'party'],
  ])('%s names %s', async (path, name) => {
    const { status, body } = await gateway.rest(path);
    expect([status, body.code]).toEqual([400, 3]);
    expect(body.message).toContain(name);
  });

  test('epochs at the ends of their range are numbers like others', async () => {
    const { status, body } = await gateway.rest('/api/v2/rewards?fromEpoch=0&toEpoch=18446744073709551615');
    expect([status, body.rewards.edges.length > 0]).toEqual([200, true]);
    expect((await gateway.rest('/api/v2/rewards?fromEpoch=18446744073709551615')).status).toBe(200);
  });

  test('a cursor of another list, or with anything changed', async () => {
    const { body } = await gateway.rest('/api/v2/deposits?pagination.first=1');
    const cursor: string = body.deposits.pageInfo.endCursor;
    for (const text of ['x', cursor.slice(1), `${cursor}A`, cursor.toLowerCase()]) {
      const answer = await gateway.rest(`/api/v2/deposits?pagination.after=${text}`);
      expect([text, answer.status]).toEqual([text, 400]);
      expect(answer.body.message).toContain('pagination.after');
    }
    expect((await gateway.rest(`/api/v2/rewards?pagination.after=${cursor}`)).status).toBe(400);
  });
});

describe('HTTP', () => {
  test.each(['/api/v2/deposits', '/api/v2/rewards', '/votes'])(
    'HEAD of %s is GET without its body',
    async (path) => {
      const head = await fetch(`${gateway.url}${path}`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('x-block-height')).toBe(String(BLOCKS));
      expect(head.headers.get('content-type')).toBe('application/json');
    },
  );

  test('other methods get 405 with Allow, unknown paths and trailing slashes 404, with the error body', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(`${gateway.url}/api/v2/deposits`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([
        405,
        expect.stringContaining('GET, HEAD'),
      ]);
      expect(await response.json()).toMatchObject({ code: 12, details: [] });
    }
    for (const path of ['/api/v2/deposits/', '/API/v2/deposits', '/votes/', '/api/v2/deposit/', '/nothing']) {
      const { status, body } = await gateway.rest(path);
      expect([path, status, body.code]).toEqual([path, 404, 5]);
    }
  });

  test('what is not there is named with 404', async () => {
    const id = 'ab'.repeat(32);
    for (const path of [`/api/v2/deposit/${id}`, `/api/v2/market/data/${id}/latest`]) {
      const { status, body } = await gateway.rest(path);
      expect([status, body.code]).toEqual([404, 5]);
      expect(body.message).toContain(id);
    }
  });
});

/** Each of them is bad for some type of value. */
const BAD_TEXTS = [
  ...['ten', '1.5', '0x10', '1e3', '-1.', '9'.repeat(30), '2026-01-01', 'maybe', 'ACCOUNT_TYPE', '<b>'],
  ...['x'.repeat(257), '😀'.repeat(129), '1e400'],
];

const PATHS = ['/api/v2/deposits', '/api/v2/accounts', '/api/v2/rewards', '/votes'] as const;

const notWhole = fc
  .oneof(anyText({ maxLength: 30 }), fc.constantFrom('1.0', '1e3', '0x1', ' 1', '9'.repeat(400), '½'))
  .filter(
    (text) => text !== '' && !/^[+-]?\d{1,20}$/.test(text) && !text.includes('\0') && text.isWellFormed(),
  );

const tooLong = fc.constantFrom('x'.repeat(257), '1'.repeat(300), 'ab'.repeat(2000));

/** A path, a parameter in either spelling, and a value that it does not take. */
const badValues = fc.oneof(
  fc.tuple(
    fc.constant('/api/v2/deposits'),
    fc.constantFrom(
      'pagination.first',
      'pagination.last',
      'dateRange.startTimestamp',
      'date_range.end_timestamp',
    ),
    notWhole,
  ),
  fc.tuple(fc.constant('/api/v2/rewards'), fc.constantFrom('fromEpoch', 'to_epoch'), notWhole),
  fc.tuple(
    fc.constantFrom('/api/v2/deposits', '/api/v2/rewards'),
    fc.constantFrom('pagination.newestFirst', 'pagination.after', 'pagination.before'),
    notWhole,
  ),
  fc.tuple(
    fc.constantFrom('/api/v2/deposits', '/api/v2/rewards'),
    fc.constantFrom('partyId', 'party_id'),
    tooLong,
  ),
  fc.tuple(
    fc.constant('/api/v2/accounts'),
    fc.constantFrom('filter.assetId', 'filter.partyIds', 'filter.market_ids'),
    tooLong,
  ),
  fc.tuple(
    fc.constant('/api/v2/accounts'),
    fc.constant('filter.accountTypes'),
    notWhole.filter((text) => !text.includes(',')),
  ),
);

const names = fc.oneof(
  fc.constantFrom(
    ...[
      'partyId',
      'party_id',
      'pagination.first',
      'pagination.newestFirst',
      'pagination',
      'filter.partyIds',
      'filter',
    ],
    ...[
      'filter.partyIds[]',
      'fromEpoch',
      'proposal',
      'party',
      'dateRange',
      '__proto__',
      'constructor',
      'toString',
    ],
  ),
  fc.string({ maxLength: 12 }),
);

const anyQuery = fc
  .array(
    fc.tuple(names, fc.oneof(fc.webQueryParameters(), anyText({ maxLength: 20 }), fc.bigInt().map(String))),
    { maxLength: 4 },
  )
  .chain((pairs) =>
    fc
      .array(fc.boolean(), { minLength: pairs.length, maxLength: pairs.length })
      .map((escaped) =>
        pairs
          .map(
            ([name, value], n) =>
              `${encodeURIComponent(name)}=${escaped[n] === true ? rawOf(value) : wellFormed(value)}`,
          )
          .join('&'),
      ),
  );

/** With its percent signs and semicolons left to mean what they may, but nothing that ends the query. */
function rawOf(value: string): string {
  return wellFormed(value).replaceAll('%25', '%').replaceAll('%3B', ';').replaceAll('%3D', '=');
}

function wellFormed(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

function camelCased(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
