import { statfs } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import { define, gauge } from './define.ts';

/** Defines how much room is left on the disks of these folders, once they are there; null where there is none on this machine. */
export function defineDiskMetrics(
  registry: Registry,
  folders: Readonly<Record<'database' | 'spool', string | null>>,
): void {
  define(registry, [
    gauge(
      'periscope_disk_free_bytes',
      'How much room is left on the disk that holds the embedded database, or the spool.',
      async () => {
        const disks = Object.entries(folders).map(async ([holds, folder]) => {
          const free = folder === null ? null : await freeBytesOf(folder);
          return free === null ? [] : [[{ holds }, free] as const];
        });
        return (await Promise.all(disks)).flat();
      },
      'min',
    ),
  ]);
}

/** Null where the folder is not there. */
export async function freeBytesOf(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
