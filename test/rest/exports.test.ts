import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema as graphqlSchema } from '../../src/graphql/index.ts';
import { AnswerSchemas } from '../../src/reference/answer-schemas.ts';
import { bodyOf } from '../../src/reference/body-schemas.ts';
import { routes } from '../../src/rest/index.ts';
import type { Route } from '../../src/rest/route.ts';
import { createTestDatabase } from '../support/database.ts';
import { recordedNetwork } from '../support/events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { writeNewerFields } from '../support/newer-fields.ts';
import { newerRecordings } from '../support/newer-networks.ts';
import { writeOddMarkets } from '../support/odd-markets.ts';
import { runProgram } from '../support/program.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask } from '../support/state.ts';
import { writeUnknownNumbers } from '../support/unknown-numbers.ts';
import { addParameter } from './addresses.ts';
import { flatten, listAddresses, readCsv, readPages } from './export-rows.ts';

const recordings = [
  ...(recordedNetwork === null ? [] : [recordedNetwork]),
  ...newerRecordings.filter((_, index) => index % 7 === 0).map(({ path }) => path),
];

test('docs/exports.md names the lists that come in no other form', () => {
  const answers = new AnswerSchemas(graphqlSchema);
  const [intro = ''] = readFileSync('docs/exports.md', 'utf8').split('\n## ');
  const isList = (route: Route) => {
    const [member = {}, ...others] = Object.values(bodyOf(route, answers).properties ?? {});
    return others.length === 0 && member.type === 'array';
  };
  const lists = routes.filter((route) => isList(route) && !('format' in route.parameters));
  expect(lists.map(({ path }) => path)).toEqual(['/api/v2/candle/intervals', '/api/v2/search']);
  for (const { path } of lists) expect(intro).toContain(`\`${path}\``);
});

test('every list of simulated networks is exported as its pages are', async () => {
  for (const release of ['0.71', '0.79'] as const) {
    await using simulated = await createSimulatedDatabase({
      seed: 31,
      blocks: 60,
      parties: 12,
      markets: 3,
      release,
    });
    if (release === '0.71') {
      await writeNewerFields(simulated.url);
      await writeUnknownNumbers(simulated.url);
      await writeOddMarkets(simulated.url);
    }
    await compareAll(simulated.url);
  }
});

describe.skipIf(recordings.length === 0)('of recorded networks (../shared/data),', () => {
  test.each(recordings)('every list of %s is exported as its pages are', async (path) => {
    await using database = await createTestDatabase();
    const { code, stderr } = await runProgram(['ingest', 'file', path], { DATABASE_URL: database.url });
    expect(code, stderr).toBe(0);
    await compareAll(database.url);
  });
});

/** Compares each list as CSV and as lines with its pages as of the block that the export names. */
async function compareAll(url: string): Promise<void> {
  const gateway = await startTestGateway(url);
  try {
    for (const address of await listAddresses(gateway)) {
      const csv = await get(gateway, addParameter(address, 'format=csv'));
      expect([address, csv.status]).toEqual([address, 200]);
      const height = csv.headers.get('x-block-height') ?? '';
      const pages = await readPages(gateway, address, height);
      const [header = ''] = csv.text.split('\r\n');
      const columns = header.split(',').map((name) => JSON.parse(name) as string);
      const expected = pages.map((page) => {
        const row = flatten(page);
        expect(columns).toEqual(expect.arrayContaining(Object.keys(row)));
        return Object.fromEntries(columns.map((name) => [name, row[name] ?? '']));
      });
      expect([address, readCsv(csv.text)]).toEqual([address, expected]);
      const lines = await get(gateway, addParameter(address, `format=ndjson&asOf=${height}`));
      expect([
        address,
        lines.text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
      ]).toEqual([address, pages]);
      await compareFromCursor(gateway, address, pages);
    }
  } finally {
    await gateway.close();
  }
}

/** Exports what follows a page of the present, and names no block. */
async function compareFromCursor(gateway: TestGateway, address: string, rows: readonly object[]) {
  if (rows.length === 0 || !(await isPaged(gateway, address))) return;
  for (const newestFirst of [true, false]) {
    const list = addParameter(address, `pagination.newestFirst=${newestFirst}`);
    const { body } = await gateway.rest(addParameter(list, 'pagination.first=2'));
    const [page] = Object.values(body) as { edges: readonly object[]; pageInfo: { endCursor: string } }[];
    const { edges = [], pageInfo } = page ?? {};
    const { status, text } = await get(
      gateway,
      addParameter(list, `format=ndjson&pagination.after=${pageInfo?.endCursor}`),
    );
    const following = (newestFirst ? rows : rows.toReversed()).slice(edges.length);
    const lines = text.split('\n').slice(0, -1);
    expect([list, status, lines.map((line) => JSON.parse(line))]).toEqual([list, 200, following]);
  }
}

