import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { readPeerAddress } from '../../src/ingest/socket/listen.ts';
import { createTestDatabase } from '../support/database.ts';
import { createFolder } from '../support/events.ts';
import { HANG_MS } from '../support/limits.ts';
import { runProgram } from '../support/program.ts';
import { readState } from '../support/state.ts';
import {
  createSpoolPlace,
  eventsOf,
  network,
  reachHeight,
  shutDatabase,
  startCoreProgram,
  startIngestProgram,
  stateFromFile,
  until,
} from './core-network.ts';
import { CoreNode, dialUntilTaken } from './core-node.ts';
import { makeBlocks, type SentBlock } from './network-blocks.ts';

const ADDRESS = 'tcp://127.0.0.1:0';

const hasNanocat = spawnSync('nanocat', ['--help']).error === undefined;
if (!hasNanocat) console.warn('Not there: nanocat (of nanomsg-utils). Its test is skipped.');

test('one process serves and takes in: ready without a core node, and what it sends can be asked for', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  const environment = { DATABASE_URL: database.url, SPOOL_DIR: place.folder, PORT: '0' };
  await using program = await startCoreProgram(['serve', '--ingest', ADDRESS], environment);
  const url = await program.logged(/http:\/\/127\.0\.0\.1:\d+/);
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  await using core = await CoreNode.dial(program.url);
  await core.send(eventsOf(makeBlocks(1, 5)));
  await reachHeight(database.url, 5);
  // The header names the newest block that the process has heard of, a moment after the database has it.
  const ask = () => fetch(`${url}/api/v2/accounts`);
  await expect.poll(async () => (await ask()).headers.get('X-Block-Height')).toBe('5');
  const answer = await ask();
  const { accounts } = (await answer.json()) as { accounts: { edges: { node: { balance: string } }[] } };
  expect(accounts.edges.map(({ node }) => node.balance)).toEqual(['5001', '5000']);
  program.process.kill('SIGTERM');
  expect((await program.ended).code).toBe(0);
});

test('a stop takes in what was sent before it', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  const large = makeBlocks(1, 20, { others: 400 });
  const first = await startIngestProgram(database.url, place.folder);
  const core = await CoreNode.dial(first.url);
  await core.greeted();
  // All of it is in the kernel's hands, and some of it not read yet, when the stop comes.
  await core.send(eventsOf(large));
  first.process.kill('SIGTERM');
  await core.closed;
  expect((await first.ended).code).toBe(0);
  await using _second = await startIngestProgram(database.url, place.folder);
  await reachHeight(database.url, 20);
});

test('serving ends with a reason where another process ingests, before anything is served', async () => {
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using _ingest = await place.start(database.url);
  await using other = await createSpoolPlace();
  const environment = { DATABASE_URL: database.url, SPOOL_DIR: other.folder, PORT: '0' };
  const { code, stdout, stderr } = await runProgram(['serve', '--ingest', ADDRESS], environment);
  expect(code).toBe(1);
  expect(stderr).toContain('Another process is ingesting into this database');
  expect(stdout).not.toContain('listening');
});

test('serving ends, with a reason, when the events turn out to be of another network', async () => {
  await using database = await createTestDatabase();
  await using first = await createSpoolPlace();
  await using second = await createSpoolPlace();
  {
    await using ingest = await first.start(database.url);
    await using core = await CoreNode.dial(ingest.url);
    await core.send(eventsOf(makeBlocks(1, 1)));
    await reachHeight(database.url, 1);
  }
  const environment = { DATABASE_URL: database.url, SPOOL_DIR: second.folder, PORT: '0' };
  await using program = await startCoreProgram(['serve', '--ingest', ADDRESS], environment);
  await using core = await CoreNode.dial(program.url);
  await core.send(eventsOf(makeBlocks(1, 1, { chainId: 'elsewhere' })));
  const { code, stderr } = await program.ended;
  expect(code).toBe(1);
  expect(stderr).toContain(`takes no events of elsewhere`);
  expect(stderr).toContain(second.folder);
});

test('an address that does not do is refused with one that would', async () => {
  const { code, stderr } = await runProgram(['ingest', 'socket', '127.0.0.1:3005'], {});
  expect(code).toBe(2);
  expect(stderr).toContain('tcp://127.0.0.1:3005');
});

test('an address is a host, by name or by number, and a port', () => {
  expect(readPeerAddress('tcp://0.0.0.0:3005')).toEqual({ host: '0.0.0.0', port: 3005 });
  expect(readPeerAddress('tcp://[::1]:0')).toEqual({ host: '::1', port: 0 });
  expect(readPeerAddress('tcp://core.example:65535')).toEqual({ host: 'core.example', port: 65535 });
  for (const wrong of ['tcp://127.0.0.1', 'tcp://a:99999', 'udp://a:1', 'tcp://a:1/b', 'tcp://:1', '']) {
    expect(() => readPeerAddress(wrong)).toThrow(RangeError);
  }
});

test.skipIf(!hasNanocat)(
  'nanocat, another implementation of the protocol, sends events that are taken like any others',
  async () => {
    await using database = await createTestDatabase();
    await using place = await createSpoolPlace();
    await using folder = await createFolder();
    const blocks = network.slice(0, 40);
    const byNanocat = blocks.slice(30, 33);
    await using ingest = await place.start(database.url);
    await sendBy(blocks.slice(0, 30));
    await reachHeight(database.url, blocks[29]?.height ?? 0);
    {
      // So that the spool only grows, and tells what has come.
      await using _shut = await shutDatabase(database.url);
      for (const event of eventsOf(byNanocat)) {
        const size = await place.size();
        const file = await folder.write(event);
        // It would wait for answers until the limit. It is a connection of its own for each event.
        const options = ['--pair', '--connect', ingest.url, '--file', file, '--recv-timeout', '30'];
        const nanocat = spawn('nanocat', options, { stdio: 'ignore', timeout: HANG_MS });
        const ended = once(nanocat, 'exit');
        await until(async () => (await place.size()) > size, 'the event is in the spool');
        nanocat.kill();
        await ended;
      }
    }
    await sendBy(blocks.slice(33));
    await reachHeight(database.url, blocks.at(-1)?.height ?? 0);
    expect(await readState(database.url)).toEqual(await stateFromFile(blocks));

    async function sendBy(part: readonly SentBlock[]): Promise<void> {
      const core = await dialUntilTaken(ingest.url);
      await core.send(eventsOf(part));
      await core.finish();
    }
  },
);
