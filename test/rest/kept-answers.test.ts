import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getRaw, parseAnswer } from '../http/serve.ts';
import { type AccountNetwork, party, startAccountNetwork } from '../support/account-network.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { within } from '../support/message-queue.ts';
import { chooseRandom } from '../support/seed.ts';
import { ask } from '../support/state.ts';
import { countStatements, type StatementCount } from '../support/statements.ts';

const ACCOUNTS = '/api/v2/accounts';
const DEPOSITS = '/api/v2/deposits';

let network: AccountNetwork;
let gateway: TestGateway;
let port: number;
let statements: StatementCount;

beforeEach(async () => {
  network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  gateway = await startTestGateway(network.url);
  port = Number(new URL(gateway.url).port);
  await untilFollowing();
  // The first block after a start lets go of all: what came before it is not known.
  await settleAt(await network.block({ owner: party(1), balance: '2' }));
  statements = countStatements();
});

afterEach(async () => {
  statements?.stop();
  await gateway?.close();
  await network?.[Symbol.asyncDispose]();
});

/** How many statements have read a table. */
function reads(table: string): number {
  return statements.texts.filter((text) => text.includes(`FROM ${table} AS t`)).length;
}

/** Waits until equal questions are answered without being asked of the database. */
async function untilFollowing(): Promise<void> {
  const counted = countStatements();
  try {
    const isKept = async () => {
      await gateway.rest('/api/v2/rewards');
      const before = counted.texts.filter((text) => text.includes('FROM rewards AS t')).length;
      await gateway.rest('/api/v2/rewards');
      return counted.texts.filter((text) => text.includes('FROM rewards AS t')).length === before;
    };
    await expect.poll(isKept).toBe(true);
  } finally {
    counted.stop();
  }
}

/** Waits until the gateway names a block. */
async function settleAt(height: number): Promise<void> {
  const named = async () => (await gateway.rest('/api/v2/rewards')).headers.get('x-block-height');
  await expect.poll(named, { interval: 10 }).toBe(String(height));
}

test('what a block changes is read again, and nothing else is, once it was asked for twice', async () => {
  const before = [await gateway.rest(ACCOUNTS), await gateway.rest(DEPOSITS)];
  for (let n = 0; n < 5; n++) {
    expect((await gateway.rest(ACCOUNTS)).text).toBe(before[0]?.text);
    expect((await gateway.rest(DEPOSITS)).text).toBe(before[1]?.text);
  }
  expect([reads('accounts'), reads('deposits')]).toEqual([2, 2]);
  const height = await network.block({ owner: party(1), balance: '77' });
  await settleAt(height);
  const after = [await gateway.rest(ACCOUNTS), await gateway.rest(DEPOSITS)];
  expect([reads('accounts'), reads('deposits')]).toEqual([3, 2]);
  expect((await gateway.rest(ACCOUNTS)).text).toBe(after[0]?.text);
  // What was kept before is kept again at once.
  expect(reads('accounts')).toBe(3);
  expect(after[0]?.body.accounts.edges[0].node.balance).toBe('77');
  // One that was not read again is of the newest block too: nothing in it has changed.
  expect(after.map(({ headers }) => headers.get('x-block-height'))).toEqual([`${height}`, `${height}`]);
});

test('many equal questions at once are one statement', async () => {
  const path = `${ACCOUNTS}?pagination.first=7`;
  // Asked for before, so that it is kept for those of them that come late.
  await gateway.rest(path);
  const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.rest(path)));
  expect(reads('accounts')).toBe(2);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('a question that is written otherwise is another one', async () => {
  for (const query of ['?pretty', '?pretty=1', '?unknown=1', '']) await gateway.rest(`${ACCOUNTS}${query}`);
  expect(reads('accounts')).toBe(4);
});

