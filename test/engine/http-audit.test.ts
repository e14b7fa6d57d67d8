import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOwnGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startOwnGateway();
});

afterAll(() => gateway?.[Symbol.asyncDispose]());

/** What the specification of GraphQL over HTTP asks of a server, as its audit has it: also what it only recommends. */
const AUDITS = serverAudits({ url: () => `${gateway.url}/graphql` });

test('the audit is whole', () => {
  expect(AUDITS).toHaveLength(61);
});

test.each(AUDITS.map((audit) => [audit.id, audit.name, audit] as const))('%s %s', async (_, _name, audit) => {
  const result = await audit.fn();
  expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok');
});
