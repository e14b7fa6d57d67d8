import { setTimeout as sleep } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { beforeEach, describe, expect, test } from 'vitest';
import { accounts } from '../../src/data/nouns/accounts.ts';
import { deposits } from '../../src/data/nouns/deposits.ts';
import { Semaphore } from '../../src/data/servers/semaphore.ts';
import { tableToCome } from '../../src/data/servers/unavailable.ts';
import { writeStreamCursor } from '../../src/domain/cursors.ts';
import { positionOf } from '../../src/domain/positions.ts';
import { GatewayError } from '../../src/errors.ts';
import type { BlockFeed } from '../../src/feed/block-feed.ts';
import { cursorOf } from '../../src/feed/cursors.ts';
import { NO_BLOCK, type StreamEvent } from '../../src/feed/events.ts';
import { Hub } from '../../src/feed/hub.ts';
import { CHANGES_PAGE, catchUp } from '../../src/feed/past.ts';
import { ChangeStream } from '../../src/feed/stream.ts';
import { blockTopic, changesTopic, topicOf } from '../../src/feed/topics.ts';
import { nextOf, ReadableIterator } from '../../src/readable.ts';
import { forgetUpTo } from '../support/histories.ts';
import { HANG_MS } from '../support/limits.ts';
import { countMemberships } from '../support/memberships.ts';
import { within } from '../support/message-queue.ts';
import { ask, withClient } from '../support/state.ts';

import { type AccountRow, blockOf, LIMITS, Live, next, opened, told } from './live-feed.ts';

type Events = Awaited<ReturnType<Live['open']>>;

let live: Live;

/** How many streams tell what was, and are not live yet. */
function openPasts(): number {
  return queryObjects(ReadableIterator, { format: 'count' });
}

beforeEach(async () => {
  live = await Live.start();
  return () => live.close();
});

