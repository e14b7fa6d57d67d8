import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Writer } from '../../src/data/writing/writer.ts';
import { voteValues } from '../../src/domain/enumerations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { CHAIN, changes } from '../support/events.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';
import { ask } from '../support/state.ts';
import { countStatements, type StatementCount, settled } from '../support/statements.ts';
import { readCsv } from './export-rows.ts';

const VOTES = 60_000;
/** How many rows the gateway asks for at once. */
const PAGE = 1000;

let database: TestDatabase;
let gateway: TestGateway;
let statements: StatementCount;

beforeAll(async () => {
  database = await createTestDatabase();
  await using writer = await Writer.open(database.url);
  await writer.claimNetwork(CHAIN);
  await writer.write(...blockOf(1n, 1, VOTES, 'VALUE_YES'));
  gateway = await startTestGateway(database.url);
  statements = countStatements();
});

afterAll(async () => {
  statements?.stop();
  await gateway?.close();
  await database?.[Symbol.asyncDispose]();
});

test('what is written meanwhile is in no page: an export is of the block that it names', async () => {
  await using own = await createTestDatabase();
  await using writer = await Writer.open(own.url);
  await writer.claimNetwork(CHAIN);
  await writer.write(...blockOf(1n, 1, VOTES, 'VALUE_YES'));
  const serving = await startTestGateway(own.url);
  try {
    const response = await open('/votes?format=csv', serving.url);
    response.pause();
    expect(response.headers['x-block-height']).toBe('1');
    // All change, the oldest among them, whose pages are not read yet; and others come.
    await writer.write(...blockOf(2n, 1, VOTES, 'VALUE_NO'));
    await writer.write(...blockOf(3n, VOTES + 1, 500, 'VALUE_NO'));
    await expect
      .poll(async () => (await fetch(`${serving.url}/votes?party=x`)).headers.get('x-block-height'))
      .toBe('3');
    const rows = readCsv(await readText(response));
    expect(rows.length).toBe(VOTES);
    expect(
      rows.every(({ value, partyId }, n) => value === 'VALUE_YES' && partyId === `party-${VOTES - n}`),
    ).toBe(true);
  } finally {
    await serving.close();
  }
});

test('a reader that stops reading stops the asking, and one that leaves ends it', async () => {
  const before = pagesAsked();
  const memory = process.memoryUsage().rss;
  const response = await open('/votes?format=csv');
  response.pause();
  const ahead = await settled(() => pagesAsked() - before);
  // What is ahead of the client lies in the sockets' buffers, here some megabytes at most.
  expect(ahead).toBeLessThan(VOTES / PAGE / 2);
  expect(process.memoryUsage().rss - memory).toBeLessThan(150 * 2 ** 20);
  response.destroy();
  const after = await settled(() => pagesAsked() - before);
  expect(after - ahead).toBeLessThanOrEqual(1);
});

test('a page that fails cuts the body, which lacks its end', async () => {
  const response = await open('/votes?format=ndjson');
  response.pause();
  await settled(pagesAsked);
  await ask(database.url, 'ALTER TABLE votes RENAME TO votes_elsewhere');
  try {
    await expect(readText(response)).rejects.toThrow();
    expect(response.complete).toBe(false);
  } finally {
    await ask(database.url, 'ALTER TABLE votes_elsewhere RENAME TO votes');
  }
});

test('what fails before the first byte is an error in words, also where it is asked for besides the rows', async () => {
  await using own = await createSimulatedDatabase({ seed: 3, blocks: 10, parties: 4, markets: 1 });
  const serving = await startTestGateway(own.url);
  try {
    await ask(own.url, 'ALTER TABLE assets RENAME TO assets_elsewhere');
    const asked = `${serving.url}/api/v2/accounts?format=csv`;
    expect((await fetch(asked)).status).toBe(200);
    const response = await fetch(`${asked}&units=true`);
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/json']);
    expect(await response.json()).toMatchObject({ code: 13 });
  } finally {
    await ask(own.url, 'ALTER TABLE assets_elsewhere RENAME TO assets');
    await serving.close();
  }
});

test('an export that asks for more than its client may goes on at the rate of that', async () => {
  const slow = await startTestGateway(database.url, { RATE_LIMIT: '150000' });
  try {
    const response = await open('/votes?format=csv', slow.url);
    expect(readCsv(await readText(response)).length).toBe(VOTES);
    const metrics = await (await fetch(`${slow.url}/metrics`)).text();
    const [, refused] = /^periscope_rate_limited_total(?:\{.*\})? (\d+)$/m.exec(metrics) ?? [];
    expect(Number(refused)).toBeGreaterThan(0);
  } finally {
    await slow.close();
  }
});

function pagesAsked(): number {
  return statements.texts.filter((text) => text.includes('FROM votes')).length;
}

async function open(path: string, url = gateway.url): Promise<IncomingMessage> {
  const [response] = (await once(get(`${url}${path}`), 'response')) as [IncomingMessage];
  await once(response, 'readable');
  return response;
}

/** A block with so many votes from a number on. */
function blockOf(height: bigint, first: number, count: number, value: 'VALUE_YES' | 'VALUE_NO') {
  const start = height << 20n;
  const vote = Array.from({ length: count }, (_, index) => {
    const number = first + index;
    const updatedPosition = start + BigInt(index);
    return {
      ...{ proposalId: 'p', partyId: `party-${number}`, value: voteValues.numbers[value], timestamp: height },
      ...{ totalGovernanceTokenBalance: '9'.repeat(200), totalGovernanceTokenWeight: '0' },
      ...{ totalEquityLikeShareWeight: '0', elsPerMarket: null },
      // What was there before stays where it was.
      ...{
        createdPosition: number > VOTES ? updatedPosition : (1n << 20n) + BigInt(number - 1),
        updatedPosition,
      },
    };
  });
  const lastPosition = start + BigInt(count);
  return [{ height, hash: '', timestamp: height, lastPosition }, changes({ vote })] as const;
}
