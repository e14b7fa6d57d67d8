import { beforeEach, expect, test } from 'vitest';
import { cursorOf } from '../../src/feed/feed.ts';
import { ask, readHeight, readState, withClient } from '../support/state.ts';
import { blockOf, Live, next, opened, told } from './live-feed.ts';

let live: Live;

beforeEach(async () => {
  live = await Live.start();
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
  expect(await countChanges()).toBe(2 + 59 * 2 - 34);
  expect(await told(await live.open({}, cursors.get(35)))).toEqual({ height: 36, ann: '36', p36: '1' });
  await expect(next(await live.open({}, cursors.get(34)))).rejects.toMatchObject({ code: 'OUT_OF_RANGE' });
  const { rows } = await next(await live.open());
  expect(rows).toHaveLength(61);
});

test('a history that is bounded late shrinks step by step', async () => {
  for (let height = 2; height <= 260; height++) await live.block({ ann: `${height}` });
  const whole = await countChanges();
  await live.reopenWriter(100);
  const left: number[] = [];
  for (let height = 261; height <= 280; height++) {
    await live.block({ ann: `${height}` });
    if (height % 10 === 0) left.push(await countChanges());
  }
  // A hundred blocks at once, and then up to a hundred blocks before the newest.
  expect(left).toEqual([whole + 10 - 99, whole + 20 - 179]);
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
  // Of the changes of blocks 1 to 10 the last of each account is left.
  expect(await countChanges()).toBe(2 + 19 - 9);
});

/** The last statement of forgetting fails, when all before it has been done. */
const FORBID_FORGETTING = `
  CREATE FUNCTION forbid() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''the history stays as it is''; END';
  CREATE TRIGGER forbidden BEFORE UPDATE ON networks FOR EACH ROW EXECUTE FUNCTION forbid()`;

async function countChanges(): Promise<number> {
  return withClient(live.database.url, async (client) => {
    const { rows } = await client.query('SELECT count(*) FROM balance_changes');
    return Number(rows[0].count);
  });
}
