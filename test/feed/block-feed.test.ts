import { pino } from 'pino';
import { expect, test } from 'vitest';
import { accounts } from '../../src/data/nouns/accounts.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { watchAlone } from '../../src/data/servers/reading.ts';
import { BlockFeed } from '../../src/feed/block-feed.ts';
import { Hub } from '../../src/feed/hub.ts';
import { topicOf } from '../../src/feed/topics.ts';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { createTestDatabase } from '../support/database.ts';
import { takeFrom } from '../support/mailboxes.ts';
import { within } from '../support/message-queue.ts';

/** Four times as many as are read at once, and some. */
const BLOCKS = 4 * 64 + 10;
const NEVER_MS = 3_600_000;

test('hands a block on to those, too, who come while it is read', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  await using silent = await createTestDatabase();
  const reader = openDatabase({ url: network.url, readOnly: true });
  const limits = { maxMessages: 10, maxWeight: 10_000 };
  const late = new Hub(topicOf(accounts), limits);
  const topic = topicOf(accounts);
  let joined: ReturnType<typeof late.join> | undefined;
  const log = {
    ...topic.log,
    readChanges: ((...args: Parameters<typeof topic.log.readChanges>) => {
      joined ??= late.join({});
      return topic.log.readChanges(...args);
    }) as typeof topic.log.readChanges,
  };
  const early = new Hub({ ...topic, log }, limits);
  const feed = await BlockFeed.start({
    statements: reader.statements,
    watch: watchAlone(silent.url),
    // The late one is not even known before.
    hubs: () => (joined === undefined ? [early] : [early, late]),
    logger: pino({ level: 'silent' }),
    pollMs: NEVER_MS,
  });
  try {
    early.join({});
    await network.block({ owner: party(1), balance: '2' });
    feed.wake();
    await within(feed.reach(2n, NEVER_MS), 'the block');
    const told = await within(takeFrom((joined as NonNullable<typeof joined>).mailbox), 'the block');
    expect(told?.block.height).toBe(2n);
  } finally {
    await feed.close();
    await reader.close();
  }
});

test('hands on every block that is there at one wake-up, however many are read at once', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  // Nobody tells the feed of blocks: what it listens to is another database.
  await using silent = await createTestDatabase();
  const reader = openDatabase({ url: network.url, readOnly: true });
  const hub = new Hub(topicOf(accounts), { maxMessages: 10_000, maxWeight: 10_000 });
  const feed = await BlockFeed.start({
    statements: reader.statements,
    watch: watchAlone(silent.url),
    hubs: () => [hub],
    logger: pino({ level: 'silent' }),
    pollMs: NEVER_MS,
  });
  try {
    const { mailbox } = hub.join({});
    for (let height = 2; height <= BLOCKS; height++)
      await network.block({ owner: party(1), balance: `${height}` });
    // Once; the listener itself does so at most once more, when it is there.
    feed.wake();
    const heights: number[] = [];
    while (heights.at(-1) !== BLOCKS) {
      const told = await within(takeFrom(mailbox), `a block after ${heights.at(-1)}`);
      heights.push(Number(told?.block.height));
    }
    expect(heights).toEqual(Array.from({ length: BLOCKS - 1 }, (_, n) => n + 2));
    expect(feed.latest.height).toBe(BigInt(BLOCKS));
  } finally {
    await feed.close();
    await reader.close();
  }
});
