import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GatewayError } from '../../errors.ts';
import { makeFolder } from '../make-folder.ts';
import type { ColumnBatch } from './column-batch.ts';
import type { PartColumn } from './columns.ts';
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

/** What is being written has such a name: whoever is ended leaves it. */
const PARTIAL = /^\.partial-/;
const OURS = /^[0-9a-f]{64}\.parquet$/;
/** A table's folder, or that of a base's table. */
const DEEPEST = 4;

/** A folder that parts are written to. */
export class PartFolder implements PartTarget {
  readonly #path: string;
  /** The manifest as this process last saw it. */
  #seen: string | null = null;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Makes the folder where it is not there. */
  static async open(path: string): Promise<PartFolder> {
    await makeFolder(path).catch(explain(path));
    return new PartFolder(path);
  }

  get name(): string {
    return this.#path;
  }

  async readManifest(): Promise<Manifest | null> {
    this.#seen = await this.#readText();
    return this.#seen === null ? null : readManifest(this.#seen, join(this.#path, MANIFEST_NAME));
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
      await makeFolder(join(this.#path, folder));
      await rename(partial, join(this.#path, name));
      await syncFolder(join(this.#path, folder));
      return { table, name, ...written };
    } catch (error) {
      return explain(partial)(error as NodeJS.ErrnoException);
    } finally {
      await rm(partial, { force: true });
    }
  }

  async writeManifest(manifest: Manifest): Promise<void> {
    if ((await this.#readText()) !== this.#seen) throw writtenByAnother(this);
    const text = writeManifest(manifest);
    const partial = join(this.#path, `.partial-${process.pid}-manifest`);
    const file = await open(partial, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, join(this.#path, MANIFEST_NAME));
    this.#seen = text;
    await syncFolder(this.#path);
  }

  /** Removes files of ours that a manifest does not name: those that somebody was ended at, and bases that are not kept. */
  async removeOthers(manifest: Pick<Manifest, 'parts' | 'bases'>): Promise<void> {
    const named = filesOf(manifest);
    for (const { name, path } of await this.#list()) {
      if (PARTIAL.test(name) || (OURS.test(name) && !named.has(path))) await rm(join(this.#path, path));
    }
  }

  async #readText(): Promise<string | null> {
    return readFile(join(this.#path, MANIFEST_NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
  }

  async #list(): Promise<readonly { readonly name: string; readonly path: string }[]> {
    const entries = await readdir(this.#path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => ({
        name,
        path: join(parentPath, name).slice(join(this.#path, '/').length).replaceAll('\\', '/'),
      }))
      .filter(({ path }) => path.split('/').length <= DEEPEST);
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

function explain(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    const { syscall, code, message } = error;
    if (syscall === undefined || code === undefined || code.startsWith('ECONN')) throw error;
    throw new GatewayError('UNAVAILABLE', `${dirname(path)} cannot be written to: ${message}.`);
  };
}