describe('a stream', () => {
  test('tells the state, and then what each block changed', async () => {
    const events = await live.open();
    expect(await told(events)).toEqual({ height: 1, snapshot: true, ann: '1', bob: '2' });
    await live.block({ ann: '3' });
    await live.block({});
    await live.block({ bob: '4', cat: '5' });
    expect([await told(events), await told(events)]).toEqual([
      { height: 2, ann: '3' },
      { height: 4, bob: '4', cat: '5' },
    ]);
  });

  test('does not wait behind what is followed, however much of it a block needs read', async () => {
    const followed = { name: 'any', dependsOn: [], from: null, endOf: () => null, lengthsOf: () => ({}) };
    for (let n = 0; n < 20; n++) {
      const read = () => new Promise<string>(() => {});
      (await live.feed.follow({ ...followed, key: `${n}`, read }, null, false)).read();
    }
    expect(await told(await live.open())).toEqual({ height: 1, snapshot: true, ann: '1', bob: '2' });
  });

  test('keeps nothing of what it has read from the database, once it is live', async () => {
    const before = openPasts();
    const events = await live.open();
    await told(events);
    expect(openPasts()).toBe(before + 1);
    const more = told(events);
    await live.block({ ann: '3' });
    expect(await more).toEqual({ height: 2, ann: '3' });
    expect(openPasts()).toBe(before);
  });

  test('begins with an empty snapshot where nothing passes, also of an empty database', async () => {
    const events = await live.open({ partyIds: ['zoe'] });
    expect(await told(events)).toEqual({ height: 1, snapshot: true });
    await live.block({ ann: '2' });
    await live.block({ zoe: '1' });
    expect(await told(events)).toEqual({ height: 3, zoe: '1' });
  });

  test('tells both parts of a height that begins again, and a resumed one the rest', async () => {
    const events = await live.open();
    await told(events);
    let first: StreamEvent<AccountRow> | undefined;
    const parts = async function* () {
      yield* blockOf(2, { ann: '3', bob: '3' });
      first = await next(events);
      yield* blockOf(2, { ann: '4' });
    };
    await live.apply(parts());
    expect(await told(events)).toEqual({ height: 2, ann: '4' });
    const resumed = await live.open({}, cursorOf('accounts', first as StreamEvent<AccountRow>));
    expect(await told(resumed)).toEqual({ height: 2, ann: '4' });
    const whole = await live.open({}, writeStreamCursor({ stream: 'accounts', position: 0n, row: null }));
    expect([await told(whole), await told(whole)]).toEqual([
      { height: 1, ann: '1', bob: '2' },
      { height: 2, ann: '4', bob: '3' },
    ]);
  });

  test('has a snapshot of the first part bear its hash, where a height has begun again since', async () => {
    const latest = { ...live.feed.latest, hash: 'of the first part', digest: null };
    const hub = new Hub(topicOf(accounts), LIMITS);
    const feed = { latest } as BlockFeed;
    const { statements } = live.reader;
    const source = { statements, feed, hub, filter: {}, after: null, reads: new Semaphore(1) };
    const events = new ChangeStream(source, () => {});
    const { block, rows } = await next(events);
    expect([block, rows.length]).toEqual([latest, 2]);
    await events.return();
  });

  test('comes no further than it was asked to, where a height has begun again since', async () => {
    const events = await live.open();
    await told(events);
    let reached = 0n;
    const parts = async function* () {
      yield* blockOf(2, { ann: '3', bob: '3' });
      reached = endOf(await next(events));
      yield* blockOf(2, { ann: '4' });
    };
    await live.apply(parts());
    const second = await next(events);
    const source = {
      hub: new Hub(topicOf(accounts), LIMITS),
      statements: live.reader.statements,
      ...{ filter: {}, read: <T>(read: (limit: number) => Promise<T>) => read(CHANGES_PAGE) },
    };
    const caughtUp: bigint[] = [];
    for await (const { position } of catchUp(source, 0n, reached, new AbortController().signal))
      caughtUp.push(position);
    expect(caughtUp.at(-1)).toBe(reached);
    expect(endOf(second)).toBeGreaterThan(reached);
  });

  test('goes on within a snapshot, as of the block that it began with', async () => {
    await live.block(Object.fromEntries(Array.from({ length: 2500 }, (_, n) => [`p${n}`, '1'])));
    await live.settled();
    const events = await live.open();
    const first = await next(events);
    expect([first.rows.length, first.kind === 'snapshot' && first.lastPage]).toEqual([1000, false]);
    await live.block({ p1: '7', p2000: '7', p9999: '7' });
    await live.settled();
    const resumed = await live.open({}, cursorOf('accounts', first));
    const rest = [await next(resumed), await next(resumed)];
    const rows = [first, ...rest].flatMap((event) => event.rows);
    expect(
      rest.map((event) => [Number(event.block.height), event.kind === 'snapshot' && event.lastPage]),
    ).toEqual([
      [2, false],
      [2, true],
    ]);
    expect(new Set(rows.map(({ owner }) => owner)).size).toBe(2502);
    expect(rows.filter(({ balance }) => balance === '7')).toEqual([]);
    expect(await told(resumed)).toEqual({ height: 3, p1: '7', p2000: '7', p9999: '7' });
  });

  test('tells a block of more changes than are read at once in one message, live and later', async () => {
    const events = await live.open();
    await told(events);
    const cursor = cursorOf('accounts', await opened(live));
    await live.block({ ann: '0' });
    const many = Object.fromEntries(Array.from({ length: 45_000 }, (_, n) => [`p${n}`, `${n}`]));
    await live.block(many);
    await live.block({ ann: '9' });
    for (const stream of [events, await live.open({}, cursor)]) {
      expect(await told(stream)).toEqual({ height: 2, ann: '0' });
      expect(await told(stream)).toEqual({ height: 3, ...many });
      expect(await told(stream)).toEqual({ height: 4, ann: '9' });
    }
  });

  test.each([null, 600_000])(
    'leaves out what a cursor of a gateway that was ahead has told, progress every %s ms',
    async (progressMs) => {
      const hub = new Hub(topicOf(accounts), LIMITS);
      const feed = { latest: { ...NO_BLOCK, position: 10n } } as BlockFeed;
      const { statements } = live.reader;
      const after = { stream: 'accounts', position: 20n, row: null };
      const source = { statements, feed, hub, filter: {}, after, reads: new Semaphore(1), progressMs };
      const events = new ChangeStream(source, () => {});
      const first = events.next();
      await sleep(0);
      for (const position of [15n, 20n, 25n]) {
        const row = { createdPosition: 1n, owner: 'ann', balance: `${position}` } as AccountRow;
        hub.publish({ ...NO_BLOCK, position }, [{ position, row }]);
      }
      expect((await first).value?.block.position).toBe(25n);
    },
  );

  test('is told when the gateway comes to its block, though nothing changes', async () => {
    const feed = { latest: { ...NO_BLOCK, position: 10n } } as BlockFeed;
    const after = { stream: 'accounts', position: 20n, row: null };
    const { statements } = live.reader;
    const hub = new Hub(topicOf(accounts), LIMITS);
    const source = { statements, feed, hub, filter: {}, after, reads: new Semaphore(1), progressMs: 60_000 };
    const events = new ChangeStream(source, () => {});
    const first = events.next();
    await sleep(0);
    for (const position of [15n, 20n, 20n])
      events.onReached({ kind: 'reached', block: { ...NO_BLOCK, position }, position, rows: [] });
    expect((await first).value).toMatchObject({ kind: 'reached', position: 20n });
    const next = events.next();
    for (const position of [20n, 25n])
      events.onReached({ kind: 'reached', block: { ...NO_BLOCK, position }, position, rows: [] });
    const silent = sleep(50).then(() => 'nothing');
    expect(await Promise.race([next, silent])).toBe('nothing');
    await events.return();
  });
});

