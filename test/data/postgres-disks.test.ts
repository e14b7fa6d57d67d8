import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/data/embedded/postgres.ts';
import { EmbeddedFolders, runningServer } from '../support/embedded-folders.ts';
import { type Ended, readListening, runProgram, startProgram } from '../support/program.ts';
import { ask } from '../support/state.ts';

const NO_MOUNT = 'only root can mount a file system, where the machine lets it';

let folders: EmbeddedFolders;
let canMount: boolean;

beforeAll(async () => {
  folders = await EmbeddedFolders.create();
  canMount = tryMount();
});

afterAll(() => folders.dispose());

describe('a full disk is told in one line, and nothing runs on', () => {
  test.for(['8m', '40m'])('at the first start, on a disk of %s', async (size, { skip }) => {
    skip(!canMount, NO_MOUNT);
    using disk = mount(`size=${size},mode=755`);
    const dataDir = join(disk.folder, 'network');
    expectFull(await migrate(dataDir), dataDir);
    expect(runningServer(dataDir)).toBeUndefined();
  });

  test('while a server hangs in its recovery', async ({ skip, onTestFinished }) => {
    skip(!canMount, NO_MOUNT);
    using disk = mount('size=40m,mode=755');
    const dataDir = join(disk.folder, 'network');
    const cluster = join(dataDir, 'postgres');
    mkdirSync(cluster, { recursive: true });
    // What a server is known by: its name, its folder, and its own file.
    const name = folders.path('postgres');
    symlinkSync('/bin/bash', name);
    const loop = "trap 'exit' INT; while :; do sleep 0.1; done";
    const hanging = spawn(name, ['-c', loop, '-D', cluster], { stdio: 'ignore' });
    onTestFinished(() => void hanging.kill('SIGKILL'));
    writeFileSync(
      join(cluster, 'postmaster.pid'),
      `${hanging.pid}\n${cluster}\n0\n5432\n${dataDir}\n\n\nstarting\n`,
    );
    await fill(join(disk.folder, 'filler'));
    expectFull(await migrate(dataDir), dataDir);
    expect(runningServer(dataDir)).toBeUndefined();
  });

  test('in the middle of an ingest and at the next start, until there is room', async ({ skip }) => {
    skip(!canMount, NO_MOUNT);
    using disk = mount('size=100m,mode=755');
    const dataDir = join(disk.folder, 'network');
    expect(await ingest(dataDir, 20)).toMatchObject({ code: 0 });
    const filler = join(disk.folder, 'filler');
    await using program = startProgram(['ingest', 'simulate', '--blocks', '10000'], { DATA_DIR: dataDir });
    const postgres = await openPostgres({ dataDir });
    const isUnderWay = () => ask(postgres.url, 'SELECT FROM blocks WHERE height > 25');
    await expect.poll(isUnderWay).not.toEqual([]);
    await fill(filler);
    await postgres.close();
    const cut = await program.ended;
    expectFull(cut, dataDir);
    expect(cut.stderr).toContain('All blocks applied so far are kept.');
    expect(runningServer(dataDir)).toBeUndefined();
    await fill(filler);
    expectFull(await migrate(dataDir), dataDir);
    expect(runningServer(dataDir)).toBeUndefined();
    rmSync(filler);
    expect(await ingest(dataDir, 20)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /Nothing new .*; 20 blocks were there already; the database is at block \d+ /,
      ),
    });
  });
});

test('reads go on while a disk is full, through the end of the server and a restart, and what writes is refused', async ({
  skip,
}) => {
  skip(!canMount, NO_MOUNT);
  using disk = mount('size=300m,mode=755');
  const dataDir = join(disk.folder, 'network');
  expect(await ingest(dataDir, 20)).toMatchObject({ code: 0 });
  const isServed = async (url: string) => (await fetch(`${url}/api/v2/accounts`)).status;
  {
    await using program = startProgram(['serve'], { DATA_DIR: dataDir, PORT: '0', KEPT_ANSWERS_MB: '0' });
    const url = (await readListening(
      program.process.stdout as NonNullable<typeof program.process.stdout>,
    )) as string;
    await fill(join(disk.folder, 'filler'));
    expect(await isServed(url)).toBe(200);
    program.process.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0 });
  }
  await fill(join(disk.folder, 'another'));
  await using program = startProgram(['serve'], { DATA_DIR: dataDir, PORT: '0' });
  const url = (await readListening(
    program.process.stdout as NonNullable<typeof program.process.stdout>,
  )) as string;
  expect(await isServed(url)).toBe(200);
  expectFull(await ingest(dataDir, 40), dataDir);
  expect(await isServed(url)).toBe(200);
  for (const args of [['backup', folders.path('full.sql')], ['export', folders.path('parts')], ['digest']])
    expect(await runProgram(args, { DATA_DIR: dataDir }), args[0]).toMatchObject({ code: 0 });
  process.kill(runningServer(dataDir) as number, 'SIGKILL');
  await expect.poll(() => isServed(url)).toBe(200);
  program.process.kill('SIGTERM');
  await program.ended;
});

