import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { IngestError } from '../../src/ingest/events.ts';
import { CoreFeed } from '../../src/ingest/log/core-feed.ts';
import type { SentBlock } from '../../src/ingest/log/sent-blocks.ts';
import { Spool } from '../../src/ingest/socket/spool.ts';
import type { TestDatabase } from '../support/database.ts';
import { NATS_SERVER, NatsServers } from '../support/nats-servers.ts';
import { createSpoolPlace, eventsOf, reachHeight, type SpoolPlace, until } from './core-network.ts';
import { CoreNode, dialUntilTaken } from './core-node.ts';
import {
  countMessages,
  createFileDatabase,
  readDigests,
  relayBlocksOf,
  startCoreRelay,
  startRegion,
} from './log-network.ts';
import { makeBlocks } from './network-blocks.ts';

const blocks = makeBlocks(1, 120, { accounts: 20 });
const [early, late] = [blocks.slice(0, -5), blocks.slice(-5)];
/** Where nobody listens. */
const NO_DATABASE = 'postgres://nobody@127.0.0.1:9/nothing';

describe.skipIf(NATS_SERVER === undefined)('a relay', () => {
  let direct: TestDatabase;

  beforeAll(async () => {
    direct = await createFileDatabase(blocks);
  });

  afterAll(() => direct?.[Symbol.asyncDispose]());

  test('puts blocks into the log though the disk keeps what was, which goes once it can', async () => {
    await using servers = await NatsServers.start(1);
    await using place = await createFullSpool();
    const [first = ''] = await place.segments();
    const file = fileOf(place, first);
    await using relay = await startCoreRelay(servers, {}, place.folder, () => servers.kill(0));
    await until(() => relay.counts.waiting === early.length, 'all that is in the spool was read');
    file.hide();
    await servers.restart(0);
    await Promise.race([relay.ended, until(() => relay.counts.settled === early.length, 'the log has it')]);
    const said = 'THE DISK OF THE SPOOL KEEPS WHAT IS DONE WITH; IT IS TRIED AGAIN AT EACH BLOCK';
    expect(relay.logged.filter((line) => line === said)).toHaveLength(1);
    expect(await place.segments()).toContain(first);
    file.restore();
    await relay.send(late);
    await until(async () => !(await place.segments()).includes(first), 'it is removed');
    await expectAllInLog(servers);
  });

  test('whose disk does not give its spool for a while tries it again, and says so meanwhile', async () => {
    await using servers = await NatsServers.start(1);
    await using place = await createFullSpool();
    const [, second = ''] = await place.segments();
    const file = fileOf(place, second);
    await using relay = await startCoreRelay(servers, {}, place.folder, () => file.hide());
    const said = 'THE DISK OF THE SPOOL FAILS; IT IS TRIED AGAIN';
    const isTriedAgain = () => relay.logged.filter((line) => line === said).length > 2;
    await Promise.race([relay.ended, until(isTriedAgain, 'it is tried again')]);
    await until(() => relay.counts.waiting === 0, 'the log has what was read');
    expect(relay.counts.trouble).toContain(`the spool in ${place.folder} cannot be read`);
    file.restore();
    await relay.send(late);
    await until(() => relay.counts.settled === blocks.length, 'the log has all');
    expect(relay.counts.trouble).toBe(null);
    await expectAllInLog(servers);
  });

  test('says that it passes over what is behind a gap once its core node has begun again, and looks at it after a restart', async () => {
    await using servers = await NatsServers.start(1);
    await using place = await createSpoolPlace();
    await relayBlocksOf(servers, blocks.slice(0, 90));
    {
      await using relay = await startCoreRelay(servers, {}, place.folder);
      await relay.send(blocks.slice(94, 105));
      await until(() => relay.counts.trouble !== null, 'blocks are missing');
      await relay.core.finish();
      await using core = await dialUntilTaken(relay.url);
      await core.send(eventsOf(blocks.slice(100)));
      const isTold = () =>
        relay.logged.some((line) => line.startsWith('PASSES OVER WHAT THE CORE NODE SENT BEFORE'));
      await until(isTold, 'it is told');
    }
    await relayBlocksOf(servers, blocks.slice(0, 94));
    await using _again = await startCoreRelay(servers, {}, place.folder);
    await expectAllInLog(servers);
  });

  async function expectAllInLog(servers: NatsServers): Promise<void> {
    await using region = await startRegion(servers);
    await reachHeight(region.database.url, blocks.length);
    expect(await readDigests(region.database.url)).toEqual(await readDigests(direct.url));
    expect(await countMessages(servers)).toBe(blocks.length);
  }
});

