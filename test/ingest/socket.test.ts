import { beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { endBlock } from '../support/events.ts';
import { chooseRandom } from '../support/seed.ts';
import { readHeight, readState, type State } from '../support/state.ts';
import {
  createSpoolPlace,
  eventsOf,
  lastHeight,
  network,
  reachHeight,
  shutDatabase,
  stateFromFile,
} from './core-network.ts';
import { CoreNode, dialUntilTaken, frame, GREETING } from './core-node.ts';
import { encodeAt, makeBlocks } from './network-blocks.ts';

const random = chooseRandom('socket');

let wanted: State;

beforeAll(async () => {
  wanted = await stateFromFile(network);
});

test('a network that a core node sends at speed leaves the state that its file leaves', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using ingest = await place.start(database.url);
  await using core = await CoreNode.dial(ingest.url);
  await core.send(eventsOf(network));
  await reachHeight(database.url, lastHeight);
  expect(await readState(database.url)).toEqual(wanted);
});

test('so does one whose connection breaks at random points, sent again from an earlier block each time', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using ingest = await place.start(database.url, { segmentSize: 100_000 });
  for (let cuts = 0; cuts < 30; cuts++) {
    const reached = await readHeight(database.url);
    const from = Math.max(1, reached + 1 - random.below(20));
    const events = eventsOf(network.filter(({ height }) => height >= from && height <= from + 60));
    const bytes = frame(events);
    const core = await dialUntilTaken(ingest.url);
    // Anywhere within the events, within a message too.
    await core.sendBytes(bytes.subarray(0, random.below(bytes.length)));
    if (random.oneIn(2)) await core.cut();
    else await core.finish();
  }
  const reached = await readHeight(database.url);
  expect(reached).toBeGreaterThan(1);
  await using core = await dialUntilTaken(ingest.url);
  await core.send(eventsOf(network.filter(({ height }) => height >= reached)));
  await reachHeight(database.url, lastHeight);
  expect(await readState(database.url)).toEqual(wanted);
});

test.each([
  ['the middle', 9, 1],
  ['the beginning', 0, 0],
])('an empty database that begins with %s of a network is warned of, or not', async (_, from, warnings) => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using ingest = await place.start(database.url);
  await using core = await CoreNode.dial(ingest.url);
  const blocks = network.slice(from, from + 5);
  await core.send(eventsOf(blocks));
  await reachHeight(database.url, (blocks.at(-1)?.height ?? 0) - 1);
  await ingest.close();
  expect(place.logged.filter((line) => line.includes('IN THE MIDDLE OF THE NETWORK'))).toHaveLength(warnings);
});

test('a connection that breaks between two events goes on with the next, even in another process', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  const events = eventsOf(network.slice(0, 40));
  for (let at = 0; at < events.length; ) {
    await using ingest = await place.start(database.url);
    for (let connections = 0; connections < 3; connections++) {
      const end = at + 1 + random.below(60);
      const core = await dialUntilTaken(ingest.url);
      await core.send(events.slice(at, end));
      await core.finish();
      at = end;
    }
  }
  await using _ingest = await place.start(database.url);
  await reachHeight(database.url, network[39]?.height ?? 0);
  expect(await readState(database.url)).toEqual(await stateFromFile(network.slice(0, 40)));
});

describe('peers', () => {
  test('a second one is closed at once, and the first goes on', async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    await using ingest = await place.start(database.url);
    await using first = await CoreNode.dial(ingest.url);
    await first.greeted();
    const blocks = makeBlocks(1, 4);
    await first.send(eventsOf(blocks.slice(0, 2)));
    const second = await CoreNode.dial(ingest.url);
    await second.send(eventsOf(makeBlocks(1, 9)));
    await second.closed;
    expect(second.isGreeted).toBe(false);
    await first.send(eventsOf(blocks.slice(2)));
    await reachHeight(database.url, 4);
    await first.finish();
    await using third = await dialUntilTaken(ingest.url);
    await third.send(eventsOf(makeBlocks(5, 1)));
    await reachHeight(database.url, 5);
    expect(await readHeight(database.url)).toBe(5);
  });

  test.each<[string, Uint8Array, Uint8Array]>([
    ['greets as another protocol', Buffer.from('0053500000110000', 'hex'), Buffer.alloc(0)],
    ['speaks HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), Buffer.alloc(0)],
    ['announces an absurd length', GREETING, Buffer.from('7fffffffffffffff00', 'hex')],
    ['announces an empty message', GREETING, Buffer.alloc(8)],
    ['sends what is no event', GREETING, frame([Buffer.from('not an event')])],
  ])('one that %s is closed, and the next one is taken', async (_, greeting, bytes) => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    await using ingest = await place.start(database.url);
    await using stranger = await CoreNode.dial(ingest.url, greeting);
    if (bytes.length > 0) await stranger.sendBytes(bytes);
    await stranger.closed;
    await using core = await dialUntilTaken(ingest.url);
    await core.send(eventsOf(makeBlocks(1, 2)));
    await reachHeight(database.url, 2);
  });

  test('one that says nothing keeps nobody out, and is not greeted, so that it sends nothing that would be lost', async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    await using ingest = await place.start(database.url);
    await using silent = await CoreNode.dial(ingest.url, new Uint8Array());
    await using core = await CoreNode.dial(ingest.url);
    await core.greeted();
    await core.send(eventsOf(makeBlocks(1, 2)));
    await reachHeight(database.url, 2);
    await silent.sendBytes(GREETING);
    await silent.closed;
    expect(silent.isGreeted).toBe(false);
  });

  test('one of another network is closed, and nothing of it applied', async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    await using ingest = await place.start(database.url);
    await using own = await CoreNode.dial(ingest.url);
    await own.send(eventsOf(makeBlocks(1, 2)));
    await own.finish();
    await using foreign = await dialUntilTaken(ingest.url);
    await foreign.send(eventsOf(makeBlocks(3, 1, { chainId: 'elsewhere' })));
    await foreign.closed;
    await using again = await dialUntilTaken(ingest.url);
    await again.send(eventsOf(makeBlocks(3, 1)));
    await reachHeight(database.url, 3);
  });
});

