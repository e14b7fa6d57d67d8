import { mkdirSync, renameSync, rmdirSync, truncateSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { openPlace } from '../../src/data/open.ts';
import { type DecodeEvent, decodeEvent } from '../../src/ingest/decode.ts';
import { FreezingProxy } from '../data/freezing-proxy.ts';
import { createTestDatabase } from '../support/database.ts';
import { serverPid } from '../support/embedded-folders.ts';
import { chooseRandom } from '../support/seed.ts';
import { ask, readHeight, readState, type State } from '../support/state.ts';
import {
  createSpoolPlace,
  eventsOf,
  network,
  reachHeight,
  shutDatabase,
  startIngestProgram,
  stateFromFile,
  until,
} from './core-network.ts';
import { CoreNode, dialUntilTaken } from './core-node.ts';
import { makeBlocks } from './network-blocks.ts';

/** Some of it is enough for what takes several processes. */
const blocks = network.slice(0, 400);
const lastHeight = blocks.at(-1)?.height ?? 0;

const random = chooseRandom('socket faults');

/** Where nobody listens. */
const NO_DATABASE = 'postgres://nobody@127.0.0.1:9/nothing';

let wanted: State;

beforeAll(async () => {
  wanted = await stateFromFile(blocks);
});

test('kills of the ingest in the middle, the core beginning again at an earlier block, end in the same state', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  for (let kills = 0; kills < 4; kills++) {
    await using program = await startIngestProgram(database.url, place.folder);
    const from = Math.max(1, (await readHeight(database.url)) + 1 - random.below(20));
    const events = eventsOf(blocks.filter(({ height }) => height >= from));
    await using core = await CoreNode.dial(program.url);
    const half = random.below(events.length);
    await core.send(events.slice(0, half));
    const target = from + random.below(150);
    const sending = core.send(events.slice(half));
    await reachHeight(database.url, Math.min(target, lastHeight));
    program.process.kill('SIGKILL');
    await program.ended;
    await sending;
  }
  await using program = await startIngestProgram(database.url, place.folder);
  const from = Math.max(1, (await readHeight(database.url)) + 1 - random.below(20));
  await using core = await CoreNode.dial(program.url);
  await core.send(eventsOf(blocks.filter(({ height }) => height >= from)));
  await reachHeight(database.url, lastHeight);
  expect(await readState(database.url)).toEqual(wanted);
});

const segmentSize = 2 ** 14;

/** Has all blocks wait in files of a spool, as the database is away, and gives the path of the second. */
async function fillFiles(place: Awaited<ReturnType<typeof createSpoolPlace>>): Promise<string> {
  await using ingest = await place.start(NO_DATABASE, { segmentSize });
  await using core = await CoreNode.dial(ingest.url);
  await core.send(eventsOf(blocks));
  await until(async () => (await place.segments()).length > 2, 'it is in several files');
  const [, second = ''] = await place.segments();
  return join(place.folder, second);
}

test('a file of the spool that was cut off is told of without its path, which everybody would read', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  const path = await fillFiles(place);
  const decode: DecodeEvent = (bytes) => {
    truncateSync(path, 100);
    return decodeEvent(bytes);
  };
  await using _ingest = await place.start(database.url, { segmentSize, decode });
  const holdUps = () => ask(database.url, 'SELECT reason, place FROM hold_ups');
  await until(async () => (await holdUps()).length > 0, 'it is held up');
  expect(await holdUps()).toEqual([
    { reason: 'a file of the spool was cut off', place: `${path}, byte 100` },
  ]);
});

