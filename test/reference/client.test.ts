import createClient from 'openapi-fetch';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { describeRest } from '../../src/reference/openapi.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import type { components, paths } from './rest-client.d.ts';

const database = await forAllTests(createSimulatedDatabase({ seed: 5, blocks: 60, parties: 12, markets: 1 }));
const gateway = await forAllTests(startTestGateway(database.url));

/** `npx vitest run test/reference/client.test.ts --update` generates them anew. */
test('the types of the client are those that the document gives', async () => {
  const generated = astToString(await openapiTS(JSON.stringify(describeRest())));
  await expect(generated).toMatchFileSnapshot('rest-client.d.ts');
});

test('a client that was generated from the document walks all rewards', async () => {
  const client = createClient<paths, 'application/json'>({ baseUrl: gateway.url });
  const walked: components['schemas']['Reward'][] = [];
  let after: string | undefined;
  do {
    const query = { 'pagination.first': 7, ...(after === undefined ? {} : { 'pagination.after': after }) };
    const { data, error } = await client.GET('/api/v2/rewards', { params: { query } });
    if (error !== undefined) throw new Error(error.message);
    const { edges, pageInfo } = data.rewards;
    walked.push(...edges.map(({ node }) => node));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined;
  } while (after !== undefined);

  const rows = await database.readTable('rewards');
  const inTable = rows.map((row) => `${row['party_id']} ${row['epoch']} ${row['amount']}`).sort();
  expect(walked.length).toBeGreaterThan(14);
  expect(walked.map(({ partyId, epoch, amount }) => `${partyId} ${epoch} ${amount}`).sort()).toEqual(inTable);
});

test('a list goes as the document says, a path too, and an error comes typed', async () => {
  const client = createClient<paths, 'application/json'>({ baseUrl: gateway.url });
  const query = { 'filter.accountTypes': ['ACCOUNT_TYPE_MARGIN', 'ACCOUNT_TYPE_GENERAL', 'ACCOUNT_TYPE_99'] };
  const { data } = await client.GET('/api/v2/accounts', { params: { query } });
  const types = new Set(data?.accounts.edges.map(({ node }) => node.type));
  expect([...types].sort()).toEqual(['ACCOUNT_TYPE_GENERAL', 'ACCOUNT_TYPE_MARGIN']);
  // @ts-expect-error: a type is text, named or not.
  await client.GET('/api/v2/accounts', { params: { query: { 'filter.accountTypes': [4] } } });
  const { error } = await client.GET('/api/v2/deposit/{id}', { params: { path: { id: 'none' } } });
  expect(error?.code).toBe(5);
});
