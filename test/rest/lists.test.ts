import fc from 'fast-check';
import { print } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/rest/index.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase, type SimulatedDatabase, type TableRow } from '../support/simulated.ts';
import { anyText } from '../support/texts.ts';

const BLOCKS = 100;

let simulated: SimulatedDatabase;
let gateway: TestGateway;
let ids: Readonly<Record<'party' | 'asset' | 'market' | 'deposit' | 'proposal', readonly string[]>>;

beforeAll(async () => {
  simulated = await createSimulatedDatabase({ seed: 21, blocks: BLOCKS, parties: 12, markets: 2 });
  gateway = await startTestGateway(simulated.url);
  const read = async (table: string) =>
    (await simulated.readTable(table)).map((row: TableRow) => String(row['id']));
  const [party, asset, market] = [await read('parties'), await read('assets'), await read('markets')];
  ids = { party, asset, market, deposit: await read('deposits'), proposal: await read('proposals') };
});

afterAll(async () => {
  await gateway?.close();
  await simulated?.[Symbol.asyncDispose]();
});

describe('a REST answer is what its operation answers over GraphQL', () => {
  test.each(['/api/v2/deposits', '/api/v2/accounts', '/api/v2/rewards', '/votes'])('%s', async (path) => {
    await fc.assert(
      fc.asyncProperty(goodQueries(path), async (query) => {
        await expectSame(path, {}, query);
      }),
      { numRuns: 20 },
    );
  });

  test('one deposit and the data of one market', async () => {
    for (const id of ids.deposit.slice(0, 5)) await expectSame('/api/v2/deposit/:id', { id }, '');
    for (const marketId of ids.market)
      await expectSame('/api/v2/market/data/:marketId/latest', { marketId }, '');
  });
});

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
    ['/api/v2/deposits?pagination.first=1&pagination.last=1', 'pagination.last'],
    ['/api/v2/deposits?pagination.first=0', 'pagination.first'],
    ['/api/v2/deposits?pagination.first=5001', 'pagination.first'],
    ['/api/v2/deposits?pagination.first=-1', 'pagination.first'],
    ['/api/v2/accounts?filter[partyIds]=network', 'filter'],
    ['/api/v2/deposit/%00', 'id'],
    ['/api/v2/deposit/xyz', 'id'],
    ['/api/v2/market/data/xyz/latest', 'marketId'],
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
    for (const text of ['', 'x', cursor.slice(1), `${cursor}A`, cursor.toLowerCase()]) {
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

// The blocks go on from here, so it comes last.
test('an answer is never older than the block that its header names', async () => {
  let height = BLOCKS;
  const asking = new AbortController();
  const applying = (async () => {
    while (!asking.signal.aborted) await simulated.advanceTo(++height);
  })();
  const answers: { height: number; timestamp: string | null; positions: readonly number[] }[] = [];
  try {
    for (let n = 0; n < 60; n++) {
      const { headers, body } = await gateway.rest('/api/v2/rewards?pagination.first=5000');
      const positions = body.rewards.edges.map(({ cursor }: { cursor: string }) => positionOf(cursor));
      answers.push({
        height: Number(headers.get('x-block-height')),
        timestamp: headers.get('x-block-timestamp'),
        positions,
      });
    }
  } finally {
    asking.abort();
    await applying;
  }
  const rewards = (await simulated.readTable('rewards')).map((row) => Number(row['created_position']));
  const times = new Map(
    (await simulated.readTable('blocks')).map((row) => [Number(row['height']), row['timestamp']]),
  );
  expect(answers.at(-1)?.height).toBeGreaterThan(BLOCKS);
  for (const answer of answers) {
    expect(answer.timestamp).toBe(times.get(answer.height));
    const due = rewards.filter((position) => position < (answer.height + 1) * 2 ** 20);
    const given = new Set(answer.positions);
    expect(
      due
        .sort((a, b) => b - a)
        .slice(0, 4000)
        .filter((position) => !given.has(position)),
    ).toEqual([]);
  }
});

/** Asks the path, and its operation with the variables that it makes of the query, and compares the texts. */
async function expectSame(
  path: string,
  inPath: Readonly<Record<string, string>>,
  query: string,
): Promise<void> {
  const route = routes.find((one) => one.path === path);
  if (route === undefined) throw new Error(`no route ${path}`);
  const address = path.replace(/:(\w+)/g, (_, name: string) => inPath[name] ?? '');
  const rest = await gateway.rest(`${address}?${query}`);
  expect([query, rest.status]).toEqual([query, 200]);
  const { data } = await gateway.graphql(print(route.operation), route.read(inPath, query).variables);
  expect(rest.text.replaceAll('\\u003c', '<').replaceAll('\\u003e', '>').replaceAll('\\u0026', '&')).toBe(
    JSON.stringify(documented(data)),
  );
}

/** The documented form of an answer: `/votes` is a bare list, cursors of empty pages are empty. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is that of the operations.
function documented(data: any): unknown {
  if (data.votes !== undefined) return { votes: data.votes.edges.map(({ node }: { node: unknown }) => node) };
  const [[name, value] = ['', null]] = Object.entries<Record<string, unknown>>(data);
  if (value === null || value['pageInfo'] === undefined) return data;
  const pageInfo = value['pageInfo'] as { startCursor: string | null; endCursor: string | null };
  const { startCursor, endCursor } = pageInfo;
  return {
    [name]: {
      ...value,
      pageInfo: { ...pageInfo, startCursor: startCursor ?? '', endCursor: endCursor ?? '' },
    },
  };
}

function goodQueries(path: string): fc.Arbitrary<string> {
  const some = (name: string, values: readonly string[]) =>
    fc
      .option(fc.constantFrom(...values), { freq: 2 })
      .map((value) => (value === null ? [] : [`${name}=${value}`]));
  const many = (name: string, values: readonly string[]) =>
    fc
      .array(fc.constantFrom(...values), { maxLength: 3 })
      .map((chosen) => chosen.map((value) => `${name}=${value}`));
  const page = fc
    .record({
      size: fc.option(fc.integer({ min: 1, max: 40 })),
      back: fc.boolean(),
      newestFirst: fc.option(fc.boolean()),
    })
    .map(({ size, back, newestFirst }) => [
      ...(size === null ? [] : [`pagination.${back ? 'last' : 'first'}=${size}`]),
      ...(newestFirst === null ? [] : [`pagination.newest_first=${newestFirst}`]),
    ]);
  const types = ['ACCOUNT_TYPE_GENERAL', 'ACCOUNT_TYPE_MARGIN', '4', 'ACCOUNT_TYPE_BOND'];
  const parts: Readonly<Record<string, readonly fc.Arbitrary<readonly string[]>[]>> = {
    '/api/v2/deposits': [
      some('partyId', ids.party),
      some('dateRange.startTimestamp', ['0', '1767225630000000000', '-5']),
      some('dateRange.end_timestamp', ['1767225680000000000', '9223372036854775807']),
      page,
    ],
    '/api/v2/accounts': [
      some('filter.assetId', ids.asset),
      many('filter.partyIds', [...ids.party, 'network']),
      many('filter.market_ids', ids.market),
      many('filter.accountTypes', types),
      page,
    ],
    '/api/v2/rewards': [
      some('partyId', ids.party),
      some('asset_id', ids.asset),
      some('fromEpoch', ['0', '2', '18446744073709551615']),
      some('toEpoch', ['0', '3', '18446744073709551615']),
      page,
    ],
    '/votes': [some('proposal', ids.proposal), some('party', ids.party)],
  };
  return fc.tuple(...(parts[path] ?? [])).map((given) => given.flat().join('&'));
}

const PATHS = ['/api/v2/deposits', '/api/v2/accounts', '/api/v2/rewards', '/votes'] as const;

const notWhole = fc
  .oneof(anyText({ maxLength: 30 }), fc.constantFrom('1.0', '1e3', '0x1', ' 1', '9'.repeat(400), '', '½'))
  .filter((text) => !/^[+-]?\d{1,20}$/.test(text) && !text.includes('\0') && text.isWellFormed());

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
    fc.constantFrom('partyId', 'party_id', 'pagination.newestFirst', 'pagination.after', 'pagination.before'),
    notWhole.filter((text) => text !== ''),
  ),
  fc.tuple(
    fc.constant('/api/v2/accounts'),
    fc.constantFrom('filter.assetId', 'filter.partyIds', 'filter.market_ids', 'filter.accountTypes'),
    notWhole.filter((text) => text !== '' && !text.includes(',')),
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

function positionOf(cursor: string): number {
  return Number(Buffer.from(cursor, 'base64url').toString().split('.')[2]);
}
