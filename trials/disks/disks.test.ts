import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { coverRange } from '../../src/data/history/coverage.ts';
import { ROWS_BY_POSITION } from '../../src/data/history/partitions.ts';
import { forgetRows } from '../../src/data/history/row-retention.ts';
import { rewards } from '../../src/data/nouns/rewards.ts';
import { countedOf } from '../../src/data/queries/count-statements.ts';
import { readSums } from '../../src/data/queries/sums.ts';
import { POSITION, readTextPage } from '../../src/data/queries/text-rows.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import type { Statements } from '../../src/data/servers/statements.ts';
import { Writer } from '../../src/data/writing/writer.ts';
import { applySource } from '../../src/ingest/apply.ts';
import { openSimulation } from '../../src/simulation/simulate.ts';
import { createDisposableDatabase, readerUrlOf } from '../../test/support/database.ts';
import { HANG_MS } from '../../test/support/limits.ts';
import { seed } from '../../test/support/seed.ts';
import { ask, withClient } from '../../test/support/state.ts';
import { fillRewards } from '../bench/database/fill.ts';
import { idOf } from '../bench/database/rows.ts';

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
const AFTER_MS = isWhole ? 3_000 : 500;

test(
  `a day of ${REWARDS / DAYS} rewards is dropped while ${RATE} questions a second go on`,
  async () => {
    await using database = await createDisposableDatabase();
    const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: HANG_MS });
    await client.connect();
    const reader = openDatabase({ url: readerUrlOf(database.url), readOnly: true, waitMs: HANG_MS });
    try {
      const sizes = { parties: PARTIES, accounts: 1, deposits: 1, markets: 20, assets: 10 };
      await coverRange(client, ROWS_BY_POSITION, 0n, BigInt(DAYS * DAY), BigInt(DAY));
      await fillRewards(client, { ...sizes, blocks: DAYS * DAY, rewards: REWARDS });
      const ask = (n: number) => askOne(reader.statements, n);
      // The first questions prepare statements.
      await askSteadily(ask, database.url, () => sleep(1_000));
      const quiet = await askSteadily(ask, database.url, () => sleep(BEFORE_MS));
      const bytes = await readBytes(database.url);
      const days: Asked[] = [];
      for (let left = DAYS; left > DAYS - 2; left -= 1) {
        const retention = { retainRewards: { unit: 'blocks', count: (left - 1) * DAY } } as const;
        const drop = async () => {
          expect(await forgetRows(client, retention)).toEqual(['rewards']);
          await sleep(AFTER_MS);
        };
        days.push(await askSteadily(ask, database.url, drop));
      }
      const left = await readBytes(database.url);
      console.log(
        `asked ${RATE} a second; while nothing is dropped ${describe(quiet)}; while a day is ${days.map(describe).join(', and ')}; bytes of rewards ${bytes}, then ${left}`,
      );
      expect(left).toBeLessThan(bytes * (1 - 1 / (DAYS + 1)));
      for (const { lockMs } of days) expect(lockMs).toBeLessThan(MOST_WAIT_MS);
      if (isWhole) for (const { longest } of days) expect(longest).toBeLessThan(quiet.longest + MOST_WAIT_MS);
    } finally {
      await reader.close();
      await client.end();
    }
  },
  HANG_MS + REWARDS,
);

/** A page of a party, of all, of some epochs, and a sum, in turns; each of another party. */
async function askOne(statements: Statements, n: number): Promise<void> {
  const party = { partyId: idOf('party', (n * 31) % PARTIES) };
  const page = { limit: 20, cursor: null, backward: false, newestFirst: true };
  const epoch = BigInt(n % 200);
  const columns = [POSITION, { field: 'amount', form: 'text' }] as const;
  switch (n % 4) {
    case 0:
      await readTextPage(statements, rewards, columns, party, page);
      return;
    case 1:
      await readTextPage(statements, rewards, columns, {}, page);
      return;
    case 2:
      await readTextPage(statements, rewards, columns, { fromEpoch: epoch, toEpoch: epoch + 2n }, page);
      return;
    default: {
      const request = { fields: ['assetId'], order: 'KEY', after: null, limit: 20 } as const;
      await readSums(statements, countedOf(rewards, {}), request, null, (read) => read());
    }
  }
}

interface Asked {
  readonly count: number;
  readonly middle: number;
  readonly p99: number;
  readonly longest: number;
  /** How long any was seen to wait for the lock of a table. */
  readonly lockMs: number;
}

/** Asks at a rate until something is done. */
async function askSteadily(
  askOne: (n: number) => Promise<void>,
  url: string,
  work: () => Promise<unknown>,
): Promise<Asked> {
  const times: number[] = [];
  const waiting = new Set<Promise<void>>();
  const began = performance.now();
  let lockMs = 0;
  let isOver = false;
  const asking = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const due = began + (n * 1_000) / RATE;
      if (due > performance.now()) await sleep(due - performance.now());
      const one = askOne(n).then(() => {
        times.push(performance.now() - due);
      });
      waiting.add(one);
      void one.finally(() => waiting.delete(one));
    }
  })();
  const watching = withClient(url, async (client) => {
    while (!isOver) {
      const { rows } = await client.query<{ ms: number }>(READERS_WAITING);
      lockMs = Math.max(lockMs, rows[0]?.ms ?? 0);
      await sleep(5);
    }
  });
  await work().finally(() => {
    isOver = true;
  });
  await Promise.all([asking, watching]);
  await Promise.all(waiting);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count: times.length, middle: at(0.5), p99: at(0.99), longest: at(1), lockMs };
}

const READERS_WAITING = `
  SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart) * 1000), 0)::float8 AS ms
  FROM pg_locks WHERE NOT granted AND locktype = 'relation' AND mode = 'AccessShareLock'`;

function describe({ count, middle, p99, longest, lockMs }: Asked): string {
  return `${count} answers, p50 ${middle.toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${longest.toFixed(1)} ms, for a lock at most ${lockMs.toFixed(1)} ms`;
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