/** Whether a list has pages in both orders. */
async function isPaged(gateway: TestGateway, address: string): Promise<boolean> {
  const { status, body } = await gateway.rest(addParameter(address, 'pagination.newestFirst=true'));
  const [list] = Object.values(body);
  return status === 200 && !Array.isArray(list);
}

async function get(gateway: TestGateway, address: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${gateway.url}${address}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('of a network,', () => {
  let simulated: Awaited<ReturnType<typeof createSimulatedDatabase>>;
  let gateway: TestGateway;

  beforeAll(async () => {
    simulated = await createSimulatedDatabase({ seed: 7, blocks: 40, parties: 300, markets: 2 });
    const names = [
      ['=1+1', '+1'],
      ['@now()', '-2+3'],
      ['a "b", c\nd', '-7'],
      ['＝x', '\ty'],
    ];
    const { length } = await ask(simulated.url, 'SELECT id FROM assets');
    for (const [index, [name, symbol]] of names.slice(0, length).entries())
      await ask(
        simulated.url,
        `UPDATE assets SET name = ${quote(name)}, symbol = ${quote(symbol)} WHERE id = (SELECT id FROM assets ORDER BY id OFFSET ${index} LIMIT 1)`,
      );
    gateway = await startTestGateway(simulated.url);
  });

  afterAll(async () => {
    await gateway?.close();
    await simulated?.[Symbol.asyncDispose]();
  });

  test('a header stands also above no rows', async () => {
    const { text } = await get(gateway, '/api/v2/accounts?format=csv&filter.partyIds=nobody');
    expect(text).toBe('"owner","balance","asset","marketId","type"\r\n');
    expect((await get(gateway, '/api/v2/accounts?format=ndjson&filter.partyIds=nobody')).text).toBe('');
  });

  test('the first rows are as many as are asked for, from a cursor on, and from either end', async () => {
    const all = readCsv((await get(gateway, '/api/v2/accounts?format=csv')).text);
    expect(all.length).toBeGreaterThan(450);
    const some = async (query: string) =>
      readCsv((await get(gateway, `/api/v2/accounts?format=csv&${query}`)).text);
    expect(await some('pagination.first=7')).toEqual(all.slice(0, 7));
    expect(await some('pagination.first=450')).toEqual(all.slice(0, 450));
    expect(await some('pagination.newestFirst=false')).toEqual(all.toReversed());
    const { body } = await gateway.rest('/api/v2/accounts?pagination.first=3&asOf=40');
    expect(await some(`asOf=40&pagination.after=${body.accounts.pageInfo.endCursor}`)).toEqual(all.slice(3));
  });

  test('so are the first changed rows: of these the last block is whole, as in a page', async () => {
    const address = '/api/v2/changes?nouns=accounts,votes&pagination.first=';
    for (const first of [1, 30, 700]) {
      const { body } = await gateway.rest(`${address}${first}`);
      const { text } = await get(gateway, `${address}${first}&format=ndjson`);
      const blocks = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(blocks).toEqual(body.changes.edges.map(({ node }: { node: unknown }) => node));
    }
  });

  test('Accept chooses the form as the parameter does, which is before it; what is not known is JSON', async () => {
    const typeOf = async (accept: string, query = '') =>
      (await get(gateway, `/api/v2/rewards?pagination.first=1${query}`, { Accept: accept })).headers.get(
        'content-type',
      );
    const csv = 'text/csv; charset=utf-8; header=present';
    // The answer in JSON is kept by then.
    for (let times = 0; times < 3; times += 1) expect(await typeOf('*/*')).toBe('application/json');
    expect(await typeOf('text/csv')).toBe(csv);
    expect(await typeOf('application/json;q=0.5, text/csv')).toBe(csv);
    expect(await typeOf('application/x-ndjson')).toBe('application/x-ndjson');
    expect(await typeOf('text/csv', '&format=json')).toBe('application/json');
    expect(await typeOf('text/csv', '&%66ormat=ndjson')).toBe('application/x-ndjson');
    expect(await typeOf('image/png')).toBe('application/json');
    expect(await typeOf('text/*', '&%66ormat=')).toBe('application/json');
    expect(await typeOf('text/csv;q=0')).toBe('application/json');
    const { headers } = await get(gateway, '/api/v2/rewards');
    expect(headers.get('vary')).toContain('Accept');
    const typeOfVotes = async (accept: string) =>
      (await get(gateway, '/votes', { Accept: accept })).headers.get('content-type');
    expect([await typeOfVotes('text/csv'), await typeOfVotes('text/*')]).toEqual([csv, 'application/json']);
  });

  test('what does not go with an export is refused by name', async () => {
    const refused = async (query: string) => {
      const { status, body } = await gateway.rest(`/api/v2/${query}`);
      return [status, body.details[0].fieldViolations[0].field];
    };
    expect(await refused('rewards?format=xml')).toEqual([400, 'format']);
    expect(await refused('rewards?format=csv&pagination.last=5')).toEqual([400, 'pagination.last']);
    const { body } = await gateway.rest('/api/v2/rewards?format=csv&pagination.last=5');
    expect(body.message).toContain('from the start of the list or from pagination.after');
    expect(await refused('rewards?units=true')).toEqual([400, 'units']);
    expect(await refused('rewards?units=true&format=json')).toEqual([400, 'units']);
    expect(await refused('assets?units=true&format=csv')).toEqual([400, 'units']);
    expect(await refused('rewards?format=csv&fromEpoch=x')).toEqual([400, 'fromEpoch']);
    const { headers } = await get(gateway, '/api/v2/deposit/x?format=csv');
    expect(headers.get('x-ignored-parameters')).toBe('format');
  });

  test('an export names its block, its file and its form, and is known by a tag; HEAD has the same', async () => {
    const { status, headers } = await get(gateway, '/api/v2/rewards?format=csv&asOf=30');
    expect([status, headers.get('x-block-height'), headers.get('content-disposition')]).toEqual([
      ...[200, '30', 'attachment; filename="rewards-30.csv"'],
    ]);
    expect(headers.get('cache-control')).toContain('immutable');
    const now = await get(gateway, '/api/v2/rewards/epoch/summaries?format=spreadsheet');
    expect(now.headers.get('content-disposition')).toBe(
      'attachment; filename="rewards-epoch-summaries-40.csv"',
    );
    expect(now.headers.get('cache-control')).not.toContain('immutable');
    const tag = headers.get('etag') ?? '';
    const again = await get(gateway, '/api/v2/rewards?format=csv&asOf=30', { 'If-None-Match': tag });
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await get(gateway, '/api/v2/rewards?format=ndjson&asOf=30', { 'If-None-Match': tag });
    expect(other.status).toBe(200);
    const response = await fetch(`${gateway.url}/api/v2/rewards?format=csv&asOf=30`, { method: 'HEAD' });
    expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([200, tag, '']);
  });

  test('what was has a strong tag, unless it is compressed as it comes; the newest has a weak one', async () => {
    for (const list of ['rewards?', 'accounts?units=true&', 'rewards/summaries?']) {
      const tagOf = async (query: string, coding: string) => {
        const address = `/api/v2/${list}format=csv${query}`;
        return (await get(gateway, address, { 'Accept-Encoding': coding })).headers.get('etag');
      };
      const strong = await tagOf('&asOf=30', 'identity');
      expect(strong).toMatch(/^"\d+-csv(?:-units)?"$/);
      expect(await tagOf('&asOf=30', 'gzip')).toBe(`W/${strong}`);
      expect(await tagOf('', 'identity')).toMatch(/^W\//);
    }
  });

  test('amounts come in the units of their asset as well, exactly', async () => {
    const rows = await ask(
      simulated.url,
      `SELECT trim_scale(balance::numeric * ('1e-' || decimals)::numeric)::text AS units, balance
       FROM accounts JOIN assets ON assets.id = asset_id ORDER BY accounts.created_position DESC`,
    );
    const exported = readCsv((await get(gateway, '/api/v2/accounts?format=csv&units=true')).text);
    expect(exported.map(({ balanceInUnits, balance }) => ({ units: balanceInUnits, balance }))).toEqual(rows);
    expect(rows.some(({ units }) => String(units).includes('.'))).toBe(true);
    const [line = ''] = (
      await get(gateway, '/api/v2/deposits?format=ndjson&units=true&pagination.first=1')
    ).text.split('\n');
    expect(JSON.parse(line)).toHaveProperty('amountInUnits');
  });

  test('what users of the network write is no formula, and reads back; numbers stay numbers', async () => {
    const { text } = await get(gateway, '/api/v2/assets?format=csv&pagination.newestFirst=false');
    const written = new Set(readCsv(text).flatMap((row) => [row['details.name'], row['details.symbol']]));
    expect([...written]).toEqual(expect.arrayContaining(["'=1+1", "'+1", "'@now()", "'-2+3"]));
    const plain = readCsv((await get(gateway, '/api/v2/accounts?format=csv')).text);
    for (const { balance } of plain) expect(balance).toMatch(/^-?\d+$/);
  });

  test('for a spreadsheet whatever begins like a number is a formula that gives the text', async () => {
    const response = await fetch(`${gateway.url}/api/v2/accounts?format=spreadsheet`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = bytes.toString();
    const plain = readCsv((await get(gateway, '/api/v2/accounts?format=csv')).text);
    const told = readCsv(text).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, /^="(.*)"$/.exec(value)?.[1] ?? value]),
      ),
    );
    expect(told).toEqual(plain);
    expect(readCsv(text).every(({ balance }) => balance?.startsWith('="'))).toBe(true);
  });
});

function quote(text = ''): string {
  return `'${text.replaceAll("'", "''")}'`;
}
