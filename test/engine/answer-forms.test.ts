import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startGateway } from '../../src/server.ts';
import { createDisposableDatabase, readerUrlOf } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import type { GraphqlError } from '../support/gateway.ts';
import { HANG_MS } from '../support/limits.ts';
import { ask as askDatabase } from '../support/state.ts';

/** What the gateway has logged. */
const logged: { readonly id?: string; readonly err?: { readonly message: string } }[] = [];

const database = await forAllTests(createDisposableDatabase());
const gateway = await forAllTests(
  startGateway({
    config: readConfig({ PORT: '0', SHUTDOWN_GRACE_MS: '0' }),
    databaseUrl: readerUrlOf(database.url),
    logger: pino({ level: 'error' }, { write: (line) => logged.push(JSON.parse(line)) }),
  }),
);
await askDatabase(database.url, 'ALTER TABLE deposits RENAME COLUMN amount TO other');

const FORMS = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'text/html, text/event-stream',
  'text/event-stream;q=0.9, text/plain',
  'multipart/mixed',
  'multipart/mixed;deferSpec=20220824',
  'multipart/mixed, text/event-stream',
  'multipart/mixed;boundary=graphql;subscriptionSpec=1.0, application/json',
];

const ASKED = FORMS.flatMap((accept) =>
  (['POST', 'GET'] as const)
    // A browser that asks for HTML gets GraphiQL.
    .filter((method) => method === 'POST' || !accept.includes('text/html'))
    .map((method) => [method, accept] as const),
);

const BROKEN = '{ deposits { edges { node { amount } } } }';

describe.each(ASKED)('an answer to %s that takes %s', (method, accept) => {
  test.each([
    ['as text', BROKEN],
    ['by graphql-js', `query ($no: Boolean = false) ${BROKEN.replace('amount', 'amount id @skip(if: $no)')}`],
  ])('says nothing of what went wrong within, %s', async (_, query) => {
    const { id, text, errors } = await ask(method, accept, query);
    expect(errors).toEqual([
      expect.objectContaining({
        message: `Something went wrong here, not with the request. The log has it under request id ${id}.`,
        extensions: {
          code: 'INTERNAL',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: id }],
        },
      }),
    ]);
    expect(text).not.toMatch(/does not exist|prisma|42703|select |node_modules/i);
    const [told, ...others] = logged.filter((line) => line.id === id);
    expect([told?.err?.message, others]).toEqual([expect.stringContaining('does not exist'), []]);
  });

  test.each([
    ['that cannot be read', '{'],
    ['that the schema does not have', '{ nope }'],
    ['that would change something', 'mutation { a }'],
    ['that there is none of', ''],
    ['whose arguments are wrong', '{ deposits(first: -1) { totalCount } }'],
  ])('gives the code of an operation %s', async (_, query) => {
    const { errors } = await ask(method, accept, query);
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['INVALID_ARGUMENT']);
  });
});

/** Asks, and reads the one result that the answer has in whatever form. */
async function ask(method: 'GET' | 'POST', accept: string, query: string) {
  const search = method === 'GET' ? `?${new URLSearchParams({ query })}` : '';
  const answer = await fetch(`${gateway.url}/graphql${search}`, {
    signal: AbortSignal.timeout(HANG_MS),
    method,
    headers: { accept, ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && { body: JSON.stringify({ query }) }),
  });
  const text = await answer.text();
  const { errors } = JSON.parse(/\{.*\}/.exec(text)?.[0] ?? 'null') as { errors: readonly GraphqlError[] };
  return { id: answer.headers.get('x-request-id'), text, errors };
}
