import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { coverRange } from '../../src/data/history/coverage.ts';
import { ROWS_BY_POSITION } from '../../src/data/history/partitions.ts';
import { forgetRows } from '../../src/data/history/row-retention.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createDisposableDatabase, readerUrlOf } from '../../test/support/database.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { seed } from '../../test/support/seed.ts';
import { ask, withClient } from '../../test/support/state.ts';
import { fillRewards } from '../bench/database/fill.ts';
import { idOf } from '../bench/database/rows.ts';
import { type BenchRequest, get, graphql } from '../bench/load/request.ts';
import { quantile, sorted } from '../bench/measure/figures.ts';
import { startPeriscope } from '../bench/servers/start-server.ts';

// A day of rewards is dropped while questions go on, at a fixed rate whatever the answers take: how long the longest waits, counted
// from when it should have been asked, how long any waited for a lock, and what the disk has back. By itself it is as many as mainnet
// had, and holds the time: npm run disks.
const REWARDS = Number(process.env['DISKS_REWARDS'] ?? 40_000);
const RATE = Number(process.env['DISKS_RATE'] ?? 200);
const isWhole = process.env['DISKS_REWARDS'] !== undefined;
const MOST_WAIT_MS = 100;
const DAYS = 5;
const DAY = 1_024;
const PARTIES = 2_000;
const BEFORE_MS = isWhole ? 10_000 : 1_500;
const DROP_MS = isWhole ? 6_000 : 1_500;
/** More than are ever under way. */
const CONNECTIONS = 100;

test(
  `a day of ${REWARDS / DAYS} rewards is dropped while ${RATE} questions a second go on`,
  async () => {
    await using database = await createDisposableDatabase();
    const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: HANG_MS });
    await client.connect();
    try {
      const sizes = { parties: PARTIES, accounts: 1, deposits: 1, markets: 20, assets: 10 };
      await coverRange(client, ROWS_BY_POSITION, 0n, BigInt(DAYS * DAY), BigInt(DAY));
      await fillRewards(client, { ...sizes, blocks: DAYS * DAY, rewards: REWARDS });
      await using gateway = await startGateway(readerUrlOf(database.url));
      const ask = (ms: number, work: () => Promise<unknown>) =>
        askSteadily({ gateway: gateway.url, database: database.url }, ms, work);
      // The first questions prepare statements, and so many at once may be refused.
      await ask(BEFORE_MS, async () => {});
      const quiet = await ask(BEFORE_MS, async () => {});
      const bytes = await readBytes(database.url);
      const days: Asked[] = [];
      for (let left = DAYS; left > DAYS - 2; left -= 1) {
        const retention = { retainRewards: { unit: 'blocks', count: (left - 1) * DAY } } as const;
        days.push(
          await ask(DROP_MS, async () => {
            await sleep(DROP_MS / 3);
            expect(await forgetRows(client, retention)).toEqual(['rewards']);
          }),
        );
      }
      const left = await readBytes(database.url);
      console.log(
        `asked ${RATE} a second; while nothing is dropped ${describe(quiet)}; while a day is ${days.map(describe).join(', and ')}; bytes of rewards ${bytes}, then ${left}`,
      );
      expect(left).toBeLessThan(bytes * (1 - 1 / (DAYS + 1)));
      for (const { refused } of [quiet, ...days]) expect(refused).toBe(0);
      for (const { lockMs } of days) expect(lockMs).toBeLessThan(MOST_WAIT_MS);
      if (isWhole)
        for (const { times } of days)
          expect(longest(times)).toBeLessThan(longest(quiet.times) + MOST_WAIT_MS);
    } finally {
      await client.end();
    }
  },
  HANG_MS + REWARDS,
);

/** Where the time counts, a process of its own. */
function startGateway(url: string): Promise<{ readonly url: string } & AsyncDisposable> {
  return isWhole ? startPeriscope({ DATABASE_URL: url }) : startTestGateway(url);
}

/** A page of a party, of all, of some epochs, and a sum, in turns; each of another party or page. */
function askOne(n: number): BenchRequest {
  const epoch = n % 200;
  switch (n % 4) {
    case 0:
      return get(`/api/v2/rewards?partyId=${idOf('party', (n * 31) % PARTIES)}&pagination.first=20`);
    case 1:
      return get(`/api/v2/rewards?pagination.first=${20 + (n % 7)}`);
    case 2:
      return graphql(PAGE_OF_EPOCHS, { from: `${epoch}`, to: `${epoch + 2}` });
    default:
      return graphql(SUMS, { first: 20 + (n % 7) });
  }
}

const PAGE_OF_EPOCHS = `query ($from: Uint64, $to: Uint64) {
  rewards(fromEpoch: $from, toEpoch: $to, last: 20) { edges { node { amount epoch } } }
}`;
const SUMS = 'query ($first: Int) { rewards { sums(by: [ASSET], first: $first) { amount count } } }';

interface Asked {
  /** In milliseconds, of those that were answered, ascending. */
  readonly times: readonly number[];
  readonly refused: number;
  /** How long any was seen to wait for the lock of a table. */
  readonly lockMs: number;
}

