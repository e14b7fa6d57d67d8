import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countChunks } from '../../src/ingest/log/block-log.ts';
import { writeChunkHead } from '../../src/ingest/log/block-message.ts';
import { connectToLog } from '../../src/ingest/log/connect.ts';
import { openFileFeed } from '../../src/ingest/log/file-feed.ts';
import type { SentBlock as LogBlock } from '../../src/ingest/log/sent-blocks.ts';
import { readLogServers } from '../../src/ingest/log/servers.ts';
import { createDisposableDatabase, createTestDatabase } from '../support/database.ts';
import { createFolder, recordingOf } from '../support/events.ts';
import { NATS_SERVER, NatsServers } from '../support/nats-servers.ts';
import { ask, readState } from '../support/state.ts';
import { eventsOf, lastHeight, network, reachHeight, shutDatabase, until } from './core-network.ts';
import {
  countMessages,
  createFileDatabase,
  readDigests,
  relayBlocksOf,
  relayFile,
  STREAM,
  startCoreRelay,
  startRegion,
} from './log-network.ts';
import { encodeNewerAccount, makeBlocks, replaceEvent, type SentBlock } from './network-blocks.ts';

const SUBJECT = `${STREAM}.blocks`;
/** So small that most blocks take several messages. */
const SMALL_PAYLOAD = 4_096;