test('nothing kept is given while the feed has lost the database, though it can be read', async () => {
  const name = new URL(network.url).pathname.slice(1);
  for (let n = 0; n < 3; n++) await gateway.rest(ACCOUNTS);
  expect(reads('accounts')).toBe(2);
  // Connections that are open stay, and no role but the owner's gets a new one.
  await ask(network.url, `ALTER DATABASE "${name}" CONNECTION LIMIT 0`);
  try {
    await ask(
      network.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'periscope listener %'`,
    );
    await expect.poll(isAskedAnew).toBe(true);
    await network.block({ owner: party(1), balance: '79' });
    const { body } = await gateway.rest(ACCOUNTS);
    expect(body.accounts.edges[0].node.balance).toBe('79');
    expect(await isAskedAnew()).toBe(true);
  } finally {
    await ask(network.url, `ALTER DATABASE "${name}" CONNECTION LIMIT -1`);
  }
  await expect.poll(isAskedAnew).toBe(false);
});

/** Whether each of two equal questions is asked of the database. */
async function isAskedAnew(): Promise<boolean> {
  const before = reads('accounts');
  for (let n = 0; n < 2; n++) await gateway.rest(ACCOUNTS);
  return reads('accounts') === before + 2;
}

test('no answer is older than the block that it names, whatever is written and asked', async () => {
  const random = chooseRandom('kept answers under writes');
  const OWNERS = 5;
  /** What each owner had after each block. */
  const history: (readonly number[])[] = [
    [],
    [],
    Array.from({ length: OWNERS }, (_, n) => (n === 1 ? 2 : 0)),
  ];
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      const owner = random.below(OWNERS);
      const last = history.at(-1) ?? [];
      const height = history.length;
      // Some blocks change nothing that is asked for.
      const isOther = random.oneIn(3);
      const changes = isOther ? [] : [{ owner: party(owner), balance: `${height}` }];
      history.push(last.map((balance, n) => (!isOther && n === owner ? height : balance)));
      expect(await network.block(...changes)).toBe(height);
      if (random.oneIn(4)) await new Promise((resolve) => setTimeout(resolve, random.below(30)));
    }
  })();
  const named = new Set<number>();
  let given = 0;
  try {
    const read = async () => {
      while (named.size < 40 || given < 2000) {
        const owner = random.below(OWNERS);
        const path = `${ACCOUNTS}?filter.partyIds=${party(owner)}`;
        const { body, headers } = await gateway.rest(random.oneIn(2) ? path : ACCOUNTS);
        const height = Number(headers.get('x-block-height'));
        const edges: { node: { owner: string; balance: string } }[] = body.accounts.edges;
        for (const { node } of edges) {
          const index = Number.parseInt(node.owner, 16);
          expect(Number(node.balance)).toBeGreaterThanOrEqual(history[height]?.[index] ?? Number.NaN);
        }
        named.add(height);
        given += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, read));
  } finally {
    isOver = true;
    await writing;
  }
  await settleAt(history.length - 1);
  const { body } = await gateway.rest(ACCOUNTS);
  const balances = new Map(
    body.accounts.edges.map(({ node }: { node: { owner: string; balance: string } }) => [
      node.owner,
      Number(node.balance),
    ]),
  );
  expect(balances).toEqual(
    new Map(
      (history.at(-1) ?? []).flatMap((balance, n) => (balance === 0 ? [] : [[party(n), balance] as const])),
    ),
  );
  // Most of them were not read.
  expect(reads('accounts')).toBeLessThan(given);
});

describe('an answer that the client has already', () => {
  test.each([
    ['the same tag', (tag: string) => tag],
    ['the strong form of it', (tag: string) => tag.replace('W/', '')],
    ['it among others', (tag: string) => `"a", ${tag} , W/"b"`],
    ['any', () => '*'],
  ])('is 304 without a body, for %s', async (_, toHeader) => {
    const first = await getRaw(port, ACCOUNTS, {});
    for (const [method, encoding] of [
      ['GET', 'identity'],
      ['GET', 'br'],
      ['HEAD', 'gzip'],
    ] as const) {
      const headers = {
        'If-None-Match': toHeader(String(first.headers['etag'])),
        'Accept-Encoding': encoding,
      };
      const answer = await getRaw(port, ACCOUNTS, headers, method);
      expect([answer.status, answer.body.length]).toEqual([304, 0]);
      for (const name of [
        'etag',
        'cache-control',
        'vary',
        'x-block-height',
        'x-block-timestamp',
        'x-frame-options',
      ])
        expect([name, answer.headers[name]]).toEqual([name, first.headers[name]]);
      for (const name of ['content-type', 'content-length', 'transfer-encoding', 'content-encoding'])
        expect([name, answer.headers[name]]).toEqual([name, undefined]);
    }
    expect(reads('accounts')).toBe(2);
  });

  test.each(['"else"', 'W/"else", "more"', 'W/*', ''])('is 200 for %s', async (header) => {
    const answer = await getRaw(port, ACCOUNTS, { 'If-None-Match': header });
    expect([answer.status, answer.headers['cache-control']]).toEqual([
      200,
      'public, max-age=0, s-maxage=1, stale-while-revalidate=1',
    ]);
  });

  test('is another one when it changes, and is not when another changes', async () => {
    const tags = async () =>
      [ACCOUNTS, DEPOSITS].map(async (path) => (await gateway.rest(path)).headers.get('etag'));
    const [account, deposit] = await Promise.all(await tags());
    await settleAt(await network.block({ owner: party(1), balance: '78' }));
    const [accountAfter, depositAfter] = await Promise.all(await tags());
    expect([accountAfter === account, depositAfter === deposit]).toEqual([false, true]);
  });

  test.each(['/api/v2/accounts?pagination.first=0', '/api/v2/deposit/unknown'])(
    'is no error: %s',
    async (path) => {
      const answer = await getRaw(port, path, { 'If-None-Match': '*' });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect([answer.headers['etag'], answer.headers['cache-control']]).toEqual([undefined, 'no-store']);
    },
  );
});

test('a stop tells those who are answered in front that their connection ends', async () => {
  await using stopping = await startTestGateway(network.url, { SHUTDOWN_GRACE_MS: '2000' });
  const socket = connect(Number(new URL(stopping.url).port), '127.0.0.1').setEncoding('latin1');
  const parts: string[] = [];
  socket.on('data', (chunk: string) => parts.push(chunk));
  const request = `GET ${ACCOUNTS} HTTP/1.1\r\nHost: x\r\n\r\n`;
  socket.write(request);
  await expect.poll(() => parts.join('')).toContain('pageInfo');
  expect(parseAnswer(parts.splice(0).join('')).headers.get('connection')).toBe('keep-alive');
  const ended = once(socket, 'close');
  const closing = stopping.close();
  socket.write(request);
  await within(ended, 'the end of the connection');
  const { status, headers, body } = parseAnswer(parts.join(''));
  expect([status, headers.get('connection')]).toEqual([200, 'close']);
  expect(JSON.parse(body).accounts.edges).toHaveLength(1);
  await closing;
});
