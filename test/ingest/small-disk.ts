import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own, and small. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** How many bytes can still be written. */
  free(): Promise<number>;
  /** Takes all its room, until what is returned is disposed of. */
  fill(): Promise<AsyncDisposable>;
}

/** Whether a small disk can be had here: it takes root, on Linux, with the right to mount. */
export const canMount = ((): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    unmount(mount('size=64k'));
    return true;
  } catch {
    return false;
  }
})();

/** Mounts one; `files` is how many files and folders it can have besides its root. */
export function createSmallDisk({
  size,
  files,
}: {
  readonly size: number;
  readonly files?: number;
}): SmallDisk {
  const path = mount(`size=${size}${files === undefined ? '' : `,nr_inodes=${files + 1}`}`);
  const free = async () => {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  };
  return {
    path,
    free,
    async fill() {
      const filler = join(path, 'filler');
      await writeFile(filler, Buffer.alloc(await free()));
      return { [Symbol.asyncDispose]: () => rm(filler, { force: true }) };
    },
    [Symbol.asyncDispose]: async () => unmount(path),
  };
}

function mount(options: string): string {
  const path = mkdtempSync(join(tmpdir(), 'periscope-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'periscope-test', path], { stdio: 'pipe' });
  return path;
}

function unmount(path: string): void {
  execFileSync('umount', ['--lazy', path], { stdio: 'pipe' });
  rmdirSync(path);
}