describe.skipIf(NATS_SERVER === undefined)('a log', () => {
  let servers: NatsServers;
  let small: NatsServers;

  beforeAll(async () => {
    [servers, small] = await Promise.all([
      NatsServers.start(1),
      NatsServers.start(1, { maxPayload: SMALL_PAYLOAD }),
    ]);
  });

  afterAll(async () => {
    await servers?.[Symbol.asyncDispose]();
    await small?.[Symbol.asyncDispose]();
  });

  test('brings a database to what the file makes of it, block by block', async () => {
    await using _clean = await cleanStream(servers);
    await using direct = await createFileDatabase(network);
    await relayBlocksOf(servers, network);
    await using region = await startRegion(servers);
    await reachHeight(region.database.url, lastHeight);
    expect(await readState(region.database.url)).toEqual(await readState(direct.url));
    expect(await readDigests(region.database.url)).toEqual(await readDigests(direct.url));
  });

  test('has a height that begins twice as two blocks, and each of them once', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = [...makeBlocks(1, 1, { accounts: 5 }), ...makeBlocks(1, 4)];
    await using direct = await createFileDatabase(blocks);
    await relayBlocksOf(servers, blocks.slice(0, 1));
    await using region = await startRegion(servers);
    await reachHeight(region.database.url, 1);
    await relayBlocksOf(servers, blocks);
    await reachHeight(region.database.url, 4);
    expect(await readDigests(region.database.url)).toEqual(await readDigests(direct.url));
    expect(await countMessages(servers)).toBe(5);
  });

  test('has a block that is larger than a message in chunks', async () => {
    await using _clean = await cleanStream(small);
    const blocks = makeBlocks(1, 6, { others: 20 });
    await using direct = await createFileDatabase(blocks);
    await relayBlocksOf(small, blocks);
    expect(await countMessages(small)).toBeGreaterThan(6 * 8);
    await using region = await startRegion(small);
    await reachHeight(region.database.url, 6);
    expect(await readDigests(region.database.url)).toEqual(await readDigests(direct.url));
  });

  test.each([
    ['in chunks of the same size', 2_048],
    ['in chunks of another size', 1_500],
  ])('goes on behind a block that a relay has begun and not ended, %s', async (_, size) => {
    await using _clean = await cleanStream(small);
    const blocks = makeBlocks(1, 4, { others: 20 });
    await using direct = await createFileDatabase(blocks);
    await relayBlocksOf(small, blocks.slice(0, 2));
    const [, , third] = await logBlocksOf(blocks);
    await publishPart(small, third as LogBlock, { chunks: 3, size });
    await relayBlocksOf(small, blocks);
    await using region = await startRegion(small);
    await reachHeight(region.database.url, 4);
    expect(await readDigests(region.database.url)).toEqual(await readDigests(direct.url));
  });

  test('takes lines of JSON as they are', async () => {
    await using _clean = await cleanStream(servers);
    const lines = [
      { type: 'network', data: { chainId: 'lines' } },
      ...[1, 2, 3].flatMap((height) => [
        { type: 'block', data: { height: `${height}`, timestamp: `${1_700_000_000 + height}000000000` } },
        {
          type: 'account',
          data: { owner: 'alice', asset: 'gold', balance: `${height}`, type: 'ACCOUNT_TYPE_GENERAL' },
        },
      ]),
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await relayFile(servers, text);
    await using region = await startRegion(servers);
    await reachHeight(region.database.url, 3);
    const { accounts } = await readState(region.database.url);
    expect(accounts).toHaveLength(1);
    expect(accounts?.[0]).toContain('alice');
    // Again, and nothing comes twice.
    await relayFile(servers, text);
    expect(await countMessages(servers)).toBe(3);
  });

  test('has each block once, however often its file is relayed, and a region that comes later takes what it lacks', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = makeBlocks(1, 30);
    await using direct = await createFileDatabase(blocks);
    await using database = await createTestDatabase();
    await relayBlocksOf(servers, blocks.slice(0, 10));
    {
      await using _region = await startRegion(servers, database);
      await reachHeight(database.url, 10);
    }
    await relayBlocksOf(servers, blocks.slice(0, 20));
    await relayBlocksOf(servers, blocks);
    expect(await countMessages(servers)).toBe(30);
    await using region = await startRegion(servers, database);
    await reachHeight(database.url, 30);
    // The newest that it has is read again, so that it is seen to be the same.
    expect([region.ingest.counts.applied, region.ingest.counts.skipped]).toEqual([20, 1]);
    expect(await readDigests(database.url)).toEqual(await readDigests(direct.url));
  });

  test('holds a database up at a block that PostgreSQL refuses, which says so', async () => {
    await using _clean = await cleanStream(servers);
    await using database = await createTestDatabase();
    await ask(database.url, "ALTER TABLE accounts ADD CONSTRAINT no_such CHECK (balance <> '3000')");
    await relayBlocksOf(servers, makeBlocks(1, 3));
    await using region = await startRegion(servers, database);
    await until(() => region.ingest.counts.heldUp !== null, 'it is held up');
    expect(region.ingest.counts.heldUp).toMatchObject({
      height: 3n,
      reason: expect.stringMatching(/^the database refuses what it holds: new row .*no_such/),
    });
    await ask(database.url, 'ALTER TABLE accounts DROP CONSTRAINT no_such');
    await reachHeight(database.url, 3);
  });

  test('passes over what is no block, and says so', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = makeBlocks(1, 9);
    await using direct = await createFileDatabase(blocks);
    await relayBlocksOf(servers, blocks.slice(0, 4));
    await publishStrange(servers, 'garbage');
    await publishStrange(servers, '', { 'Periscope-Log': '2' });
    await relayBlocksOf(servers, blocks);
    await using region = await startRegion(servers);
    await reachHeight(region.database.url, 9);
    expect(await readDigests(region.database.url)).toEqual(await readDigests(direct.url));
    expect(region.logged.filter((line) => line.includes('PASSED OVER A MESSAGE'))).toHaveLength(2);
  });

  test('takes strange messages among blocks that are being published', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = makeBlocks(1, 200);
    await using direct = await createFileDatabase(blocks);
    await using relay = await startCoreRelay(servers);
    await using region = await startRegion(servers);
    for (let at = 0; at < blocks.length; at += 20) {
      await Promise.all([relay.send(blocks.slice(at, at + 20)), publishStrange(servers, `garbage ${at}`)]);
      await reachHeight(region.database.url, at + 10);
    }
    await reachHeight(region.database.url, 200);
    expect(await readDigests(region.database.url)).toEqual(await readDigests(direct.url));
    expect(await countMessages(servers)).toBe(210);
  });

  test('goes on where its last messages were removed by hand', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = makeBlocks(1, 8);
    await relayBlocksOf(servers, blocks.slice(0, 5));
    await using region = await startRegion(servers);
    await reachHeight(region.database.url, 5);
    await removeMessage(servers, 5);
    await relayBlocksOf(servers, blocks);
    await reachHeight(region.database.url, 8);
    const { last_seq } = await stateOf(servers);
    expect([last_seq, await countMessages(servers)]).toEqual([9, 8]);
  });

  test.each([
    ['fewer', 6],
    ['as many', 4],
  ])('goes on where its stream was removed and made anew, with %s messages', async (_, first) => {
    await using _clean = await cleanStream(servers);
    const blocks = makeBlocks(1, 8);
    await using direct = await createFileDatabase(blocks);
    await relayBlocksOf(servers, blocks.slice(0, 5));
    await using region = await startRegion(servers);
    await reachHeight(region.database.url, 5);
    await (await cleanStream(servers))[Symbol.asyncDispose]();
    await relayBlocksOf(servers, blocks.slice(first - 1));
    await reachHeight(region.database.url, 8);
    expect(await readDigests(region.database.url)).toEqual(await readDigests(direct.url));
  });

  test('whose stream was made anew without what a database needs next holds it up, which is said', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = makeBlocks(1, 8);
    await relayBlocksOf(servers, blocks.slice(0, 5));
    await using region = await startRegion(servers);
    await reachHeight(region.database.url, 5);
    await (await cleanStream(servers))[Symbol.asyncDispose]();
    await relayBlocksOf(servers, blocks.slice(0, 2));
    await until(() => region.ingest.counts.heldUp !== null, 'the region is held up');
    expect(region.ingest.counts.heldUp?.reason).toMatch(/was made anew.*up to message 5, and ends with 2/);
    await relayBlocksOf(servers, blocks);
    await reachHeight(region.database.url, 8);
    expect(region.ingest.counts.heldUp).toBeNull();
  });

  test('waits for a database that was lost, and goes on when it is back', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = makeBlocks(1, 60);
    await using direct = await createFileDatabase(blocks);
    await using database = await createDisposableDatabase();
    await relayBlocksOf(servers, blocks.slice(0, 20));
    await using region = await startRegion(servers, database);
    await reachHeight(database.url, 20);
    {
      await using _shut = await shutDatabase(database.url);
      await relayBlocksOf(servers, blocks);
      await until(() => region.ingest.counts.isHeldUp, 'the region says that it waits');
    }
    await reachHeight(database.url, 60);
    expect(await readDigests(database.url)).toEqual(await readDigests(direct.url));
    await until(() => !region.ingest.counts.isHeldUp, 'the region says that it goes on');
  });

  test('says that it waits for servers that were lost, and goes on when they are back', async () => {
    await using own = await NatsServers.start(1);
    const blocks = makeBlocks(1, 8);
    await relayBlocksOf(own, blocks.slice(0, 5));
    await using region = await startRegion(own);
    await reachHeight(region.database.url, 5);
    await own.kill(0);
    await until(() => region.ingest.counts.isHeldUp, 'the region says that it waits');
    await own.restart(0);
    await until(() => !region.ingest.counts.isHeldUp, 'the region says that it goes on');
    await relayBlocksOf(own, blocks);
    await reachHeight(region.database.url, 8);
    expect(region.logged).toContain('reads the log again');
  });

  test('that has nothing new for a database that was away at the start is read as well when it is back', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = makeBlocks(1, 3);
    await using database = await createFileDatabase(blocks);
    await relayBlocksOf(servers, blocks);
    let url = 'postgres://127.0.0.1:1/none';
    await using region = await startRegion(
      servers,
      Object.defineProperty({ ...database }, 'url', { get: () => url }),
    );
    expect(region.ingest.counts.isHeldUp).toBe(true);
    url = database.url;
    await until(() => !region.ingest.counts.isHeldUp, 'the region says that it goes on');
    expect(region.logged).toContain('the log has nothing for this database yet; it is waited for');
  });

  test('holds up at a block whose bytes are spoiled, and names it', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = makeBlocks(1, 5);
    await relayBlocksOf(servers, blocks.slice(0, 3));
    const logBlocks = await logBlocksOf(blocks);
    const fourth = logBlocks[3] as LogBlock;
    const payload = Buffer.from(fourth.payload);
    payload.writeUInt8(payload.readUInt8(40) ^ 1, 40);
    await publishPart(servers, { ...fourth, payload }, { chunks: 1, size: 2 ** 19 });
    await relayBlocksOf(servers, blocks);
    await using region = await startRegion(servers);
    await until(() => region.ingest.counts.heldUp !== null, 'the region is held up');
    expect(region.ingest.counts.heldUp).toMatchObject({ height: 4n });
    expect(region.ingest.counts.heldUp?.reason).toMatch(
      /block 5 follows block 3: .*message 4 was passed over: its bytes/,
    );
    expect(await readDigests(region.database.url)).toHaveLength(3);
  });

  test('holds up at an event that cannot be taken, as other sources do', async () => {
    await using _clean = await cleanStream(servers);
    await relayBlocksOf(servers, replaceEvent(makeBlocks(1, 3), 2, 2, encodeNewerAccount(2, 2, 7)));
    await using region = await startRegion(servers);
    await until(() => region.ingest.counts.heldUp !== null, 'the region is held up');
    expect(region.ingest.counts.heldUp?.height).toBe(2n);
    expect(region.ingest.counts).toMatchObject({ isHeldUp: true, heldUpBlock: 2n });
    // It leaves the database to whoever passes over what cannot be taken.
    await region.ingest.close();
    await using skipping = await startRegion(servers, region.database, true);
    await reachHeight(region.database.url, 3);
    expect(skipping.ingest.counts.skippedEvents).toBe(1);
  });

  test('that passed over the newest event is not held up at it again where it is to pass over none any more', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = replaceEvent(makeBlocks(1, 4), 2, 2, encodeNewerAccount(2, 2, 7));
    await relayBlocksOf(servers, blocks.slice(0, 2));
    await using skipping = await startRegion(servers, undefined, true);
    await reachHeight(skipping.database.url, 2);
    await skipping.ingest.close();
    await using region = await startRegion(servers, skipping.database);
    await relayBlocksOf(servers, blocks);
    await reachHeight(region.database.url, 4);
    expect(region.ingest.counts.skippedEvents).toBe(0);
  });

  test('that has forgotten what a database needs next says so, with both heights', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = makeBlocks(1, 40, { accounts: 50 });
    await using database = await createTestDatabase();
    await relayBlocksOf(servers, blocks.slice(0, 5), { maxBytes: 30_000 });
    {
      await using _region = await startRegion(servers, database);
      await reachHeight(database.url, 5);
    }
    await relayBlocksOf(servers, blocks);
    await using region = await startRegion(servers, database);
    await until(() => region.ingest.counts.heldUp !== null, 'the region is held up');
    const { first_seq } = await stateOf(servers);
    expect(first_seq).toBeGreaterThan(7);
    expect(region.ingest.counts.heldUp?.reason).toContain(
      `The database ends with block 5, and the stream ${STREAM} of ${servers.url} begins with block ${first_seq}: what was before has passed its retention, so that blocks 6 to ${first_seq - 1} are missing.`,
    );
    await using empty = await startRegion(servers);
    await until(() => empty.ingest.counts.heldUp !== null, 'an empty one is held up');
    expect(empty.ingest.counts.heldUp?.reason).toContain(`The database is empty, and the stream ${STREAM}`);
  });

  test('of another network is refused by a database and by a relay', async () => {
    await using _clean = await cleanStream(servers);
    await using database = await createFileDatabase(makeBlocks(1, 3));
    await relayBlocksOf(servers, makeBlocks(1, 5, { chainId: 'elsewhere' }));
    await using region = await startRegion(servers, database);
    await expect(region.ingest.failed).rejects.toThrow(/takes no events of elsewhere/);
    await expect(relayBlocksOf(servers, makeBlocks(1, 6))).rejects.toThrow(
      /is of chain test-chain, the stream periscope of .* of elsewhere: a log has one network/,
    );
  });

  test('of another network is refused by a database that is further than the log', async () => {
    await using _clean = await cleanStream(servers);
    await using database = await createFileDatabase(makeBlocks(1, 9));
    await relayBlocksOf(servers, makeBlocks(1, 2, { chainId: 'elsewhere' }));
    await using region = await startRegion(servers, database);
    await expect(region.ingest.failed).rejects.toThrow(/takes no events of elsewhere/);
    expect(region.logged).not.toContain('the log has nothing for this database yet; it is waited for');
  });

  test('that was purged: a relay says that it passes over what is older than the first block there', async () => {
    await using _clean = await cleanStream(servers);
    const blocks = makeBlocks(1, 9);
    const older = /^PASSES OVER WHAT .* BEFORE THE FIRST BLOCK OF THE STREAM PERISCOPE/;
    await relayBlocksOf(servers, blocks.slice(0, 3));
    const nats = await connect({ servers: servers.url.replaceAll('nats://', '').split(',') });
    await (await jetstreamManager(nats)).streams.purge(STREAM);
    await nats.close();
    const newer = await relayBlocksOf(servers, blocks.slice(6));
    // It has blocks that no relay has published.
    const relay = await relayBlocksOf(servers, blocks);
    expect(relay.counts.settled).toBe(9);
    expect(relay.logged.filter((line) => older.test(line))).toHaveLength(1);
    // What the log has already is passed over without a word.
    const again = await relayBlocksOf(servers, blocks.slice(6));
    for (const { logged } of [newer, again]) expect(logged.filter((line) => older.test(line))).toEqual([]);
  });

  test('takes no other blocks in the place of those that it has', async () => {
    await using _clean = await cleanStream(servers);
    await relayBlocksOf(servers, makeBlocks(1, 5));
    await expect(relayBlocksOf(servers, makeBlocks(1, 6, { accounts: 3 }))).rejects.toThrow(
      /block 5 of .* is not the one that the stream periscope of .* holds/,
    );
  });

  test('that is there already is given an age, one below the two minutes of ids as well', async () => {
    await using _clean = await cleanStream(servers);
    const nats = await connect({ servers: servers.url.replaceAll('nats://', '').split(',') });
    const manager = await jetstreamManager(nats);
    for (const minutes of [60, 1, 5]) {
      await relayBlocksOf(servers, makeBlocks(1, 2), { maxAgeMs: minutes * 60_000 });
      const { max_age, duplicate_window } = (await manager.streams.info(STREAM)).config;
      expect([max_age, duplicate_window]).toEqual([minutes * 60e9, Math.min(minutes, 2) * 60e9]);
    }
    await nats.close();
  });

  test('is not made of a stream that is for something else', async () => {
    await using _clean = await cleanStream(servers);
    const nats = await connect({ servers: servers.url.replaceAll('nats://', '').split(',') });
    const manager = await jetstreamManager(nats);
    await manager.streams.add({ name: STREAM, subjects: ['orders.>'] });
    await nats.close();
    await expect(relayBlocksOf(servers, makeBlocks(1, 2))).rejects.toThrow(
      /The stream periscope of .* is no log of blocks: its subjects are orders.>, not periscope.blocks alone/,
    );
  });

  test('is read in a mirror of its stream as well, to which no relay publishes', async () => {
    await using _clean = await cleanStream(servers);
    await using direct = await createFileDatabase(network);
    await relayBlocksOf(servers, network.slice(0, 5));
    await using opened = await openManager(servers);
    const { streams } = opened.manager;
    try {
      await streams.add({ name: 'near', mirror: { name: STREAM } });
      await using region = await startRegion(servers, undefined, false, 'near');
      await reachHeight(region.database.url, network[4]?.height ?? 0);
      await relayBlocksOf(servers, network);
      await reachHeight(region.database.url, lastHeight);
      expect(await readDigests(region.database.url)).toEqual(await readDigests(direct.url));
      await region.ingest.close();
      for (const name of [STREAM, 'near']) await streams.delete(name);
      await streams.add({ name: 'near', subjects: [SUBJECT] });
      await streams.add({ name: STREAM, mirror: { name: 'near' } });
      await expect(relayBlocksOf(servers, network)).rejects.toThrow(
        /The stream periscope of .* is no log of blocks: it is a mirror, and takes only what the stream near has. Name another/,
      );
    } finally {
      await streams.delete('near').catch(() => undefined);
    }
  });

  test('whose servers are not there is an error that names them', async () => {
    const gone = readLogServers('nats://user:secret@127.0.0.1:1,127.0.0.1:2');
    const { signal } = new AbortController();
    await expect(connectToLog(gone, { credentials: null, signal, onAway: null })).rejects.toThrow(
      /^nats:\/\/127.0.0.1:1,127.0.0.1:2 cannot be reached: (?!.*secret)/,
    );
  });
});

