import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError } from '../../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { failOutput, OutputError } from '../output-error.ts';
import type { ColumnBatch } from './column-batch.ts';
import type { PartColumn } from './columns.ts';
import { FolderLock } from './folder-lock.ts';
import {
  filesOf,
  MANIFEST_NAME,
  type Manifest,
  type PartFile,
  readManifest,
  writeManifest,
} from './manifest.ts';
import { writeParquet } from './parquet-file.ts';
import { type PartTarget, writtenByAnother } from './part-target.ts';
import { PART_TABLES } from './tables.ts';
import { failInput } from './unreadable.ts';

/** What is being written has such a name: whoever is ended leaves it. */
const PARTIAL = String.raw`\.partial-[^/]+`;
const TABLE = `${PART_TABLES.map(({ table }) => table).join('|')}|bases/[0-9]+/[a-z0-9_]+`;
/** Where a run makes files, and nowhere else: below there may be the parts of another network, or a copy of these. */
const OURS = new RegExp(String.raw`^(?:${PARTIAL}|(?:${TABLE})/[0-9a-f]{64}\.parquet)$`);

/** A folder that parts are written to. Whoever opens it closes it, and no other process writes to it until then. */
export class PartFolder implements PartTarget {
  readonly #path: string;
  readonly #lock: FolderLock;
  /** The manifest as this process last saw it. */
  #seen: string | null = null;

  private constructor(path: string, lock: FolderLock) {
    this.#path = path;
    this.#lock = lock;
  }

  /** Makes the folder where it is not there. Throws UNAVAILABLE where it cannot be had, and as `FolderLock.take` does. */
  static async open(path: string): Promise<PartFolder> {
    await makeFolder(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === undefined) throw new GatewayError('UNAVAILABLE', error.message);
      throw new OutputError(path, error);
    });
    return new PartFolder(path, await FolderLock.take(path));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#lock[Symbol.asyncDispose]();
  }

  get name(): string {
    return this.#path;
  }

  async readManifest(): Promise<Manifest | null> {
    this.#seen = await this.#readText();
    if (this.#seen === null) return null;
    const manifest = readManifest(this.#seen, join(this.#path, MANIFEST_NAME));
    await this.#refuseLacking(manifest);
    return manifest;
  }

  async writeFile(
    folder: string,
    table: string,
    columns: readonly PartColumn[],
    batches: AsyncGenerator<ColumnBatch, void>,
  ): Promise<PartFile | null> {
    const partial = join(this.#path, `.partial-${process.pid}-${table}`);
    try {
      const written = await writeParquet(partial, columns, batches);
      if (written === null) return null;
      const name = `${folder}/${written.sha256}.parquet`;
      await makeFolder(join(this.#path, folder)).catch(failOutput(this.#path));
      await rename(partial, join(this.#path, name)).catch(failOutput(this.#path));
      await syncFolder(join(this.#path, folder));
      return { table, name, ...written };
    } finally {
      await rm(partial, { force: true });
    }
  }

  async writeManifest(manifest: Manifest): Promise<void> {
    await this.#lock.check();
    if ((await this.#readText()) !== this.#seen) throw writtenByAnother(this);
    await this.#refuseLacking(manifest);
    const text = writeManifest(manifest);
    await this.#replaceManifest(text).catch(failOutput(this.#path));
    this.#seen = text;
    await syncFolder(this.#path);
  }

  /** Removes files of ours that a manifest does not name: those that somebody was ended at, and bases that are not kept. */
  async removeOthers(manifest: Pick<Manifest, 'parts' | 'bases'>): Promise<void> {
    const named = filesOf(manifest);
    const files = await this.#list();
    await this.#lock.check();
    for (const path of files) {
      if (!OURS.test(path) || named.has(path)) continue;
      await rm(join(this.#path, path), { force: true }).catch(failOutput(this.#path));
    }
  }

  async #replaceManifest(text: string): Promise<void> {
    const partial = join(this.#path, `.partial-${process.pid}-manifest`);
    try {
      const file = await open(partial, 'w');
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, join(this.#path, MANIFEST_NAME));
    } finally {
      await rm(partial, { force: true });
    }
  }

  /** Throws FAILED_PRECONDITION where a file that a manifest names is not there: whoever follows the manifest would miss it. */
  async #refuseLacking(manifest: Manifest): Promise<void> {
    const there = new Set(await this.#list());
    const lacking = [...filesOf(manifest)].filter((name) => !there.has(name));
    if (lacking.length === 0) return;
    const which = lacking.length === 1 ? `${lacking[0]}` : `${lacking.length} files, as ${lacking[0]}`;
    throw new GatewayError(
      'FAILED_PRECONDITION',
      `${this.#path} lacks ${which}, which its manifest has to name. Bring back what was removed, or export to another folder.`,
    );
  }

  async #readText(): Promise<string | null> {
    const path = join(this.#path, MANIFEST_NAME);
    return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      return failInput(path)(error);
    });
  }

  async #list(): Promise<readonly string[]> {
    const entries = await readdir(this.#path, { recursive: true, withFileTypes: true }).catch(
      failInput(this.#path),
    );
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) =>
        join(parentPath, name).slice(join(this.#path, '/').length).replaceAll('\\', '/'),
      );
  }
}

/** A name is on the disk once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  // Not every system opens folders.
  if (folder === null) return;
  await folder.sync().catch(() => undefined);
  await folder.close();
}