test('a filter of 5000 values is followed, one of too many combinations is refused by name', async () => {
  using memberships = countMemberships();
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);
  const events = await live.open({ partyIds: [...ids(5000), 'ann'] });
  expect(await told(events)).toEqual({ height: 1, snapshot: true, ann: '1' });
  await live.block({ ann: '3', zoe: '4' });
  expect(await told(events)).toEqual({ height: 2, ann: '3' });
  await expect(live.open({ partyIds: ids(101), marketIds: ids(100) })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining('10100 combinations'),
    details: [{ fieldViolations: [{ field: 'filter' }] }],
  });
  await events.return?.();
  expect([memberships.open, live.feed.openStreams]).toEqual([0, 0]);
});

describe('a cursor', () => {
  test('of another stream, of none, or with a mistake is refused by name', async () => {
    const [events] = [await live.feed.open(topicOf(deposits), {}, null)];
    const { value } = await events.next();
    const other = cursorOf('deposits', value as never);
    for (const cursor of [other, 'x', `${cursorOf('accounts', await opened(live))}x`, '']) {
      await expect(live.open({}, cursor)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('after takes a cursor that a stream of accounts gave'),
      });
    }
  });

  test('of a block that is not there is out of range; one that comes a little later is waited for', async () => {
    const at = (height: number) =>
      writeStreamCursor({ stream: 'accounts', position: positionOf(height, 2), row: null });
    await expect(live.open({}, at(2 ** 33 - 1))).rejects.toMatchObject({ code: 'OUT_OF_RANGE' });
    const opening = live.open({}, at(2));
    await live.block({ ann: '8' });
    const events = await opening;
    await live.block({ ann: '9' });
    expect(await told(events)).toEqual({ height: 3, ann: '9' });
  });

  test('that is ahead has the feed look for all who come with it, and ends with the streams', async () => {
    const at = (height: number) =>
      writeStreamCursor({ stream: 'accounts', position: positionOf(height, 2), row: null });
    const openMany = (height: number) => Array.from({ length: 50 }, () => live.open({}, at(height)));
    const newestAsked = () => live.asked.filter((text) => text.includes('DESC LIMIT 1')).length;
    const before = newestAsked();
    const opening = openMany(2);
    await live.block({ ann: '8' });
    await Promise.all(opening);
    expect(newestAsked()).toBe(before);
    const refused = await Promise.allSettled(openMany(9));
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'OUT_OF_RANGE' } });
    expect(newestAsked() - before).toBeLessThan(refused.length);
    const waiting = expect(live.open({}, at(9))).rejects.toMatchObject({ message: 'stopping' });
    live.feed.endStreams(new GatewayError('UNAVAILABLE', 'stopping'));
    await waiting;
  });

  test('of before the history began is out of range, and so is a snapshot that it overtakes', async () => {
    const cursor = cursorOf('accounts', await opened(live));
    await live.block(Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`p${n}`, '1'])));
    await live.settled();
    const slow = await live.open();
    await next(slow);
    const live3 = await opened(live);
    for (let n = 0; n < 3; n++) await live.block({ ann: `${n}` });
    await live.settled();
    await forgetUpTo(live.database.url, 4n);
    const outOfRange = {
      code: 'OUT_OF_RANGE',
      message: expect.stringContaining('can go on after is 4. Begin again'),
    };
    await expect(next(slow)).rejects.toMatchObject(outOfRange);
    await expect(next(await live.open({}, cursor))).rejects.toMatchObject(outOfRange);
    await expect(next(await live.open({}, cursorOf('accounts', live3)))).rejects.toMatchObject(outOfRange);
    // Blocks and rewards are kept.
    const blocks = await live.feed.open(
      blockTopic,
      {},
      writeStreamCursor({ stream: 'blocks', position: 0n, row: null }),
    );
    expect((await blocks.next()).value?.block.height).toBe(1n);
  });
});

