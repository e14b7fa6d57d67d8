import { expect, test } from 'vitest';
import { toBlock } from '../../src/feed/events.ts';
import { Live } from './live-feed.ts';

test('a height that began again is named by its later part when that is published, too', async () => {
  const live = await Live.start();
  try {
    const { latest } = live.feed;
    const later = { ...toBlock(latest), lastPosition: latest.position + 1n };
    expect(await live.feed.nameBlock(later)).toBeNull();
    expect(await live.feed.nameNewest(async () => later)).toEqual(toBlock(latest));
    await live.block({ ann: '3' });
    await live.settled();
    expect(await live.feed.nameBlock(later)).toBe(later);
  } finally {
    await live.close();
  }
});
