import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportParts } from '../../src/data/parts/export.ts';
import { FolderLock } from '../../src/data/parts/folder-lock.ts';
import { filesOf } from '../../src/data/parts/manifest.ts';
import { PartFolder } from '../../src/data/parts/part-folder.ts';
import { beganAt, MACHINE } from '../../src/data/parts/process-identity.ts';
import { createFolder, EXPORT, type Folder, readHashes, readManifestOf } from '../support/part-folders.ts';
import { createSimulatedDatabase } from '../support/simulated.ts';

const NETWORK = { seed: 41, blocks: 20, parties: 5, markets: 1 };
const TAKEN = /Another process writes to .*There can be one at a time/;

test('a folder that one exports to is refused to another database of the same network, and keeps its files', async () => {
  await using one = await createSimulatedDatabase(NETWORK);
  await using other = await createSimulatedDatabase(NETWORK);
  await using folder = await createFolder();
  await exportParts(one.url, folder.path, EXPORT);
  {
    await using _writing = await PartFolder.open(folder.path);
    // What is being written has no name in a manifest yet.
    await writeFile(join(folder.path, '.partial-1-votes'), 'x');
    await expect(exportParts(other.url, folder.path, EXPORT)).rejects.toThrow(TAKEN);
    expect(await readdir(folder.path)).toContain('.partial-1-votes');
  }
  await exportParts(other.url, folder.path, EXPORT);
  const named = [...filesOf(await readManifestOf(folder))];
  expect([...(await readHashes(folder)).keys()].sort()).toEqual(['manifest.json', ...named].sort());
});

test('of many that ask at once for the lock of a dead process, one has it', async () => {
  await using folder = await createFolder();
  await leaveLock(folder, await endedProcess());
  const taken = await Promise.allSettled(Array.from({ length: 20 }, () => FolderLock.take(folder.path)));
  const locks = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const checked = await Promise.allSettled(locks.map((lock) => lock.check()));
  expect(checked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const lock of locks) await lock[Symbol.asyncDispose]();
  expect(await readdir(folder.path)).toEqual([]);
});

test('the number of a dead process may be that of another one by now', async () => {
  await using folder = await createFolder();
  await leaveLock(folder, { pid: process.pid, began: 'before' });
  await using _lock = await FolderLock.take(folder.path);
  await leaveLock(folder, { pid: process.pid, began: beganAt(process.pid) });
  await expect(FolderLock.take(folder.path)).rejects.toThrow(TAKEN);
});

test.each([
  ['of another machine', JSON.stringify({ id: '1', machine: 'another', pid: process.pid, began: '1' })],
  ['without words', ''],
])('a lock %s is held until it was silent for a minute', async (_, text) => {
  await using folder = await createFolder();
  const path = join(folder.path, '.export-lock');
  await writeFile(path, text);
  const setAge = (seconds: number) => utimes(path, new Date(), new Date(Date.now() - seconds * 1000));
  await setAge(30);
  await expect(FolderLock.take(folder.path)).rejects.toThrow(TAKEN);
  await setAge(90);
  await using _lock = await FolderLock.take(folder.path);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ machine: MACHINE, pid: process.pid });
  expect(await readdir(folder.path)).toEqual(['.export-lock']);
});

test('who has lost the lock writes no manifest, removes nothing, and leaves the lock to its holder', async () => {
  await using folder = await createFolder();
  const manifest = { chain: 'c', pastFrom: 0n, parts: [], bases: [] };
  {
    await using parts = await PartFolder.open(folder.path);
    await leaveLock(folder, { pid: process.pid, began: beganAt(process.pid) });
    await writeFile(join(folder.path, '.partial-1-votes'), 'x');
    await expect(parts.writeManifest(manifest)).rejects.toThrow(TAKEN);
    await expect(parts.removeOthers(manifest)).rejects.toThrow(TAKEN);
  }
  expect((await readdir(folder.path)).sort()).toEqual(['.export-lock', '.partial-1-votes']);
});

test('a manifest is not written where a file that it names is gone, which is told by its name', async () => {
  await using network = await createSimulatedDatabase(NETWORK);
  await using folder = await createFolder();
  await exportParts(network.url, folder.path, EXPORT);
  const manifest = await readManifestOf(folder);
  const [gone = '', other = ''] = filesOf(manifest);
  {
    await using parts = await PartFolder.open(folder.path);
    await parts.readManifest();
    await rm(join(folder.path, gone));
    await expect(parts.writeManifest(manifest)).rejects.toThrow(
      `${folder.path} lacks ${gone}, which its manifest has to name`,
    );
  }
  await rm(join(folder.path, other));
  await expect(exportParts(network.url, folder.path, EXPORT)).rejects.toThrow(`lacks 2 files, as ${gone}`);
});

function leaveLock(folder: Folder, holder: { readonly pid: number; readonly began: string | null }) {
  const text = JSON.stringify({ id: 'left', machine: MACHINE, ...holder });
  return writeFile(join(folder.path, '.export-lock'), `${text}\n`);
}

async function endedProcess() {
  const child = spawn(process.execPath, ['--eval', '']);
  const holder = { pid: child.pid as number, began: beganAt(child.pid as number) };
  await once(child, 'close');
  return holder;
}
