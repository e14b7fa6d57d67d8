import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayError } from '../../errors.ts';
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
import { type BucketSettings, ObjectStore } from './object-store.ts';
import { writeParquet } from './parquet-file.ts';
import { type PartTarget, writtenByAnother } from './part-target.ts';

/** A bucket, and the folders within it. */
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]*)*)\/?$/;

/** A bucket that parts are written to. Each file is made in a folder of this machine first, as its name is its hash. */
export class PartBucket implements PartTarget {
  readonly name: string;
  readonly #store: ObjectStore;
  /** What all names begin with. */
  readonly #prefix: string;
  /** The manifest as this process last saw it. */
  #seen: string | null = null;
  /** The files that a manifest has named since others were last removed. */
  #named: ReadonlySet<string> = new Set();

  private constructor(name: string, store: ObjectStore, prefix: string) {
    this.name = name;
    this.#store = store;
    this.#prefix = prefix;
  }

  /** Throws INVALID_ARGUMENT where an address names no bucket. */
  static open(address: string, settings: BucketSettings, signal: AbortSignal): PartBucket {
    const [, bucket, folders] = ADDRESS.exec(address) ?? [];
    if (bucket === undefined || folders === undefined)
      throw new GatewayError(
        'INVALID_ARGUMENT',
        `${address} names no bucket: it takes s3://BUCKET or s3://BUCKET/FOLDER.`,
      );
    const prefix = folders === '' ? '' : `${folders.slice(1)}/`;
    return new PartBucket(address, new ObjectStore(bucket, settings, signal), prefix);
  }

  async readManifest(): Promise<Manifest | null> {
    this.#seen = await this.#store.readText(this.#keyOf(MANIFEST_NAME));
    if (this.#seen === null) return null;
    const manifest = readManifest(this.#seen, `${this.name}/${MANIFEST_NAME}`);
    this.#named = filesOf(manifest);
    return manifest;
  }

  async writeFile(
    folder: string,
    table: string,
    columns: readonly PartColumn[],
    batches: AsyncIterable<ColumnBatch>,
  ): Promise<PartFile | null> {
    const here = await mkdtemp(join(tmpdir(), 'periscope-export-'));
    try {
      const path = join(here, table);
      const written = await writeParquet(path, columns, batches);
      if (written.rows === 0) return null;
      const name = `${folder}/${written.sha256}.parquet`;
      await this.#store.writeFile(this.#keyOf(name), path, written);
      return { table, name, ...written };
    } finally {
      await rm(here, { recursive: true, force: true });
    }
  }

  async writeManifest(manifest: Manifest): Promise<void> {
    const key = this.#keyOf(MANIFEST_NAME);
    if ((await this.#store.readText(key)) !== this.#seen) throw writtenByAnother(this);
    const text = writeManifest(manifest);
    await this.#store.writeText(key, text);
    this.#named = new Set([...this.#named, ...filesOf(manifest)]);
    this.#seen = text;
  }

  /** Those that a manifest of this process named before: what a killed one has left, nobody lists. */
  async removeOthers(manifest: Pick<Manifest, 'parts' | 'bases'>): Promise<void> {
    const kept = filesOf(manifest);
    for (const name of this.#named) if (!kept.has(name)) await this.#store.remove(this.#keyOf(name));
    this.#named = kept;
  }

  #keyOf(name: string): string {
    return `${this.#prefix}${name}`;
  }
}
