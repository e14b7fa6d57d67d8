import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { type BucketPlace, type BucketSettings, ObjectStore } from './object-store.ts';
import { writeParquet } from './parquet-file.ts';
import { type PartTarget, writtenByAnother } from './part-target.ts';
import type { Retries } from './retrying.ts';

/** A bucket that parts are written to. Each file is made in a folder of this machine first, as its name is its hash. */
export class PartBucket implements PartTarget {
  readonly name: string;
  readonly #store: ObjectStore;
  /** The manifest as this process last saw it. */
  #seen: string | null = null;
  /** The files that a manifest has named since others were last removed. */
  #named: ReadonlySet<string> = new Set();

  /** Throws as `ObjectStore` does. */
  constructor(place: BucketPlace, settings: BucketSettings, retries: Retries) {
    this.name = place.name;
    this.#store = new ObjectStore(place, settings, retries);
  }

  async readManifest(): Promise<Manifest | null> {
    this.#seen = await this.#store.readText(MANIFEST_NAME);
    if (this.#seen === null) return null;
    const manifest = readManifest(this.#seen, `${this.name}/${MANIFEST_NAME}`);
    this.#named = filesOf(manifest);
    return manifest;
  }

  async writeFile(
    folder: string,
    table: string,
    columns: readonly PartColumn[],
    batches: AsyncGenerator<ColumnBatch, void>,
  ): Promise<PartFile | null> {
    const here = await mkdtemp(join(tmpdir(), 'periscope-export-'));
    try {
      const path = join(here, table);
      const written = await writeParquet(path, columns, batches);
      if (written === null) return null;
      const name = `${folder}/${written.sha256}.parquet`;
      await this.#store.writeFile(name, path, written);
      return { table, name, ...written };
    } finally {
      await rm(here, { recursive: true, force: true });
    }
  }

  async writeManifest(manifest: Manifest): Promise<void> {
    if ((await this.#store.readText(MANIFEST_NAME)) !== this.#seen) throw writtenByAnother(this);
    const text = writeManifest(manifest);
    await this.#store.writeText(MANIFEST_NAME, text);
    this.#named = new Set([...this.#named, ...filesOf(manifest)]);
    this.#seen = text;
  }

  /** A store has no lock that ends with its holder: that the manifest is another's is all that one can see. */
  async [Symbol.asyncDispose](): Promise<void> {}

  /** Those that a manifest of this process named before: what a killed one has left, nobody lists. */
  async removeOthers(manifest: Pick<Manifest, 'parts' | 'bases'>): Promise<void> {
    const kept = filesOf(manifest);
    for (const name of this.#named) if (!kept.has(name)) await this.#store.remove(name);
    this.#named = kept;
  }
}