test('the addresses of servers are hosts with ports, after a user where there is one', () => {
  expect(readLogServers('nats://one:4333,two')).toMatchObject({
    hosts: ['one:4333', 'two:4222'],
    isEncrypted: false,
    user: null,
  });
  expect(readLogServers('tls://a%40b:c@[::1]:1')).toMatchObject({
    ...{ hosts: ['[::1]:1'], isEncrypted: true, user: 'a@b', password: 'c', name: 'tls://[::1]:1' },
  });
  for (const wrong of [
    '',
    'nats://',
    'http://one',
    'nats://one:0',
    'nats://one:99999',
    'nats://one,',
    'nats://one/x/y',
  ])
    expect(() => readLogServers(wrong), wrong).toThrow(RangeError);
});

async function openManager(servers: NatsServers) {
  const nats = await connect({ servers: servers.url.slice('nats://'.length).split(',') });
  return { nats, manager: await jetstreamManager(nats), [Symbol.asyncDispose]: () => nats.close() };
}

/** Removes the stream when it is disposed of. */
async function cleanStream(servers: NatsServers): Promise<AsyncDisposable> {
  return {
    async [Symbol.asyncDispose]() {
      await using opened = await openManager(servers);
      await opened.manager.streams.delete(STREAM).catch(() => undefined);
    },
  };
}

