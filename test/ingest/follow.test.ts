import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readBlocks } from '../../src/ingest/blocks.ts';
import { IngestError } from '../../src/ingest/events.ts';
import { openFollowedFile } from '../../src/ingest/follow.ts';
import { createTestDatabase } from '../support/database.ts';
import { recordingOf } from '../support/events.ts';
import { startProgram } from '../support/program.ts';
import { chooseRandom } from '../support/seed.ts';
import { readState } from '../support/state.ts';
import { eventsOf, network, reachHeight, stateFromFile } from './core-network.ts';
import { makeBlocks } from './network-blocks.ts';

const random = chooseRandom('follow');

const blocks = network.slice(0, 200);
const height = blocks.at(-1)?.height ?? 0;

test.each([true, false])(
  'a file that is there late and grows in odd pieces gives the state of the whole, until it is stopped (numbered: %s)',
  async (sequenced) => {
    await using folder = await createFolder();
    await using database = await createTestDatabase();
    await using program = startProgram(['ingest', 'file', folder.path, '--follow'], {
      DATABASE_URL: database.url,
    });
    const waiting = new Promise<void>((resolve) => {
      program.process.stderr?.on('data', (chunk) => String(chunk).includes('not there yet') && resolve());
    });
    await waiting;
    const bytes = recordingOf(eventsOf(blocks), sequenced);
    for (let at = 0; at < bytes.length; ) {
      const size = random.oneIn(3) ? random.between(1, 20) : random.between(1, bytes.length / 10);
      await appendFile(folder.path, bytes.subarray(at, at + size));
      at += size;
      // Some of the pieces are seen alone.
      if (random.oneIn(4)) await reachHeight(database.url, heightWithin(bytes, at, sequenced));
    }
    await reachHeight(database.url, height);
    expect(await readState(database.url)).toEqual(await stateFromFile(blocks));
    program.process.kill('SIGTERM');
    const { code, stderr } = await program.ended;
    expect(code).toBe(0);
    expect(stderr).toContain(`the database is at block ${height}`);
  },
);

test('a stop ends the waiting for a file that never comes', async () => {
  await using folder = await createFolder();
  await using program = startProgram(['ingest', 'file', folder.path, '--follow'], {});
  await new Promise<void>((resolve) => program.process.stderr?.once('data', () => resolve()));
  program.process.kill('SIGTERM');
  const { code, stderr } = await program.ended;
  expect(code).toBe(0);
  expect(stderr).toBe(`${folder.path} is not there yet; waiting for it.\n`);
});

test.each<[string, (path: string) => Promise<void>, string]>([
  ['cut short', (path) => truncate(path, 100), 'was cut to 100 bytes'],
  ['begun anew', (path) => writeFile(path, ''), 'was cut to 0 bytes'],
  ['removed', (path) => rm(path), 'was replaced or removed'],
  [
    'replaced',
    async (path) => {
      await writeFile(`${path}.new`, recordingOf(eventsOf(makeBlocks(1, 9))));
      await rename(`${path}.new`, path);
    },
    'was replaced or removed',
  ],
])('a file that is %s is an error that says so, after what it held', async (_, change, complaint) => {
  await using folder = await createFolder();
  await writeFile(folder.path, recordingOf(eventsOf(makeBlocks(1, 3))));
  const { signal } = new AbortController();
  const source = await openFollowedFile(folder.path, { signal, onWaiting: () => {} });
  const heights: number[] = [];
  const reading = (async () => {
    for await (const block of readBlocks(source, signal)) {
      heights.push(block.height);
      if (block.height === 3) await change(folder.path);
    }
  })();
  await expect(reading).rejects.toThrow(IngestError);
  await expect(reading).rejects.toThrow(complaint);
  expect(heights).toEqual([1, 2, 3]);
});

test('a packed file is refused', async () => {
  await using folder = await createFolder();
  await writeFile(folder.path, gzipSync(recordingOf(eventsOf(makeBlocks(1, 3)))));
  const { signal } = new AbortController();
  const opening = openFollowedFile(folder.path, { signal, onWaiting: () => {} });
  await expect(opening).rejects.toThrow('only a plain file can be followed');
});

/** The height of the last block that ends within the first bytes of the recording; 0 before the first. */
function heightWithin(bytes: Buffer, end: number, sequenced: boolean): number {
  const sizes = blocks.map((block) => recordingOf(block.events, sequenced).length);
  let [at, reached] = [0, 0];
  for (const [n, block] of blocks.entries()) {
    at += sizes[n] ?? 0;
    if (at > Math.min(end, bytes.length)) break;
    reached = block.height;
  }
  return reached;
}

/** A folder of its own, and the path of a file in it that is not there. */
async function createFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'periscope-follow-'));
  return {
    path: join(folder, 'events.evt'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