test('what is followed from a cursor waits for a database that is away, and not for one whose gateway stops', async () => {
  const stream = 'any';
  const after = writeStreamCursor({ stream, position: live.feed.latest.position, row: null });
  const followed = {
    name: stream,
    key: '',
    dependsOn: [],
    from: null,
    endOf: () => null,
    lengthsOf: () => ({}),
  };
  const read = async ({ height }: { readonly height: bigint }, since: bigint) => `${height} since ${since}`;
  live.isAway = true;
  live.asked.length = 0;
  const follow = () => live.feed.follow({ ...followed, read }, after, false);
  const following = follow();
  const looked = () => live.asked.filter((text) => text.includes('FROM blocks')).length;
  await expect.poll(looked).toBeGreaterThan(2);
  live.isAway = false;
  expect((await nextOf(await following)).value?.value).toBe('1 since 1');

  live.isAway = true;
  live.asked.length = 0;
  const refused = expect(follow()).rejects.toThrow('another gateway');
  await expect.poll(looked).toBeGreaterThan(0);
  live.feed.endStreams(new GatewayError('UNAVAILABLE', 'Ask another gateway.'));
  await refused;
});

describe('a reader', () => {
  test('that is too slow is told so and ended; the others are not disturbed', async () => {
    const before = openPasts();
    const [slow, quick] = [await live.open(), await live.open()];
    for (const events of [slow, quick]) await told(events);
    const heights: unknown[] = [];
    const firsts = [slow, quick].map(told);
    // Both are live: one that still catches up would not be too slow, it goes on from the history.
    await expect.poll(openPasts, { timeout: HANG_MS }).toBe(before);
    await live.block({ ann: '0' });
    await Promise.all(firsts);
    for (let n = 1; n < 8; n++) {
      await live.block({ ann: `${n}` });
      heights.push((await told(quick))['height']);
    }
    expect(heights).toEqual([3, 4, 5, 6, 7, 8, 9]);
    await expect(next(slow)).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' });
    expect((await slow.next()).done).toBe(true);
    expect(live.feed.openStreams).toBe(1);
  });

  test('that is slow while it catches up goes on from the history', async () => {
    const events = await live.open({}, cursorOf('accounts', await opened(live)));
    await live.block({ ann: '0' });
    await live.settled();
    const heights = [(await told(events))['height']];
    for (let n = 1; n < 20; n++) await live.block({ ann: `${n}` });
    await live.settled();
    for (let n = 1; n < 20; n++) heights.push((await told(events))['height']);
    expect(heights).toEqual(Array.from({ length: 20 }, (_, n) => n + 2));
  });

  test('that leaves while it waits is let go at once, and so is one that leaves before it began', async () => {
    const [events, idle] = [await live.open(), await live.open()];
    await told(events);
    const waiting = events.next();
    await within(Promise.all([events.return?.(), idle.return?.()]), 'leaving');
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(live.feed.openStreams).toBe(0);
  });

  test.each([
    ['was told a block, with another one waiting for it', async () => {}],
    ['was told every block', async (events: Events) => void (await told(events))],
    ['waits for the next block', async (events: Events) => void [await told(events), events.next()]],
  ])('that leaves when it %s gives back its place', async (_, reach) => {
    using memberships = countMemberships();
    const events = await live.open();
    await told(events);
    const asked = events.next();
    await live.block({ ann: '3' });
    await asked;
    await live.block({ ann: '4' });
    await live.settled();
    await reach(events);
    expect(memberships.open).toBe(1);
    await events.return?.();
    expect([memberships.open, live.feed.openStreams]).toEqual([0, 0]);
  });

  test('that leaves while it catches up gives back its place, and so does one that its feed ends', async () => {
    using memberships = countMemberships();
    const cursor = cursorOf('accounts', await opened(live));
    for (const balance of ['3', '4']) await live.block({ ann: balance });
    await live.settled();
    const [leaving, ended] = [await live.open({}, cursor), await live.open({}, cursor)];
    for (const events of [leaving, ended]) await told(events);
    expect(memberships.open).toBe(2);
    await leaving.return?.();
    expect(memberships.open).toBe(1);
    live.feed.endStreams(new GatewayError('UNAVAILABLE', 'The gateway is stopping.'));
    // Nobody asks it for more.
    await expect.poll(() => memberships.open).toBe(0);
  });

  test('that leaves while the database does not answer is let go at once', async () => {
    const events = await live.open();
    const locked = withClient(live.database.url, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE accounts');
      const waiting = events.next();
      await sleep(50);
      // Before the read itself is given up, after ten seconds.
      await within(Promise.resolve(events.return?.()), 'leaving', 8000);
      expect(await waiting).toEqual({ done: true, value: undefined });
      await client.query('ROLLBACK');
    });
    await locked;
  });

  test('of a feed that ends is told why, whether it waits or not, and new ones are refused with it', async () => {
    const [waiting, suspended, fresh] = [await live.open(), await live.open(), await live.open()];
    for (const events of [waiting, suspended]) await told(events);
    const asked = Promise.allSettled([waiting.next()]);
    const reason = new GatewayError('UNAVAILABLE', 'The gateway is stopping.');
    live.feed.endStreams(reason);
    await live.feed.close();
    expect(await asked).toEqual([{ status: 'rejected', reason }]);
    for (const events of [suspended, fresh]) await expect(events.next()).rejects.toBe(reason);
    for (const events of [waiting, suspended, fresh]) expect((await events.next()).done).toBe(true);
    await expect(live.open()).rejects.toBe(reason);
    expect(live.feed.openStreams).toBe(0);
  });
});