/** Asks at a rate for so long, while something is done. Throws where an answer is an error, but for those who are refused in time. */
async function askSteadily(
  urls: { readonly gateway: string; readonly database: string },
  durationMs: number,
  work: () => Promise<unknown>,
): Promise<Asked> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const times: number[] = [];
  let refused = 0;
  let lockMs = 0;
  let isOver = false;
  const askDue = async (n: number, due: number) => {
    const { status, body } = await send(agent, urls.gateway, askOne(n));
    if (status === 503) refused += 1;
    else if (status === 200 && !body.includes('"errors"')) times.push(performance.now() - due);
    else throw new Error(`${status} ${body}`);
  };
  const askAll = async () => {
    const began = performance.now();
    const asked: Promise<void>[] = [];
    for (let n = 0; (n * 1_000) / RATE < durationMs; n += 1) {
      const due = began + (n * 1_000) / RATE;
      // A timer takes a millisecond at least: those that are due by then are asked one after the other.
      if (due > performance.now()) await sleep(due - performance.now());
      else await new Promise(setImmediate);
      asked.push(askDue(n, due));
    }
    await Promise.all(asked);
  };
  const watchLocks = () =>
    withClient(urls.database, async (client) => {
      while (!isOver) {
        const { rows } = await client.query<{ ms: number }>(READERS_WAITING);
        lockMs = Math.max(lockMs, rows[0]?.ms ?? 0);
        await sleep(5);
      }
    });
  const asking = askAll().finally(() => {
    isOver = true;
    agent.destroy();
  });
  await Promise.all([asking, watchLocks(), work()]);
  return { times: sorted(times), refused, lockMs };
}

/** One question on a connection that is kept: `fetch` takes more of the machine than many an answer. */
function send(
  agent: Agent,
  url: string,
  { path, body }: BenchRequest,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
    const sent = request(
      `${url}${path}`,
      { agent, method: body === undefined ? 'GET' : 'POST', headers: body === undefined ? {} : headers },
      (answer) => {
        text(answer).then((read) => resolve({ status: answer.statusCode ?? 0, body: read }), reject);
      },
    );
    sent.on('error', reject);
    sent.setTimeout(HANG_MS, () => sent.destroy(new Error(`no answer of ${path}`)));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const READERS_WAITING = `
  SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart) * 1000), 0)::float8 AS ms
  FROM pg_locks WHERE NOT granted AND locktype = 'relation' AND mode = 'AccessShareLock'`;

function describe({ times, refused, lockMs }: Asked): string {
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(times, part).toFixed(1));
  return `${times.length} answers, ${refused} refused, p50 ${p50}, p99 ${p99}, longest ${longest(times).toFixed(1)} ms, for a lock at most ${lockMs.toFixed(1)} ms`;
}

function longest(times: readonly number[]): number {
  return times.at(-1) ?? 0;
}

async function readBytes(url: string): Promise<number> {
  const [found] = await ask<{ bytes: string }>(
    url,
    `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relkind = 'r' AND relname ~ '^rewards(_|$)'`,
  );
  return Number(found?.bytes);
}

const MONTH = { days: 30, blocksADay: 64, kept: 7 } as const;
const MONTH_NETWORK = { seed, parties: 60, markets: 4, release: '0.79' } as const;

test('a month of days goes by, each a partition: the disk does not grow with what is dropped, and little is left to vacuum', async () => {
  await using database = await createDisposableDatabase();
  const { days, blocksADay, kept } = MONTH;
  const rows = { unit: 'blocks', count: kept * blocksADay } as const;
  await using writer = await Writer.open(database.url, {
    ...{ historyBlocks: blocksADay, pastBlocks: blocksADay, retainRewards: rows, retainTrades: rows },
  });
  const bytes: number[] = [];
  for (let day = 5; day <= days; day += 5) {
    const source = openSimulation({ ...MONTH_NETWORK, blocks: day * blocksADay });
    await applySource(source, writer, { pace: 'max', signal: new AbortController().signal });
    await writer.histories.settled();
    await withClient(database.url, (client) =>
      forgetRows(client, { retainRewards: rows, retainTrades: rows }),
    );
    bytes.push(await readBytes(database.url));
  }
  const tables = await ask<{ table: string }>(database.url, BLOAT);
  console.log(`bytes of rewards after each five days: ${bytes.join(', ')}`);
  console.table(tables);
  // From the tenth day on as many days are there.
  expect(bytes.at(-1)).toBeLessThan((bytes[1] ?? 0) * 1.5);
}, 600_000);

/** What the server has counted of the tables whose rows change most. */
const BLOAT = `
  SELECT relname AS table, n_live_tup AS live, n_dead_tup AS dead, n_tup_upd AS updated, n_tup_hot_upd AS hot, n_tup_del AS deleted,
    vacuum_count + autovacuum_count AS vacuums, pg_total_relation_size(relid) AS bytes
  FROM pg_stat_user_tables ORDER BY n_dead_tup DESC, n_tup_upd DESC LIMIT 12`;
