import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask } from '../support/state.ts';
import { countStatements, type StatementCount, settled } from '../support/statements.ts';
import { collectWarnings } from '../support/warnings.ts';

const VOTES = 60_000;
/** How many rows the gateway asks for at once. */
const PAGE = 1000;

let database: TestDatabase;
let gateway: TestGateway;
let statements: StatementCount;

beforeAll(async () => {
  database = await createTestDatabase();
  await ask(
    database.url,
    `INSERT INTO votes (created_position, updated_position, proposal_id, party_id, value, timestamp,
      total_governance_token_balance, total_governance_token_weight, total_equity_like_share_weight)
    SELECT n, n, 'proposal-' || n % 3, 'party-' || n, 'VALUE_YES', n, repeat('9', 200), '<&>', '0'
    FROM generate_series(1, ${VOTES}) AS n`,
  );
  await ask(database.url, 'ANALYZE votes');
  gateway = await startTestGateway(database.url);
  statements = countStatements();
});

afterAll(async () => {
  statements?.stop();
  await gateway?.close();
  await database?.[Symbol.asyncDispose]();
});

test('all votes come as one JSON document, exact and newest first', async () => {
  const response = await fetch(`${gateway.url}/votes`);
  const { votes } = (await response.json()) as { votes: { partyId: string; timestamp: string }[] };
  expect(votes.length).toBe(VOTES);
  expect(
    votes.every(
      ({ partyId, timestamp }, n) => partyId === `party-${VOTES - n}` && timestamp === `${VOTES - n}`,
    ),
  ).toBe(true);
  expect(votes[0]).toEqual({
    partyId: `party-${VOTES}`,
    value: 'VALUE_YES',
    proposalId: `proposal-${VOTES % 3}`,
    timestamp: String(VOTES),
    totalGovernanceTokenBalance: '9'.repeat(200),
    totalGovernanceTokenWeight: '<&>',
    totalEquityLikeShareWeight: '0',
  });
});

test('an answer makes Node warn of nothing', async () => {
  using warnings = collectWarnings();
  for (const encoding of ['identity', 'br', 'gzip'])
    await (
      await fetch(`${gateway.url}/votes?party=party-4`, { headers: { 'Accept-Encoding': encoding } })
    ).text();
  await fetch(`${gateway.url}/votes?party=party-4`, { method: 'HEAD' });
  await sleep(50);
  expect(warnings.told).toEqual([]);
});

test('filters are those of the list, and none that passes is an empty one', async () => {
  const some = await gateway.rest('/votes?proposal=proposal-1&party=party-4');
  expect(some.body.votes.map(({ partyId }: { partyId: string }) => partyId)).toEqual(['party-4']);
  expect((await gateway.rest('/votes?proposal=nothing')).text).toBe('{"votes":[]}');
  expect((await gateway.rest('/votes?proposal=&party=party-7')).body.votes).toHaveLength(1);
});

test('a reader that stops reading stops the asking, and one that leaves ends it', async () => {
  await sleep(300);
  const before = pagesAsked();
  const memory = process.memoryUsage().rss;
  const response = await openVotes();
  response.pause();
  const ahead = await settled(() => pagesAsked() - before);
  // What is ahead of the client lies in the sockets' buffers, here some megabytes at most.
  expect(ahead).toBeLessThan(VOTES / PAGE / 2);
  expect(process.memoryUsage().rss - memory).toBeLessThan(150 * 2 ** 20);

  response.destroy();
  const after = await settled(() => pagesAsked() - before);
  expect(after - ahead).toBeLessThanOrEqual(1);
});

function pagesAsked(): number {
  return statements.texts.filter((text) => text.includes('FROM votes')).length;
}

async function openVotes(): Promise<IncomingMessage> {
  const [response] = (await once(get(`${gateway.url}/votes`), 'response')) as [IncomingMessage];
  await once(response, 'readable');
  return response;
}