describe('a feed', () => {
  test('and its streams ask for less where a statement takes too long, so that all is told', async () => {
    const topic = topicOf(accounts);
    const asked: number[] = [];
    const readChanges = (async (statements, filter, range) => {
      asked.push(range.limit);
      if (range.limit > 400) throw TOO_SLOW;
      return topic.log.readChanges(statements, filter, range);
    }) as typeof topic.log.readChanges;
    const slow = { ...topic, log: { ...topic.log, readChanges } };
    const cursor = cursorOf('accounts', await opened(live));
    await live.block(Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`p${n}`, '1'])));
    await live.block({ ann: '3' });
    await live.settled();
    const before = openPasts();
    const events = await live.feed.open(slow, {}, cursor);
    expect((await next(events)).rows).toHaveLength(900);
    expect(await told(events)).toEqual({ height: 3, ann: '3' });
    expect(asked.slice(0, 6)).toEqual([5000, 2500, 1250, 625, 312, 312]);
    // The feed does so, too.
    const following = told(events);
    await expect.poll(openPasts, { timeout: HANG_MS }).toBe(before);
    asked.length = 0;
    await live.block({ ann: '4' });
    expect(await following).toEqual({ height: 4, ann: '4' });
    expect(asked.slice(0, 7)).toEqual([20_000, 10_000, 5_000, 2_500, 1_250, 625, 313]);
  });

  test('that was away goes on where it was', async () => {
    const events = await live.open();
    await told(events);
    live.isAway = true;
    for (let n = 0; n < 3; n++) await live.block({ ann: `${n}` });
    const waiting = told(events);
    await sleep(150);
    live.isAway = false;
    expect([await waiting, await told(events), await told(events)].map(({ height }) => height)).toEqual([
      2, 3, 4,
    ]);
  });

  test('that was away for longer than the history reaches ends its streams with a reason, and leaves nothing out', async () => {
    const events = await live.open();
    await told(events);
    live.isAway = true;
    for (let n = 0; n < 5; n++) await live.block({ ann: `${n}` });
    await forgetUpTo(live.database.url, 4n);
    const waiting = next(events);
    live.isAway = false;
    await expect(waiting).rejects.toMatchObject({ code: 'OUT_OF_RANGE' });
    await live.settled();
    expect(await told(await live.open())).toEqual({ height: 6, snapshot: true, ann: '4', bob: '2' });
  });
});

