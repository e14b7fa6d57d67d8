import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolder, type Folder } from '../support/part-folders.ts';
import { runProgram } from '../support/program.ts';
import { createSimulatedDatabase, type SimulatedDatabase } from '../support/simulated.ts';

let network: SimulatedDatabase;
let folder: Folder;

beforeAll(async () => {
  network = await createSimulatedDatabase({ seed: 31, blocks: 5, parties: 5, markets: 1 });
  folder = await createFolder();
});

afterAll(async () => {
  await network[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('an export says in one line why it cannot write to a folder', () => {
  test.runIf(process.platform === 'linux')('that cannot be made, and ends', async () => {
    expect(await exportTo('/proc/x/y')).toBe('The folder /proc/x cannot be made: /proc takes no folders.');
  });

  test('that is a file', async () => {
    const path = join(folder.path, 'file');
    await writeFile(path, '');
    expect(await exportTo(path)).toBe(`EEXIST: ${path} is there, and is no folder.`);
    const below = join(path, 'below');
    expect(await exportTo(below)).toBe(
      `${below} cannot be written: ENOTDIR: not a directory, stat '${below}'.`,
    );
  });

  test('whose manifest cannot be read', async () => {
    const path = join(folder.path, 'parts', 'manifest.json');
    await mkdir(path, { recursive: true });
    expect(await exportTo(join(folder.path, 'parts'))).toBe(
      `${path} cannot be read: EISDIR: illegal operation on a directory, read.`,
    );
  });
});

test.runIf(process.getuid?.() === 0)(
  'a verify whose temporary folder PostgreSQL may not enter names TMPDIR',
  async () => {
    const [parts, closed] = [join(folder.path, 'base'), join(folder.path, 'closed')];
    await chmod(folder.path, 0o755);
    await mkdir(closed, { mode: 0o700 });
    await mkdir(parts);
    await writeFile(join(parts, 'manifest.json'), '{}');
    const { code, stderr } = await runProgram(['verify', parts], {
      DATABASE_URL: network.url,
      TMPDIR: closed,
    });
    expect(code).toBe(1);
    expect(stderr).toContain(`The embedded database in TMPDIR ${closed}/`);
    expect(stderr).toContain(`who may not enter ${closed}. Choose a TMPDIR that this user can reach`);
    await rm(closed, { recursive: true });
  },
);

async function exportTo(path: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram(['export', path], { DATABASE_URL: network.url });
  expect([code, stdout]).toEqual([1, '']);
  return stderr.replace(/^periscope: (.*)\n$/, '$1');
}
