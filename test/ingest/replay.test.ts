import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { createFolder, recordingOf } from '../support/events.ts';
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

test('a replay waits for somebody to listen, until it is interrupted', async () => {
  await using folder = await createFolder();
  const file = await folder.write(recordingOf(eventsOf(makeBlocks(1, 3))));
  await using program = startProgram(['ingest', 'file', file, '--to', 'tcp://127.0.0.1:1'], {});
  setTimeout(() => program.process.kill('SIGINT'), 2_000);
  const { code, stderr } = await program.ended;
  expect([code === 0 || code === 130, stderr.includes('Error')]).toEqual([true, false]);
});
