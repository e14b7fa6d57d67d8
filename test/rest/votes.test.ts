import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { type VoteValue, voteValues } from '../../src/domain/enumerations.ts';
import { createTestDatabase } from '../support/database.ts';
import { changes } from '../support/events.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { ask } from '../support/state.ts';
import { countStatements, settled } from '../support/statements.ts';
import { collectWarnings } from '../support/warnings.ts';

const VOTES = 60_000;
/** How many rows the gateway asks for at once. */
const PAGE = 1000;

const database = await forAllTests(createTestDatabase());
await ask(
  database.url,
  `INSERT INTO votes (created_position, updated_position, proposal_id, party_id, value, timestamp,
      total_governance_token_balance, total_governance_token_weight, total_equity_like_share_weight)
    SELECT n, n, 'proposal-' || n % 3, 'party-' || n, ${voteValues.numbers.VALUE_YES}, n, repeat('9', 200), '<&>', '0'
    FROM generate_series(1, ${VOTES}) AS n`,
);
await ask(database.url, 'ANALYZE votes');
const gateway = await forAllTests(startTestGateway(database.url));
const statements = countStatements();
afterAll(() => statements.stop());

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

test('a list that asks for more than its client may goes on at the rate of that', async () => {
  const slow = await startTestGateway(database.url, { RATE_LIMIT: '80000' });
  try {
    const { votes } = (await slow.rest('/votes')).body;
    expect(votes.length).toBe(VOTES);
    const metrics = await (await fetch(`${slow.url}/metrics`)).text();
    const [, refused] = /^periscope_rate_limited_total(?:\{.*\})? (\d+)$/m.exec(metrics) ?? [];
    expect(Number(refused)).toBeGreaterThan(0);
  } finally {
    await slow.close();
  }
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

test('a list has a tag, by which it is not read again until a vote of it changes', async () => {
  await using place = await createTestDatabase();
  await using writer = await Writer.open(place.url);
  await using own = await startTestGateway(place.url);
  const get = (path: string, tag = '') =>
    fetch(`${own.url}${path}`, { headers: { 'If-None-Match': tag || '"none"' } });
  const tagOf = async (path: string) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    await response.text();
    return response.headers.get('etag') ?? '';
  };
  await writer.write(...voteOf(1n, 'alice', 'VALUE_YES'));
  // The first block after a start lets go of all.
  await writer.write(...voteOf(2n, 'alice', 'VALUE_YES'));
  const isKept = async () => (await get('/votes?party=alice', await tagOf('/votes?party=alice'))).status;
  await expect.poll(isKept).toBe(304);
  await expect.poll(async () => (await fetch(`${own.url}/votes`)).headers.get('x-block-height')).toBe('2');
  const [alice, all] = [await tagOf('/votes?party=alice'), await tagOf('/votes')];
  const before = statements.texts.length;
  const known = await get('/votes?party=alice', alice);
  expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', alice]);
  expect(statements.texts.slice(before).filter((text) => text.includes('FROM votes'))).toEqual([]);
  await writer.write(...voteOf(3n, 'bob', 'VALUE_NO'));
  await expect.poll(async () => (await get('/votes', all)).status).toBe(200);
  expect((await get('/votes?party=alice', alice)).status).toBe(304);
  await writer.write(...voteOf(4n, 'alice', 'VALUE_NO'));
  await expect.poll(async () => (await get('/votes?party=alice', alice)).status).toBe(200);
});

/** A block with one vote. */
function voteOf(height: bigint, partyId: string, value: VoteValue) {
  const position = height << 20n;
  const weights = {
    totalGovernanceTokenBalance: '0',
    totalGovernanceTokenWeight: '0',
    totalEquityLikeShareWeight: '0',
    elsPerMarket: null,
  };
  const row = { ...weights, proposalId: 'p', partyId, value: voteValues.numbers[value], timestamp: height };
  const vote = [{ ...row, createdPosition: position, updatedPosition: position }];
  return [{ height, hash: '', timestamp: height, lastPosition: position }, changes({ vote })] as const;
}
