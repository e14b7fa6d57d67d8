import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { type Partition, readPartitions } from '../../src/data/history/partitions.ts';
import { createPasts } from '../../src/data/history/past-statements.ts';
import { nounNames } from '../../src/data/nouns/index.ts';
import type { BlockChanges } from '../../src/data/writing/block-changes.ts';
import { positionsOf } from '../../src/domain/positions.ts';
import { cursorOf } from '../../src/feed/cursors.ts';
import { createDisposableDatabase } from '../support/database.ts';
import { ask, readHeight, readState, withClient } from '../support/state.ts';
import { blockOf, Live, next, opened, told } from './live-feed.ts';

/** The fewest blocks of a partition. */
const SPAN = 64;

let live: Live;

beforeEach(async () => {
  live = await Live.start(await createDisposableDatabase(), { historyBlocks: SPAN, pastBlocks: null });
  return () => live.close();
});

test('a writer keeps the blocks of history that it is told to keep, and a little more', async () => {
  await live.reopenWriter(25);
  const cursors = new Map<number, string>();
  for (let height = 2; height <= 60; height++) {
    await live.block({ ann: `${height}`, [`p${height}`]: '1' });
    await live.settled();
    cursors.set(height, cursorOf('accounts', await opened(live)));
  }
  // The last time was at block 60, so that 35 is where the history begins.
  expect(await told(await live.open({}, cursors.get(35)))).toEqual({ height: 36, ann: '36', p36: '1' });
  await expect(next(await live.open({}, cursors.get(34)))).rejects.toMatchObject({ code: 'OUT_OF_RANGE' });
  const { rows } = await next(await live.open());
  expect(rows).toHaveLength(61);
});

test('partitions are made before they are needed, after a jump of heights too', async () => {
  await live.reopenWriter(100);
  const ends = async () => (await partitionsOf('balance_changes')).map(({ to }) => Number(to >> 20n));
  const first = await ends();
  for (let height = 2; height <= 3 * SPAN; height++) {
    await live.block({ ann: `${height}` });
    if (height % 16 === 0) expect(Math.max(...(await ends()))).toBeGreaterThan(height + SPAN);
  }
  const nothing = Object.fromEntries(nounNames.map((name) => [name, []])) as unknown as BlockChanges;
  const far = { height: 5_000_010n, hash: 'far', timestamp: 5_000_010n };
  await live.writer.write({ ...far, lastPosition: positionsOf(far.height).first }, nothing);
  const found = await partitionsOf('balance_changes');
  expect(found.map(({ from }) => from)).toContain(positionsOf(5_000_000n).first);
  // None for what never was.
  expect(found.length).toBeLessThan(first.length + 8);
});

test('what streams need no more is packed and dropped; the past is asked as before, up to where that is forgotten', async () => {
  await live.reopenWriter(SPAN, 3 * SPAN);
  const balances: Record<string, Record<string, string>> = {};
  for (let height = 2; height <= 12 * SPAN; height++) {
    const changed = { ann: `${height}`, [`p${height % 70}`]: `${height}` };
    await live.block(changed);
    balances[height] = { ...balances[height - 1], ...changed };
    if (height % SPAN === 0) await live.writer.histories.settled();
  }
  const [{ from = '0' } = {}] = await ask<{ from: string }>(
    live.database.url,
    "SELECT (past_from_of ->> 'accounts')::bigint >> 20 AS from FROM networks",
  );
  expect(Number(from)).toBeGreaterThan(9 * SPAN - 11);
  for (let height = Number(from); height <= 12 * SPAN; height += 13) {
    const { last } = positionsOf(BigInt(height));
    const rows = await createPasts(live.reader.statements)(last).rows<{ owner: string; balance: string }>({
      text: 'SELECT t.owner, t.balance FROM accounts AS t',
      values: [],
      dependsOn: 'nothing',
    });
    const told = Object.fromEntries(rows.map(({ owner, balance }) => [owner, balance]));
    expect(told, `${height}`).toEqual({ bob: '2', ...balances[height] });
  }
  for (const table of ['balance_changes', 'archived_balances']) {
    const kept = (await partitionsOf(table)).map(({ to }) => Number(to >> 20n));
    expect(Math.min(...kept), table).toBeGreaterThan(table === 'balance_changes' ? 10 * SPAN : 8 * SPAN);
  }
});

test('partitions come and go while others ask, and nobody waits for a lock or has no answer', async () => {
  await live.reopenWriter(SPAN, SPAN);
  let isOver = false;
  let answers = 0;
  const waits: unknown[] = [];
  const isAsking = async () => {
    while (!isOver) {
      const { last } = positionsOf(BigInt(live.height));
      const rows = await createPasts(live.reader.statements)(last).rows<{ balance: string }>({
        text: `SELECT t.balance FROM accounts AS t WHERE t.owner = 'bob'`,
        values: [],
        dependsOn: 'nothing',
      });
      expect(rows).toEqual([{ balance: '2' }]);
      answers += 1;
    }
  };
  // What a change of a table would have them wait for.
  const isWatching = async () => {
    while (!isOver) {
      waits.push(...(await ask(live.database.url, READERS_WAITING)));
      await sleep(1);
    }
  };
  const others = [isAsking(), isAsking(), isAsking(), isWatching()];
  for (let height = 2; height <= 8 * SPAN; height++) await live.block({ ann: `${height}` });
  await live.writer.histories.settled();
  isOver = true;
  await Promise.all(others);
  expect(answers).toBeGreaterThan(100);
  expect(waits).toEqual([]);
  for (const table of ['balance_changes', 'archived_balances'])
    expect((await partitionsOf(table))[0]?.to, table).toBeGreaterThan(positionsOf(5n * 64n).first);
});

test('what is forgotten goes with its block: where it cannot, the block is not there either', async () => {
  await live.reopenWriter(10);
  for (let height = 2; height < 20; height++) await live.block({ ann: `${height}` });
  const before = await readState(live.database.url);
  await ask(live.database.url, FORBID_FORGETTING);
  try {
    await expect(live.block({ ann: '20' })).rejects.toThrow('the history stays as it is');
    expect(await readState(live.database.url)).toEqual(before);
  } finally {
    await ask(live.database.url, 'DROP FUNCTION forbid CASCADE');
  }
  await live.apply(blockOf(20, { ann: '20' }));
  expect(await readHeight(live.database.url)).toBe(20);
});

/** Readers that have waited for the lock of a table for some time. */
const READERS_WAITING = `
  SELECT query FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND usename <> current_user
    AND state_change < clock_timestamp() - interval '100 ms'`;

/** The last statement of forgetting fails, when all before it has been done. */
const FORBID_FORGETTING = `
  CREATE FUNCTION forbid() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''the history stays as it is''; END';
  CREATE TRIGGER forbidden BEFORE UPDATE ON networks FOR EACH ROW EXECUTE FUNCTION forbid()`;

async function partitionsOf(table: string): Promise<readonly Partition[]> {
  const all = await withClient(live.database.url, readPartitions);
  return all.filter((one) => one.table === table);
}
