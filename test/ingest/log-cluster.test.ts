import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { HANG_MS } from '../support/limits.ts';
import { NATS_SERVER, NatsServers } from '../support/nats-servers.ts';
import { readHeight, readState } from '../support/state.ts';
import { eventsOf, reachHeight, until } from './core-network.ts';
import {
  compareDatabases,
  countMessages,
  createFileDatabase,
  readDigests,
  startCoreRelay,
  startRegion,
} from './log-network.ts';
import { encodeAt, makeBlocks } from './network-blocks.ts';
import { RelayProcess } from './relay-process.ts';

const REPLICAS = { replicas: 3 } as const;
const BLOCK_MS = 20;
const ROUNDS = 6;
const PER_ROUND = 50;

describe.skipIf(NATS_SERVER === undefined)('a log on three servers', () => {
  test('loses no block and doubles none while servers and relays are killed, one at a time', async () => {
    const blocks = makeBlocks(1, ROUNDS * PER_ROUND, { accounts: 5 });
    await using direct = await createFileDatabase(blocks);
    await using servers = await NatsServers.start(3);
    await using one = await RelayProcess.start(servers);
    await using other = await RelayProcess.start(servers);
    const relays = [one, other];
    await using first = await startRegion(servers);
    await using second = await startRegion(servers);
    for (let round = 0; round < ROUNDS; round++) {
      const part = blocks.slice(round * PER_ROUND, (round + 1) * PER_ROUND);
      for (const [index, block] of part.entries()) {
        for (const relay of relays) await relay.send([block]);
        if (index === PER_ROUND / 2) {
          if (round % 2 === 0) await servers.kill(round / 2);
          // Its core node begins again a little earlier, as one does that was stopped as well.
          else await relays[((round - 1) / 2) % 2]?.restart(blocks.slice(0, block.height));
        }
        await sleep(BLOCK_MS);
      }
      const height = part.at(-1)?.height ?? 0;
      await Promise.all([first, second].map(({ database }) => reachHeight(database.url, height)));
      if (round % 2 === 0) await servers.restart(round / 2);
    }
    const digests = await readDigests(direct.url);
    expect(await readDigests(first.database.url)).toEqual(digests);
    expect(await readDigests(second.database.url)).toEqual(digests);
    expect(await readState(first.database.url)).toEqual(await readState(direct.url));
    const { chain, differing } = await compareDatabases(first.database, second.database, blocks.length);
    expect([chain, differing]).toEqual([{ isEqual: true }, []]);
    expect(await countMessages(servers)).toBe(blocks.length);
  });

  test('is led by one relay, and by the other when that one ends', async () => {
    await using servers = await NatsServers.start(3);
    const blocks = makeBlocks(1, 40);
    await using one = await startCoreRelay(servers, REPLICAS);
    await using region = await startRegion(servers);
    await one.send(blocks.slice(0, 20));
    await reachHeight(region.database.url, 20);
    {
      await using other = await startCoreRelay(servers, REPLICAS);
      await other.send(blocks);
      // It has blocks that nobody else publishes.
      await reachHeight(region.database.url, 40);
      expect(other.counts.isLeading).toBe(true);
      await one.send(blocks.slice(20));
      await until(() => one.counts.settled === 40, 'the first sees what the other has published');
      expect(one.counts.isLeading).toBe(false);
    }
    await one.send(makeBlocks(41, 1));
    await reachHeight(region.database.url, 41);
    expect(one.counts.isLeading).toBe(true);
  });

  test('has a relay wait where its source lacks blocks, until another has published them', async () => {
    await using servers = await NatsServers.start(3);
    const blocks = makeBlocks(1, 30);
    await using one = await startCoreRelay(servers, REPLICAS);
    await using other = await startCoreRelay(servers, REPLICAS);
    await using region = await startRegion(servers);
    await one.send(blocks.slice(0, 10));
    await reachHeight(region.database.url, 10);
    await other.send(blocks.slice(20));
    await until(() => other.counts.trouble !== null, 'the other waits');
    expect(other.counts.trouble).toBe('the core node goes on with block 21, yet the log ends with block 10');
    await one.send(blocks.slice(10, 20));
    await reachHeight(region.database.url, 30);
    await using direct = await createFileDatabase(blocks);
    expect(await readDigests(region.database.url)).toEqual(await readDigests(direct.url));
  });

  test('has a core node told that it may upgrade once the log has all before that', async () => {
    await using servers = await NatsServers.start(3);
    await using relay = await startCoreRelay(servers, REPLICAS);
    const upgrade = encodeAt({ case: 'protocolUpgradeStarted', value: { lastBlockHeight: 20n } }, 20, 9);
    await servers.kill(0);
    await servers.kill(1);
    await relay.core.send([...eventsOf(makeBlocks(1, 20)), upgrade]);
    await sleep(500);
    expect(relay.core.received).toEqual([]);
    await Promise.all([0, 1].map((n) => servers.restart(n)));
    const answer = Buffer.from(await relay.core.answered());
    // As the socket's own tests have it, with the height at the end.
    expect(answer.toString('hex')).toMatch(/^183720012a0a.*d209020814$/);
    expect(relay.counts.newest).toEqual({ height: 20n });
  });

  test(
    'keeps what comes on disk while no server is there, and goes on when they are back',
    async () => {
      await using servers = await NatsServers.start(3);
      const blocks = makeBlocks(1, 60);
      await using relay = await startCoreRelay(servers, REPLICAS);
      await using region = await startRegion(servers);
      await relay.send(blocks.slice(0, 10));
      await reachHeight(region.database.url, 10);
      for (let n = 0; n < servers.count; n++) await servers.kill(n);
      await relay.send(blocks.slice(10));
      await sleep(500);
      expect(await readHeight(region.database.url)).toBe(10);
      await Promise.all([0, 1, 2].map((n) => servers.restart(n)));
      await reachHeight(region.database.url, 60);
      await until(() => relay.counts.settled === 60, 'the relay is told of all');
      await using direct = await createFileDatabase(blocks);
      expect(await readDigests(region.database.url)).toEqual(await readDigests(direct.url));
    },
    2 * HANG_MS,
  );
});
