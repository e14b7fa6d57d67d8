import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { GREETING } from '../../src/ingest/socket/pair-protocol.ts';
import { replayFile } from '../../src/ingest/socket/replay.ts';
import { createTestDatabase } from '../support/database.ts';
import { createFolder, recordingOf } from '../support/events.ts';
import { within } from '../support/message-queue.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { readState } from '../support/state.ts';
import {
  createSpoolPlace,
  eventsOf,
  reachHeight,
  startIngestProgram,
  stateFromFile,
} from './core-network.ts';
import { makeBlocks } from './network-blocks.ts';

test('a recorded file is taken in over a socket as a core node would send it', async () => {
  const blocks = makeBlocks(1, 40);
  await using folder = await createFolder();
  const file = await folder.write(recordingOf(eventsOf(blocks)));
  await using database = await createTestDatabase();
  await using place = await createSpoolPlace();
  await using ingest = await startIngestProgram(database.url, place.folder);
  const { code, stderr } = await runProgram(['ingest', 'file', file, '--to', ingest.url], {});
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Sent [\d,]+ events of .* to tcp:\/\/127\.0\.0\.1:\d+\.\n$/),
  ]);
  await reachHeight(database.url, 40);
  expect(await readState(database.url)).toEqual(await stateFromFile(blocks));
});

test('somebody who speaks something else is told of, and a file that is damaged', async () => {
  await using folder = await createFolder();
  const file = await folder.write(recordingOf(eventsOf(makeBlocks(1, 3))));
  const server = createServer((socket) =>
    socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const replay = (path: string) =>
    runProgram(['ingest', 'file', path, '--to', `tcp://127.0.0.1:${port}`], {});
  expect(await replay(file)).toMatchObject({
    code: 1,
    stderr: `periscope: tcp://127.0.0.1:${port} speaks something else than a core node's socket.\n`,
  });
  server.close();
});

test.each([
  ['is damaged', false, 'a record of 4294967295 bytes'],
  ['has a reader who goes away', true, 'cannot be sent to'],
])('a file that %s ends a replay with one error, and none that nobody awaits', async (_, leaves, message) => {
  await using folder = await createFolder();
  const whole = recordingOf(eventsOf(makeBlocks(1, 400, { others: 20 })));
  const file = await folder.write(leaves ? whole : Buffer.concat([whole, Buffer.alloc(20, 255)]));
  const server = createServer((socket) => {
    socket.on('error', () => {}).write(GREETING);
    if (leaves) socket.once('data', () => socket.once('data', () => socket.resetAndDestroy()));
    else socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  const unheard: unknown[] = [];
  const onUnheard = (error: unknown) => unheard.push(error);
  process.on('unhandledRejection', onUnheard);
  try {
    const replay = replayFile(file, { host: '127.0.0.1', port: address.port }, new AbortController().signal);
    await expect(replay).rejects.toThrow(message);
    // What nobody awaits is told of in a later turn.
    await sleep(50);
    expect(unheard).toEqual([]);
  } finally {
    process.off('unhandledRejection', onUnheard);
    server.close();
  }
});

test('a replay waits for somebody to listen, until it is interrupted', async () => {
  await using folder = await createFolder();
  const file = await folder.write(recordingOf(eventsOf(makeBlocks(1, 3))));
  // The program says when it takes the signal: one that comes before ends it by itself.
  const told = "process.on('newListener', (name) => name === 'SIGINT' && console.log('it takes SIGINT'))";
  const settings = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(told)}` };
  await using program = startProgram(['ingest', 'file', file, '--to', 'tcp://127.0.0.1:1'], settings);
  await within(once(program.process.stdout as Readable, 'data'), 'the start');
  // Meanwhile it tries, and would give up after ten seconds.
  await sleep(1_000);
  program.process.kill('SIGINT');
  const { code, stderr } = await program.ended;
  expect([code === 0 || code === 130, stderr.includes('Error')]).toEqual([true, false]);
});
