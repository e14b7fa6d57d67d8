import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { accounts } from '../../src/data/nouns/accounts.ts';
import { openDatabase } from '../../src/data/servers/client.ts';
import { type Reading, watchAlone } from '../../src/data/servers/reading.ts';
import { Semaphore } from '../../src/data/servers/semaphore.ts';
import { BlockFeed } from '../../src/feed/block-feed.ts';
import type { StreamEvent } from '../../src/feed/events.ts';
import { type AnyHub, Hub } from '../../src/feed/hub.ts';
import { ChangeStream } from '../../src/feed/stream.ts';
import { topicOf } from '../../src/feed/topics.ts';
import { party, startAccountNetwork } from '../support/account-network.ts';
import { createTestDatabase } from '../support/database.ts';
import { forgetUpTo } from '../support/histories.ts';
import { HANG_MS } from '../support/limits.ts';
import { takeFrom } from '../support/mailboxes.ts';
import { countMemberships } from '../support/memberships.ts';
import { within } from '../support/message-queue.ts';

/** Four times as many as are read at once, and some. */
const BLOCKS = 4 * 64 + 10;
const NEVER_MS = 3_600_000;

const limits = { maxMessages: 10_000, maxWeight: 10_000 };

test('hands a block on to those, too, who come while it is read', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  await using silent = await createTestDatabase();
  const late = new Hub(topicOf(accounts), limits);
  let joined: ReturnType<typeof late.join> | undefined;
  const early = hubThat(() => {
    joined ??= late.join({});
  });
  await using started = await startFeed(network.url, watchAlone(silent.url), () =>
    // The late one is not even known before.
    joined === undefined ? [early] : [early, late],
  );
  early.join({});
  await network.block({ owner: party(1), balance: '2' });
  started.feed.wake();
  await within(started.feed.reach(2n, NEVER_MS), 'the block');
  const told = await within(takeFrom((joined as NonNullable<typeof joined>).mailbox), 'the block');
  expect(told?.block.height).toBe(2n);
});

test('has nobody miss a block that cannot be read for all, however soon who follows reads for itself', async () => {
  using memberships = countMemberships();
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  await using silent = await createTestDatabase();
  await using database = openDatabase({ url: network.url, readOnly: true });
  const failures: Error[] = [];
  const hub = hubThat(() => {
    const failure = failures.pop();
    if (failure !== undefined) throw failure;
  });
  await using started = await startFeed(network.url, watchAlone(silent.url), () => [hub]);
  const { feed } = started;
  const source = { statements: database.statements, feed, hub, filter: {}, after: null };
  // Two, so that who joins again finds the other there.
  const followers = [1, 2].map(() => {
    const stream = new ChangeStream({ ...source, reads: new Semaphore(1) }, () => {});
    const told: StreamEvent<unknown>[] = [];
    const onReadable = () => {
      for (let event = stream.read(); event !== null; event = stream.read()) told.push(event);
    };
    stream.reader = { onReadable };
    onReadable();
    return { stream, told };
  });
  const heights = () => followers.map(({ told }) => told.map(({ block }) => Number(block.height)));
  await expect.poll(() => memberships.open, { timeout: HANG_MS }).toBe(2);
  for (const expected of [
    [1, 2],
    [1, 2, 3],
  ]) {
    failures.push(new Error('not to be read'));
    await network.block({ owner: party(1), balance: `${expected.length}` });
    feed.wake();
    await expect.poll(heights, { timeout: HANG_MS }).toEqual([expected, expected]);
  }
  for (const { stream } of followers) await stream.return();
});

test('goes on where one block of a topic takes too long, however little of it is asked for', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  await using silent = await createTestDatabase();
  const hub = hubThat(() => {
    throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  });
  await using started = await startFeed(network.url, watchAlone(silent.url), () => [hub]);
  const { mailbox } = hub.join({});
  await network.block({ owner: party(1), balance: '2' });
  started.feed.wake();
  await within(started.feed.reach(2n, NEVER_MS), 'the block');
  expect(mailbox.isInterrupted).toBe(true);
});

