import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolder, type Folder } from '../support/part-folders.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';

let network: SimulatedDatabase;
let folder: Folder;

beforeAll(async () => {
  network = await createSimulatedDatabase({ seed: 31, blocks: 20, parties: 5, markets: 1 });
  folder = await createFolder();
});

afterAll(async () => {
  await network[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe.runIf(process.platform === 'linux')('what a full disk takes of standard output', () => {
  test.each(['schema', 'openapi', 'digest', 'verify', 'status'])('has %s end with 1', async (command) => {
    expect(await runInto([command], '/dev/full')).toEqual([1, fullDisk('Standard output')]);
  });

  test('has a backup end with 1, and is not laid to the database', async () => {
    expect(await runInto(['backup', '-'], '/dev/full')).toEqual([1, fullDisk('Standard output')]);
  });

  test('does not count where the result is elsewhere', async () => {
    const [code, stderr] = await runInto(['export', join(folder.path, 'parts')], '/dev/full');
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('a reader that has enough', () => {
  test.each(['schema', 'openapi'])('has %s end well', async (command) => {
    expect(await runInto([command], null)).toEqual([0, '']);
  });

  test('has a backup fail, which is not whole', async () => {
    const said = 'periscope: Standard output cannot be written: whoever read it is gone.\n';
    expect(await runInto(['backup', '-'], null)).toEqual([1, said]);
  });
});

test('a full disk that a backup or an export is written to is named, and not that of the database', async ({
  skip,
}) => {
  const disk = join(folder.path, 'disk');
  await mkdir(disk);
  skip(!mount(disk), 'only root can mount a file system, where the machine lets it');
  try {
    const [backup, parts] = [join(disk, 'x.sql'), join(disk, 'parts')];
    expect(await runInto(['backup', backup], '/dev/null')).toEqual([1, fullDisk(backup)]);
    expect(await runInto(['export', parts], '/dev/null')).toEqual([1, fullDisk(parts)]);
  } finally {
    execFileSync('umount', ['--lazy', disk]);
  }
});

function fullDisk(output: string): string {
  return `periscope: ${output} cannot be written: its disk is full.\n`;
}

/** Runs the program with standard output to a file, or to a pipe that nobody reads any more; gives how it ended and what it said. */
async function runInto(args: readonly string[], path: string | null) {
  const said = join(folder.path, 'said');
  await using errors = await open(said, 'w');
  const file = path === null ? null : await open(path, 'w');
  const child = spawn(process.execPath, [resolve('dist/bundle/cli.js'), ...args], {
    env: { PATH: process.env['PATH'], DATABASE_URL: network.url },
    stdio: ['ignore', file?.fd ?? 'pipe', errors.fd],
  });
  child.stdout?.destroy();
  const [code] = await once(child, 'close');
  await file?.close();
  const text = await readFile(said, 'utf8');
  await rm(said);
  return [code, text];
}

function mount(disk: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40k,mode=755', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