describe('what a disk does not give for a while', () => {
  test('is read again from where it was, however much the log has got meanwhile', async () => {
    await using place = await createFullSpool(eventsOf(early), A_FILE_FOR_EACH);
    await using opened = await openFeed(place.folder);
    const { spool, feed, given } = opened;
    const at = 10;
    const file = fileOf(place, (await place.segments())[at] ?? '');
    file.hide();
    let settled = 0;
    const settleAll = () => {
      for (const block of given.slice(settled)) feed.settle(block);
      settled = given.length;
    };
    const waiting = vi.spyOn(spool, 'waitForDisk');
    // At the end of the first file that is read again, the log has all that was given.
    const ending = vi.spyOn(spool, 'isFinished').mockImplementation((segment) => {
      if (waiting.mock.calls.length > 0) settleAll();
      return segment !== spool.segments.at(-1);
    });
    opened.begin();
    await until(() => waiting.mock.calls.length > 0, 'the disk fails');
    expect(given).toHaveLength(at);
    file.restore();
    await Promise.race([opened.failed, until(() => given.length === early.length, 'all was read')]);
    expect(ending).toHaveBeenCalled();
  });

  test('is no trouble any more once it is read, be it no whole block', async () => {
    const events = eventsOf(early);
    const [next] = late;
    await using place = await createFullSpool(
      [...events, ...eventsOf(next ? [next] : []).slice(0, 2)],
      A_FILE_FOR_EACH,
    );
    await using opened = await openFeed(place.folder);
    const file = fileOf(place, (await place.segments()).at(-1) ?? '');
    file.hide();
    opened.begin();
    await until(() => opened.feed.trouble !== null, 'the disk fails');
    file.restore();
    await until(() => opened.feed.trouble === null, 'it is read');
    expect(opened.given).toHaveLength(early.length);
  });

  async function openFeed(folder: string) {
    const spool = await Spool.open({ folder, limit: 2 ** 30, logger: pino({ level: 'silent' }) });
    let fail: (error: IngestError) => void = () => {};
    const failed = new Promise<never>((_, reject) => (fail = reject));
    failed.catch(() => {});
    const feed = new CoreFeed(spool, { onUpgrade() {}, onFault: fail });
    const given: SentBlock[] = [];
    const stop = new AbortController();
    let reading = Promise.resolve();
    const read = async () => {
      for await (const block of feed.blocks(stop.signal)) given.push(block);
    };
    return {
      ...{ spool, feed, given, failed },
      begin() {
        reading = read().catch((error) => {
          if (!stop.signal.aborted) throw error;
        });
      },
      async [Symbol.asyncDispose]() {
        stop.abort();
        await reading;
        await spool.close();
      },
    };
  }
});

/** So small that each block has a file of its own. */
const A_FILE_FOR_EACH = 1;

/** A spool of several files, with what was received and went nowhere yet. */
async function createFullSpool(
  events: readonly Uint8Array[] = eventsOf(early),
  segmentSize = 2 ** 14,
): Promise<SpoolPlace> {
  const place = await createSpoolPlace();
  await using ingest = await place.start(NO_DATABASE, { segmentSize });
  await using core = await CoreNode.dial(ingest.url);
  await core.send(events);
  await core.finish();
  expect((await place.segments()).length).toBeGreaterThan(2);
  return place;
}

/** A folder in the place of a file can be neither read nor removed as one, whoever tries. */
function fileOf({ folder }: SpoolPlace, name: string) {
  const [path, aside] = [join(folder, name), join(folder, 'aside')];
  return {
    hide() {
      renameSync(path, aside);
      mkdirSync(path);
    },
    restore() {
      rmdirSync(path);
      renameSync(aside, path);
    },
  };
}