test('a spool whose disk fails is tried again, and the database stays open', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  const [path, aside] = [await fillFiles(place), join(place.folder, 'aside')];
  let fails: (() => void) | null = () => {
    renameSync(path, aside);
    mkdirSync(path);
  };
  const decode: DecodeEvent = (bytes) => {
    fails?.();
    fails = null;
    return decodeEvent(bytes);
  };
  const said = 'THE DISK OF THE SPOOL FAILS; IT IS TRIED AGAIN';
  const before = place.logged.length;
  await using _ingest = await place.start(database.url, { segmentSize, decode });
  const findWriter = () =>
    ask(
      database.url,
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'periscope writer'`,
    );
  await until(() => place.logged.includes(said), 'it says so');
  const writer = await findWriter();
  expect(writer).toHaveLength(1);
  await until(() => place.logged.filter((line) => line === said).length > 2, 'it is tried again');
  rmdirSync(path);
  renameSync(aside, path);
  await reachHeight(database.url, lastHeight);
  expect(await findWriter()).toEqual(writer);
  expect(place.logged.slice(before).filter((line) => line.toLowerCase().includes('database'))).toEqual([]);
  expect(await readState(database.url)).toEqual(wanted);
});

test('blocks are applied though the disk keeps what was, which holds nothing up, and goes once it can', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  const segmentSize = 2 ** 14;
  const [early, late] = [blocks.slice(0, -5), blocks.slice(-5)];
  {
    await using ingest = await place.start(NO_DATABASE, { segmentSize });
    await using core = await CoreNode.dial(ingest.url);
    await core.send(eventsOf(early));
    await until(async () => (await place.segments()).length > 2, 'it is in several files');
  }
  const [first = ''] = await place.segments();
  const [path, aside] = [join(place.folder, first), join(place.folder, 'aside')];
  let keeps: (() => void) | null = () => {
    // It is open, and read to its end.
    renameSync(path, aside);
    mkdirSync(path);
  };
  const decode: DecodeEvent = (bytes) => {
    keeps?.();
    keeps = null;
    return decodeEvent(bytes);
  };
  await using ingest = await place.start(database.url, { segmentSize, decode });
  await reachHeight(database.url, early.at(-1)?.height ?? 0);
  const said = 'THE DISK OF THE SPOOL KEEPS WHAT IS DONE WITH; IT IS TRIED AGAIN AT EACH BLOCK';
  expect(place.logged.filter((line) => line === said)).toHaveLength(1);
  expect(await place.segments()).toContain(first);
  expect(ingest.counts).toMatchObject({ isHeldUp: false });
  rmdirSync(path);
  renameSync(aside, path);
  await using core = await CoreNode.dial(ingest.url);
  await core.send(eventsOf(late));
  await until(async () => !(await place.segments()).includes(first), 'it is removed');
  await reachHeight(database.url, lastHeight);
  expect(await readState(database.url)).toEqual(wanted);
});

test('what was read before a kill is applied after it, though the database was never there and no core comes', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  {
    await using program = await startIngestProgram(NO_DATABASE, place.folder);
    const core = await CoreNode.dial(program.url);
    await core.send(eventsOf(blocks));
    // The other side closes after it has read all of it.
    await core.finish();
    program.process.kill('SIGKILL');
    await program.ended;
  }
  await using _program = await startIngestProgram(database.url, place.folder);
  await reachHeight(database.url, lastHeight);
  expect(await readState(database.url)).toEqual(wanted);
});

test('while the database is away, the core is never made to wait; then all is applied, and the spool trimmed', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using ingest = await place.start(database.url, { segmentSize: 2 ** 20 });
  await using core = await CoreNode.dial(ingest.url);
  // More than the kernel would hold for a reader that does not read.
  const large = makeBlocks(1, 60, { others: 400 });
  await core.send(eventsOf(large.slice(0, 20)));
  await reachHeight(database.url, 1);
  {
    await using _shut = await shutDatabase(database.url);
    await core.send(eventsOf(large.slice(20)));
    await until(async () => (await place.segments()).length > 10, 'the events are in the spool');
  }
  await reachHeight(database.url, 60);
  await until(async () => (await place.segments()).length === 1, 'the spool is trimmed');
  expect(await readState(database.url)).toEqual(await stateFromFile(large));
});

test('a stop does not wait long for a database that is silent, and loses nothing of what it was writing', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  {
    await using proxy = await FreezingProxy.start(database.url);
    await using ingest = await place.start(proxy.url);
    await using core = await CoreNode.dial(ingest.url);
    const sending = core.send(eventsOf(blocks));
    await reachHeight(database.url, 20);
    proxy.freeze();
    await sending;
    // Some block is being written by then.
    await sleep(500);
    const begin = performance.now();
    await ingest.close();
    expect(performance.now() - begin).toBeLessThan(15_000);
  }
  expect(await readHeight(database.url)).toBeLessThan(lastHeight);
  await using _ingest = await place.start(database.url);
  await reachHeight(database.url, lastHeight);
  expect(await readState(database.url)).toEqual(wanted);
});

test('where the spool is full the core waits, and nothing is lost', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  const large = makeBlocks(1, 60, { others: 400 });
  const size = eventsOf(large).reduce((sum, { length }) => sum + length, 0);
  const limit = 3 * 2 ** 20;
  expect(size).toBeGreaterThan(5 * limit);
  await using ingest = await place.start(database.url, { segmentSize: 2 ** 20, limit });
  await using core = await CoreNode.dial(ingest.url);
  let sent = false;
  let sending: Promise<void>;
  {
    await using _shut = await shutDatabase(database.url);
    sending = core.send(eventsOf(large)).then(() => {
      sent = true;
    });
    await until(async () => (await place.segments()).length >= 3, 'the spool is full');
    // Long enough for a core that need not wait.
    await sleep(1_000);
    expect(sent).toBe(false);
    expect(await place.size()).toBeLessThan(2 * limit);
  }
  await sending;
  await reachHeight(database.url, 60);
  expect(await readState(database.url)).toEqual(await stateFromFile(large));
});

test('a core that ends while the spool is full loses nothing, and the next one is told why it is not taken yet', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  const large = makeBlocks(1, 60, { others: 400 });
  await using ingest = await place.start(database.url, { segmentSize: 2 ** 20, limit: 3 * 2 ** 20 });
  await using core = await CoreNode.dial(ingest.url);
  let ending: Promise<void>;
  {
    await using _shut = await shutDatabase(database.url);
    void core.send(eventsOf(large));
    ending = core.finish();
    const told = (message: string) =>
      until(() => place.logged.some((one) => one.startsWith(message)), message);
    await told('THE SPOOL IS FULL (SPOOL_LIMIT)');
    await using early = await CoreNode.dial(ingest.url);
    await early.closed;
    await told('REFUSED ANOTHER CORE NODE: WHETHER THE FIRST IS THERE STILL');
  }
  await ending;
  await using next = await dialUntilTaken(ingest.url);
  await next.send(eventsOf(makeBlocks(61, 1)));
  await reachHeight(database.url, 61);
  expect(place.logged).not.toContain('REFUSED A SECOND CORE NODE: THERE IS ONE AT A TIME');
});

test('an embedded database that is killed is started again, and loses nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-postgres-'));
  // PostgreSQL may run as another user.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'network');
  try {
    await using place = await createSpoolPlace();
    await using reader = await openPlace({ url: null, dataDir });
    await using ingest = await place.start({ dataDir });
    await using core = await CoreNode.dial(ingest.url);
    const half = blocks.findIndex(({ height }) => height >= lastHeight / 2);
    await core.send(eventsOf(blocks.slice(0, half)));
    await reachHeight(reader.url, 10);
    const server = serverPid(dataDir);
    if (server === undefined) throw new Error('the database has no server');
    process.kill(server, 'SIGKILL');
    await core.send(eventsOf(blocks.slice(half)));
    await reachHeight(reader.url, lastHeight);
    expect(serverPid(dataDir)).not.toBe(server);
    expect(await readState(reader.url)).toEqual(wanted);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a spool that cannot be written ends the ingest, and not one connection after the other', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using ingest = await place.start(database.url);
  await rm(place.folder, { recursive: true });
  await using core = await CoreNode.dial(ingest.url);
  await core.send(eventsOf(makeBlocks(1, 1)));
  await expect(ingest.failed).rejects.toMatchObject({ code: 'ENOENT' });
});