test('what cannot be read of one topic holds nobody else up: who follows it reads for itself what was asked for', async () => {
  using memberships = countMemberships();
  const all = await live.feed.open(changesTopic, {}, null);
  const some = await live.feed.open(changesTopic, { nouns: ['accounts'] }, null);
  const others = await live.open();
  await Promise.all([all, some, others].map((events) => within<unknown>(events.next(), 'the snapshot')));
  const [failure, ofSome] = [within(all.next(), 'the error'), within(some.next(), 'the block')];
  const failed = expect(failure).rejects.toSatisfy((error) => tableToCome(error) === 'trades');
  const first = told(others);
  await expect.poll(() => memberships.open, { timeout: HANG_MS }).toBe(3);
  // As while a base comes in.
  await ask(live.database.url, 'ALTER TABLE trades RENAME TO trades_to_come');
  try {
    await live.block({ ann: '3' });
    expect(await first).toEqual({ height: 2, ann: '3' });
    expect((await ofSome).value).toMatchObject({ block: { height: 2n }, rows: [{ row: { balance: '3' } }] });
    await failed;
    await live.settled();
  } finally {
    await ask(live.database.url, 'ALTER TABLE trades_to_come RENAME TO trades');
  }
  await live.block({ ann: '4' });
  expect(await told(others)).toEqual({ height: 3, ann: '4' });
  expect((await within(some.next(), 'the next block')).value?.block.height).toBe(3n);
});

/** As PostgreSQL says it. */
const TOO_SLOW = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });

/** How far a message of updates has come. */
function endOf(event: StreamEvent<AccountRow>): bigint {
  if (event.kind !== 'updates') throw new Error('a message of updates is expected');
  return event.position;
}
