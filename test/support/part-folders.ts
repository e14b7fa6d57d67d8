import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportParts } from '../../src/data/parts/export.ts';
import { type Manifest, readManifest } from '../../src/data/parts/manifest.ts';

export interface Folder extends AsyncDisposable {
  readonly path: string;
}

export async function createFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'periscope-parts-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export const EXPORT = { blocksPerPart: 50n, isClosedOnly: false, signal: new AbortController().signal };

/** A folder with the parts and a base of what a database holds. */
export async function exportToFolder(url: string, options: Partial<typeof EXPORT> = {}): Promise<Folder> {
  const folder = await createFolder();
  await exportParts(url, folder.path, { ...EXPORT, ...options });
  return folder;
}

export async function readManifestOf({ path }: Folder): Promise<Manifest> {
  return readManifest(await readFile(join(path, 'manifest.json'), 'utf8'), path);
}

/** The hash of each file of a folder, by its name from there. */
export async function readHashes({ path }: Folder): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const hashes = await Promise.all(
    files.map(async (file) => {
      // One that is being written may be gone.
      const bytes = await readFile(file).catch(() => null);
      if (bytes === null) return [];
      return [[file.slice(path.length + 1), createHash('sha256').update(bytes).digest('hex')] as const];
    }),
  );
  return new Map(hashes.flat());
}
