import { expect, test } from 'vitest';
import { writeStreamCursor } from '../../src/domain/cursors.ts';
import { changesTopic } from '../../src/feed/topics.ts';
import { Live } from './live-feed.ts';

test('a poll with a cursor that is ahead is refused at once, and asks nothing of the database', async () => {
  const live = await Live.start();
  try {
    const after = writeStreamCursor({ stream: 'changes', position: 2n ** 53n - 1n, row: null });
    const asking = { after, upTo: live.feed.latest.position, most: 1, statements: live.reader.statements };
    const before = live.asked.length;
    for (let n = 0; n < 100; n++)
      await expect(
        live.feed.readChanges(changesTopic, { nouns: ['accounts'] }, asking),
      ).rejects.toMatchObject({
        code: 'OUT_OF_RANGE',
        details: [{ reason: 'NO_SUCH_BLOCK', metadata: { newestHeight: '1' } }],
      });
    expect(live.asked.length).toBe(before);
  } finally {
    await live.close();
  }
});
