import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { runProgram } from '../support/program.ts';
import { chooseRandom } from '../support/seed.ts';
import { readHeight, readState } from '../support/state.ts';
import {
  createSpoolPlace,
  eventsOf,
  reachHeight,
  shutDatabase,
  startIngestProgram,
  stateFromFile,
  until,
} from './core-network.ts';
import { CoreNode, dialUntilTaken, frame } from './core-node.ts';
import { makeBlocks } from './network-blocks.ts';
import { canMount, createSmallDisk } from './small-disk.ts';

const MEBIBYTE = 2 ** 20;
const PAGE = 4096;
const random = chooseRandom('full disk');

/** A tenth of a mebibyte each. */
const blocks = makeBlocks(1, 60, { others: 90 });
const lastHeight = blocks.length;

if (!canMount)
  console.warn('Small disks cannot be mounted here (that takes root, on Linux). Their tests are skipped.');

describe.skipIf(!canMount)('a disk of the spool that is full', () => {
  test.each<[string, number | undefined, number | undefined]>([
    ['with one segment', undefined, undefined],
    ['with several segments', 150_000, undefined],
    ['without room for the file of another segment', 150_000, 2],
  ])(
    '%s while the database is away goes on when it is back, and loses nothing',
    async (_, segmentSize, files) => {
      await using database = await createTestDatabase();
      await using disk = createSmallDisk({ size: MEBIBYTE, ...(files && { files }) });
      await using place = await createSpoolPlace(disk.path);
      await using ingest = await place.start(database.url, segmentSize ? { segmentSize } : {});
      await using core = await CoreNode.dial(ingest.url);
      await core.send(eventsOf(blocks.slice(0, 3)));
      await reachHeight(database.url, 3);
      let sending: Promise<void>;
      {
        await using _shut = await shutDatabase(database.url);
        sending = core.send(eventsOf(blocks.slice(3)));
        await until(() => place.logged.some(tellsStop), 'the stop is told');
        if (files === undefined) expect(await disk.free()).toBeLessThan(PAGE);
        expect(place.logged.some(tellsGoingOn)).toBe(false);
      }
      await sending;
      await reachHeight(database.url, lastHeight);
      await until(() => place.logged.some(tellsGoingOn), 'the going on is told');
      expect(place.logged.findIndex(tellsGoingOn)).toBeGreaterThan(place.logged.findIndex(tellsStop));
      expect(await readState(database.url)).toEqual(await stateFromFile(blocks));
    },
  );

  test('for good, by the files of others, stops nothing while the database is there', async () => {
    await using database = await createTestDatabase();
    await using disk = createSmallDisk({ size: MEBIBYTE });
    await using place = await createSpoolPlace(disk.path);
    await using ingest = await place.start(database.url);
    await using core = await CoreNode.dial(ingest.url);
    {
      await using _full = await disk.fill();
      await core.send(eventsOf(blocks.slice(0, 30)));
      await reachHeight(database.url, 29);
      expect(await disk.free()).toBe(0);
    }
    await core.send(eventsOf(blocks.slice(30)));
    await reachHeight(database.url, lastHeight);
    expect(await readState(database.url)).toEqual(await stateFromFile(blocks));
  });

  test('when the core begins again within a block has the rest of that block from the new session', async () => {
    await using database = await createTestDatabase();
    await using disk = createSmallDisk({ size: MEBIBYTE });
    await using place = await createSpoolPlace(disk.path);
    await using ingest = await place.start(database.url);
    await using _full = await disk.fill();
    for (let cuts = 0; cuts < 20; cuts++) {
      const from = Math.max(0, (await readHeight(database.url)) - random.below(3));
      const bytes = frame(eventsOf(blocks.slice(from, from + 3)));
      const core = await dialUntilTaken(ingest.url);
      await core.sendBytes(bytes.subarray(0, bytes.length - 1 - random.below(200_000)));
      if (random.oneIn(2)) await core.finish();
      else await core.cut();
    }
    await using core = await dialUntilTaken(ingest.url);
    await core.send(eventsOf(blocks.slice(await readHeight(database.url))));
    await reachHeight(database.url, lastHeight);
    expect(await readState(database.url)).toEqual(await stateFromFile(blocks));
  });

  test('with events that cannot be applied is left by them when the core begins again', async () => {
    await using database = await createTestDatabase();
    await using disk = createSmallDisk({ size: MEBIBYTE });
    await using place = await createSpoolPlace(disk.path);
    await using ingest = await place.start(database.url);
    {
      await using core = await dialUntilTaken(ingest.url);
      await core.send(eventsOf([...blocks.slice(0, 3), ...blocks.slice(5)]));
      await core.closed;
      expect(await readHeight(database.url)).toBe(3);
    }
    {
      // One that does not begin again is told so again, and takes no more memory.
      await using core = await dialUntilTaken(ingest.url);
      await core.send(eventsOf(blocks.slice(30)));
      await core.closed;
    }
    await using core = await dialUntilTaken(ingest.url);
    await core.send(eventsOf(blocks.slice(1)));
    await reachHeight(database.url, lastHeight);
    expect(await readState(database.url)).toEqual(await stateFromFile(blocks));
  });

  test('filled and freed, with kills, cuts and a database that goes and comes, ends in the same state', async () => {
    await using database = await createTestDatabase();
    await using disk = createSmallDisk({ size: MEBIBYTE });
    await using place = await createSpoolPlace(disk.path);
    for (let rounds = 0; rounds < 6; rounds++) {
      const program = await startIngestProgram(database.url, place.folder);
      const from = Math.max(0, (await readHeight(database.url)) - random.below(5));
      const to = Math.min(from + 1 + random.below(30), lastHeight);
      await using core = await CoreNode.dial(program.url);
      await core.greeted();
      await using _full = random.oneIn(2) ? await disk.fill() : null;
      let sending: Promise<void>;
      {
        await using _shut = random.oneIn(2) ? await shutDatabase(database.url) : null;
        sending = core.send(eventsOf(blocks.slice(from, to)));
        if (_shut) await Promise.race([sending, program.logged(/the core waits until/)]);
        else await reachHeight(database.url, random.below(to));
        if (random.oneIn(2)) program.process.kill('SIGKILL');
      }
      program.process.kill('SIGKILL');
      await program.ended;
      await sending;
      // Begun without room, the next one applies what is there nevertheless.
      await using _again = await startIngestProgram(database.url, place.folder);
    }
    await using program = await startIngestProgram(database.url, place.folder);
    await using core = await CoreNode.dial(program.url);
    await core.send(eventsOf(blocks.slice(Math.max(0, (await readHeight(database.url)) - 3))));
    await reachHeight(database.url, lastHeight);
    expect(await readState(database.url)).toEqual(await stateFromFile(blocks));
  });

  test('at the start stops nothing where the folder is there, and is told where it is not', async () => {
    await using database = await createTestDatabase();
    await using disk = createSmallDisk({ size: MEBIBYTE, files: 2 });
    {
      await using _place = await createSpoolPlace(disk.path);
      await using _full = await disk.fill();
      const SPOOL_DIR = join(disk.path, 'spool');
      const environment = { DATABASE_URL: database.url, SPOOL_DIR };
      const { code, stderr } = await runProgram(['ingest', 'socket', 'tcp://127.0.0.1:0'], environment);
      expect(stderr).toContain(`cannot open the spool in ${SPOOL_DIR}: ENOSPC`);
      expect(code).toBe(1);
    }
    await using place = await createSpoolPlace(disk.path);
    const full = await disk.fill();
    await using ingest = await place.start(database.url);
    await using core = await CoreNode.dial(ingest.url);
    const sending = core.send(eventsOf(blocks.slice(0, 3)));
    await until(() => place.logged.some(tellsStop), 'the stop is told');
    await full[Symbol.asyncDispose]();
    await sending;
    await reachHeight(database.url, 3);
  });
});

function tellsStop(message: string): boolean {
  return message === 'THE DISK OF THE SPOOL IS FULL: THE CORE WAITS UNTIL THERE IS ROOM';
}

function tellsGoingOn(message: string): boolean {
  return message === 'the spool has room again: events are taken in';
}