async function stateOf(servers: NatsServers) {
  await using opened = await openManager(servers);
  return (await opened.manager.streams.info(STREAM)).state;
}

async function removeMessage(servers: NatsServers, sequence: number): Promise<void> {
  await using opened = await openManager(servers);
  await opened.manager.streams.deleteMessage(STREAM, sequence);
}

async function publishStrange(
  servers: NatsServers,
  text: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using opened = await openManager(servers);
  const own = headers();
  for (const [name, value] of Object.entries(fields)) own.set(name, value);
  await jetstream(opened.nats).publish(SUBJECT, text, { headers: own });
}

/** These blocks as a relay would send them. */
async function logBlocksOf(blocks: readonly SentBlock[]): Promise<LogBlock[]> {
  await using folder = await createFolder();
  const { signal } = new AbortController();
  const feed = await openFileFeed(await folder.write(recordingOf(eventsOf(blocks))), {
    ...{ follows: false, standardInput: process.stdin, signal, onWaiting: () => undefined },
  });
  const made: LogBlock[] = [];
  for await (const block of feed.blocks(signal)) made.push(block);
  return made;
}

/** Publishes the first chunks of a block, as a relay that ends then. */
async function publishPart(
  servers: NatsServers,
  block: LogBlock,
  { chunks, size }: { readonly chunks: number; readonly size: number },
): Promise<void> {
  await using opened = await openManager(servers);
  for (let chunk = 0; chunk < chunks; chunk++) {
    const head = { ...block, chunk, chunks: countChunks(block, size), relay: 'dead' };
    const { headers, id: msgID } = writeChunkHead(head, 0);
    const part = block.payload.subarray(chunk * size, (chunk + 1) * size);
    await jetstream(opened.nats).publish(SUBJECT, part, { headers, msgID });
  }
}