test('a gateway that takes in besides comes up on a full disk, and takes in once there is room', async ({
  skip,
}) => {
  skip(!canMount, NO_MOUNT);
  using disk = mount('size=300m,mode=755');
  const dataDir = join(disk.folder, 'network');
  expect(await ingest(dataDir, 20)).toMatchObject({ code: 0 });
  const filler = join(disk.folder, 'filler');
  // Room to start the server in, and no more.
  truncateSync(join(dataDir, 'reserve'), 24 * 2 ** 20);
  await fill(filler);
  await using program = startProgram(['serve', '--ingest', 'tcp://127.0.0.1:0'], {
    ...{ DATA_DIR: dataDir, PORT: '0', SPOOL_DIR: folders.path('spool') },
  });
  let said = '';
  program.process.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  await expect.poll(() => said).toContain('"listening"');
  expect(said).toMatch(
    /"reason":"[^"]* is full [^"]*","msg":"the database cannot be reached yet; events are/,
  );
  rmSync(filler);
  await expect.poll(() => said).toContain('"the database is there again"');
  program.process.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0 });
});

describe('a data folder that cannot be made or written says which folder and why', () => {
  test.for([
    ['', (root: string) => `It cannot be written: the file system of ${root} is read-only.`],
    ['a', (root: string) => `The folder ${root}/a cannot be made: the file system of ${root} is read-only.`],
    [
      'a/b',
      (root: string) => `The folder ${root}/a cannot be made: the file system of ${root} is read-only.`,
    ],
  ] as const)('on a read-only file system: %s', async ([name, reason], { skip }) => {
    skip(!canMount, NO_MOUNT);
    using disk = mount('size=1m,ro');
    const dataDir = join(disk.folder, name);
    const { code, stderr } = await migrate(dataDir);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `periscope: The embedded database in DATA_DIR ${dataDir} could not be opened. ${reason(disk.folder)}\n`,
    });
  });

  test.runIf(process.platform === 'linux')('below /proc', async () => {
    const { code, stderr } = await migrate('/proc/periscope/network');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'periscope: The embedded database in DATA_DIR /proc/periscope/network could not be opened. ' +
        'The folder /proc/periscope cannot be made: /proc takes no folders.\n',
    });
  });
});

function migrate(dataDir: string): Promise<Ended> {
  return runProgram(['migrate'], { DATA_DIR: dataDir });
}

function ingest(dataDir: string, blocks: number): Promise<Ended> {
  return runProgram(['ingest', 'simulate', '--blocks', `${blocks}`], { DATA_DIR: dataDir });
}

function expectFull({ code, stderr }: Ended, dataDir: string): void {
  expect(code).toBe(1);
  const lines = stderr
    .trimEnd()
    .split('\n')
    .filter((line) => !/^(?:[\d,]+ blocks?, |Kept )/.test(line));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^periscope: .*The disk that holds .* is full \([\d.]+ MiB are free\): /);
  expect(lines[0]).toContain(dataDir);
}

/** Takes all the space that a disk has. */
async function fill(path: string): Promise<void> {
  await using file = await open(path, 'a');
  const { bavail, bsize } = statfsSync(path);
  await file.writeFile(Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error;
  });
}

let count = 0;

/** Mounts a file system in memory, which is taken away when it is disposed of. */
function mount(options: string) {
  const folder = folders.path(`disk-${++count}`);
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  return {
    folder,
    [Symbol.dispose]() {
      // Lazily: a test that fails may have left a server there.
      execFileSync('umount', ['--lazy', folder]);
    },
  };
}

function tryMount(): boolean {
  try {
    using _disk = mount('size=1m');
    return true;
  } catch {
    return false;
  }
}