test('reads on where it is woken while it reads', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  await using silent = await createTestDatabase();
  let isFirst = true;
  const hub = hubThat(async () => {
    if (!isFirst) return;
    isFirst = false;
    await network.block({ owner: party(1), balance: '3' });
    started.feed.wake();
  });
  await using started = await startFeed(network.url, watchAlone(silent.url), () => [hub]);
  hub.join({});
  await network.block({ owner: party(1), balance: '2' });
  started.feed.wake();
  await within(started.feed.reach(3n, NEVER_MS), 'the block that came while the one before was read');
});

test('follows no more where it loses the notifications while it reads', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  let loses = false;
  let tell: (news: 'told' | 'none') => void = () => {};
  const watch: Reading['watch'] = ({ onNews }) => {
    tell = onNews;
    return { close: async () => {} };
  };
  const hub = hubThat(() => {
    if (loses) tell('none');
  });
  await using started = await startFeed(network.url, watch, () => [hub]);
  const { feed } = started;
  hub.join({});
  for (const height of [2n, 3n]) {
    tell('told');
    loses = height === 3n;
    await network.block({ owner: party(1), balance: `${height}` });
    feed.wake();
    await within(feed.reach(height, NEVER_MS), 'the block');
    // The reading ends in the turn in which it publishes its last block.
    await setImmediate();
    expect([height, feed.isFollowing]).toEqual([height, !loses]);
  }
});

test('hands on every block that is there at one wake-up, however many are read at once', async () => {
  await using network = await startAccountNetwork();
  await network.block({ owner: party(1), balance: '1' });
  // Nobody tells the feed of blocks: what it listens to is another database.
  await using silent = await createTestDatabase();
  const hub = new Hub(topicOf(accounts), limits);
  await using started = await startFeed(network.url, watchAlone(silent.url), () => [hub]);
  const { mailbox } = hub.join({});
  for (let height = 2; height <= BLOCKS; height++)
    await network.block({ owner: party(1), balance: `${height}` });
  // Once; the listener itself does so at most once more, when it is there.
  started.feed.wake();
  const heights: number[] = [];
  while (heights.at(-1) !== BLOCKS) {
    const told = await within(takeFrom(mailbox), `a block after ${heights.at(-1)}`);
    heights.push(Number(told?.block.height));
  }
  expect(heights).toEqual(Array.from({ length: BLOCKS - 1 }, (_, n) => n + 2));
  expect(started.feed.latest.height).toBe(BigInt(BLOCKS));
});

test('begins in an empty database where the blocks begin that a base tells of, not at its first', async () => {
  await using network = await startAccountNetwork();
  await using silent = await createTestDatabase();
  await using started = await startFeed(network.url, watchAlone(silent.url), () => []);
  const { feed } = started;
  // It looks for blocks once more when it listens.
  await expect.poll(() => feed.isFollowing, { timeout: HANG_MS }).toBe(true);
  expect(feed.latest.height).toBe(0n);
  const heights: bigint[] = [];
  feed.onBlock(({ height }) => heights.push(height));
  for (let height = 1; height <= 100; height++)
    await network.block({ owner: party(1), balance: `${height}` });
  await forgetUpTo(network.url, 98n);
  feed.wake();
  await within(feed.reach(100n, NEVER_MS), 'the newest block');
  expect(heights).toEqual([98n, 99n, 100n]);
});

/** A feed of a database, with the hubs that there are by then. */
async function startFeed(
  url: string,
  watch: Reading['watch'],
  hubs: () => readonly AnyHub[],
): Promise<{ readonly feed: BlockFeed } & AsyncDisposable> {
  const reader = openDatabase({ url, readOnly: true });
  const feed = await BlockFeed.start({
    ...{ statements: reader.statements, watch, hubs },
    ...{ logger: pino({ level: 'silent' }), pollMs: NEVER_MS },
  });
  return {
    feed,
    async [Symbol.asyncDispose]() {
      await feed.close();
      await reader.close();
    },
  };
}

/** A hub of accounts that does something each time before its changes are read. */
function hubThat(act: () => unknown) {
  const topic = topicOf(accounts);
  const readChanges = (async (...args) => {
    await act();
    return topic.log.readChanges(...args);
  }) as typeof topic.log.readChanges;
  return new Hub({ ...topic, log: { ...topic.log, readChanges } }, limits);
}
