import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

/** A spool of several files, with blocks that were received and went nowhere yet. */
async function createFullSpool(): Promise<SpoolPlace> {
  const place = await createSpoolPlace();
  await using ingest = await place.start(NO_DATABASE, { segmentSize: 2 ** 14 });
  await using core = await CoreNode.dial(ingest.url);
  await core.send(eventsOf(early));
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
