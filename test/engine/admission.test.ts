import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createDisposableDatabase } from '../support/database.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { startTestGateway } from '../support/gateway.ts';
import { ask, withClient } from '../support/state.ts';

const database = await forAllTests(createDisposableDatabase());
const gateway = await forAllTests(
  startTestGateway(database.url, { TRUSTED_PROXIES: 'loopback', ADMISSION_WAIT_MS: '80' }),
);

/** For what hangs, not for what is slow. */
const WAIT = { timeout: 120_000 };
const DEPOSITS = 'query Deposits($first: Int) { deposits(first: $first) { edges { node { id } } } }';

describe('a client that leaves', () => {
  test.each<[string, () => Promise<RequestInit & { readonly path: string }>]>([
    ['REST', async () => ({ path: '/api/v2/deposits?pagination.first=3' })],
    [
      'REST through the layers',
      async () => ({ path: '/api/v2/deposits', headers: { 'Accept-Encoding': 'gzip;q=0.5' } }),
    ],
    ['GraphQL', async () => ({ path: '/graphql', ...post(DEPOSITS, { first: 7 }) })],
    [
      'GraphQL with GET',
      async () => ({
        path: `/graphql?query=${encodeURIComponent(DEPOSITS)}&variables=${encodeURIComponent('{"first":8}')}`,
      }),
    ],
  ])('ends its statement on the server: %s', async (_, request) => {
    // A document that was asked before takes the short way.
    await gateway.graphql(DEPOSITS, { first: 1 });
    await withDepositsLocked(async () => {
      const leaving = new AbortController();
      const { path, ...init } = await request();
      const asked = fetch(`${gateway.url}${path}`, { ...init, signal: leaving.signal });
      const failed = expect(asked).rejects.toThrow();
      await expect.poll(countLocked).toBe(1);
      leaving.abort();
      await failed;
      await expect.poll(countLocked).toBe(0);
    });
  });

  test('is also one that ends its half of the connection: from here the two are the same', async () => {
    await withDepositsLocked(async () => {
      const { hostname, port } = new URL(gateway.url);
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).resume();
      const ended = once(socket, 'end');
      socket.write('GET /api/v2/deposits?pagination.first=12 HTTP/1.1\r\nHost: x\r\n\r\n');
      await expect.poll(countLocked).toBe(1);
      socket.end();
      await ended;
      await expect.poll(countLocked).toBe(0);
    });
  });

  test('leaves the others what they wait for together', async () => {
    await withDepositsLocked(async (unlock) => {
      const [first, second] = [new AbortController(), new AbortController()];
      const get = ({ signal }: AbortController) =>
        fetch(`${gateway.url}/api/v2/deposits?pagination.first=11`, { signal });
      const [left, stays] = [get(first), get(second)];
      const failed = expect(left).rejects.toThrow();
      await expect.poll(countLocked).toBe(1);
      first.abort();
      await failed;
      await unlock();
      expect((await stays).status).toBe(200);
    });
  });
});

describe('more than there is room for', () => {
  test('is refused with 503 while the rest is under way, and health is told', async () => {
    await withDepositsLocked(async (unlock) => {
      const asked = Array.from({ length: 300 }, (_, index) =>
        get(`/api/v2/deposits?partyId=${index}`, 'greedy'),
      );
      const settled = Promise.all(asked);
      const refused = await Promise.any(asked.map(async (one) => expectRefused(await one)));
      expect(refused.headers.get('retry-after')).toBe('1');
      expect((await get('/health/live', 'prober')).status).toBe(200);
      await expect.poll(countLocked).toBeGreaterThan(0);
      await unlock();
      const statuses = (await settled).map(({ status }) => status);
      const answered = statuses.filter((status) => status === 200).length;
      expect(statuses.filter((status) => status === 503).length).toBe(300 - answered);
      // What was under way when nothing went on any more.
      expect(answered).toBeGreaterThanOrEqual(2);
      expect(answered).toBeLessThan(60);
    });
    expect((await get('/api/v2/deposits?partyId=later', 'greedy')).status).toBe(200);
  });

  test('is refused as GraphQL says it, too', async () => {
    await withDepositsLocked(async (unlock) => {
      const body = (index: number) =>
        post(`query Q($id: ID) { deposits(partyId: $id) { edges { cursor } } }`, { id: `${index}` });
      const asked = Array.from({ length: 300 }, (_, index) => fetch(`${gateway.url}/graphql`, body(index)));
      const statuses = Promise.all(asked.map(async (one) => (await one).status));
      const refused = await Promise.any(
        asked.map(async (one) => {
          const response = (await one).clone();
          if (response.status !== 503) throw new Error('it was answered');
          return response.json();
        }),
      );
      expect(refused).toMatchObject({ code: 14, errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
      await unlock();
      expect(new Set(await statuses)).toEqual(new Set([200, 503]));
    });
  });
});

test('where too many wait, GraphQL is refused before anybody looks what it is', async () => {
  await using patient = await startTestGateway(database.url, { ADMISSION_WAIT_MS: '2000' });
  await withDepositsLocked(async (unlock) => {
    const ask = (path: string, init: RequestInit = {}) => fetch(`${patient.url}${path}`, init);
    // More ask than may wait, again and again, and what waits the whole time is refused.
    let isOver = false;
    const crowd = Array.from({ length: 60 }, async (_, index) => {
      while (!isOver) {
        await ask(`/api/v2/deposits?pagination.first=20&partyId=${index}`);
        await sleep(20);
      }
    });
    try {
      // In what is asked there is a mistake, which nobody tells.
      for (const [path, init] of [
        ['/graphql?query=%7B', {}],
        ['/graphql', { ...post('{'), headers: { 'Content-Type': 'text/plain' } }],
        [
          '/graphql',
          { ...post('{'), headers: { 'Content-Type': 'application/json', Accept: 'multipart/mixed' } },
        ],
      ] as const) {
        // Before the first was refused, and between two crowds, it is read.
        const refused = await vi.waitFor(async () => expectRefused(await ask(path, init)), WAIT);
        expect(refused.headers.get('retry-after')).toBe('1');
      }
      expect((await ask('/graphql', { method: 'OPTIONS' })).status).toBe(204);
    } finally {
      isOver = true;
      await unlock();
      await Promise.all(crowd);
    }
  });
});

function get(path: string, client: string): Promise<Response> {
  return fetch(`${gateway.url}${path}`, { headers: { 'X-Forwarded-For': addressOf(client) } });
}

/** Clients have addresses. */
function addressOf(client: string): string {
  return `192.0.2.${client.length}`;
}

async function expectRefused(response: Response): Promise<Response> {
  if (response.status !== 503) throw new Error('it was answered');
  expect(await response.clone().json()).toMatchObject({
    code: 14,
    message: expect.stringContaining('more to do than it can'),
  });
  return response;
}

function post(query: string, variables: object = {}) {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query, variables }),
  };
}

/** Nothing of deposits can be read until it is over, or unlocked. */
function withDepositsLocked(use: (unlock: () => Promise<unknown>) => Promise<void>): Promise<void> {
  return withClient(database.url, async (client) => {
    await client.query('BEGIN; LOCK TABLE deposits IN ACCESS EXCLUSIVE MODE');
    try {
      await use(() => client.query('ROLLBACK'));
    } finally {
      await client.query('ROLLBACK');
    }
  });
}

async function countLocked(): Promise<number> {
  const [row] = await ask<{ count: number }>(
    database.url,
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