describe('a session that cannot be applied', () => {
  test.each<[string, readonly Uint8Array[]]>([
    ['lacks blocks', eventsOf(makeBlocks(5, 3))],
    ['falls back without a new connection', eventsOf(makeBlocks(1, 1))],
    ['has an event outside any block', [...eventsOf(makeBlocks(3, 1)), encodeAt(endBlock(3), 3, 5)]],
  ])('that %s is set aside until the core begins again at an earlier block', async (_, events) => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    await using ingest = await place.start(database.url);
    const core = await CoreNode.dial(ingest.url);
    await core.send([...eventsOf(makeBlocks(1, 2)), ...events]);
    await core.finish();
    await using again = await dialUntilTaken(ingest.url);
    await again.send(eventsOf(makeBlocks(2, 9)));
    await reachHeight(database.url, 10);
    expect((await readState(database.url))['blocks']).toHaveLength(10);
  });

  test('is applied after a restart, once the missing blocks have come in another way', async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    {
      await using ingest = await place.start(database.url);
      for (const blocks of [makeBlocks(1, 2), makeBlocks(5, 3)]) {
        const core = await dialUntilTaken(ingest.url);
        await core.send(eventsOf(blocks));
        await core.finish();
      }
      await reachHeight(database.url, 2);
    }
    {
      await using other = await createSpoolPlace();
      await using ingest = await other.start(database.url);
      await using core = await CoreNode.dial(ingest.url);
      await core.send(eventsOf(makeBlocks(3, 2)));
      await reachHeight(database.url, 4);
    }
    await using _ingest = await place.start(database.url);
    await reachHeight(database.url, 7);
  });
});

test('the core is told that it may upgrade once everything up to there is applied, and not again', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using ingest = await place.start(database.url);
  const upgrade = encodeAt({ case: 'protocolUpgradeStarted', value: { lastBlockHeight: 50n } }, 50, 9);
  await using core = await CoreNode.dial(ingest.url);
  await core.send([...eventsOf(makeBlocks(1, 50)), upgrade]);
  const answer = Buffer.from(await core.answered());
  expect(await readHeight(database.url)).toBe(50);
  // version 1 (field 4), the chain (5), type 55 (3), and field 154 with the height in its field 1.
  expect(answer.toString('hex')).toBe(`183720012a0a${Buffer.from('test-chain').toString('hex')}d209020832`);
  await core.send(eventsOf(makeBlocks(51, 2)));
  await reachHeight(database.url, 52);
  expect(core.received).toHaveLength(1);
  await core.finish();
  await using next = await dialUntilTaken(ingest.url);
  await next.send(eventsOf(makeBlocks(53, 1)));
  await reachHeight(database.url, 53);
  expect(next.received).toHaveLength(0);
});

test('a core that lost its connection while it waited to upgrade is told over the next', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using ingest = await place.start(database.url);
  const upgrade = encodeAt({ case: 'protocolUpgradeStarted', value: { lastBlockHeight: 2n } }, 2, 9);
  const shut = await shutDatabase(database.url);
  const core = await CoreNode.dial(ingest.url);
  await core.send([...eventsOf(makeBlocks(1, 2)), upgrade]);
  await core.finish();
  await using next = await dialUntilTaken(ingest.url);
  expect(next.received).toHaveLength(0);
  await shut[Symbol.asyncDispose]();
  await next.answered();
  expect(await readHeight(database.url)).toBe(2);
});

test('a database that another process writes to is refused at the start', async () => {
  await using database = await createTestDatabase();
  await using first = await createSpoolPlace();
  await using second = await createSpoolPlace();
  await using _ingest = await first.start(database.url);
  await expect(second.start(database.url)).rejects.toThrow('Another process is ingesting into this database');
});

test('a database of another network ends the ingest', async () => {
  await using database = await createTestDatabase();
  await using first = await createSpoolPlace();
  await using second = await createSpoolPlace();
  {
    await using ingest = await first.start(database.url);
    await using core = await CoreNode.dial(ingest.url);
    await core.send(eventsOf(makeBlocks(1, 1)));
    await reachHeight(database.url, 1);
  }
  await using ingest = await second.start(database.url);
  await using core = await CoreNode.dial(ingest.url);
  await core.send(eventsOf(makeBlocks(1, 1, { chainId: 'elsewhere' })));
  await expect(ingest.failed).rejects.toThrow('takes no events of elsewhere');
});
