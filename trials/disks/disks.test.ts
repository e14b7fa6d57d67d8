import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { coverRange } from '../../src/data/history/coverage.ts';
import { ROWS_BY_POSITION } from '../../src/data/history/partitions.ts';
import { forgetRows } from '../../src/data/history/row-retention.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createDisposableDatabase } from '../../test/support/database.ts';
import { startTestGateway } from '../../test/support/gateway.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { seed } from '../../test/support/seed.ts';
import { ask, withClient } from '../../test/support/state.ts';
import { fillRewards } from '../bench/database/fill.ts';
import { idOf } from '../bench/database/rows.ts';

// A day of rewards is dropped while questions go on, at a fixed rate whatever the answers take: how long the longest waits, counted
// from when it should have been asked, and what the disk has back. By itself it is as many as mainnet had, and holds the time:
// npm run disks.
const REWARDS = Number(process.env['DISKS_REWARDS'] ?? 40_000);
const RATE = Number(process.env['DISKS_RATE'] ?? 200);
const isWhole = process.env['DISKS_REWARDS'] !== undefined;
const MOST_WAIT_MS = 100;
const DAYS = 5;
const DAY = 1_024;
const PARTIES = 2_000;
const BEFORE_MS = isWhole ? 10_000 : 1_500;
const AFTER_MS = isWhole ? 5_000 : 500;

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
      const gateway = await startTestGateway(database.url);
      const agent = new Agent({ keepAlive: true, maxSockets: 64 });
      try {
        const path = (n: number) => pathOf(gateway.url, n);
        // The first questions prepare statements.
        await askSteadily(agent, path, () => sleep(1_000));
        const quiet = await askSteadily(agent, path, () => sleep(BEFORE_MS));
        const bytes = await readBytes(database.url);
        const days: Asked[] = [];
        while ((await readDays(database.url)) > DAYS - 2) {
          const left = await readDays(database.url);
          days.push(
            await askSteadily(agent, path, async () => {
              await forgetRows(client, { retainRewards: { unit: 'blocks', count: (left - 1) * DAY } });
              await sleep(AFTER_MS);
            }),
          );
        }
        const left = await readBytes(database.url);
        console.log(
          `asked ${RATE} a second; while nothing is dropped ${describe(quiet)}; while a day is ${days.map(describe).join(', and ')}; bytes of rewards ${bytes}, then ${left}`,
        );
        expect(days.length).toBeGreaterThan(0);
        expect([quiet, ...days].flatMap(({ refused }) => refused)).toEqual([]);
        expect(left).toBeLessThan(bytes * (1 - 1 / (DAYS + 1)));
        if (isWhole) for (const { longest } of days) expect(longest).toBeLessThan(MOST_WAIT_MS);
      } finally {
        agent.destroy();
        await gateway.close();
      }
    } finally {
      await client.end();
    }
  },
  HANG_MS + REWARDS,
);

const MONTH = { days: 30, blocksADay: 64, kept: 7 } as const;
const MONTH_NETWORK = { seed, parties: 60, markets: 4, release: '0.79' } as const;

test('a month of days goes by, each a partition: the disk does not grow with what is dropped, and little is left to vacuum', async () => {
  await using database = await createDisposableDatabase();
  const { days, blocksADay, kept } = MONTH;
  const rows = { unit: 'blocks', count: kept * blocksADay } as const;
  const writer = await Writer.open(database.url, {
    ...{ historyBlocks: blocksADay, pastBlocks: blocksADay, retainRewards: rows, retainTrades: rows },
  });
  try {
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
  } finally {
    await writer.close();
  }
}, 600_000);

/** What the server has counted of the tables whose rows change most. */
const BLOAT = `
  SELECT relname AS table, n_live_tup AS live, n_dead_tup AS dead, n_tup_upd AS updated, n_tup_hot_upd AS hot, n_tup_del AS deleted,
    vacuum_count + autovacuum_count AS vacuums, pg_total_relation_size(relid) AS bytes
  FROM pg_stat_user_tables ORDER BY n_dead_tup DESC, n_tup_upd DESC LIMIT 12`;

/** A page of a party, of all, sums, and a count, in turns; each of another party. */
function pathOf(url: string, n: number): string {
  const party = idOf('party', (n * 31) % PARTIES);
  const graphql = (query: string) => `${url}/graphql?query=${encodeURIComponent(query)}`;
  const kinds = [
    `${url}/api/v2/rewards?partyId=${party}&pagination.first=20`,
    `${url}/api/v2/rewards?pagination.first=20&fromEpoch=${n % 300}`,
    graphql(`{ rewards(partyId: "${party}", first: 5) { totalCount keptFromHeight nodes { amount } } }`),
    graphql(
      `{ rewards(assetId: "${idOf('asset', n % 10)}") { sums(by: [TYPE]) { amount countedFromHeight } } }`,
    ),
  ];
  return kinds[n % kinds.length] as string;
}

interface Asked {
  readonly count: number;
  readonly middle: number;
  readonly p99: number;
  readonly longest: number;
  readonly refused: readonly string[];
}

/** Asks at a rate until something is done. */
async function askSteadily(
  agent: Agent,
  path: (n: number) => string,
  work: () => Promise<unknown>,
): Promise<Asked> {
  const times: number[] = [];
  const refused: string[] = [];
  const waiting = new Set<Promise<void>>();
  const began = performance.now();
  let isOver = false;
  const asking = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const due = began + (n * 1_000) / RATE;
      if (due > performance.now()) await sleep(due - performance.now());
      const one = askOne(agent, path(n)).then((status) => {
        times.push(performance.now() - due);
        if (status !== 200) refused.push(`${status} ${path(n)}`);
      });
      waiting.add(one);
      void one.finally(() => waiting.delete(one));
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await asking;
  await Promise.all(waiting);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count: times.length, middle: at(0.5), p99: at(0.99), longest: at(1), refused };
}

function askOne(agent: Agent, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { Accept: 'application/json' } }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    }).once('error', reject);
  });
}

function describe({ count, middle, p99, longest }: Asked): string {
  return `${count} answers, p50 ${middle.toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${longest.toFixed(1)} ms`;
}

async function readDays(url: string): Promise<number> {
  const [found] = await ask<{ days: number }>(
    url,
    `SELECT count(DISTINCT (created_position >> 20) / ${DAY})::int AS days FROM rewards`,
  );
  return found?.days ?? 0;
}

async function readBytes(url: string): Promise<number> {
  const [found] = await ask<{ bytes: string }>(
    url,
    `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relkind = 'r' AND relname ~ '^rewards(_|$)'`,
  );
  return Number(found?.bytes);
}
