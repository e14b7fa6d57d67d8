import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPasts } from '../../src/data/history/past-statements.ts';
import { positionsOf } from '../../src/domain/positions.ts';
import { createDisposableDatabase } from '../support/database.ts';
import { ask } from '../support/state.ts';
import { Live } from './live-feed.ts';

/** The fewest blocks of a partition, as many are kept in the end, and what is there before. */
const SPAN = 64;
const BEFORE = 6 * SPAN;
const ACCOUNTS = 60;
const ASKERS = 4;

test('the past is dropped under questions: each is answered rightly, nobody waits for a lock, and the disk comes back', async () => {
  const live = await Live.start(await createDisposableDatabase(), {
    historyBlocks: 8 * SPAN,
    pastBlocks: 8 * SPAN,
  });
  try {
    const write = async (upTo: number) => {
      while (live.height < upTo) {
        const names = Array.from({ length: ACCOUNTS }, (_, n) => [`p${n}`, `${live.height + 1}`]);
        await live.block({ ...Object.fromEntries(names), ann: `${live.height + 1}` });
      }
    };
    await write(BEFORE);
    const [bytes, undisturbed] = [await readBytes(live), await askFor(live, () => sleep(1500))];
    await live.reopenWriter(SPAN, SPAN);
    const meanwhile = await askFor(live, async () => {
      await write(BEFORE + 2 * SPAN);
      await live.writer.histories.settled();
    });
    const left = await readBytes(live);
    console.info(
      'while nothing is dropped',
      undisturbed,
      'and meanwhile',
      meanwhile,
      `bytes ${bytes}, then ${left}`,
    );
    expect(meanwhile.answers).toBeGreaterThan(100);
    expect(meanwhile.waits).toEqual([]);
    expect(left).toBeLessThan(bytes / 2);
  } finally {
    await live.close();
  }
});

/** Asks all the time what an account was, as of blocks that are known throughout, until something is done. */
async function askFor(live: Live, work: () => Promise<unknown>) {
  const times: number[] = [];
  const waits: unknown[] = [];
  const began = performance.now();
  let isOver = false;
  const isAsking = async () => {
    // The newest block may be under way.
    for (let back = 1; !isOver; back = (back % (SPAN / 2)) + 1) {
      const height = live.height - back;
      const asked = performance.now();
      const rows = await createPasts(live.reader.statements)(positionsOf(BigInt(height)).last).rows<{
        balance: string;
      }>({
        text: `SELECT t.balance FROM accounts AS t WHERE t.owner = 'ann'`,
        values: [],
        dependsOn: 'nothing',
      });
      times.push(performance.now() - asked);
      expect(rows).toEqual([{ balance: `${height}` }]);
    }
  };
  const isWatching = async () => {
    while (!isOver) {
      waits.push(...(await ask(live.database.url, READERS_WAITING)));
      await sleep(5);
    }
  };
  const others = [...Array.from({ length: ASKERS }, isAsking), isWatching()];
  await work().finally(() => {
    isOver = true;
  });
  await Promise.all(others);
  times.sort((a, b) => a - b);
  const [answers, seconds] = [times.length, (performance.now() - began) / 1000];
  const [middle, longest] = [times[answers >> 1] ?? 0, times.at(-1) ?? 0];
  return {
    answers,
    aSecond: Math.round(answers / seconds),
    middleMs: round(middle),
    longestMs: round(longest),
    waits,
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

async function readBytes(live: Live): Promise<number> {
  const [found] = await ask<{ bytes: string }>(
    live.database.url,
    `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
     WHERE relkind = 'r' AND relname ~ '^(changes|balance_changes|archived_changes|archived_balances)_'`,
  );
  return Number(found?.bytes);
}

/** Readers that have waited for the lock of a table for some time. */
const READERS_WAITING = `
  SELECT query FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND usename <> current_user
    AND state_change < clock_timestamp() - interval '100 ms'`;
