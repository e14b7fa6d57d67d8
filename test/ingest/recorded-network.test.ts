import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tradeOf } from '../rest/further-lists.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { recordedNetwork } from '../support/events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { withNames } from '../support/named-rows.ts';
import { runProgram } from '../support/program.ts';
import { readState, readTable, type State } from '../support/state.ts';
import { reduceRecording, type Tables } from './recorded-state.ts';

describe.skipIf(recordedNetwork === null)('the recorded network', () => {
  let database: TestDatabase;
  let gateway: TestGateway;
  let expected: Tables;
  let state: State;

  beforeAll(async () => {
    expected = reduceRecording(gunzipSync(readFileSync(recordedNetwork as string)));
    database = await createTestDatabase();
    const { code, stderr } = await ingest();
    expect(stderr).toMatch(
      /^Applied 1,088 blocks with 6,964 events of .*; the database is at block 1087 of testnet-001\.$/m,
    );
    expect(code).toBe(0);
    state = await readState(database.url);
    gateway = await startTestGateway(database.url);
  });

  afterAll(async () => {
    await gateway?.close();
    await database?.[Symbol.asyncDispose]();
  });

  const expectedRows = (table: string) => [...(expected[table]?.values() ?? [])];

  /** The rows as the documented answers have them: in camel case, without positions and what else is our own. */
  const inDocumentedTerms = (table: string) =>
    expectedRows(table).map((row) => {
      const named = Object.entries(row).map(
        ([column, value]) => [documentedName(table, column), value] as const,
      );
      return Object.fromEntries(named.filter(([name]) => name !== null));
    });

  const ingest = () =>
    runProgram(['ingest', 'file', recordedNetwork as string], { DATABASE_URL: database.url });

  test.each([
    ['blocks', 1087],
    ['parties', 34],
    ['assets', 5],
    ['markets', 3],
    ['risk_factors', 3],
    ['market_data', 3],
    ['accounts', 82],
    ['balance_changes', 151],
    ['deposits', 36],
    ['trades', 4],
    ['rewards', 2],
    ['proposals', 11],
    ['votes', 10],
    ['margin_levels', 11],
  ])('leaves in %s, of which there are %d, the last event of each key', async (table, count) => {
    const rows = (await readTable(database.url, table)).map((row) =>
      withNames(table, withoutNewerMembers(row)),
    );
    const wanted = expectedRows(table);
    expect(rows).toHaveLength(count);
    expect(wanted).toHaveLength(count);
    expect(rows).toEqual(expect.arrayContaining(wanted.map((row) => expect.objectContaining(row))));
  });

  test('ends with block 1087', async () => {
    const { data } = await gateway.graphql('{ block { height hash timestamp } }');
    const last = expected['blocks']?.get('1087');
    const { height, hash, timestamp } = last as Record<string, string>;
    expect(data.block).toEqual({ height, hash, timestamp });
    expect(height).toBe('1087');
  });

  test('serves the deposit that is known by value', async () => {
    const [id] = [...(expected['deposits']?.keys() ?? [])].filter((key) =>
      key.startsWith('c3a6ca6e946341b2'),
    );
    const wanted = {
      id,
      amount: '100000000000000000000000000',
      asset: expect.stringMatching(/^ea438780e0f53a4f/),
      status: 'STATUS_FINALIZED',
    };
    const overRest = await gateway.rest(`/api/v2/deposit/${id}`);
    expect(overRest.body).toMatchObject({ deposit: wanted });
    const query = 'query ($id: ID!) { deposit(id: $id) { id amount asset status } }';
    const overGraphql = await gateway.graphql(query, { id });
    expect(overGraphql.data.deposit).toEqual(wanted);
  });

  test('serves over REST every deposit, account, reward, trade, vote and market data as it was told last', async () => {
    const pageOf = async (list: string) => {
      const { body } = await gateway.rest(`/api/v2/${list}?pagination.newestFirst=false`);
      return body[list].edges.map(({ node }: { node: object }) => node);
    };
    const { body: votes } = await gateway.rest('/votes');
    const marketData = await Promise.all(
      expectedRows('market_data').map(({ market_id: id }) =>
        gateway.rest(`/api/v2/market/data/${id}/latest`),
      ),
    );
    expect(await pageOf('deposits')).toEqual(inDocumentedTerms('deposits'));
    expect(await pageOf('accounts')).toEqual(inDocumentedTerms('accounts'));
    expect(await pageOf('rewards')).toEqual(inDocumentedTerms('rewards'));
    expect(await pageOf('trades')).toEqual(
      expectedRows('trades').map((row) =>
        tradeOf({ ...row, buyer_auction_batch: '0', seller_auction_batch: '0' } as never),
      ),
    );
    expect(votes.votes).toHaveLength(10);
    expect(votes.votes).toEqual(expect.arrayContaining(inDocumentedTerms('votes')));
    expect(marketData.map(({ body }) => body.marketData)).toEqual(inDocumentedTerms('market_data'));
  });

  test('a second ingest changes nothing, and says so', async () => {
    const { code, stderr } = await ingest();
    expect(stderr).toMatch(
      /^Nothing new in .*; 1,088 blocks were there already; the database is at block 1087 /m,
    );
    expect(code).toBe(0);
    expect(await readState(database.url)).toEqual(state);
  });
});

/** Within the lists of market data are members of newer releases, of which this one tells nothing. */
function withoutNewerMembers(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isNewer = (name: string) => name === 'active' || name === 'virtualStake';
  const text = JSON.stringify(row, (name, value) => (isNewer(name) && value === null ? undefined : value));
  return JSON.parse(text);
}

function documentedName(table: string, column: string): string | null {
  if (['created_position', 'updated_position', 'updated_timestamp'].includes(column)) return null;
  if (column === 'asset_id' && table !== 'rewards') return 'asset';
  if (column === 'market_id' && table === 'market_data') return 'market';
  return column.replace(/_[a-z]/g, (start) => start.slice(1).toUpperCase());
}
