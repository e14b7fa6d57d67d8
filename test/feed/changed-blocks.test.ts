import { beforeEach, expect, test } from 'vitest';
import type { Statements } from '../../src/data/servers/statements.ts';
import { writeStreamCursor } from '../../src/domain/cursors.ts';
import { changesTopic } from '../../src/feed/topics.ts';
import { Live } from './live-feed.ts';

let live: Live;

beforeEach(async () => {
  live = await Live.start();
  return () => live.close();
});

test('a poll with a cursor that is ahead is refused at once, and asks nothing of the database', async () => {
  const after = writeStreamCursor({ stream: 'changes', position: 2n ** 53n - 1n, row: null });
  const before = live.asked.length;
  for (let n = 0; n < 100; n++)
    await expect(poll(after)).rejects.toMatchObject({
      code: 'OUT_OF_RANGE',
      details: [{ reason: 'NO_SUCH_BLOCK', metadata: { newestHeight: '1' } }],
    });
  expect(live.asked.length).toBe(before);
});

test('a poll does not wait behind what streams read', async () => {
  for (let n = 0; n < 100; n++) void live.reads.all.run(() => new Promise(() => {}));
  expect((await poll(null)).blocks).toHaveLength(1);
});

test('a poll does not wait for a database that is away', async () => {
  const away = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  let times = 0;
  const rows = async () => {
    times += 1;
    throw away;
  };
  const after = writeStreamCursor({ stream: 'changes', position: 0n, row: null });
  await expect(poll(after, { ...live.reader.statements, rows })).rejects.toBe(away);
  expect(times).toBe(1);
});

function poll(after: string | null, statements: Statements = live.reader.statements) {
  const asking = { after, upTo: live.feed.latest.position, most: 1, statements };
  return live.feed.readChanges(changesTopic, { nouns: ['accounts'] }, asking);
}
