import { GatewayError } from '../../errors.ts';
import type { ColumnBatch } from './column-batch.ts';
import type { PartColumn } from './columns.ts';
import type { Manifest, PartFile } from './manifest.ts';

/** Where parts are written to, by one process at a time: a folder, or a bucket. A file that has its name is there whole. */
export interface PartTarget extends AsyncDisposable {
  /** How a person calls it. */
  readonly name: string;
  /** What is there; null where there is no manifest yet. */
  readManifest(): Promise<Manifest | null>;
  /** Writes rows to a file of its own, in a folder of this one; null where there are none. */
  writeFile(
    folder: string,
    table: string,
    columns: readonly PartColumn[],
    batches: AsyncGenerator<ColumnBatch, void>,
  ): Promise<PartFile | null>;
  /**
   * Puts a manifest in the place of the one that is there. Throws FAILED_PRECONDITION where somebody else has written another
   * one, or where a file that it names is not there, as far as that is known.
   */
  writeManifest(manifest: Manifest): Promise<void>;
  /** Removes files that a manifest does not name, as far as they are known. */
  removeOthers(manifest: Pick<Manifest, 'parts' | 'bases'>): Promise<void>;
}

/** Where the manifest is not the one that this process last saw. */
export function writtenByAnother({ name }: Pick<PartTarget, 'name'>): GatewayError {
  return new GatewayError(
    'FAILED_PRECONDITION',
    `Another process writes to ${name}. There can be one at a time.`,
  );
}
