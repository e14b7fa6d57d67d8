import { serverAudits } from 'graphql-http';
import { expect, test } from 'vitest';
import { forAllTests } from '../support/for-all-tests.ts';
import { startOwnGateway } from '../support/gateway.ts';

const gateway = await forAllTests(startOwnGateway());

/** What the specification of GraphQL over HTTP asks of a server, as its audit has it: also what it only recommends. */
const AUDITS = serverAudits({ url: () => `${gateway.url}/graphql` });

test('the audit is whole', () => {
  expect(AUDITS).toHaveLength(61);
});

test.each(AUDITS.map((audit) => [audit.id, audit.name, audit] as const))('%s %s', async (_, _name, audit) => {
  const result = await audit.fn();
  expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok');
});
